import type { BooleanQuery, Query, RangeQuery } from '../ast.ts';
import { compileFuzzy } from '../../automaton/fuzzy.ts';
import { compareCodePoints } from '../syntax/code-point-order.ts';
import { FIELDS, type VocabularyName } from '../fields.ts';
import { isValue, valuesOf } from '../suggest/nearest-value.ts';

/** The cases, as the bits of one big number, in which a part can be true, and those in which it can be false. */
export interface Possible {
  readonly true: bigint;
  readonly false: bigint;
}

export type Leaf = Exclude<Query, BooleanQuery>;

/** Asks a whole tree in which of several cases it can be true: for each leaf that is known, for a group it follows. */
export class CaseAnalysis {
  readonly #all: bigint;
  readonly #ofLeaf: (leaf: Leaf) => Possible;
  readonly #onDead: (group: BooleanQuery) => void;

  /** `all` has a bit for every case. `onDead` hears of groups that no case makes true though each of their parts can be. */
  constructor(all: bigint, ofLeaf: (leaf: Leaf) => Possible, onDead: (group: BooleanQuery) => void = () => undefined) {
    this.#all = all;
    this.#ofLeaf = ofLeaf;
    this.#onDead = onDead;
  }

  of(query: Query): Possible {
    return query.kind === 'boolean' ? this.#ofGroup(query) : this.#ofLeaf(query);
  }

  #ofGroup(group: BooleanQuery): Possible {
    let every = this.#all;
    let some = 0n;
    let none = this.#all;
    let broken = 0n;
    let [hasMust, hasShould, hasDeadMust] = [false, false, false];
    for (const { occur, query } of group.clauses) {
      const possible = this.of(query);
      if (occur === 'must_not') {
        every &= possible.false;
        broken |= possible.true;
        continue;
      }
      if (occur === 'must') {
        hasMust = true;
        hasDeadMust ||= possible.true === 0n;
        every &= possible.true;
        broken |= possible.false;
      } else {
        hasShould = true;
        some |= possible.true;
        none &= possible.false;
      }
    }
    // Only NOT: matches nothing.
    if (!hasMust && !hasShould) return { true: 0n, false: this.#all };
    const possible = { true: hasMust ? every : every & some, false: hasMust ? broken : broken | none };
    const isPartDead = hasMust ? hasDeadMust : some === 0n;
    if (possible.true === 0n && !isPartDead) this.#onDead(group);
    return possible;
  }
}

/**
 * The part of a query because of which no page at all can match it: a value outside its vocabulary, or a group of
 * nothing but NOT. The smallest such part: where each of several ways is blocked, what joins them. Undefined when a
 * way is left.
 */
export function blockerOf(query: Query): Query | undefined {
  if (query.kind === 'boolean') return blockerOfBoolean(query);
  return canHold(query) ? undefined : query;
}

function blockerOfBoolean(query: BooleanQuery): Query | undefined {
  const required = query.clauses.filter((clause) => clause.occur === 'must');
  for (const { query } of required) {
    const blocker = blockerOf(query);
    if (blocker) return blocker;
  }
  if (required.length > 0) return undefined;
  const optional = query.clauses.filter((clause) => clause.occur === 'should');
  const [only] = optional;
  if (only && optional.length === 1) return blockerOf(only.query);
  return optional.every((clause) => blockerOf(clause.query)) ? query : undefined;
}

/** The leaves that match nothing by themselves. */
export function unmatchableLeaves(query: Query): ReadonlySet<Query> {
  const found = new Set<Query>();
  const visit = (part: Query): void => {
    if (part.kind === 'boolean') for (const clause of part.clauses) visit(clause.query);
    else if (!canHold(part)) found.add(part);
  };
  visit(query);
  return found;
}

/** Whether some page can have a value that this asks for. Fields without a vocabulary can hold anything. */
function canHold(leaf: Exclude<Query, BooleanQuery>): boolean {
  if (leaf.kind === 'number') return true;
  const { vocabulary } = FIELDS[leaf.field];
  return vocabulary === undefined || canBeValue(leaf, vocabulary);
}

function canBeValue(leaf: Exclude<Query, BooleanQuery>, vocabulary: VocabularyName): boolean {
  if (leaf.kind === 'term') return isValue(vocabulary, leaf.term);
  const holds = testOf(leaf);
  return holds === undefined || valuesOf(vocabulary).some(holds) || (leaf.kind === 'range' && isEmptyRange(leaf));
}

/** Whether a leaf of a keyword field holds for a value; undefined where that takes more than the value. */
export function testOf(leaf: Exclude<Query, BooleanQuery>): ((value: string) => boolean) | undefined {
  switch (leaf.kind) {
    case 'term':
      return (value) => value === leaf.term;
    case 'fuzzy': {
      const matcher = compileFuzzy(leaf.term, leaf.edits);
      return (value) => matcher.matches(value);
    }
    case 'range':
      return (value) => isBetween(value, leaf);
    case 'phrase':
    case 'wildcard':
    case 'regex':
    case 'number':
      return undefined;
  }
}

export function isBetween(value: string, { low, high }: RangeQuery): boolean {
  const above = low ? compareCodePoints(value, low.text) : 1;
  const below = high ? compareCodePoints(value, high.text) : -1;
  return (
    (above > 0 || (above === 0 && low?.inclusive === true)) && (below < 0 || (below === 0 && high?.inclusive === true))
  );
}

/** Swapped bounds are a contradiction that Lucene accepts, whatever the field. */
function isEmptyRange({ low, high }: RangeQuery): boolean {
  return low !== undefined && high !== undefined && compareCodePoints(low.text, high.text) >= 0;
}
