import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Query, Span } from '../ast.ts';
import { diagnostic } from '../codes.ts';
import { denials } from './denials.ts';
import { FIELDS } from '../fields.ts';
import { isWithin } from './is-within.ts';
import { type Leaf, type Possible, Trial } from './trial.ts';
import { hopelessLeaves, isBetween } from './unmatchable.ts';

/** Beyond this many different values the answer is not worth its time. */
const MOST_POINTS = 256;

/**
 * Warns of parts that no page can match because of what other parts say: they deny what is asked for, or ask for two
 * values at once of what a page has one of: its language, time, address or rating. For those, every value that could tell clauses apart is tried, on the whole tree at once: a set of values is the bits of one
 * big number. Only exact values, ranges and numbers are read; what else a query says may be true or not.
 */
export function contradictions(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  const hopeless = hopelessLeaves(query);
  const denied = denials(query, places, hopeless);
  const found: Diagnostic[] = [];
  for (const [field, points] of pointsByField(query)) {
    if (points.length > MOST_POINTS) continue;
    const all = allOf(points);
    const ofLeaf = (leaf: Leaf): Possible => {
      if (hopeless.has(leaf)) return { true: 0n, false: all };
      const known = readable(leaf);
      return known?.field === field ? possibleAt(points, known) : { true: all, false: all };
    };
    new Trial(all, ofLeaf, (dead) => {
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
