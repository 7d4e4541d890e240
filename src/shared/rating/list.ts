import { siteOf } from '../page/domain.ts';
import { cellsOf, type Columns, columnsOfHeader, columnsOfLine } from './columns.ts';
import { ratingOfRank } from './rating.ts';

/** What one line of a list says. */
export type RatedLine =
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
  return { kind: 'bad', message: name === '' ? 'it has no domain' : `\`${cut(name)}\` is no domain` };
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
