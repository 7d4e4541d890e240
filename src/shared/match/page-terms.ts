import { analyze } from '../analysis/analyze.ts';
import { type FieldName, FIELDS } from '../query/fields.ts';
import { type FieldValues, GAP } from './document.ts';

/** The words of one field of one page, each with its ascending positions. */
export type Terms = ReadonlyMap<string, readonly number[]>;

/** Where a position stands: UTF-16 units of the `value`-th value of the field. */
export interface Place {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A page as strings and maps: what the plain evaluation, the excerpts and the explanations read. Each field is
 * analysed once, when it is first asked for. The index has its own, faster reading (open-page.ts).
 */
export class PageTerms {
  readonly values: FieldValues;
  readonly #terms = new Map<FieldName, Terms>();

  constructor(values: FieldValues) {
    this.values = values;
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
    for (const [value, text] of (this.values.texts[field] ?? []).entries()) {
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
