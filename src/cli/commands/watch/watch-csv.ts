import { isUrl, labelsOf, ListCollector, type WatchEntry, type WatchList } from './watch-entry.ts';
import { cadenceWord, isCadence, minutesOf, nearestCadence } from './watch-options.ts';

/** A table with a column of URLs: comma, semicolon or tab between the cells, a heading or none. */
export function looksLikeCsv(text: string): boolean {
  const { rows } = parsed(text, 20);
  const [first] = rows;
  if (first === undefined) return false;
  if (first.cells.length > 1 ? isHeading(first.cells) : URL_NAMES.test(first.cells[0] ?? '')) return true;
  // A URL may have commas: without a heading it is a table if something in it cannot be a part of one.
  const inOneLine = rows.every(({ cells }) => cells.length === first.cells.length && cells.some((cell) => isUrl(cell)));
  return (
    first.cells.length > 1 &&
    inOneLine &&
    rows.some(({ raw, cells }) => /["\t ]/.test(raw.trim()) || !isUrl(cells[0] ?? ''))
  );
}

const URL_NAMES = /^(?:url|urls|link|uri|address|page|website)$/i;
const NAMES = {
  every: /^(?:every|frequency|interval|cadence)$/i,
  minutes: /^(?:frequency|interval)[_ ]minutes$/i,
  select: /^select$/i,
  ignore: /^ignore$/i,
  only: /^only$/i,
  trigger: /^trigger$/i,
  confirm: /^confirm$/i,
  status: /^status$/i,
  title: /^(?:title|name|label)$/i,
  tags: /^(?:tags?|folders?|categor(?:y|ies)|groups?)$/i,
} as const;

function isHeading(cells: readonly string[]): boolean {
  return cells.some((cell) => URL_NAMES.test(cell.trim())) && !cells.some((cell) => isUrl(cell.trim()));
}

export function readCsv(text: string, name: string): WatchList {
  const { rows, problem } = parsed(text);
  const heading = headingOf(rows);
  const body = heading ? rows.slice(1) : rows;
  const at = heading ? heading.findIndex((cell) => URL_NAMES.test(cell)) : urlColumn(body);
  const list = new ListCollector('a table');
  if (problem !== undefined) list.problem(`${name}: ${problem}`);
  const left = heading?.filter((title, index) => index !== at && !isKnown(title)) ?? [];
  if (left.length > 0) list.problem(`${name}: columns that are not used: ${left.join(', ')}`);
  for (const { cells, line } of body) {
    const url = cells[at]?.trim() ?? '';
    const place = `${name} line ${line}`;
    const read = terms(heading ?? [], cells);
    if (isUrl(url)) list.add({ place, title: read.title, url }, () => ({ url, place, ...read }));
    else list.problem(`${place}: "${url.slice(0, 100)}" is not an http or https URL`);
  }
  return list.list();
}

function headingOf([first]: readonly Row[]): string[] | undefined {
  return first && isHeading(first.cells) ? first.cells.map((cell) => cell.trim()) : undefined;
}

function isKnown(title: string): boolean {
  return Object.values(NAMES).some((pattern) => pattern.test(title)) || /^id$/i.test(title);
}

/** The column that has most URLs. */
function urlColumn(rows: readonly Row[]): number {
  const columns = Math.max(...rows.slice(0, 100).map(({ cells }) => cells.length), 0);
  const found = (column: number): number => rows.filter(({ cells }) => isUrl(cells[column]?.trim() ?? '')).length;
  const counts = Array.from({ length: columns }, (_, column) => found(column));
  return counts.indexOf(Math.max(...counts));
}

function terms(heading: readonly string[], cells: readonly string[]): Omit<WatchEntry, 'url' | 'place'> {
  const cell = (which: keyof typeof NAMES): string =>
    cells[heading.findIndex((title) => NAMES[which].test(title))]?.trim() ?? '';
  const lines = (which: 'select' | 'ignore'): string[] => cell(which).split('\n').filter(Boolean);
  const only = cell('only');
  const options = {
    ...(cell('select') !== '' && { select: lines('select') }),
    ...(cell('ignore') !== '' && { ignore: lines('ignore') }),
    ...((only === 'added' || only === 'removed') && ({ only } as const)),
    ...(cell('trigger') !== '' && { trigger: cell('trigger') }),
    ...(/^(?:true|yes|1)$/i.test(cell('confirm')) && { confirm: true }),
  };
  const labels = labelsOf(cell('title'), [cell('tags').replaceAll('\n', ',')]);
  const cadence = rhythm(cell('every') || (cell('minutes') && `${cell('minutes')}m`));
  return {
    ...cadence,
    ...labels,
    notes: [...cadence.notes, ...labels.notes],
    ...(Object.keys(options).length > 0 && { options }),
    ...(cell('status') === 'paused' && { paused: true }),
  };
}

/** A rhythm of a list: the nearest there is, and a note where that is another. */
function rhythm(word: string): { readonly minutes?: number; readonly notes: readonly string[] } {
  if (word === '') return { notes: [] };
  const minutes = minutesOf(word);
  if (minutes === undefined) return { notes: [`"${word.slice(0, 40)}" is not a known interval`] };
  return nearest(minutes);
}

export function nearest(minutes: number): { readonly minutes: number; readonly notes: readonly string[] } {
  if (isCadence(minutes)) return { minutes, notes: [] };
  const found = nearestCadence(minutes);
  return { minutes: found, notes: [`every ${spoken(minutes)} is rounded to every ${cadenceWord(found)}`] };
}

function spoken(minutes: number): string {
  return minutes < 1 ? 'few seconds' : cadenceWord(Math.round(minutes));
}

interface Row {
  readonly cells: readonly string[];
  /** From 1; that of its beginning. */
  readonly line: number;
  readonly raw: string;
}

/** RFC 4180, with whichever separator the first line has. Blank lines and those with `#` are no rows. */
function parsed(text: string, most = Number.POSITIVE_INFINITY): { rows: Row[]; problem?: string } {
  const separator = separatorOf(text);
  const rows: Row[] = [];
  const cell = new RegExp(String.raw`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r?\n|$)`, 'y');
  for (let line = 1; cell.lastIndex < text.length && rows.length < most;) {
    const from = cell.lastIndex;
    const cells: string[] = [];
    for (;;) {
      const found = cell.exec(text);
      if (!found) return { rows, problem: `line ${line} cannot be read as a row of a table` };
      cells.push(tamed(found[1]?.replaceAll('""', '"') ?? found[2] ?? ''));
      if (found[3] !== separatorText(separator)) break;
    }
    const raw = text.slice(from, cell.lastIndex);
    if (raw.trim() !== '' && !raw.startsWith('#')) rows.push({ cells, line, raw });
    line += raw.split('\n').length - 1;
  }
  return { rows };
}

function separatorOf(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#')) ?? '';
  return [String.raw`\t`, ';', ','].find((one) => line.includes(separatorText(one))) ?? ',';
}

function separatorText(separator: string): string {
  return separator === String.raw`\t` ? '\t' : separator;
}

/** Takes away the apostrophe that keeps a spreadsheet from reading a formula: an export of ours writes it. */
function tamed(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
