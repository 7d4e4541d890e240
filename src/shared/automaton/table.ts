import type { Alphabet } from './alphabet.ts';
import type { Dfa } from './dfa.ts';

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
