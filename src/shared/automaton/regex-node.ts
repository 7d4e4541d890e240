/**
 * The tree of a regex. It is put together by the functions below only, which keep it simple: no group inside a
 * group of its own kind, no star of a star, what cannot match gone, and alternatives that begin alike written once
 * (a list of words becomes the trie of its letters, as small as the automaton it stands for).
 */
export type Node = SetNode | SequenceNode | UnionNode | IntersectionNode | ComplementNode | RepeatNode;

interface Sized {
  /** Sets after all repetitions are written out: about the states of the automaton. */
  readonly size: number;
  /** `&` or `~` decides whether there is a text that it matches: `a&b` has none, which only its automaton shows. */
  readonly mayBeNothing: boolean;
}

/** One code point out of ranges. */
export interface SetNode extends Sized {
  readonly kind: 'set';
  /** First and last code point of each range, in order, neither overlapping nor touching; none: matches nothing. */
  readonly ranges: readonly number[];
}

/** One after the other; none is the empty string. */
export interface SequenceNode extends Sized {
  readonly kind: 'sequence';
  readonly items: readonly Node[];
}

export interface UnionNode extends Sized {
  readonly kind: 'union';
  readonly items: readonly Node[];
}

export interface IntersectionNode extends Sized {
  readonly kind: 'intersection';
  readonly items: readonly Node[];
}

/** Every text that `item` does not match. */
export interface ComplementNode extends Sized {
  readonly kind: 'complement';
  readonly item: Node;
}

/** `max` may be Infinity. */
export interface RepeatNode extends Sized {
  readonly kind: 'repeat';
  readonly item: Node;
  readonly min: number;
  readonly max: number;
}

export const LAST_CODE_POINT = 0x10ffff;

export const NOTHING: SetNode = setOf([]);
export const EMPTY: SequenceNode = { kind: 'sequence', items: [], size: 0, mayBeNothing: false };
export const ANY: SetNode = setOf([0, LAST_CODE_POINT]);
export const ANY_TEXT: Node = { kind: 'repeat', item: ANY, min: 0, max: Infinity, size: 1, mayBeNothing: false };

export function isNothing(node: Node): boolean {
  return node.kind === 'set' && node.ranges.length === 0;
}

/** Ranges as first, last, first, last, in any order and overlapping. */
export function set(ranges: readonly number[]): SetNode {
  return setOf(tidy(ranges));
}

function setOf(ranges: readonly number[]): SetNode {
  return { kind: 'set', ranges, size: 1, mayBeNothing: false };
}

export function negated({ ranges }: SetNode): SetNode {
  const gaps: number[] = [];
  let next = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    const [first, last] = [ranges[at] ?? 0, ranges[at + 1] ?? 0];
    if (first > next) gaps.push(next, first - 1);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push(next, LAST_CODE_POINT);
  return setOf(gaps);
}

export function character(codePoint: number): SetNode {
  return setOf([codePoint, codePoint]);
}

export function text(literal: string): Node {
  return sequence(Array.from(literal, (one) => character(one.codePointAt(0) ?? 0)));
}

export function sequence(written: readonly Node[]): Node {
  const isNested = written.some((item) => item.kind === 'sequence');
  const items = isNested ? written.flatMap(itemsOf) : written;
  if (items.some(isNothing)) return NOTHING;
  const [only] = items;
  if (only && items.length === 1) return only;
  return { kind: 'sequence', items, size: sizeOf(items), mayBeNothing: items.some((item) => item.mayBeNothing) };
}

export function intersection(items: readonly Node[]): Node {
  if (items.some(isNothing)) return NOTHING;
  const [only] = items;
  if (only && items.length === 1) return only;
  return { kind: 'intersection', items, size: Math.max(sizeOf(items), 1), mayBeNothing: true };
}

export function complement(item: Node): Node {
  if (item.kind === 'complement') return item.item;
  if (isNothing(item)) return ANY_TEXT;
  return { kind: 'complement', item, size: Math.max(item.size, 1), mayBeNothing: true };
}

export function repeat(item: Node, min: number, max: number): Node {
  if (min > max) return NOTHING;
  if (max === 0) return EMPTY;
  // Any number of nothing is nothing in Lucene, not even the empty text; up to a number of it is the empty text.
  if (isNothing(item)) return isOptional(min, max) ? EMPTY : NOTHING;
  if ((min === 1 && max === 1) || isEmpty(item)) return item;
  const size = item.size * (max === Infinity ? Math.max(min, 1) : max);
  const mayBeNothing = item.mayBeNothing && !isOptional(min, max);
  return (item.kind === 'repeat' && stacked(item, min, max)) || { kind: 'repeat', item, min, max, size, mayBeNothing };
}

