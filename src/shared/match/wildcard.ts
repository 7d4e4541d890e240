/**
 * A wildcard pattern (`*` any run, `?` one code point, `\` makes the next character literal) as the bits of a
 * non-deterministic automaton: state n means that the first n characters of the pattern are matched, all states are
 * followed at once. One pass over the text, whatever it says; backtracking would take years for `*a*a*a*b`.
 */
export class WildcardMatcher {
  readonly #accept: number;
  /** Bit n: the pattern has a `*` before its character n, so state n may stay where it is. */
  readonly #stays: Uint32Array;
  /** Bit n: character n of the pattern is `?`. */
  readonly #any: Uint32Array;
  /** For each code point of the pattern, where it stands: a bit set for each would be quadratic in the pattern. */
  readonly #takes = new Map<string, number[]>();

  constructor(pattern: string) {
    const { characters, stars } = read(pattern);
    const words = (characters.length >>> 5) + 1;
    this.#accept = characters.length;
    this.#stays = new Uint32Array(words);
    this.#any = new Uint32Array(words);
    for (const state of stars) set(this.#stays, state);
    for (const [state, character] of characters.entries()) {
      if (character === undefined) set(this.#any, state);
      else this.#take(character, state);
    }
  }

  matches(text: string): boolean {
    let states = new Uint32Array(this.#stays.length);
    let next = new Uint32Array(this.#stays.length);
    set(states, 0);
    for (const character of text) {
      if (!this.#step(states, next, character)) return false;
      [states, next] = [next, states];
    }
    return isSet(states, this.#accept);
  }

  #take(character: string, state: number): void {
    const states = this.#takes.get(character);
    if (states) states.push(state);
    else this.#takes.set(character, [state]);
  }

  /** Fills `next`; false when no state is left. */
  #step(states: Uint32Array, next: Uint32Array, character: string): boolean {
    let carry = 0;
    let alive = 0;
    for (let word = 0; word < states.length; word++) {
      const current = states[word] ?? 0;
      const moved = current & (this.#any[word] ?? 0);
      const value = (moved << 1) | carry | (current & (this.#stays[word] ?? 0));
      carry = moved >>> 31;
      next[word] = value;
      alive |= value;
    }
    for (const state of this.#takes.get(character) ?? []) {
      if (!isSet(states, state)) continue;
      set(next, state + 1);
      alive = 1;
    }
    return alive !== 0;
  }
}

/** The pattern's characters (undefined is `?`), and before which of them a `*` stands. */
function read(pattern: string): { characters: (string | undefined)[]; stars: number[] } {
  const characters: (string | undefined)[] = [];
  const stars: number[] = [];
  let escaped = false;
  for (const character of pattern) {
    if (escaped) {
      characters.push(character);
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (character === '*') stars.push(characters.length);
    else characters.push(character === '?' ? undefined : character);
  }
  // A backslash at the very end is itself.
  if (escaped) characters.push('\\');
  return { characters, stars };
}

function set(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
}

function isSet(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}
