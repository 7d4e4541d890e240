import { printable } from './printable.ts';
import { isPlain, widthOf } from './width.ts';

/** One column of a list: its heading, and what stands below it. */
export interface Column<Row> {
  readonly title: string;
  /** For a terminal. */
  readonly show: (row: Row) => string;
  /** For a pipe, where it differs: whole ids, ISO times. */
  readonly plain?: (row: Row) => string;
  readonly align?: 'right';
  /** Characters that it keeps where others can give way; `NARROWEST` without it. */
  readonly least?: number;
  /** It is left out, the highest first, before a line does not fit otherwise. */
  readonly spare?: number;
}

const GAP = '  ';
/** No column is cut below this: less says nothing. */
const NARROWEST = 6;

/** Columns without borders and empty ones, the longest ones cut until a line fits `width`. Cells hold text from anywhere. */
export function layTable<Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const saying = all.filter((column) => rows.some((row) => column.show(row) !== ''));
  const columns = fitting(saying, rows, width);
  const body = rows.map((row) => columns.map((column) => printable(column.show(row))));
  const head = columns.map((column) => column.title.toUpperCase());
  const natural = columns.map((column) => naturalWidth(column, rows));
  const least = columns.map((column) => column.least ?? NARROWEST);
  const widths = fit(natural, least, width - GAP.length * (columns.length - 1));
  return [head, ...body].map((line) =>
    line
      .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd(),
  );
}

/** Tab-separated, a line a row, no heading: for `cut`, `awk` and spreadsheets. Cells lose their tabs and line ends. */
export function layTsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return rows.map((row) => columns.map((column) => printable((column.plain ?? column.show)(row))).join('\t'));
}

function naturalWidth<Row>({ title, show }: Column<Row>, rows: readonly Row[]): number {
  // No spread: a long table has more rows than a call may have arguments.
  return rows.reduce((widest, row) => Math.max(widest, widthOf(printable(show(row)))), widthOf(title));
}

/** Without the spare columns for which there is no room beside what the others keep. */
function fitting<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): readonly Column<Row>[] {
  const [spare] = columns.filter((column) => column.spare !== undefined).toSorted(bySpare);
  if (spare === undefined) return columns;
  const needed = columns.reduce((sum, column) => {
    const natural = naturalWidth(column, rows);
    return sum + GAP.length + Math.min(natural, column.least ?? natural);
  }, -GAP.length);
  if (needed <= width) return columns;
  return fitting(
    columns.filter((column) => column !== spare),
    rows,
    width,
  );
}

function bySpare<Row>(one: Column<Row>, other: Column<Row>): number {
  return (other.spare ?? 0) - (one.spare ?? 0);
}

/** Takes a character at a time from the widest column that may lose one: lists have few columns, and short ones. */
function fit(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const loose = widths.map((width, index) => (width > (least[index] ?? NARROWEST) ? width : 0));
    const most = Math.max(...loose);
    if (most === 0) break;
    widths[loose.indexOf(most)] = most - 1;
  }
  return widths;
}

/** The text in at most `width` columns of a terminal, an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  // Segmenting costs a hundred times as much, and what is cut is mostly plain where it is cut.
  const head = text.slice(0, Math.max(0, width));
  if (isPlain(head)) return `${head.slice(0, -1)}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = widthOf(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? space + text : text + space;
}

/** A line of a table for a spreadsheet (RFC 4180). */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/**
 * Every cell in quotes. What a spreadsheet would take for a formula begins with an apostrophe: the text is a stranger's.
 */
function cell(text: string): string {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}