/** A star, plus or question mark on another of them is again one of the three; anything on a star is the star. */
function stacked(inner: RepeatNode, min: number, max: number): Node | undefined {
  // Of nothing `(#*)?` is the empty text, and `#*` is nothing.
  if (inner.item.mayBeNothing && isOptional(inner.min, inner.max) !== isOptional(min, max)) return undefined;
  if (inner.min === 0 && inner.max === Infinity) return inner;
  if (!isSimple(inner.min, inner.max) || !isSimple(min, max)) return undefined;
  return repeat(inner.item, Math.min(inner.min, min), Math.max(inner.max, max));
}

/** Whether the empty text matches even where what is repeated matches nothing: `?`, but not `*`. */
function isOptional(min: number, max: number): boolean {
  return min === 0 && max !== Infinity;
}

export function partsOf(node: Node): readonly Node[] {
  if (node.kind === 'set') return [];
  return 'items' in node ? node.items : [node.item];
}

/** `?`, `*` or `+`. */
function isSimple(min: number, max: number): boolean {
  return min <= 1 && (max === Infinity || max === 1);
}

function isEmpty(node: Node): boolean {
  return node.kind === 'sequence' && node.items.length === 0;
}

export function union(written: readonly Node[]): Node {
  return unionOf(written.map((node) => ({ items: itemsOf(node), from: 0 })));
}

/** An alternative without its first items, which others share. */
interface Rest {
  readonly items: readonly Node[];
  readonly from: number;
}

/** Sets become one set, and what begins alike is joined: `abc|abd` is `ab[cd]`. */
function unionOf(rests: readonly Rest[]): Node {
  const ranges: number[] = [];
  const groups = new Map<string, Rest[]>();
  for (const [index, rest] of rests.flatMap(flat).entries()) {
    const first = rest.items[rest.from];
    if (first?.kind === 'set' && rest.items.length === rest.from + 1) {
      for (const bound of first.ranges) ranges.push(bound);
      continue;
    }
    const key = first ? (keyOf(first) ?? `unlike any other ${index}`) : 'empty';
    const group = groups.get(key);
    if (group) group.push(rest);
    else groups.set(key, [rest]);
  }
  const items = Array.from(groups.values(), joined);
  if (ranges.length > 0) items.push(set(ranges));
  const [only] = items;
  if (!only) return NOTHING;
  return items.length === 1
    ? only
    : { kind: 'union', items, size: sizeOf(items), mayBeNothing: items.every((item) => item.mayBeNothing) };
}

/** Alternatives within an alternative are alternatives; one without matches is none. */
function flat(rest: Rest): readonly Rest[] {
  const last = rest.items[rest.from];
  if (!last || rest.items.length > rest.from + 1) return [rest];
  if (last.kind === 'union') return last.items.map((node) => ({ items: itemsOf(node), from: 0 }));
  return isNothing(last) ? [] : [rest];
}

function joined(group: readonly Rest[]): Node {
  const [first] = group;
  if (!first) return NOTHING;
  const { items, from } = first;
  if (group.length === 1 || from === items.length) return sequence(items.slice(from));
  let shared = 1;
  const isShared = (key: string | undefined): boolean =>
    key !== undefined && group.every((rest) => keyOf(rest.items[rest.from + shared]) === key);
  while (isShared(keyOf(items[from + shared]))) shared++;
  const rests = group.map((rest) => ({ items: rest.items, from: rest.from + shared }));
  return sequence([...items.slice(from, from + shared), unionOf(rests)]);
}

function itemsOf(node: Node): readonly Node[] {
  return node.kind === 'sequence' ? node.items : [node];
}

/** Equal for equal sets and equal repetitions of them; other nodes are compared with nothing. */
function keyOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'set') return rangesKey(node);
  if (node?.kind !== 'repeat' || node.item.kind !== 'set') return undefined;
  return `${rangesKey(node.item)}{${node.min},${node.max}}`;
}

function rangesKey({ ranges }: SetNode): string {
  return ranges.length === 2 ? `${ranges[0]},${ranges[1]}` : ranges.join();
}

function sizeOf(items: readonly Node[]): number {
  return items.reduce((sum, item) => sum + item.size, 0);
}

function tidy(ranges: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < ranges.length; at += 2) pairs.push([ranges[at] ?? 0, ranges[at + 1] ?? 0]);
  pairs.sort(([one], [other]) => one - other);
  const tidied: number[] = [];
  for (const [first, last] of pairs) {
    const previous = tidied.at(-1) ?? -2;
    if (tidied.length > 0 && first <= previous + 1) tidied[tidied.length - 1] = Math.max(previous, last);
    else tidied.push(first, last);
  }
  return tidied;
}
