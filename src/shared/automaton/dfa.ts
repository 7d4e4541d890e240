import { AUTOMATON_STEPS, MOST_CELLS, MOST_STATES, type RegexBudget, TooManyStates } from './budget.ts';
import type { Alphabet } from './nfa.ts';

/** A deterministic automaton. State 0 is the dead end, from which nothing matches; the others begin at 1. */
export interface Dfa {
  readonly start: number;
  /** States, the dead end included. */
  readonly count: number;
  readonly kinds: number;
  /** The next state, at `state * kinds + kind`. */
  readonly next: Uint16Array;
  /** 1 for each state that a match may end in. */
  readonly accepting: Uint8Array;
}

/** A deterministic automaton as it grows, held to the limits. */
export class DfaBuilder {
  readonly #kinds: number;
  readonly #budget: RegexBudget;
  #count = 0;
  #next: Uint16Array;
  #accepting = new Uint8Array(16);

  constructor(kinds: number, budget: RegexBudget) {
    this.#kinds = kinds;
    this.#budget = budget;
    this.#next = new Uint16Array(16 * kinds);
    this.add(false);
  }

  add(accepting: boolean): number {
    const state = this.#count++;
    if (state > MOST_STATES || this.#count * this.#kinds > MOST_CELLS) throw new TooManyStates();
    // A row costs little where it is empty.
    this.#budget.spend(1 + (this.#kinds >>> 3));
    if (state === this.#accepting.length) this.#grow();
    this.#accepting[state] = accepting ? 1 : 0;
    return state;
  }

  connect(state: number, kind: number, next: number): void {
    this.#next[state * this.#kinds + kind] = next;
  }

  /** For all kinds; those that differ are connected after it. */
  connectAll(state: number, next: number): void {
    this.#next.fill(next, state * this.#kinds, (state + 1) * this.#kinds);
  }

  copyRow(from: number, to: number): void {
    this.#next.copyWithin(to * this.#kinds, from * this.#kinds, (from + 1) * this.#kinds);
  }

  finish(start: number): Dfa {
    return {
      start,
      count: this.#count,
      kinds: this.#kinds,
      next: this.#next.slice(0, this.#count * this.#kinds),
      accepting: this.#accepting.slice(0, this.#count),
    };
  }

  #grow(): void {
    const [next, accepting] = [this.#next, this.#accepting];
    this.#next = new Uint16Array(2 * next.length);
    this.#next.set(next);
    this.#accepting = new Uint8Array(2 * accepting.length);
    this.#accepting.set(accepting);
  }
}

/** A deterministic automaton, run: one look into a table for each character of the text. */
export class Table {
  readonly #alphabet: Alphabet;
  readonly #dfa: Dfa;
  /** The state from which everything matches; -1 when there is none. */
  readonly #universal: number;

  constructor(alphabet: Alphabet, dfa: Dfa) {
    this.#alphabet = alphabet;
    this.#dfa = dfa;
    this.#universal = universalOf(dfa);
  }

  matches(text: string): boolean {
    const alphabet = this.#alphabet;
    const { ascii } = alphabet;
    const universal = this.#universal;
    const { next, kinds, start, accepting } = this.#dfa;
    let state = start;
    for (let at = 0; at < text.length; at++) {
      let character = text.charCodeAt(at);
      if (character < 128) state = next[state * kinds + (ascii[character] ?? 0)] ?? 0;
      else {
        character = text.codePointAt(at) ?? 0;
        if (character > 0xffff) at++;
        state = next[state * kinds + alphabet.kindOf(character)] ?? 0;
      }
      if (state === 0) return false;
      if (state === universal) return true;
    }
    return accepting[state] === 1;
  }

  get states(): number {
    return this.#dfa.count - 1;
  }

  /** No text matches at all. */
  get matchesNothing(): boolean {
    return this.#dfa.start === 0;
  }

  /** Every text matches, except perhaps the empty one. */
  get matchesEverything(): boolean {
    const { start, next, kinds, accepting } = this.#dfa;
    return start !== 0 && next.subarray(kinds).every((state) => accepting[state] === 1);
  }
}

function universalOf({ count, kinds, next, accepting }: Dfa): number {
  for (let state = 1; state < count; state++) {
    if (accepting[state] !== 1) continue;
    if (next.subarray(state * kinds, (state + 1) * kinds).every((to) => to === state)) return state;
  }
  return -1;
}

/** The smallest automaton that matches the same, by Hopcroft's algorithm; what leads nowhere is its dead end. */
export function minimised(dfa: Dfa, budget: RegexBudget): Dfa {
  const { start, count, kinds, next, accepting } = dfa;
  budget.spend(AUTOMATON_STEPS + count * kinds);
  const blocks = new Blocks(count);
  refine(dfa, blocks, budget);
  const builder = new DfaBuilder(kinds, budget);
  // Of each block one state stands for all.
  const states = [0];
  const numbers = new Map([[blocks.of(0), 0]]);
  const numberOf = (state: number): number => {
    const block = blocks.of(state);
    let number = numbers.get(block);
    if (number === undefined) {
      number = builder.add(accepting[state] === 1);
      numbers.set(block, number);
      states.push(state);
    }
    return number;
  };
  const first = numberOf(start);
  for (let number = 1; number < states.length; number++) {
    const row = (states[number] ?? 0) * kinds;
    budget.spend(kinds);
    for (let kind = 0; kind < kinds; kind++) builder.connect(number, kind, numberOf(next[row + kind] ?? 0));
  }
  return builder.finish(first);
}

/** Splits blocks until all states of each lead to the same blocks. */
function refine({ count, kinds, next, accepting }: Dfa, blocks: Blocks, budget: RegexBudget): void {
  for (let state = 0; state < count; state++) if (accepting[state] === 1) blocks.mark(state);
  blocks.splitMarked(() => undefined);
  const { begins, from } = reversed(count, kinds, next);
  const waiting = Array.from({ length: blocks.count }, (_, block) => block);
  const isWaiting = waiting.map(() => true);
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    isWaiting[block] = false;
    // It may be split itself while it is looked at.
    const members = blocks.members(block);
    for (let kind = 0; kind < kinds; kind++) {
      budget.spend(1 + members.length);
      for (const to of members) {
        const at = to * kinds + kind;
        const end = begins[at + 1] ?? 0;
        for (let arc = begins[at] ?? 0; arc < end; arc++) blocks.mark(from[arc] ?? 0);
      }
      budget.spend(blocks.splitMarked(split));
    }
  }

  /** What leads to the one and not to the other is told apart by either: the smaller is enough, unless both are asked. */
  function split(old: number, added: number): void {
    const asked = isWaiting[old] === true || blocks.size(added) <= blocks.size(old) ? added : old;
    isWaiting[asked] = true;
    waiting.push(asked);
  }
}

/** For each state and kind the states that lead there: `from`, between the place that `begins` has for it and the next. */
function reversed(count: number, kinds: number, next: Uint16Array): { begins: Uint32Array; from: Uint16Array } {
  const begins = new Uint32Array(count * kinds + 1);
  const at = (state: number, kind: number): number => (next[state * kinds + kind] ?? 0) * kinds + kind;
  for (let state = 0; state < count; state++) {
    for (let kind = 0; kind < kinds; kind++) {
      const after = at(state, kind) + 1;
      begins[after] = (begins[after] ?? 0) + 1;
    }
  }
  let sum = 0;
  for (const [place, count] of begins.entries()) {
    sum += count;
    begins[place] = sum;
  }
  const filled = begins.slice();
  const from = new Uint16Array(count * kinds);
  for (let state = 0; state < count; state++) {
    for (let kind = 0; kind < kinds; kind++) {
      const place = filled[at(state, kind)] ?? 0;
      filled[at(state, kind)] = place + 1;
      from[place] = state;
    }
  }
  return { begins, from };
}

/** States in blocks, at first in one; those that are marked are split off, block by block. */
class Blocks {
  /** The states of a block stand together, the marked ones in front. */
  readonly #states: Uint16Array;
  readonly #placeOf: Uint16Array;
  readonly #blockOf: Uint16Array;
  readonly #begins: number[] = [0];
  readonly #ends: number[];
  readonly #marked: number[] = [0];
  #touched: number[] = [];

