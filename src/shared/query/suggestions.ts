import { OTHER_NAMES, QUERY_FIELDS, type VocabularyName } from './fields.ts';
import { nearestValue } from './nearest-value.ts';
import { nearest } from './suggest.ts';

/** Half a millisecond each, at worst: a hostile query has a thousand values that are nearly right. */
const MOST = 20;

/** The suggestions made for one query: each word is looked up once, and only so many different ones. */
export class Suggestions {
  readonly #known = new Map<string, string | undefined>();

  /** The field that was meant by a name there is none of. */
  field(name: string): string | undefined {
    if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name];
    return this.#lookUp(`field ${name}`, () => nearest(name, QUERY_FIELDS));
  }

  /** The saved filter that was meant by a name there is none of; `names` are the same for the whole query. */
  filter(name: string, names: readonly string[]): string | undefined {
    // `$100` is a price.
    return /^\d+$/.test(name) ? undefined : this.#lookUp(`filter ${name}`, () => nearest(name, names));
  }

  /** The value that was meant by one outside the vocabulary. */
  value(vocabulary: VocabularyName, written: string): string | undefined {
    return this.#lookUp(`${vocabulary} ${written}`, () => nearestValue(vocabulary, written));
  }

  #lookUp(key: string, find: () => string | undefined): string | undefined {
    if (!this.#known.has(key) && this.#known.size < MOST) this.#known.set(key, find());
    return this.#known.get(key);
  }
}
