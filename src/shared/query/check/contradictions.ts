import type { Diagnostic } from '../../api/diagnostic.ts';
import { type BooleanQuery, type Clause, isWithin, type Query, type Span } from '../ast.ts';
import { diagnostic } from '../codes.ts';
import { FIELDS } from '../fields.ts';
import { CaseAnalysis, isBetween, type Leaf, type Possible, unmatchableLeaves } from './satisfiability.ts';
import { print } from '../syntax/print.ts';

/** Beyond this many different values the answer is not worth its time. */
const MOST_POINTS = 256;

/**
 * Warns of parts that no page can match because of what other parts say: they deny what is asked for, or ask for two
 * values at once of what a page has one of: its language, time, address or rating. For those, every value that could tell clauses apart is tried, on the whole tree at once: a set of values is the bits of one
 * big number. Only exact values, ranges and numbers are read; what else a query says may be true or not.
 */
export function contradictions(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  const unmatchable = unmatchableLeaves(query);
  const denied = deniedRequests(query, places, unmatchable);
  const found: Diagnostic[] = [];
  for (const [field, points] of pointsByField(query)) {
    if (points.length > MOST_POINTS) continue;
    const all = allOf(points);
    const ofLeaf = (leaf: Leaf): Possible => {
      if (unmatchable.has(leaf)) return { true: 0n, false: all };
      const known = readable(leaf);
      return known?.field === field ? possibleAt(points, known) : { true: all, false: all };
    };
    new CaseAnalysis(all, ofLeaf, (dead) => {
      const span = places.get(dead);
      // A denial inside says it better.
      if (!span || denied.some((inner) => isWithin(inner.span, span))) return;
      // An age is written as `recent`.
      const name = field === 'age' ? 'recent' : field;
      const message = `No page can match this: its clauses of ${name} contradict one another, and a page has one value there.`;
      found.push(diagnostic('contradiction', span, message, { field: name }));
    }).of(query);
  }
  return [...found, ...denied];
}

type Readable = Extract<Query, { kind: 'term' | 'range' | 'number' }>;

/** Undefined for what is not read. */
function readable(query: Query): Readable | undefined {
  if (query.kind === 'number') return query;
  if (query.kind !== 'term' && query.kind !== 'range') return undefined;
  const { single, kind } = FIELDS[query.field];
  return single && kind === 'keyword' ? query : undefined;
}

/** Values between which no clause can tell a difference, one each. Undefined is a page without the field. */
type Point = string | number | undefined;

function pointsByField(query: Query): Map<string, Point[]> {
  const sets = new Map<string, Set<Point>>();
  const visit = (query: Query): void => {
    if (query.kind === 'boolean') {
      for (const clause of query.clauses) visit(clause.query);
      return;
    }
    const leaf = readable(query);
    if (!leaf) return;
    const points = sets.get(leaf.field) ?? new Set<Point>([undefined]);
    sets.set(leaf.field, points);
    for (const point of pointsOf(leaf)) points.add(point);
  };
  visit(query);
  return new Map(Array.from(sets, ([field, points]) => [field, [...points]]));
}

/** The least value, and where each clause begins and ceases to be true: one of each stretch in between. */
function pointsOf(leaf: Readable): Point[] {
  if (leaf.kind === 'term') return ['', leaf.term, `${leaf.term}\0`];
  if (leaf.kind === 'range') {
    return ['', ...[leaf.low, leaf.high].flatMap((bound) => (bound ? [bound.text, `${bound.text}\0`] : []))];
  }
  const points = [0, leaf.low ?? 0, (leaf.high ?? -1) + 1];
  return leaf.field === 'dr' ? points.filter((point) => point >= 0 && point <= 100) : points;
}

function holds(leaf: Readable, point: Point): boolean {
  if (leaf.kind === 'number') {
    return typeof point === 'number' && point >= (leaf.low ?? -Infinity) && point <= (leaf.high ?? Infinity);
  }
  if (typeof point !== 'string') return false;
  return leaf.kind === 'term' ? point === leaf.term : isBetween(point, leaf);
}

function possibleAt(points: readonly Point[], leaf: Readable): Possible {
  let bits = 0n;
  for (const [index, point] of points.entries()) if (holds(leaf, point)) bits |= 1n << BigInt(index);
  return { true: bits, false: ~bits & allOf(points) };
}

function allOf(points: readonly Point[]): bigint {
  return (1n << BigInt(points.length)) - 1n;
}

const CERTAIN: Possible = { true: 1n, false: 0n };
const IMPOSSIBLE: Possible = { true: 0n, false: 1n };
const OPEN: Possible = { true: 1n, false: 1n };

/**
 * Warns of groups that ask for what they deny, at whatever depth: `(ferry OR tram) -ferry -tram`. What a group must
 * have and must not have is taken for given, and then each of its clauses is asked whether it can still be as it is
 * wanted. What follows from more than that (`+(a b) +(a c) -a` is found, `+(a b) +(-a c) -b -c` is not) is left.
 * `unmatchable` leaves match nothing by themselves.
 */
function deniedRequests(query: Query, places: ReadonlyMap<Query, Span>, unmatchable: ReadonlySet<Query>): Diagnostic[] {
  return new DeniedRequests(places, unmatchable).of(query);
}

class DeniedRequests {
  readonly #places: ReadonlyMap<Query, Span>;
  readonly #unmatchable: ReadonlySet<Query>;
  readonly #keys = new Map<Leaf, readonly string[]>();

  constructor(places: ReadonlyMap<Query, Span>, unmatchable: ReadonlySet<Query>) {
    this.#places = places;
    this.#unmatchable = unmatchable;
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
    const analysis = new CaseAnalysis(1n, (leaf) => this.#ofLeaf(leaf, facts));
    const cannotBe = ({ occur, query }: Clause): boolean =>
      analysis.of(query)[occur === 'must_not' ? 'false' : 'true'] === 0n;
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
    if (this.#unmatchable.has(leaf)) return IMPOSSIBLE;
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
