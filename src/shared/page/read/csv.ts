import { SEGMENT_LENGTH } from '../../limits.ts';
import { fold } from './fold.ts';
import { NO_FACTS, type Page, type Segment } from '../page.ts';
import { segmentsOf } from './segments.ts';

/**
 * A table in CSV as a page: a row a line, its cells joined as those of a table on a page are, `a | b | c`. The row of names
 * is a line like the others: a diff shows whole rows, which people read by their neighbours, and a name before each value
 * would make a new column a change of every row.
 */
export function readCsv(text: string, url: string): Page {
  return tablePage(text, url, separatorOf(text));
}

/** The same of tab-separated values, whose cells are never quoted. */
export function readTsv(text: string, url: string): Page {
  return tablePage(text, url, '\t');
}

function tablePage(text: string, url: string, separator: string): Page {
  return { url, ...segmentsOf(rows(text, separator)), anchors: [], links: [], facts: NO_FACTS };
}

/** Most tables have commas; where a comma is the decimal point, semicolons; some tabs. That of which the first line has most. */
function separatorOf(text: string): string {
  const line = (/[^\n\r]+/.exec(text.slice(0, FIRST_LINE))?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const SEPARATORS = [',', ';', '\t', '|'];
/** Characters in which the first line is looked for. */
const FIRST_LINE = 64 * 1_024;

/** One after another: a text may have millions. */
function* rows(text: string, separator: string): Generator<Segment> {
  let row: Row = { text: '', cells: 0 };
  for (const { text: value, isLast } of cellsOf(text, separator)) {
    row = withCell(row, value);
    if (!isLast) continue;
    if (SAYS.test(row.text)) yield { text: row.text, kind: 'row', zone: 'main' };
    row = { text: '', cells: 0 };
  }
  // Behind a separator at the very end.
  if (SAYS.test(row.text)) yield { text: row.text, kind: 'row', zone: 'main' };
}

interface Row {
  readonly text: string;
  readonly cells: number;
}

/** Empty cells count, so that a value that moves to another column is seen. */
function withCell({ text, cells }: Row, value: string): Row {
  // What is beyond the length of a line would be left out anyway, and a row may have millions of cells.
  if (text.length > SEGMENT_LENGTH) return { text, cells };
  const cell = fold(value.length > 2 * SEGMENT_LENGTH ? value.slice(0, 2 * SEGMENT_LENGTH) : value);
  return { text: cells === 0 ? cell : `${text} | ${cell}`, cells: cells + 1 };
}

/** A row of separators alone is the empty rest of a sheet. */
const SAYS = /[^\s|]/;

interface Cell {
  readonly text: string;
  /** Of its row. */
  readonly isLast: boolean;
}

/**
 * RFC 4180, and what is usual beside it: any line end; a quote inside a cell that does not begin with one is a character;
 * what follows a closing quote is part of the cell; a quote that is never closed is a character.
 */
function* cellsOf(text: string, separator: string): Generator<Cell> {
  const ends = new RegExp(`[${separator}\n\r]|$`, 'g');
  // Once no quote follows, none is looked for any more: each cell would look to the end of the text.
  let areQuoted = separator !== '\t';
  for (let at = 0; at < text.length;) {
    const close = areQuoted && text[at] === '"' ? closingQuote(text, at + 1) : undefined;
    if (close === -1) areQuoted = false;
    const isQuoted = close !== undefined && close !== -1;
    ends.lastIndex = isQuoted ? close + 1 : at;
    const to = ends.exec(text)?.index ?? text.length;
    const value = isQuoted
      ? text.slice(at + 1, close).replaceAll('""', '"') + text.slice(close + 1, to)
      : text.slice(at, to);
    yield { text: value, isLast: text[to] !== separator };
    // What a line feed follows is an empty row, which says nothing.
    at = to + 1;
  }
}

/** The quote that ends a cell: one that is not doubled. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
