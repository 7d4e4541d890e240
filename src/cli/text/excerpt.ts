import { printable } from './printable.ts';
import { widthOf } from './width.ts';

/** A text on one line of a terminal, and where in it, in columns, a span of it is. */
export interface Excerpt {
  readonly text: string;
  readonly from: number;
  /** At least 1: a place between two characters is shown too. */
  readonly columns: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
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
  return Array.from(graphemes.segment(shown), ({ segment }) => ({ text: segment, columns: widthOf(segment) }));
}

function part(source: string, at: number, units: number): string {
  return source.slice(Math.max(0, Math.min(at, at + units)), Math.max(at, at + units));
}

const plain = /^[ -~]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

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
