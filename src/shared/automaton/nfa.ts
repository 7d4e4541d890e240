import { TooManyStates } from './budget.ts';

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
