import { printable } from './printable.ts';
import { widthOf } from './width.ts';

/** One column of a list: its heading, and what stands below it. */
export interface Column<Row> {
  readonly title: string;
  /** For a terminal. */
  readonly show: (row: Row) => string;
  /** For a pipe, where it differs: whole ids, ISO times. */
  readonly plain?: (row: Row) => string;
  readonly align?: 'right';
}

const GAP = '  ';
/** No column is cut below this: less says nothing. */
const NARROWEST = 6;

/** Columns without borders and empty ones, the longest ones cut until a line fits `width`. Cells hold text from anywhere. */
export function layTable<Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const columns = all.filter((column) => rows.some((row) => column.show(row) !== ''));
  const body = rows.map((row) => columns.map((column) => printable(column.show(row))));
  const head = columns.map((column) => column.title.toUpperCase());
  // No spread: a long table has more rows than a call may have arguments.
  const natural = columns.map((_, index) =>
    [head, ...body].reduce((widest, line) => Math.max(widest, widthOf(line[index] ?? '')), 0),
  );
  const widths = fit(natural, width - GAP.length * (columns.length - 1));
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

/** Takes a character at a time from the widest column, as a table of lists has few and short ones. */
function fit(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    const current = widths[widest] ?? 0;
    if (current <= NARROWEST) break;
    widths[widest] = current - 1;
  }
  return widths;
}

/** The text in at most `width` columns of a terminal, an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
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
