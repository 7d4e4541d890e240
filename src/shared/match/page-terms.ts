import { FIELDS, type FieldName } from '../query/fields.ts';
import { analyze } from '../analysis/analyze.ts';
import type { ChangedPage } from './document.ts';

/** Positions between two values of a field: no phrase runs from one chunk into the next (decisions). */
const GAP = 100;

/** The words of one field of one page, each with its ascending positions. */
export type Terms = ReadonlyMap<string, readonly number[]>;

/** Where a position stands: UTF-16 units of the `value`-th value of the field. */
export interface Place {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** A page as the evaluation asks for it. Each field is analysed once, when the first rule needs it. */
export class PageTerms {
  readonly #page: ChangedPage;
  readonly #terms = new Map<FieldName, Terms>();

  constructor(page: ChangedPage) {
    this.#page = page;
  }

  values(field: FieldName): readonly string[] {
    const { page, change, domains } = this.#page;
    switch (field) {
      case 'added':
        return change.chunks.filter((chunk) => chunk.typ === 'ins').map((chunk) => chunk.text);
      case 'removed':
        return change.chunks.filter((chunk) => chunk.typ === 'del').map((chunk) => chunk.text);
      case 'title':
        return page.title === undefined ? [] : [page.title];
      case 'url':
        return [page.url];
      case 'domain':
        return domains;
    }
  }

  terms(field: FieldName): Terms {
    let terms = this.#terms.get(field);
    if (!terms) {
      terms = this.#analyze(field);
      this.#terms.set(field, terms);
    }
    return terms;
  }

  /** Where the words at these positions stand in the text; reads the field again, so only what matched pays. */
  places(field: FieldName, positions: ReadonlySet<number>): ReadonlyMap<number, Place> {
    const places = new Map<number, Place>();
    this.#eachToken(field, (_term, position, place) => {
      if (positions.has(position)) places.set(position, place);
    });
    return places;
  }

  #analyze(field: FieldName): Terms {
    const terms = new Map<string, number[]>();
    this.#eachToken(field, (term, position) => {
      const positions = terms.get(term);
      if (positions) positions.push(position);
      else terms.set(term, [position]);
    });
    return terms;
  }

  #eachToken(field: FieldName, onToken: (term: string, position: number, place: Place) => void): void {
    const { kind, keepsStopWords } = FIELDS[field];
    let last = -1;
    for (const [value, text] of this.values(field).entries()) {
      const base = value === 0 ? 0 : last + GAP + 1;
      last = base - 1;
      if (kind === 'keyword') {
        last = base;
        onToken(text, base, { value, start: 0, end: text.length });
        continue;
      }
      analyze(text, keepsStopWords, (term, position, start, end) => {
        last = base + position;
        onToken(term, last, { value, start, end });
      });
    }
  }
}
