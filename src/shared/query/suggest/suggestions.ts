import type { Hint } from '../codes.ts';
import type { VocabularyName } from '../fields.ts';
import { nearestField } from './nearest-field.ts';
import { nearestValue } from './nearest-value.ts';
import { type Meant, misspelled } from './suggest.ts';

/** A millisecond each, at worst: a hostile query has a thousand values that are nearly right. */
const MOST = 20;

/** The suggestions made for one query: each word is looked up once, and only so many different ones. */
export class Suggestions {
  readonly #known = new Map<string, Meant | undefined>();
  readonly #guesses = new Set<Hint>();

  /** The field that was meant by a name there is none of. */
  field(name: string): string | undefined {
    return this.#lookUp(`field ${name}`, () => meantAs(nearestField(name)))?.value;
  }

  /** The saved filter that was meant by a name there is none of; `names` are the same for the whole query. */
  filter(name: string, names: readonly string[]): string | undefined {
    // `$100` is a price.
    if (/^\d+$/.test(name)) return undefined;
    return this.#lookUp(`filter ${name}`, () => meantAs(misspelled(name, names)))?.value;
  }

  /** The value that was meant by one outside the vocabulary. */
  value(vocabulary: VocabularyName, written: string): Meant | undefined {
    return this.#lookUp(`${vocabulary} ${written}`, () => nearestValue(vocabulary, written));
  }

  /** A hint that puts `meant` where something else stands; where that is a guess, it is noted that it is one. */
  hint(meant: Meant | undefined, message: string, replacement: string): Hint {
    const hint = { message, replacement };
    if (meant?.isSure === false) this.#guesses.add(hint);
    return hint;
  }

  /** Hints that are worth a look and must not be followed unasked. */
  get guesses(): ReadonlySet<Hint> {
    return this.#guesses;
  }

  #lookUp(key: string, find: () => Meant | undefined): Meant | undefined {
    if (!this.#known.has(key) && this.#known.size < MOST) this.#known.set(key, find());
    return this.#known.get(key);
  }
}

function meantAs(value: string | undefined): Meant | undefined {
  return value === undefined ? undefined : { value, isSure: true };
}
