import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type stringWidth from 'string-width';
import { printable } from '../../shared/text/printable.ts';

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

/**
 * Takes a character at a time from the widest column that may lose one: lists have few columns, and short ones. Where what all
 * of them keep is too wide together, the widest gives way all the same.
 */
function fit(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const floors of [least, least.map(() => NARROWEST)]) {
    for (; over > 0; over -= 1) {
      const loose = widths.map((width, index) => (width > (floors[index] ?? NARROWEST) ? width : 0));
      const most = Math.max(...loose);
      if (most === 0) break;
      widths[loose.indexOf(most)] = most - 1;
    }
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
  for (const { segment } of graphemesOf(text)) {
    const next = widthOf(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

/** What a reader takes for one character; how many columns each takes, `widthOf` says. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

let segmenter: Intl.Segmenter | undefined;

/** Fills with spaces up to `width` columns. */
export function pad(text: string, width: number, align?: 'right'): string {
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

/** ASCII, Latin, Greek and Cyrillic letters, dashes, quotes, currencies: all of one column, none of them combining. */
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/;
const require = createRequire(import.meta.url);
const wide = new URL(`./columns${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
let measure: typeof stringWidth | undefined;

/**
 * How many columns of a terminal the text takes. The package that knows of wide and combining characters and of emoji
 * costs 50 ms to load, a third of a short command: it is loaded, at once and not by `import`, with the first text that
 * needs it.
 */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  measure ??= load();
  return measure(text);
}

/** Whether each character is one that a terminal shows one column wide, as in nearly all that is ever measured. */
function isPlain(text: string): boolean {
  return plain.test(text);
}

function load(): typeof stringWidth {
  const loaded: { readonly columnsOf: typeof stringWidth } = require(fileURLToPath(wide));
  return loaded.columnsOf;
}

/**
 * The text in lines of at most `width` columns, broken at spaces only: a word that is wider stands on a line of its
 * own, for the terminal to break.
 * @param indent columns of the first line that are taken, and spaces that the others begin with
 */
export function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = indent;
  for (const word of text.split(' ')) {
    const next = widthOf(word);
    if (line !== '' && columns + 1 + next > width) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
      columns = indent + next;
    } else {
      columns += next + (line === '' ? 0 : 1);
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
