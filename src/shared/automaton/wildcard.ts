import { commonPieces, type Matcher } from './matcher.ts';

/**
 * The matcher of a wildcard pattern: `*` is any run of characters, `?` one code point, `\` makes the next character
 * itself (a last `\` is itself). Never throws.
 */
export function compileWildcard(pattern: string): Matcher {
  const parts = partsOf(pattern);
  const runs = parts.map(runsOf);
  const first = runs[0] ?? [''];
  const last = runs.at(-1) ?? [''];
  const literal = parts.every((part) => !part.includes(undefined)) && pattern.isWellFormed();
  const matches = literal ? literalGlob(runs.map((run) => run.join(''))) : bitGlob(parts);
  return { matches, ...commonPieces(first[0] ?? '', last.at(-1) ?? '', runs.flat()) };
}

/** The pattern split at its stars; a pattern without any is one part. */
function partsOf(pattern: string): GlobPart[] {
  let part: (string | undefined)[] = [];
  const parts = [part];
  let escaped = false;
  for (const character of pattern) {
    if (escaped) {
      part.push(character);
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (character === '*') parts.push((part = []));
    else part.push(character === '?' ? undefined : character);
  }
  if (escaped) part.push('\\');
  return parts;
}

/** The literal text between the part's question marks. */
function runsOf(part: GlobPart): string[] {
  const runs = [''];
  for (const character of part) {
    if (character === undefined) runs.push('');
    else runs[runs.length - 1] += character;
  }
  return runs;
}

/**
 * Only stars and text, as nearly all are: each piece is taken where it first occurs, which leaves most to the rest,
 * so nothing is ever tried twice. The search within is the engine's own, at worst text by piece: a million steps in
 * the longest URL there is.
 */
function literalGlob(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? '';
  if (pieces.length < 2) return (text) => text === first;
  const last = pieces.at(-1) ?? '';
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= end;
  };
}

function bitGlob(parts: readonly GlobPart[]): (text: string) => boolean {
  const bits = new GlobBits(parts);
  return (text) => bits.matches(text);
}

/** What stands between two `*`: characters, undefined for `?`. */
type GlobPart = readonly (string | undefined)[];

/**
 * A wildcard pattern as the bits of a non-deterministic automaton: state n means that the first n characters are
 * matched, and all states are followed at once, 32 at a time. One pass over the text, whatever it says.
 */
class GlobBits {
  readonly #accept: number;
  /** Bit n: a `*` stands before character n, so state n may stay where it is. */
  readonly #stays: Uint32Array;
  /** Bit n: character n is `?`. */
  readonly #any: Uint32Array;
  /**
   * For each code point of the pattern, where it stands: a bit set for each would be quadratic in the pattern. Only
   * those that stand there often, and more often than there are words to look at, have one: few, and none in the
   * patterns that people write, where they would be most of the memory.
   */
  readonly #takes = new Map<number, number[]>();
  readonly #masks: ReadonlyMap<number, Uint32Array> | undefined;

  constructor(parts: readonly GlobPart[]) {
    const characters = parts.flat();
    const words = (characters.length >>> 5) + 1;
    this.#accept = characters.length;
    this.#stays = new Uint32Array(words);
    this.#any = new Uint32Array(words);
    let state = 0;
    for (const part of parts.slice(0, -1)) set(this.#stays, (state += part.length));
    for (const [state, character] of characters.entries()) {
      if (character === undefined) set(this.#any, state);
      else this.#take(character.codePointAt(0) ?? 0, state);
    }
    this.#masks = this.#masksOfFrequent(words);
  }

  matches(text: string): boolean {
    // Each character of the pattern takes one of the text, so what is longer costs nothing.
    if (text.length < this.#accept) return false;
    let states = new Uint32Array(this.#stays.length);
    let next = new Uint32Array(this.#stays.length);
    set(states, 0);
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at) ?? 0;
      if (character > 0xffff) at++;
      if (!this.#step(states, next, character)) return false;
      [states, next] = [next, states];
    }
    return isSet(states, this.#accept);
  }

  #take(character: number, state: number): void {
    const states = this.#takes.get(character);
    if (states) states.push(state);
    else this.#takes.set(character, [state]);
  }

  #masksOfFrequent(words: number): ReadonlyMap<number, Uint32Array> | undefined {
    const masks = new Map<number, Uint32Array>();
    for (const [character, states] of this.#takes) {
      if (states.length <= Math.max(words, OFTEN)) continue;
      const mask = new Uint32Array(words);
      for (const state of states) set(mask, state);
      masks.set(character, mask);
      this.#takes.delete(character);
    }
    return masks.size > 0 ? masks : undefined;
  }

  /** Fills `next`; false when no state is left. */
  #step(states: Uint32Array, next: Uint32Array, character: number): boolean {
    const mask = this.#masks?.get(character) ?? this.#any;
    let carry = 0;
    let alive = 0;
    for (let word = 0; word < states.length; word++) {
      const current = states[word] ?? 0;
      const moved = current & ((this.#any[word] ?? 0) | (mask[word] ?? 0));
      const value = (moved << 1) | carry | (current & (this.#stays[word] ?? 0));
      carry = moved >>> 31;
      next[word] = value;
      alive |= value;
    }
    const takes = this.#takes.get(character);
    if (!takes) return alive !== 0;
    for (const state of takes) {
      if (!isSet(states, state)) continue;
      set(next, state + 1);
      alive = 1;
    }
    return alive !== 0;
  }
}

/** Places of one character that are looked at one by one. */
const OFTEN = 16;

function set(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
}

function isSet(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}
