import { siteOf } from '../page/domain.ts';
import { ratingOfRank } from './rating.ts';

/** What one line of a list says. */
type RatedLine =
  | { readonly kind: 'rated'; readonly domain: string; readonly rating: number }
  /** Its place is beyond the last one that has a rating. */
  | { readonly kind: 'beyond' }
  /** The header, a comment, an empty line. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bad'; readonly message: string };

/**
 * Reads a list of ranks or ratings, a line at a time: `rank,domain` as Tranco and others publish, `domain,rating`, and
 * the tab-separated ranks of the Common Crawl web graph, whose names are reversed. A header names the columns, if there
 * is one; otherwise the first line that can be read shows them, and all the others must be like it.
 *
 * A rank becomes a rating, a rating stays what it is. A host stands for its registrable domain.
 */
export class RatingList {
  #columns: Columns | undefined;
  #isFirst = true;

  /** @param line without its end */
  read(line: string): RatedLine {
    const text = this.#isFirst ? line.replace(/^\uFEFF/, '') : line;
    const isFirst = this.#isFirst;
    if (text.trim() === '') return { kind: 'nothing' };
    this.#isFirst = false;
    if (isFirst) this.#columns = columnsOfHeader(text);
    if (this.#columns !== undefined && isFirst) return { kind: 'nothing' };
    if (text.startsWith('#')) return { kind: 'nothing' };
    this.#columns ??= columnsOfLine(text);
    if (this.#columns !== undefined) return rated(text, this.#columns);
    // A header in words of its own has no number; whatever else cannot be read is a line that cannot be read.
    if (isFirst && !/\d/.test(text)) return { kind: 'nothing' };
    return { kind: 'bad', message: 'it is neither `rank,domain` nor `domain,rating`' };
  }
}

function rated(text: string, columns: Columns): RatedLine {
  const cells = cellsOf(text, columns.separator);
  const name = cells[columns.domain] ?? '';
  const rating = (columns.is === 'rank' ? readRank : readRating)(cells[columns.number] ?? '');
  // Before the name is looked at: a list of the whole web has a hundred million lines beyond the last rank.
  if (typeof rating !== 'number') return rating;
  const domain = siteOf(columns.isReversed ? name.split('.').toReversed().join('.') : name);
  if (domain !== undefined) return { kind: 'rated', domain, rating };
  return { kind: 'bad', message: name === '' ? 'it has no domain' : `\`${cut(name)}\` is not a domain` };
}

function readRank(text: string): number | RatedLine {
  const rank = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (rank < 1) return { kind: 'bad', message: `the rank \`${cut(text)}\` is not a whole number from 1` };
  return ratingOfRank(rank) ?? { kind: 'beyond' };
}

function readRating(text: string): number | RatedLine {
  const rating = /^\d{1,3}(?:\.\d{1,20})?$/.test(text) ? Number(text) : -1;
  if (rating >= 0 && rating <= 100) return Math.round(rating);
  return { kind: 'bad', message: `the rating \`${cut(text)}\` is not a number from 0 to 100` };
}

/** A line may be anything; what is repeated of it is short. */
function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Where a list has its domain and its number, counted from 0. */
interface Columns {
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
function columnsOfHeader(line: string): Columns | undefined {
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
function columnsOfLine(line: string): Columns | undefined {
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
function cellsOf(line: string, separator: string): string[] {
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
