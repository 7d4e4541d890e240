import { MOST_CELLS, MOST_STATES, type RegexBudget, TooManyStates } from './budget.ts';

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
