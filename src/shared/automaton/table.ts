import type { Alphabet } from './alphabet.ts';
import type { Dfa } from './determinise.ts';

/** A deterministic automaton, run: one look into a table for each character of the text. */
export class Table {
  readonly #alphabet: Alphabet;
  readonly #kinds: number;
  /** Where each state's row begins; a state is written as that place, which saves a multiplication. */
  readonly #next: Uint16Array | Uint32Array;
  readonly #accepting: Uint8Array;
  readonly #start: number;
  /** The state from which everything matches; -1 when there is none. */
  readonly #universal: number;

  constructor(alphabet: Alphabet, dfa: Dfa) {
    const kinds = alphabet.count;
    const cells = dfa.rows.length * kinds;
    this.#alphabet = alphabet;
    this.#kinds = kinds;
    this.#next = cells <= 0x10000 ? new Uint16Array(cells) : new Uint32Array(cells);
    for (const [state, row] of dfa.rows.entries()) {
      for (let kind = 0; kind < kinds; kind++) this.#next[state * kinds + kind] = (row[kind] ?? 0) * kinds;
    }
    this.#accepting = Uint8Array.from(dfa.accepting, Number);
    this.#start = dfa.start * kinds;
    const universal = dfa.rows.findIndex((row, state) => dfa.accepting[state] && row.every((next) => next === state));
    this.#universal = universal * kinds;
  }

  get states(): number {
    return this.#accepting.length - 1;
  }

  matches(text: string): boolean {
    const next = this.#next;
    let state = this.#start;
    for (let at = 0; at < text.length; at++) {
      let character = text.charCodeAt(at);
      if (character >= 0xd800 && character < 0xdc00) {
        character = text.codePointAt(at) ?? 0;
        if (character > 0xffff) at++;
      }
      state = next[state + this.#alphabet.kindOf(character)] ?? 0;
      if (state === 0) return false;
      if (state === this.#universal) return true;
    }
    return this.#accepting[state / this.#kinds] === 1;
  }

  /** No text matches at all. */
  get matchesNothing(): boolean {
    return this.#start === 0;
  }

  /** Every text matches, except perhaps the empty one. */
  get matchesEverything(): boolean {
    if (this.#start === 0) return false;
    const rows = this.#next.subarray(this.#kinds);
    return rows.every((next) => next !== 0 && this.#accepting[next / this.#kinds] === 1);
  }
}