  constructor(count: number) {
    this.#states = Uint16Array.from({ length: count }, (_, state) => state);
    this.#placeOf = this.#states.slice();
    this.#blockOf = new Uint16Array(count);
    this.#ends = [count];
  }

  get count(): number {
    return this.#begins.length;
  }

  of(state: number): number {
    return this.#blockOf[state] ?? 0;
  }

  size(block: number): number {
    return (this.#ends[block] ?? 0) - (this.#begins[block] ?? 0);
  }

  /** As they are now. */
  members(block: number): Uint16Array {
    return this.#states.slice(this.#begins[block], this.#ends[block]);
  }

  mark(state: number): void {
    const block = this.of(state);
    const marked = this.#marked[block] ?? 0;
    const front = (this.#begins[block] ?? 0) + marked;
    const place = this.#placeOf[state] ?? 0;
    if (place < front) return;
    const other = this.#states[front] ?? 0;
    this.#put(state, front);
    this.#put(other, place);
    this.#marked[block] = marked + 1;
    if (marked === 0) this.#touched.push(block);
  }

  /** Tells of each block that was split which one was added. Returns how many states were marked. */
  splitMarked(split: (old: number, added: number) => void): number {
    const touched = this.#touched;
    this.#touched = [];
    let all = 0;
    for (const block of touched) {
      const marked = this.#marked[block] ?? 0;
      all += marked;
      this.#marked[block] = 0;
      if (marked < this.size(block)) split(block, this.#splitOff(block, marked));
    }
    return all;
  }

  #splitOff(block: number, marked: number): number {
    const added = this.count;
    const begin = this.#begins[block] ?? 0;
    this.#begins.push(begin);
    this.#ends.push(begin + marked);
    this.#marked.push(0);
    this.#begins[block] = begin + marked;
    for (let place = begin; place < begin + marked; place++) this.#blockOf[this.#states[place] ?? 0] = added;
    return added;
  }

  #put(state: number, place: number): void {
    this.#states[place] = state;
    this.#placeOf[state] = place;
  }
}
