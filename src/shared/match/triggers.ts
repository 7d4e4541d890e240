import { type FieldName, FIELDS } from '../query/fields.ts';
import type { LeafTest } from './leaves.ts';
import type { FieldValues } from './document.ts';

/**
 * Which tests a page has to be asked when rules are filed under them. A pattern on a keyword that needs a literal
 * piece of four characters or more is filed under four of them, and tried only where the value has these; all other
 * tests are tried on every page.
 */
export class Triggers {
  readonly #always = new Set<number>();
  readonly #byGram = new Map<FieldName, GramTable>();

  add(id: number, test: LeafTest): void {
    const table = this.#tableOf(test);
    if (table) table.add(id, piecesOf(test));
    else this.#always.add(id);
  }

  remove(id: number, test: LeafTest): void {
    const table = this.#tableOf(test);
    if (table) table.remove(id);
    else this.#always.delete(id);
  }

  /** Calls `found` with each test worth trying, some of them more than once. */
  each(values: FieldValues, found: (id: number) => void): void {
    for (const id of this.#always) found(id);
    for (const [field, table] of this.#byGram) {
      if (table.size === 0) continue;
      for (const value of values.texts[field] ?? []) table.each(value, found);
    }
  }

  #tableOf(test: LeafTest): GramTable | undefined {
    if (test.kind === 'number' || piecesOf(test).length === 0) return undefined;
    const known = this.#byGram.get(test.field);
    if (known) return known;
    const table = new GramTable();
    this.#byGram.set(test.field, table);
    return table;
  }
}

function piecesOf(test: LeafTest): readonly string[] {
  if (test.kind === 'number' || FIELDS[test.field].kind !== 'keyword') return [];
  return test.test.required.filter((piece) => piece.length >= GRAM);
}

/** Characters of a piece that decide whether a pattern is tried. */
const GRAM = 4;
/** Counters in front of the table. */
const COUNTERS = 1 << 13;

/** Patterns by four characters of a piece that each of them needs. */
class GramTable {
  readonly #ids = new Map<number, number[]>();
  readonly #grams = new Map<number, number>();
  /** How many grams share each counter: nearly all of a page's are turned away here. */
  readonly #counts = new Uint16Array(COUNTERS);

  get size(): number {
    return this.#grams.size;
  }

  /** Under that gram of the pieces which is used least: so `http` and `www.` are left to the first who comes. */
  add(id: number, pieces: readonly string[]): void {
    let best = 0;
    let fewest = Infinity;
    const consider = (gram: number): void => {
      const used = this.#ids.get(gram)?.length ?? 0;
      if (used >= fewest) return;
      fewest = used;
      best = gram;
    };
    for (const piece of pieces) eachGram(piece, consider);
    this.#grams.set(id, best);
    const ids = this.#ids.get(best);
    if (ids) ids.push(id);
    else {
      this.#ids.set(best, [id]);
      this.#count(best, 1);
    }
  }

  remove(id: number): void {
    const gram = this.#grams.get(id);
    if (gram === undefined) return;
    this.#grams.delete(id);
    const left = (this.#ids.get(gram) ?? []).filter((other) => other !== id);
    if (left.length > 0) this.#ids.set(gram, left);
    else {
      this.#ids.delete(gram);
      this.#count(gram, -1);
    }
  }

  /** Calls `found` with each pattern that has its gram in the text, once for each time it stands there. */
  each(text: string, found: (id: number) => void): void {
    eachGram(text, (gram) => {
      if (this.#counts[counterOf(gram)] === 0) return;
      for (const id of this.#ids.get(gram) ?? []) found(id);
    });
  }

  #count(gram: number, by: number): void {
    const counter = counterOf(gram);
    this.#counts[counter] = (this.#counts[counter] ?? 0) + by;
  }
}

function counterOf(gram: number): number {
  return (Math.imul(gram, 0x9e3779b1) >>> 19) & (COUNTERS - 1);
}

/**
 * Four units as one integer, which is exact for ASCII; of what shares one beyond it, a pattern is tried in vain. Each
 * unit leaves at the top when the fourth after it comes in.
 */
function eachGram(text: string, found: (gram: number) => void): void {
  let gram = 0;
  for (let at = 0; at < text.length; at++) {
    gram = (gram << 8) ^ text.charCodeAt(at);
    if (at >= GRAM - 1) found(gram);
  }
}
