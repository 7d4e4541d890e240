import { siteOf } from '../page/domain.ts';

/** Where a list has its domain and its number, counted from 0. */
export interface Columns {
  readonly separator: string;
  readonly domain: number;
  readonly number: number;
  readonly is: 'rank' | 'rating';
  /** `org.example`, as the Common Crawl web graph writes it. */
  readonly isReversed: boolean;
}

/** In order of preference: a list that has both a rank and a rating made the rating for this. */
const RATING_NAMES = [
  'rating',
  'domain_rating',
  'domain rating',
  'dr',
  'domain_authority',
  'domain authority',
  'score',
];
const RANK_NAMES = ['#harmonicc_pos', 'harmonicc_pos', 'rank', 'global_rank', 'globalrank', 'position', 'pos', '#'];
const REVERSED_NAMES = ['#host_rev', 'host_rev'];
const DOMAIN_NAMES = ['domain', 'root_domain', 'root domain', 'host', 'hostname', 'site', 'website', 'name'];

/** The columns that a header names; undefined when the line names none. */
export function columnsOfHeader(line: string): Columns | undefined {
  const separator = separatorOf(line);
  const names = cellsOf(line, separator).map((name) => name.toLowerCase());
  const first = (wanted: readonly string[]): number => names.findIndex((name) => name === firstOf(wanted, names));
  const [rating, rank, reversed, plain] = [RATING_NAMES, RANK_NAMES, REVERSED_NAMES, DOMAIN_NAMES].map(first);
  const [domain, number] = [reversed === -1 ? plain : reversed, rating === -1 ? rank : rating];
  if (domain === undefined || number === undefined || domain === -1 || number === -1) return undefined;
  return { separator, domain, number, is: rating === -1 ? 'rank' : 'rating', isReversed: reversed !== -1 };
}

function firstOf(wanted: readonly string[], names: readonly string[]): string | undefined {
  return wanted.find((name) => names.includes(name));
}

/** The columns that a line without a header shows: `1,example.org`, `example.org,57`, or a row of the web graph. */
export function columnsOfLine(line: string): Columns | undefined {
  const separator = separatorOf(line);
  const cells = cellsOf(line, separator);
  const [first = '', second = ''] = cells;
  const reversed = cells[REVERSED_AT] ?? '';
  if (separator === '\t' && NUMBER.test(first) && NUMBER.test(second) && siteOf(reversed) !== undefined) {
    return { separator, domain: REVERSED_AT, number: 0, is: 'rank', isReversed: true };
  }
  if (NUMBER.test(first) && siteOf(second) !== undefined) {
    return { separator, domain: 1, number: 0, is: 'rank', isReversed: false };
  }
  if (NUMBER.test(second) && siteOf(first) !== undefined) {
    return { separator, domain: 0, number: 1, is: 'rating', isReversed: false };
  }
  return undefined;
}

/** `harmonicc_pos harmonicc_val pr_pos pr_val host_rev n_hosts` */
const REVERSED_AT = 4;
const NUMBER = /^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

function separatorOf(line: string): string {
  return ['\t', ';'].find((separator) => line.includes(separator)) ?? ',';
}

/** The cells of a line as RFC 4180 has them, without white space around them; a quoted one may hold the separator. */
export function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let last = '';
  for (const character of line) {
    // A doubled quote inside quotes closes them and opens them again: what stands there is the quote itself.
    if (character === '"' && !isQuoted && last === '"') cell += '"';
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
    last = character;
  }
  return [...cells, cell.trim()];
}
