import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { excerptAround } from './excerpt.ts';
import { Failure } from '../runtime/failure.ts';
import type { Paint } from '../runtime/output.ts';
import { printable, printableJson } from './printable.ts';
import { wrap } from './width.ts';

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
