import type { Diagnostic } from '../../api/diagnostic.ts';
import type { BooleanQuery, Clause, Query, Span } from '../ast.ts';
import { diagnostic } from '../codes.ts';
import { isWithin } from './is-within.ts';
import { print } from '../syntax/print.ts';
import { type Leaf, type Possible, Trial } from './trial.ts';

const CERTAIN: Possible = { true: 1n, false: 0n };
const IMPOSSIBLE: Possible = { true: 0n, false: 1n };
const OPEN: Possible = { true: 1n, false: 1n };

/**
 * Warns of groups that ask for what they deny, at whatever depth: `(ferry OR tram) -ferry -tram`. What a group must
 * have and must not have is taken for given, and then each of its clauses is asked whether it can still be as it is
 * wanted. What follows from more than that (`+(a b) +(a c) -a` is found, `+(a b) +(-a c) -b -c` is not) is left.
 * `hopeless` leaves match nothing by themselves.
 */
export function denials(query: Query, places: ReadonlyMap<Query, Span>, hopeless: ReadonlySet<Query>): Diagnostic[] {
  return new Denials(places, hopeless).of(query);
}

class Denials {
  readonly #places: ReadonlyMap<Query, Span>;
  readonly #hopeless: ReadonlySet<Query>;
  readonly #keys = new Map<Leaf, readonly string[]>();

  constructor(places: ReadonlyMap<Query, Span>, hopeless: ReadonlySet<Query>) {
    this.#places = places;
    this.#hopeless = hopeless;
  }

  of(query: Query): Diagnostic[] {
    if (query.kind !== 'boolean') return [];
    const inside = query.clauses.flatMap((clause) => (clause.occur === 'must_not' ? [] : this.of(clause.query)));
    const denied = this.#deniedIn(query);
    const span = denied && this.#places.get(denied);
    if (!span || inside.some((found) => isWithin(found.span, span))) return inside;
    const message = 'No page can match this: the same is asked for and denied.';
    return [diagnostic('contradiction', span, message), ...inside];
  }

  /** A clause that cannot be as it is wanted, beside what the others want. */
  #deniedIn(group: BooleanQuery): Query | undefined {
    const facts = new Map<string, boolean>();
    // What is denied last, so that it is what was asked for that is pointed at.
    this.#learn(group, true, facts, true);
    this.#learn(group, true, facts, false);
    const trial = new Trial(1n, (leaf) => this.#ofLeaf(leaf, facts));
    const cannotBe = ({ occur, query }: Clause): boolean =>
      trial.of(query)[occur === 'must_not' ? 'false' : 'true'] === 0n;
    const required = group.clauses.filter((clause) => clause.occur === 'must');
    const optional = group.clauses.filter((clause) => clause.occur === 'should');
    const [first] = optional;
    if (required.length === 0 && first && optional.every(cannotBe)) return first.query;
    return (required.find(cannotBe) ?? group.clauses.find((clause) => clause.occur === 'must_not' && cannotBe(clause)))
      ?.query;
  }

  /** Of the leaves that are `kept` (true ones or false ones), those that must be so where `query` is as `wanted`. */
  #learn(query: Query, wanted: boolean, facts: Map<string, boolean>, kept: boolean): void {
    if (query.kind === 'boolean') {
      for (const clause of settled(query, wanted)) {
        this.#learn(clause.query, (clause.occur !== 'must_not') === wanted, facts, kept);
      }
    } else if (wanted === kept) {
      const keys = this.#keysOf(query);
      // A page that carries a label carries those above it; one that does not may carry them all the same.
      for (const key of wanted ? keys : keys.slice(0, 1)) facts.set(key, wanted);
    }
  }

  #ofLeaf(leaf: Leaf, facts: ReadonlyMap<string, boolean>): Possible {
    if (this.#hopeless.has(leaf)) return IMPOSSIBLE;
    const [key = '', ...above] = this.#keysOf(leaf);
    if (facts.get(key) === false || above.some((label) => facts.get(label) === false)) return IMPOSSIBLE;
    return facts.has(key) ? CERTAIN : OPEN;
  }

  /** The leaf as text, and the labels above it, which each page that carries it carries too. */
  #keysOf(leaf: Leaf): readonly string[] {
    const known = this.#keys.get(leaf);
    if (known) return known;
    const keys = [print(leaf)];
    if (leaf.kind === 'term' && (leaf.field === 'page_category' || leaf.field === 'page_type')) {
      for (let end = leaf.term.lastIndexOf('/'); end > 0; end = leaf.term.lastIndexOf('/', end - 1)) {
        keys.push(print({ ...leaf, term: leaf.term.slice(0, end) }));
      }
    }
    this.#keys.set(leaf, keys);
    return keys;
  }
}

/** The clauses that can be one way only, where their group is as it is wanted. */
function settled({ clauses }: BooleanQuery, wanted: boolean): readonly Clause[] {
  const positive = clauses.filter((clause) => clause.occur !== 'must_not');
  if (wanted) return positive.length === 1 ? clauses : clauses.filter((clause) => clause.occur !== 'should');
  const isDisjunction = clauses.length === 1 || clauses.every((clause) => clause.occur === 'should');
  return isDisjunction && positive.length === clauses.length ? clauses : [];
}
