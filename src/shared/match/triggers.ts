import { FIELDS, type FieldName } from '../query/fields.ts';
import type { LeafTest } from './leaves.ts';
import type { FieldValues } from './values.ts';

/** Characters of the piece of an address that decides whether a pattern is tried. */
const GRAM = 4;

/**
 * Which tests a page has to be asked when rules are filed under them. A pattern on a keyword that needs a literal
 * piece of four characters or more is filed under four of them, and tried only where the value has these; all other
 * tests are tried on every page.
 */
export class Triggers {
  readonly #always = new Set<number>();
  readonly #byGram = new Map<FieldName, Map<number, number[]>>();
  /** What each test in `#byGram` is filed under. */
  readonly #grams = new Map<number, number>();

  add(id: number, test: LeafTest): void {
    const pieces = isKeywordPattern(test) ? test.test.required.filter((piece) => piece.length >= GRAM) : [];
    if (pieces.length === 0 || test.kind === 'number') {
      this.#always.add(id);
      return;
    }
    const grams = this.#gramsOf(test.field);
    const gram = this.#leastUsed(pieces, grams);
    this.#grams.set(id, gram);
    const ids = grams.get(gram);
    if (ids) ids.push(id);
    else grams.set(gram, [id]);
  }

  remove(id: number, test: LeafTest): void {
    if (this.#always.delete(id) || test.kind === 'number') return;
    const gram = this.#grams.get(id) ?? 0;
    const grams = this.#gramsOf(test.field);
    const left = (grams.get(gram) ?? []).filter((other) => other !== id);
    if (left.length > 0) grams.set(gram, left);
    else grams.delete(gram);
    this.#grams.delete(id);
  }

  /** Calls `found` with each test worth trying, some of them more than once. */
  each(values: FieldValues, found: (id: number) => void): void {
    for (const id of this.#always) found(id);
    for (const [field, grams] of this.#byGram) {
      if (grams.size === 0) continue;
      for (const value of values.texts[field] ?? []) {
        for (let at = 0; at + GRAM <= value.length; at++) {
          for (const id of grams.get(gramAt(value, at)) ?? []) found(id);
        }
      }
    }
  }

  #gramsOf(field: FieldName): Map<number, number[]> {
    const known = this.#byGram.get(field);
    if (known) return known;
    const grams = new Map<number, number[]>();
    this.#byGram.set(field, grams);
    return grams;
  }

  /** So `http` and `www.` are left to the first who comes. */
  #leastUsed(pieces: readonly string[], grams: ReadonlyMap<number, readonly number[]>): number {
    let best = 0;
    let fewest = Infinity;
    for (const piece of pieces) {
      for (let at = 0; at + GRAM <= piece.length; at++) {
        const gram = gramAt(piece, at);
        const used = grams.get(gram)?.length ?? 0;
        if (used >= fewest) continue;
        fewest = used;
        best = gram;
      }
    }
    return best;
  }
}

function isKeywordPattern(test: LeafTest): test is Exclude<LeafTest, { kind: 'number' }> {
  return test.kind !== 'number' && FIELDS[test.field].kind === 'keyword';
}

/** Four units in 31 bits, a small integer: where two share one, a test is tried in vain. */
function gramAt(text: string, at: number): number {
  let gram = 0;
  for (let unit = 0; unit < GRAM; unit++) gram = Math.imul(gram, 0x01000193) ^ text.charCodeAt(at + unit);
  return gram & 0x3fff_ffff;
}
