import type { Labels } from '../label/label.ts';
import type { Change } from '../page/change.ts';
import type { Page } from '../page/page.ts';
import { PUBLISHED_AHEAD_SECONDS } from '../limits.ts';
import { type NumberField, type FieldName, FIELDS } from '../query/fields.ts';
import { analyze } from '../analysis/analyze.ts';

/** A changed page as the matcher sees it. */
export interface ChangedPage {
  readonly page: Page;
  readonly change: Change;
  /** The host, and its parents down to the registrable domain. */
  readonly domains: readonly string[];
  /** Read when a rule that may match asks for them, and no sooner: to find them takes as long as to read the page. */
  readonly labels: Labels;
  /** Domain rating, 0 to 100; absent for a domain that nobody rated. */
  readonly dr?: number;
}

/**
 * What the matcher reads of a document: the values of its fields. A field without a value is absent and never
 * matches. The values of a multi-valued field stand 100 positions apart.
 */
export interface FieldValues {
  readonly texts: Readonly<Partial<Record<FieldName, readonly string[]>>>;
  readonly numbers: Readonly<Partial<Record<NumberField, number>>>;
  /** Seconds until the publish time that the page says, where that lies too far ahead to be one. */
  readonly ahead?: number;
}

/** Positions between two values of a field: no phrase runs from one chunk into the next (docs/query-language.md). */
export const GAP = 100;

/** The fields of a changed page at `now`, milliseconds since 1970. */
export function valuesOf(changed: ChangedPage, now: number): FieldValues {
  const { publishTime, futureTime } = changed.page;
  const { dr } = changed;
  return {
    texts: new PageTexts(changed),
    numbers: {
      ...(publishTime && { age: ageOf(publishTime.instant, now) }),
      ...(dr !== undefined && { dr }),
    },
    ...(futureTime && { ahead: (futureTime.instant - now) / 1_000 }),
  };
}

/**
 * A class, and no literal with accessors: of such a literal V8 makes a hidden class each time, in the old generation, whose
 * functions hold the page until that is collected (50 KB a page).
 */
class PageTexts implements Readonly<Partial<Record<FieldName, readonly string[]>>> {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly added_anchor: readonly string[];
  readonly removed_anchor: readonly string[];
  readonly url: readonly string[];
  readonly domain: readonly string[];
  readonly title?: readonly string[];
  readonly publish_time?: readonly string[];
  readonly #changed: ChangedPage;

  constructor(changed: ChangedPage) {
    const { page, change, domains } = changed;
    this.added = change.chunks.filter((chunk) => chunk.typ === 'ins').map((chunk) => chunk.text);
    this.removed = change.chunks.filter((chunk) => chunk.typ === 'del').map((chunk) => chunk.text);
    this.added_anchor = change.addedAnchors;
    this.removed_anchor = change.removedAnchors;
    // A file that names no address has none.
    this.url = page.url === '' ? [] : [page.url];
    this.domain = domains;
    if (page.title !== undefined) this.title = [page.title];
    if (page.publishTime) this.publish_time = [page.publishTime.local];
    this.#changed = changed;
  }

  get language(): readonly string[] {
    const { language } = this.#changed.labels;
    return language ? [language.value] : [];
  }

  get page_type(): readonly string[] {
    return this.#changed.labels.pageTypes.map(({ value }) => value);
  }

  get page_category(): readonly string[] {
    return this.#changed.labels.categories.map(({ value }) => value);
  }
}

/**
 * Seconds since publication, not rounded: a page of seven days and half a second is older than seven days. A date a
 * few hours ahead (a wall clock without its zone, a clock that is fast) means now: such a page is matched once, and
 * any filter of age would drop it.
 */
function ageOf(instant: number, now: number): number {
  const age = (now - instant) / 1_000;
  return age < 0 && age >= -PUBLISHED_AHEAD_SECONDS ? 0 : age;
}

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
