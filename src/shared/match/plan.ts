import type { LeafTest, Leaves } from './leaves.ts';
import {
  BOOLEAN,
  NEVER,
  PHRASE,
  type Resolved,
  type ResolvedBoolean,
  type ResolvedWord,
  TERM,
  TEST,
} from './program.ts';
import { type FieldName, FIELDS } from '../query/fields.ts';
import type { FieldValues } from './document.ts';

/**
 * One way to a rule: a page that lacks the key, or the guard, cannot match by it. The guard is a second leaf, looked
 * at before the rule is run; negative for a test, 0 for none.
 */
export interface Filing {
  readonly key: number;
  readonly guard: number;
  /** A page that has both matches: the rule need not be run. Never so with tests, which may throw. */
  readonly suffices: boolean;
  /** Expected share of pages, in no unit. */
  readonly cost: number;
}

/**
 * The filings of which every matching page goes by one at least: the clause a page cannot do without that is met
 * least, all branches of an OR. Empty for what can never match.
 */
export function planOf(node: Resolved, leaves: Leaves): readonly Filing[] {
  switch (node.op) {
    case NEVER:
      return [];
    case TERM:
      return [{ key: node.id, guard: 0, suffices: true, cost: frequency(node.field, node.term) }];
    case TEST:
      return [{ key: node.id, guard: 0, suffices: false, cost: costOf(leaves.tests.get(node.id)) }];
    case PHRASE:
      return best(node.words.map(planOfWord), leaves, false);
    case BOOLEAN:
      return planOfBoolean(node, leaves);
  }
}

function planOfWord({ id, field, term }: ResolvedWord): readonly Filing[] {
  return [{ key: id, guard: 0, suffices: false, cost: frequency(field, term) }];
}

function planOfBoolean({ must, should, mustNot }: ResolvedBoolean, leaves: Leaves): readonly Filing[] {
  const plans = (must.length > 0 ? must : should).map((clause) => planOf(clause, leaves));
  if (must.length > 0) return best(plans, leaves, mustNot.length === 0);
  const filings = plans.flat();
  return mustNot.length === 0 ? filings : filings.map((filing) => withGuard(filing, filing.guard, false));
}

/**
 * The cheapest of several plans, each of which every matching page goes by, guarded by the next that is a single leaf.
 * `isAll` says that nothing but these clauses is asked.
 */
function best(plans: readonly (readonly Filing[])[], leaves: Leaves, isAll: boolean): readonly Filing[] {
  const [first = [], ...others] = plans.toSorted((left, right) => total(left) - total(right));
  const [second] = others.find((plan) => plan.length === 1) ?? [];
  if (!second) {
    const isOnly = isAll && others.length === 0;
    return first.map((filing) => withGuard(filing, filing.guard, filing.suffices && isOnly));
  }
  const guard = leaves.tests.has(second.key) ? -second.key : second.key;
  const isPair = isAll && others.length === 1 && second.suffices && second.guard === 0;
  return first.map((filing) =>
    filing.guard === 0 ? withGuard(filing, guard, filing.suffices && isPair) : withGuard(filing, filing.guard, false),
  );
}

function withGuard({ key, cost }: Filing, guard: number, suffices: boolean): Filing {
  return { key, guard, suffices, cost };
}

function total(plan: readonly Filing[]): number {
  return plan.reduce((sum, filing) => sum + filing.cost, 0);
}

/** How much of a page each field is: a word is met in the added text far sooner than in a title. */
const FIELD_SIZE: Readonly<Record<FieldName, number>> = {
  added: 100,
  removed: 30,
  added_anchor: 10,
  removed_anchor: 5,
  title: 5,
  // Keywords: which share of the pages a value has, the same for all values of a field.
  language: 30,
  page_category: 10,
  page_type: 5,
  domain: 0.01,
  url: 0.001,
  publish_time: 0.001,
};
const KEYWORDS: ReadonlySet<FieldName> = new Set([
  'language',
  'page_category',
  'page_type',
  'domain',
  'url',
  'publish_time',
]);

/**
 * A guess that needs no statistics of what was crawled: long words are rare ones (Zipf's law of abbreviation), and
 * a guess that is wrong costs time, never a match.
 */
function frequency(field: FieldName, term: string): number {
  if (KEYWORDS.has(field)) return FIELD_SIZE[field];
  return FIELD_SIZE[field] / 2 ** Math.min(term.length, 30);
}

/** Tests cost more than their share of the pages: each is tried anew, where a term is simply met or not. */
function costOf(test: LeafTest | undefined): number {
  if (!test || test.kind === 'number' || test.kind === 'range') return 300;
  if (test.kind === 'fuzzy') return 1_000;
  // The longer the piece, the fewer addresses hold it.
  const [longest = ''] = test.test.required;
  return 300 / 2 ** Math.min(longest.length, 20);
}

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
