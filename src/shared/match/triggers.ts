import { FIELDS, type FieldName } from '../query/fields.ts';
import { GRAM, GramTable } from './gram-table.ts';
import type { LeafTest } from './leaves.ts';
import type { FieldValues } from './values.ts';

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
