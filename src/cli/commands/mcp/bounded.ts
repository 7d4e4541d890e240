import { count } from '../../../shared/text/plural.ts';
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
    if (fits || textLength < 2 * LEAST_TEXT_LENGTH) return { value: root, cut: copy.cutsIn(root) };
  }
}

class Copy {
  readonly #textLength: number;
  /** The keys that lead to each list, such as `groups.stories`, and how many elements it had. */
  readonly #lists = new Map<unknown[], { readonly path: string; readonly all: number }>();
  readonly #shortened = new Set<string>();

  constructor(textLength: number) {
    this.#textLength = textLength;
  }

  of(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) {
      const items = value.slice(0, LIST_LENGTH).map((item) => this.of(item, path));
      this.#lists.set(items, { path, all: value.length });
      return items;
    }
    if (!isObject(value)) return value;
    const under = path === '' ? '' : `${path}.`;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.of(one, under + key)]));
  }

  #text(text: string): string {
    const plain = readable(text);
    if (plain.length <= this.#textLength) return plain;
    const kept = plain.slice(0, this.#textLength).toWellFormed();
    const short = `${kept}… [${grouped(plain.length - kept.length)} more characters]`;
    this.#shortened.add(short);
    return short;
  }

  /** Allows lists fewer and fewer elements until all of it fits. Answers whether it does. */
  shortenLists(root: object, most: number): boolean {
    for (let length = LIST_LENGTH; JSON.stringify(root).length > most; length = Math.floor((length * 3) / 4)) {
      if (length === 0) return false;
      for (const items of this.#lists.keys()) if (items.length > length) items.length = length;
    }
    return true;
  }

  /** What is said of it; of what stood in a part that is gone, nothing. */
  cutsIn(root: object): string[] {
    const lists: { readonly path: string; readonly all: number; readonly shown: number }[] = [];
    let texts = 0;
    const visit = (value: unknown): void => {
      if (typeof value === 'string' && this.#shortened.has(value)) texts += 1;
      if (Array.isArray(value)) {
        const known = this.#lists.get(value);
        if (known !== undefined && known.all > value.length) lists.push({ ...known, shown: value.length });
      }
      if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) visit(one);
    };
    visit(root);
    const cuts = [...Map.groupBy(lists, ({ path }) => path)].map(([path, [first, ...others]]) =>
      first === undefined || others.length > 0
        ? `${path}: the ends of ${count(others.length + 1, 'list')} are left out`
        : `${path}: ${grouped(first.shown)} of ${grouped(first.all)} are shown`,
    );
    return texts === 0 ? cuts : [...cuts, `${count(texts, 'text')} shortened`];
  }
}
