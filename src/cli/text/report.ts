import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { Failure } from '../runtime/failure.ts';
import type { Paint } from '../runtime/output.ts';
import { printable, printableJson } from '../../shared/text/printable.ts';
import { graphemesOf, widthOf, wrap } from './table.ts';

/**
 * The one form of an error:
 *
 *     error: unknown field `titel`
 *       titel:"annual report" AND language:en
 *       ^^^^^
 *       did you mean `title`?
 *       try:  hydrant rule add 'title:"annual report" AND language:en'
 */
export interface ReportForm {
  readonly json: boolean;
  readonly paint: Paint;
  /** Columns of the terminal; a longer query is cut around its fault. */
  readonly width: number;
  /** Whether sentences are broken between words: on a terminal, which would break them anywhere. */
  readonly wraps?: boolean;
  /** HYDRANT_DEBUG=1. */
  readonly stack: boolean;
}

export function report(error: unknown, form: ReportForm): string {
  const text = error instanceof Failure ? reportFailure(error, form) : reportBug(error, form);
  if (!form.stack || form.json || !(error instanceof Error)) return text;
  return `${text}${(error.stack ?? '').split('\n').map(printable).join('\n')}\n`;
}

function reportFailure(failure: Failure, form: ReportForm): string {
  const { diagnostics = [], source, span, hint, field, docs, try: command } = failure.details;
  if (form.json) {
    const rest = { ...(source !== undefined && { source }), ...(diagnostics.length > 0 && { diagnostics }) };
    return `${printableJson({ code: failure.code, message: failure.message, field, span, hint, try: command, docs, ...rest })}\n`;
  }
  // A question that was answered with no went as it was wished.
  if (failure.code === 'declined') return `${failure.message}\n`;
  const others = diagnostics.slice(1).flatMap((other) => diagnosticLines(other, source, form));
  const lines = [
    ...labelled('error', failure.message, form),
    ...indented(excerpt(source, span, form)),
    ...(hint === undefined ? [] : advice(hint, form)),
    ...others,
    ...indented(command === undefined ? [] : [`try:  ${printable(command)}`]),
    ...indented(docs === undefined ? [] : [`docs: ${printable(docs)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** One finding about a query, as a block: what, where, and what to write instead. */
export function diagnosticLines(found: Diagnostic, source: string | undefined, form: ReportForm): string[] {
  return [
    ...labelled(found.severity, found.message, form),
    ...indented(excerpt(source, found.span, form)),
    ...(found.hint ? advice(found.hint.message, form) : []),
  ];
}

function labelled(label: Diagnostic['severity'], message: string, form: ReportForm): string[] {
  const [first = '', ...rest] = prose(message, form, `${label}: `.length);
  return [`${form.paint(label === 'error' ? 'red' : 'yellow', `${label}:`)} ${first}`, ...rest];
}

function advice(text: string, form: ReportForm): string[] {
  const [first = '', ...rest] = prose(text, form, INDENT.length);
  return [INDENT + first, ...rest];
}

function prose(text: string, { wraps, width }: ReportForm, indent: number): string[] {
  return wraps === true ? wrap(printable(text), width, indent) : [printable(text)];
}

function reportBug(error: unknown, form: ReportForm): string {
  const what = error instanceof Error ? error.message : String(error);
  if (form.json) return `${printableJson({ code: 'bug', message: what })}\n`;
  return `${form.paint('red', 'error:')} ${printable(what)}\n  this is a bug in hydrant; HYDRANT_DEBUG=1 shows where\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => INDENT + line);
}

const INDENT = '  ';

type Span = NonNullable<Diagnostic['span']>;

/** The text and carets below its span. A span that is not inside the text (another text was meant) gets no carets. */
function excerpt(source: string | undefined, span: Span | undefined, form: ReportForm): string[] {
  if (source === undefined || source === '') return [];
  const isInside = span !== undefined && span.start >= 0 && span.start <= span.end && span.end <= source.length;
  const { text, from, columns } = excerptAround(source, isInside ? span : { start: 0, end: 0 }, roomOf(form));
  return isInside ? [text, `${' '.repeat(from)}${form.paint('red', '^'.repeat(columns))}`] : [text];
}

/** Columns beside the indentation and an empty one; of a window too narrow for anything, as many as say something. */
function roomOf({ width }: ReportForm): number {
  return Math.max(20, width - 4);
}

/** A text on one line of a terminal, and where in it, in columns, a span of it is. */
interface Excerpt {
  readonly text: string;
  readonly from: number;
  /** At least 1: a place between two characters is shown too. */
  readonly columns: number;
}

/**
 * The text, or as much around the beginning of the span as has room; an ellipsis stands where something is missing.
 * Only what may be shown is measured, so a text of megabytes costs no more than a line.
 * @param span UTF-16 units inside the text
 * @param room columns
 */
export function excerptAround(source: string, { start, end }: Span, room: number): Excerpt {
  const before = cellsOf(source, start, -room);
  const after = cellsOf(source, start, room);
  const isWhole = start <= unitsOf(before) && source.length - start <= unitsOf(after);
  const isAll = isWhole && columnsOf(before) + columnsOf(after) <= room;
  const left = room - 2 * ELLIPSIS.length;
  const tail = isAll ? after : fitting(after, left - Math.min(columnsOf(before), Math.floor(left / 4)));
  const lead = isAll ? before : fitting(before.toReversed(), left - columnsOf(tail)).toReversed();
  const dots = start > unitsOf(lead) ? ELLIPSIS : '';
  const rest = source.length - start > unitsOf(tail) ? ELLIPSIS : '';
  return {
    text: dots + textOf(lead) + textOf(tail) + rest,
    from: dots.length + columnsOf(lead),
    columns: Math.max(1, columnsOf(within(tail, end - start))),
  };
}

const ELLIPSIS = '…';
/** UTF-16 units that one column may take before the text counts as too long: an emoji of a family has 11 for 2. */
const UNITS = 8;

/** What a terminal shows as one character. */
interface Cell {
  readonly text: string;
  readonly columns: number;
}

/** At least as many characters as fill `room` columns behind `at`, or before it where `room` is negative. */
function cellsOf(source: string, at: number, room: number): Cell[] {
  const near = part(source, at, room);
  if (plain.test(near)) return Array.from(near, (text) => ({ text, columns: 1 }));
  const shown = printable(part(source, at, room * UNITS));
  return Array.from(graphemesOf(shown), ({ segment }) => ({ text: segment, columns: widthOf(segment) }));
}

function part(source: string, at: number, units: number): string {
  return source.slice(Math.max(0, Math.min(at, at + units)), Math.max(at, at + units));
}

const plain = /^[ -~]*$/;

/** The first ones, as many as have room. */
function fitting(cells: readonly Cell[], room: number): Cell[] {
  let used = 0;
  const end = cells.findIndex(({ columns }) => (used += columns) > room);
  return cells.slice(0, end === -1 ? undefined : end);
}

/** The first ones, as many as begin within so many UTF-16 units. */
function within(cells: readonly Cell[], units: number): Cell[] {
  let at = 0;
  return cells.filter(({ text }) => {
    at += text.length;
    return at - text.length < units;
  });
}

function columnsOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { columns }) => sum + columns, 0);
}

function unitsOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0);
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ text }) => text).join('');
}
