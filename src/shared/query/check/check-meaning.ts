import type { Diagnostic } from '../../api/diagnostic.ts';
import { QUERY_CLAUSES } from '../../limits.ts';
import type { Assembled, NegativeGroup } from '../assemble.ts';
import { type BooleanQuery, type Clause, isWithin, type Query, type Span } from '../ast.ts';
import { diagnostic, shown } from '../codes.ts';
import { blockerOf, CaseAnalysis, isBetween, type Leaf, type Possible, unmatchableLeaves } from './satisfiability.ts';
import { FIELDS } from '../fields.ts';
import { print } from '../syntax/print.ts';

/** What only the whole shows: too much to evaluate on every page, nothing a page can match, or a page cannot lack. */
export function checkMeaning(assembled: Assembled, text: string, known: readonly Diagnostic[]): Diagnostic[] {
  const found = assembled.negativeGroups.map((group) => negativeGroup(group, text));
  const { query, places } = assembled;
  const refusal = refuse(query, places, { start: 0, end: text.length }, text, [...known, ...found]);
  if (refusal) return [...found, refusal];
  if (!query) return found;
  return [...found, ...contradictions(query, places), ...onlyRecent(query, places)];
}

function refuse(
  query: Query | undefined,
  places: ReadonlyMap<Query, Span>,
  whole: Span,
  text: string,
  known: readonly Diagnostic[],
): Diagnostic | undefined {
  if (!query) {
    const message = 'The query can never match: only stop words or punctuation, which are not searched, are in it.';
    return diagnostic('unmatchable_query', whole, message);
  }
  const size = leaves(query);
  if (size > QUERY_CLAUSES) {
    const message = `The query has ${size} words, phrases and other clauses; ${QUERY_CLAUSES} are allowed.`;
    return diagnostic('too_many_clauses', whole, message);
  }
  if (!hasPositive(query)) {
    const message = 'The query only excludes; it needs at least one positive clause.';
    return diagnostic('only_negative', whole, message);
  }
  const open = matchesBy(query, isOpenRange);
  if (open) return matchAll(open, places.get(open) ?? whole, text);
  const blocker = blockerOf(query);
  if (!blocker) return undefined;
  const span = places.get(blocker) ?? whole;
  return unmatchable(blocker, span, text, known);
}

/** `known` are the findings about values and groups: where one of them heals the blocker, its remedy is shown. */
function unmatchable(blocker: Query, span: Span, text: string, known: readonly Diagnostic[]): Diagnostic {
  const remedy = known.find((found) => found.hint && isWithin(found.span, span));
  const why =
    blocker.kind === 'boolean' && blocker.clauses.every((clause) => clause.occur === 'must_not')
      ? 'only excludes, which alone matches nothing'
      : 'asks for a value that no page has';
  const message = `The query can never match: ${shown(text.slice(span.start, span.end))} ${why}.`;
  const field = blocker.kind === 'boolean' ? (remedy?.field ?? undefined) : blocker.field;
  const place = remedy?.span ?? span;
  return diagnostic('unmatchable_query', place, message + suggestion(remedy), { field, hint: remedy?.hint });
}

function suggestion(remedy: Diagnostic | undefined): string {
  return remedy?.hint ? ` ${remedy.hint.message}` : '';
}

function negativeGroup({ group, clause }: NegativeGroup, text: string): Diagnostic {
  const { span } = group;
  const message = `${shown(text.slice(span.start, span.end))} only excludes, so this group matches nothing.`;
  const isBare = clause.modifier === 'none' && !group.fieldSpan && !group.boost;
  const replacement = isBare ? text.slice(span.start + 1, span.end - 1).trim() : undefined;
  const hint =
    replacement === undefined
      ? undefined
      : { message: 'Without the parentheses, NOT applies to the clauses beside it.', replacement };
  return diagnostic('negative_group', span, message, { hint });
}

function leaves(query: Query): number {
  if (query.kind !== 'boolean') return 1;
  return query.clauses.reduce((sum, clause) => sum + leaves(clause.query), 0);
}

function hasPositive(query: Query): boolean {
  if (query.kind !== 'boolean') return true;
  return query.clauses.some((clause) => clause.occur !== 'must_not' && hasPositive(clause.query));
}

/** Warns where there is a way to match by being recent alone: on most days that is every page. */
function onlyRecent(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  const recent = matchesBy(query, (leaf) => isAge(leaf) || isOpenRange(leaf));
  const span = recent && places.get(recent);
  if (!span) return [];
  const message = 'This query matches every recent page; add what the page must be about.';
  return [diagnostic('only_recent', span, message, { field: 'recent' })];
}

function isAge(leaf: Leaf): boolean {
  return leaf.kind === 'number' && leaf.field === 'age';
}

/** `dr:[* TO *]`: every page that has the field. */
function isOpenRange(leaf: Leaf): boolean {
  return (leaf.kind === 'range' || leaf.kind === 'number') && leaf.low === undefined && leaf.high === undefined;
}

function matchAll(leaf: Leaf, span: Span, text: string): Diagnostic {
  const message =
    'A range that is open at both ends matches every page that has the field; give one bound, or add another clause.';
  // Where the field stands right before it, it is part of what is meant.
  const named = new RegExp(`${leaf.field}\\s*:\\s*$`).exec(text.slice(0, span.start));
  return diagnostic('match_all', { start: named?.index ?? span.start, end: span.end }, message, { field: leaf.field });
}

/** The clause of this sort by which alone a page can match; undefined when something else is always needed. */
function matchesBy(query: Query, isOf: (leaf: Leaf) => boolean): Leaf | undefined {
  if (query.kind !== 'boolean') return isOf(query) ? query : undefined;
  const required = query.clauses
    .filter((clause) => clause.occur === 'must')
    .map((clause) => matchesBy(clause.query, isOf));
  if (required.length > 0) return required.every((found) => found !== undefined) ? required[0] : undefined;
  for (const clause of query.clauses) {
    const found = clause.occur === 'should' ? matchesBy(clause.query, isOf) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Beyond this many different values the answer is not worth its time. */
const MOST_POINTS = 256;

/**
 * Warns of parts that no page can match because of what other parts say: they deny what is asked for, or ask for two
 * values at once of what a page has one of: its language, time, address or rating. For those, every value that could tell clauses apart is tried, on the whole tree at once: a set of values is the bits of one
 * big number. Only exact values, ranges and numbers are read; what else a query says may be true or not.
 */
function contradictions(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
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
    const message = 'No page can match this: the same clause is required and excluded.';
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
