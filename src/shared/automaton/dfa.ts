import { MOST_CELLS, MOST_STATES, type RegexBudget, TooManyStates } from './budget.ts';
import type { Alphabet } from './alphabet.ts';

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
