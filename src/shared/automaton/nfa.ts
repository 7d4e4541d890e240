import { TooManyStates, type RegexBudget } from './budget.ts';
import { LAST_CODE_POINT, type Node, type SetNode } from './regex-node.ts';

/** So that a state's number fits 16 bits. */
const MOST = 0xffff;

/** Ends a chain of steps. */
export const NO_STEP = -1;

/** Steps of one sort, each in the chain of the state it leaves from, newest first: no object for any of them. */
class Steps {
  readonly #newest: number[] = [];
  readonly #older: number[] = [];
  readonly #to: number[] = [];

  addState(): void {
    this.#newest.push(NO_STEP);
  }

  add(from: number, to: number): void {
    this.#older.push(this.first(from));
    this.#newest[from] = this.#to.length;
    this.#to.push(to);
  }

  first(from: number): number {
    return this.#newest[from] ?? NO_STEP;
  }

  after(step: number): number {
    return this.#older[step] ?? NO_STEP;
  }

  to(step: number): number {
    return this.#to[step] ?? 0;
  }
}

/** A non-deterministic automaton with free steps, as Thompson builds them: linear in the regex. */
export class Nfa {
  readonly start = 0;
  readonly accept = 1;
  /** Over one character. */
  readonly arcs = new Steps();
  /** Reading nothing. */
  readonly free = new Steps();
  readonly #kinds: (readonly number[])[] = [];
  #size = 0;

  constructor() {
    this.addState();
    this.addState();
  }

  get size(): number {
    return this.#size;
  }

  addState(): number {
    if (this.#size === MOST) throw new TooManyStates();
    this.arcs.addState();
    this.free.addState();
    return this.#size++;
  }

  addArc(from: number, to: number, kinds: readonly number[]): void {
    this.arcs.add(from, to);
    this.#kinds.push(kinds);
  }

  addFree(from: number, to: number): void {
    this.free.add(from, to);
  }

  /** The kinds of characters that an arc reads. */
  kindsOf(arc: number): readonly number[] {
    return this.#kinds[arc] ?? [];
  }

  /** 1 for each state that stays where it is on every kind of character and may end: all texts match from it. */
  universal(kinds: number): Uint8Array {
    return this.#statesAtTheEnd().map((isEnd, state) => (isEnd === 1 && this.#stays(state, kinds) ? 1 : 0));
  }

  #stays(state: number, kinds: number): boolean {
    for (let arc = this.arcs.first(state); arc !== NO_STEP; arc = this.arcs.after(arc)) {
      if (this.arcs.to(arc) === state && this.kindsOf(arc).length === kinds) return true;
    }
    return false;
  }

  /** 1 for each state that reaches the end for free. */
  #statesAtTheEnd(): Uint8Array {
    const into = new Steps();
    for (let state = 0; state < this.#size; state++) into.addState();
    for (let from = 0; from < this.#size; from++) {
      for (let step = this.free.first(from); step !== NO_STEP; step = this.free.after(step)) {
        into.add(this.free.to(step), from);
      }
    }
    const ends = new Uint8Array(this.#size);
    const waiting = [this.accept];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (ends[state] === 1) continue;
      ends[state] = 1;
      for (let step = into.first(state); step !== NO_STEP; step = into.after(step)) waiting.push(into.to(step));
    }
    return ends;
  }
}

/**
 * The kinds of characters a regex tells apart: all code points that are in the same sets of it are one kind, so the
 * automaton has a handful of columns instead of a million.
 */
export class Alphabet {
  readonly count: number;
  /** The kinds of the first 128 code points, which nearly all texts here are made of. */
  readonly ascii = new Uint16Array(128);
  /** First code point of each stretch, and the kind of all its code points. */
  readonly #starts: Uint32Array;
  readonly #kinds: Uint16Array;

  constructor(root: Node, budget: RegexBudget) {
    const sets = setsOf(root);
    this.#starts = startsOf(sets);
    budget.spend(this.#starts.length);
    const kinds = this.#refine(sets, budget);
    this.count = kinds.reduce((most, kind) => Math.max(most, kind), 0) + 1;
    this.#kinds = kinds;
    for (let code = 0; code < 128; code++) this.ascii[code] = kinds[this.#stretchOf(code)] ?? 0;
  }

  kindOf(codePoint: number): number {
    return codePoint < 128 ? (this.ascii[codePoint] ?? 0) : (this.#kinds[this.#stretchOf(codePoint)] ?? 0);
  }

  /** The kinds that a set of this regex is made of. */
  kindsOf(node: SetNode): number[] {
    const [first = 0, last = 0] = node.ranges;
    if (node.ranges.length === 2 && first === last) return [this.kindOf(first)];
    const kinds = new Set<number>();
    this.#eachStretch(node.ranges, (stretch) => kinds.add(this.#kinds[stretch] ?? 0));
    return [...kinds];
  }

  /** Splits the one kind of all code points by each set in turn. */
  #refine(sets: readonly SetNode[], budget: RegexBudget): Uint16Array {
    const kinds = new Uint32Array(this.#starts.length);
    let next = 1;
    for (const { ranges } of sets) {
      const [first = 0, last = 0] = ranges;
      if (ranges.length === 2 && first === last) {
        // Most sets are one character, which is a kind of its own.
        kinds[this.#stretchOf(first)] = next++;
        continue;
      }
      const split = new Map<number, number>();
      this.#eachStretch(ranges, (stretch) => {
        budget.spend(1);
        const old = kinds[stretch] ?? 0;
        const now = split.get(old) ?? next++;
        split.set(old, now);
        kinds[stretch] = now;
      });
    }
    const numbers = new Map<number, number>();
    return Uint16Array.from(kinds, (kind) => {
      const number = numbers.get(kind) ?? numbers.size;
      numbers.set(kind, number);
      return number;
    });
  }

  #eachStretch(ranges: readonly number[], see: (stretch: number) => void): void {
    for (let at = 0; at < ranges.length; at += 2) {
      const last = this.#stretchOf(ranges[at + 1] ?? 0);
      for (let stretch = this.#stretchOf(ranges[at] ?? 0); stretch <= last; stretch++) see(stretch);
    }
  }

  #stretchOf(codePoint: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= codePoint) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Each different set once; the set of everything splits nothing. */
function setsOf(root: Node): SetNode[] {
  const sets = new Map<string, SetNode>();
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'set') sets.set(node.ranges.join(), node);
    else if ('items' in node) for (const item of node.items) waiting.push(item);
    else waiting.push(node.item);
  }
  return [...sets.values()].filter(({ ranges }) => ranges[0] !== 0 || ranges[1] !== LAST_CODE_POINT);
}

function startsOf(sets: readonly SetNode[]): Uint32Array {
  const starts = new Set([0]);
  for (const { ranges } of sets) {
    for (let at = 0; at < ranges.length; at += 2) {
      starts.add(ranges[at] ?? 0);
      const after = (ranges[at + 1] ?? 0) + 1;
      if (after <= LAST_CODE_POINT) starts.add(after);
    }
  }
  return Uint32Array.from(starts).sort();
}
