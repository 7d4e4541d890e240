import type { Diagnostic } from '../api/diagnostic.ts';
import type { BooleanQuery, Query, Span } from './ast.ts';
import { diagnostic } from './codes.ts';
import { FIELDS } from './fields.ts';
import { print } from './print.ts';
import { isBetween } from './unmatchable.ts';

/** Beyond this many different values the answer is not worth its time. */
const MOST_POINTS = 256;

/**
 * Warns of parts that ask for two values at once of what a page has one of: its language, time, address or rating.
 * Every value that could tell clauses apart is tried, on the whole tree at once: a set of values is the bits of one
 * big number. Only exact values, ranges and numbers are read; what else a query says may be true or not.
 */
export function contradictions(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [field, points] of pointsByField(query)) {
    if (points.length > MOST_POINTS) continue;
    new Trial(field, points, (dead) => {
      const span = places.get(dead);
      if (!span) return;
      const message = `No page can match this: it has one ${field} only, and different ones are asked for.`;
      found.push(diagnostic('contradiction', span, message, { field }));
    }).of(query);
  }
  return [...found, ...selfDenials(query, places)];
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

/** The points under which a part can be true, and those under which it can be false. */
interface Possible {
  readonly true: bigint;
  readonly false: bigint;
}

class Trial {
  readonly #field: string;
  readonly #points: readonly Point[];
  readonly #all: bigint;
  readonly #onDead: (query: Query) => void;

  constructor(field: string, points: readonly Point[], onDead: (query: Query) => void) {
    this.#field = field;
    this.#points = points;
    this.#all = (1n << BigInt(points.length)) - 1n;
    this.#onDead = onDead;
  }

  of(query: Query): Possible {
    if (query.kind === 'boolean') return this.#boolean(query);
    const leaf = readable(query);
    if (leaf?.field !== this.#field) return { true: this.#all, false: this.#all };
    let bits = 0n;
    for (const [index, point] of this.#points.entries()) if (holds(leaf, point)) bits |= 1n << BigInt(index);
    // An empty range is told of by itself.
    return bits === 0n ? { true: this.#all, false: this.#all } : { true: bits, false: this.#all & ~bits };
  }

  #boolean(query: BooleanQuery): Possible {
    const all = this.#all;
    let every = all;
    let some = 0n;
    let none = 0n;
    let [hasMust, hasShould, isToldAlready] = [false, false, false];
    for (const { occur, query: part } of query.clauses) {
      const possible = this.of(part);
      if (occur === 'must_not') {
        every &= possible.false;
        none |= possible.true;
        continue;
      }
      isToldAlready ||= possible.true === 0n;
      if (occur === 'must') {
        hasMust = true;
        every &= possible.true;
        none |= possible.false;
      } else {
        hasShould = true;
        some |= possible.true;
      }
    }
    if (!hasMust && !hasShould) return { true: all, false: all };
    const possible = { true: hasMust ? every : every & some, false: hasMust ? none : all };
    if (possible.true === 0n && !isToldAlready) this.#onDead(query);
    return possible;
  }
}

/** `ferry AND NOT ferry`: the same asked for and denied, side by side. */
function selfDenials(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  if (query.kind !== 'boolean') return [];
  const denied = new Set(query.clauses.flatMap((clause) => (clause.occur === 'must_not' ? [print(clause.query)] : [])));
  const positive = query.clauses.filter((clause) => clause.occur !== 'must_not');
  const required = positive.filter((clause) => clause.occur === 'must');
  const isDenied = ({ query }: BooleanQuery['clauses'][number]): boolean => denied.size > 0 && denied.has(print(query));
  const dead = required.length > 0 ? required.find(isDenied) : positive.every(isDenied) ? positive[0] : undefined;
  const span = dead && places.get(dead.query);
  const inside = positive.flatMap((clause) => selfDenials(clause.query, places));
  if (!span) return inside;
  const message = 'No page can match this: the same is asked for and denied.';
  return [diagnostic('contradiction', span, message), ...inside];
}
