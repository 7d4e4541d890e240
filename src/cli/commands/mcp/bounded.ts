import { count } from '../../text/plural.ts';
import { grouped } from '../../../shared/grouped.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { readable } from './untrusted.ts';

/** Characters of an answer as JSON: what a model can be given at once, and still has room to think. */
export const ANSWER_LENGTH = 40_000;
/** Characters of one text in it; of an answer that is too long all the same, fewer, down to the least. */
const TEXT_LENGTH = 4_000;
const LEAST_TEXT_LENGTH = 100;
/** Elements of one list, before anything is measured. */
const LIST_LENGTH = 1_000;

/** An answer that fits, and what was left out of it: `rules: 120 of 300 are shown`. */
export interface Bounded {
  readonly value: Record<string, unknown>;
  readonly cut: readonly string[];
}

/**
 * A copy whose texts are readable (`untrusted.ts`) and which has at most `most` characters as JSON: the longest lists lose
 * their ends first, then texts become shorter. What is left has the same form.
 */
export function bounded(value: object, most: number = ANSWER_LENGTH): Bounded {
  for (let textLength = TEXT_LENGTH; ; textLength /= 2) {
    const copy = new Copy(textLength);
    const root = copy.of(value, '');
    if (!isObject(root)) throw new Error('an answer is an object');
    const fits = copy.shortenLists(root, most);
    if (fits || textLength < 2 * LEAST_TEXT_LENGTH) return { value: root, cut: copy.cuts() };
  }
}

interface List {
  readonly items: unknown[];
  /** The keys that lead there: `groups.stories`. */
  readonly path: string;
  /** How many there were. */
  readonly all: number;
}

class Copy {
  readonly #textLength: number;
  readonly #lists: List[] = [];
  #shortened = 0;

  constructor(textLength: number) {
    this.#textLength = textLength;
  }

  of(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) {
      const items = value.slice(0, LIST_LENGTH).map((item) => this.of(item, path));
      this.#lists.push({ items, path, all: value.length });
      return items;
    }
    if (!isObject(value)) return value;
    const under = path === '' ? '' : `${path}.`;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.of(one, under + key)]));
  }

  #text(text: string): string {
    const plain = readable(text);
    if (plain.length <= this.#textLength) return plain;
    this.#shortened += 1;
    const kept = plain.slice(0, this.#textLength).toWellFormed();
    return `${kept}… [${grouped(plain.length - kept.length)} more characters]`;
  }

  /** Takes a quarter of the longest list until all of it fits. Answers whether it does. */
  shortenLists(root: object, most: number): boolean {
    while (JSON.stringify(root).length > most) {
      const longest = this.#lists.reduce<List | undefined>(
        (found, list) => (list.items.length > (found?.items.length ?? 1) ? list : found),
        undefined,
      );
      if (longest === undefined) return false;
      longest.items.length = Math.floor((longest.items.length * 3) / 4);
    }
    return true;
  }

  cuts(): string[] {
    const lists = this.#lists.filter(({ items, all }) => items.length < all);
    const places = Map.groupBy(lists, ({ path }) => path);
    return [
      ...[...places].map(([path, some]) => {
        const [first] = some;
        if (first === undefined || some.length > 1)
          return `${path}: the ends of ${count(some.length, 'list')} are left out`;
        return `${path}: ${grouped(first.items.length)} of ${grouped(first.all)} are shown`;
      }),
      ...(this.#shortened > 0 ? [`${count(this.#shortened, 'text')} shortened`] : []),
    ];
  }
}
