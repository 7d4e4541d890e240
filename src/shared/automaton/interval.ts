import { character, EMPTY, type Node, repeat, sequence, set, text, union } from './regex-node.ts';

/** Java's int, which Lucene reads the bounds as. */
const MOST = 0x7fffffff;
const ZERO = 0x30;
const ANY_DIGIT = set([ZERO, ZERO + 9]);

/**
 * What stands in `<n-m>`: the decimal numbers from n to m, the bounds in either order. Bounds of the same length fix
 * the length, zeros in front included (`<01-12>`); otherwise any number of zeros may stand in front. Undefined when
 * it is no interval.
 */
export function interval(written: string): Node | undefined {
  const bounds = /^([0-9]+)-([0-9]+)$/.exec(written);
  if (!bounds) return undefined;
  const [, one = '', other = ''] = bounds;
  const [low = 0, high = 0] = [Number(one), Number(other)].sort((a, b) => a - b);
  if (high > MOST) return undefined;
  if (one.length === other.length) {
    return between(String(low).padStart(one.length, '0'), String(high).padStart(one.length, '0'));
  }
  const lengths: Node[] = [];
  for (let digits = 1; digits <= String(high).length; digits++) {
    const least = digits === 1 ? 0 : 10 ** (digits - 1);
    const [from, to] = [Math.max(low, least), Math.min(high, 10 ** digits - 1)];
    if (from <= to) lengths.push(between(String(from), String(to)));
  }
  return sequence([repeat(character(ZERO), 0, Infinity), union(lengths)]);
}

/** The numbers between two of the same length. */
function between(low: string, high: string): Node {
  // Zeros in front may be thousands: the numbers themselves have ten digits at most.
  let shared = 0;
  while (shared < low.length && low[shared] === high[shared]) shared++;
  const rest = low.slice(shared);
  return shared === 0
    ? apart(low, high)
    : sequence([text(low.slice(0, shared)), rest === '' ? EMPTY : apart(rest, high.slice(shared))]);
}

/** The numbers between two of the same length and different first digits. */
function apart(low: string, high: string): Node {
  const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
  const choices = [
    sequence([character(first), atLeast(low.slice(1))]),
    sequence([character(last), atMost(high.slice(1))]),
  ];
  if (first + 1 < last) choices.push(sequence([set([first + 1, last - 1]), digits(low.length - 1)]));
  return union(choices);
}

function atLeast(low: string): Node {
  if (low === '') return EMPTY;
  const first = low.charCodeAt(0);
  const same = sequence([character(first), atLeast(low.slice(1))]);
  if (first === ZERO + 9) return same;
  return union([same, sequence([set([first + 1, ZERO + 9]), digits(low.length - 1)])]);
}

function atMost(high: string): Node {
  if (high === '') return EMPTY;
  const first = high.charCodeAt(0);
  const same = sequence([character(first), atMost(high.slice(1))]);
  if (first === ZERO) return same;
  return union([same, sequence([set([ZERO, first - 1]), digits(high.length - 1)])]);
}

function digits(count: number): Node {
  return repeat(ANY_DIGIT, count, count);
}
