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
 * Where two sequences of integers differ, in order. Equal head and tail are cut off, what stands once in both is an
 * anchor (patience diff, Bram Cohen), and Myers' algorithm fills the gaps, as far as its budget goes: it is quadratic
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

type Pair = readonly [before: number, after: number];

/** The longest rising chain of elements that stand once in each sequence. */
function anchors(before: readonly number[], after: readonly number[]): Pair[] {
  const places = oncePlaces(before);
  const afterPlaces = oncePlaces(after);
  const pairs: Pair[] = [];
  for (const [value, place] of places) {
    const other = afterPlaces.get(value);
    if (place !== TWICE && other !== undefined && other !== TWICE) pairs.push([place, other]);
  }
  return longestRising(pairs);
}

const TWICE = -1;

function oncePlaces(sequence: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = 0; place < sequence.length; place += 1) {
    const value = sequence[place] ?? 0;
    places.set(value, places.has(value) ? TWICE : place);
  }
  return places;
}

/** Patience sorting: of pairs in the order of their first member, the longest chain that also rises in the second. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const chain: Pair[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chain.push(pair);
  }
  return chain.reverse();
}

function gapsBetween(anchors: readonly Pair[], beforeLength: number, afterLength: number): Hunk[] {
  const gaps: Hunk[] = [];
  let from: Pair = [0, 0];
  for (const [before, after] of [...anchors, [beforeLength, afterLength] as const]) {
    gaps.push({ before: { from: from[0], to: before }, after: { from: from[1], to: after } });
    from = [before + 1, after + 1];
  }
  return gaps;
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
