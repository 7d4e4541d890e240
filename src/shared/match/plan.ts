import type { FieldName } from '../query/fields.ts';
import type { Leaves, LeafTest } from './leaves.ts';
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
