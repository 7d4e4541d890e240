import { diffArrays } from 'diff';

/** A place where two sequences differ: `before[from…to)` gave way to `after[from…to)`. */
export interface Hunk {
  readonly before: Range;
  readonly after: Range;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Where two sequences differ, in order; of texts that are interned: integers from 0 on. Equal head and tail are cut off,
 * what stands once in both is an anchor (patience diff, Bram Cohen), and Myers' algorithm fills the gaps, as far as its budget goes: it is quadratic
 * in the number of differences, and 3,000 unrelated lines alone cost it more than a second. A gap beyond the budget
 * is one hunk, everything replaced: still true, only less fine.
 */
export function align(before: readonly number[], after: readonly number[]): Hunk[] {
  const hunks: Hunk[] = [];
  const budget = { edits: EDITS };
  for (const gap of gapsBetween(anchors(before, after), before.length, after.length)) {
    hunks.push(...alignGap(before, after, trimmed(before, after, gap), budget));
  }
  return hunks;
}

/** Edits that Myers' algorithm may look for in one comparison, over all gaps: some 10 ms (its cost is quadratic). */
const EDITS = 300;

/** Places in both sequences, side by side. Two pages may have 200,000 lines each: an object for each pair takes too much. */
interface Pairs {
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/** The longest rising chain of elements that stand once in each sequence. */
function anchors(before: readonly number[], after: readonly number[]): Pairs {
  const values = 1 + Math.max(largest(before), largest(after));
  const oncePlace = oncePlaces(after, values);
  const isOnce = oncePlaces(before, values);
  const places: number[] = [];
  const others: number[] = [];
  for (const [place, value] of before.entries()) {
    const other = oncePlace[value] ?? NOWHERE;
    if (isOnce[value] !== place || other < 0) continue;
    places.push(place);
    others.push(other);
  }
  return longestRising({ before: Int32Array.from(places), after: Int32Array.from(others) });
}

const NOWHERE = -1;
const TWICE = -2;

function largest(sequence: readonly number[]): number {
  return sequence.reduce((most, value) => (value > most ? value : most), -1);
}

/** By element: its place, where it has one. */
function oncePlaces(sequence: readonly number[], values: number): Int32Array {
  const places = new Int32Array(values).fill(NOWHERE);
  for (const [place, value] of sequence.entries()) places[value] = places[value] === NOWHERE ? place : TWICE;
  return places;
}

/** Patience sorting: of pairs in the order of their first member, the longest chain that also rises in the second. */
function longestRising(pairs: Pairs): Pairs {
  const { after } = pairs;
  const tails = new Int32Array(after.length);
  const previous = new Int32Array(after.length);
  let length = 0;
  for (const [index, value] of after.entries()) {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((after[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1] ?? NOWHERE;
    tails[low] = index;
    length = Math.max(length, low + 1);
  }
  return chainFrom(tails[length - 1] ?? NOWHERE, length, previous, pairs);
}

/** The pairs that lead to the last one, in order. */
function chainFrom(last: number, length: number, previous: Int32Array, { before, after }: Pairs): Pairs {
  const chain = { before: new Int32Array(length), after: new Int32Array(length) };
  for (let place = length - 1, at = last; place >= 0; place -= 1, at = previous[at] ?? NOWHERE) {
    chain.before[place] = before[at] ?? 0;
    chain.after[place] = after[at] ?? 0;
  }
  return chain;
}

function* gapsBetween(anchors: Pairs, beforeLength: number, afterLength: number): Generator<Hunk> {
  let [fromBefore, fromAfter] = [0, 0];
  for (let at = 0; at <= anchors.before.length; at += 1) {
    const toBefore = anchors.before[at] ?? beforeLength;
    const toAfter = anchors.after[at] ?? afterLength;
    if (toBefore > fromBefore || toAfter > fromAfter) {
      yield { before: { from: fromBefore, to: toBefore }, after: { from: fromAfter, to: toAfter } };
    }
    [fromBefore, fromAfter] = [toBefore + 1, toAfter + 1];
  }
}

function trimmed(before: readonly number[], after: readonly number[], gap: Hunk): Hunk {
  let { from: b, to: bEnd } = gap.before;
  let { from: a, to: aEnd } = gap.after;
  while (b < bEnd && a < aEnd && before[b] === after[a]) {
    b += 1;
    a += 1;
  }
  while (b < bEnd && a < aEnd && before[bEnd - 1] === after[aEnd - 1]) {
    bEnd -= 1;
    aEnd -= 1;
  }
  return { before: { from: b, to: bEnd }, after: { from: a, to: aEnd } };
}

function alignGap(before: readonly number[], after: readonly number[], gap: Hunk, budget: { edits: number }): Hunk[] {
  const deleted = gap.before.to - gap.before.from;
  const inserted = gap.after.to - gap.after.from;
  if (deleted === 0 || inserted === 0) return deleted + inserted === 0 ? [] : [gap];
  const atMost = Math.min(budget.edits, deleted + inserted);
  const found = diffArrays(before.slice(gap.before.from, gap.before.to), after.slice(gap.after.from, gap.after.to), {
    maxEditLength: atMost,
  });
  if (!found) {
    budget.edits -= atMost;
    return [gap];
  }
  const hunks = hunksIn(found, gap);
  for (const { before: b, after: a } of hunks) budget.edits -= b.to - b.from + (a.to - a.from);
  return hunks;
}

/** The parts of Myers' answer, told by the places in the whole sequences. */
function hunksIn(parts: readonly Part[], gap: Hunk): Hunk[] {
  const hunks: Hunk[] = [];
  let { from: b } = gap.before;
  let { from: a } = gap.after;
  let open: Hunk | undefined;
  for (const { added, removed, count } of parts) {
    const [fromB, fromA] = [b, a];
    if (!added) b += count;
    if (!removed) a += count;
    if (added || removed) {
      open = { before: { from: open?.before.from ?? fromB, to: b }, after: { from: open?.after.from ?? fromA, to: a } };
    } else {
      if (open) hunks.push(open);
      open = undefined;
    }
  }
  return open ? [...hunks, open] : hunks;
}

interface Part {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}
