import type { Matcher } from './matcher.ts';

/** Far from any number of edits that is allowed, and safe to add to. */
const FAR = 99;

/**
 * The matcher of a fuzzy word: what is at most so many edits away, an edit being an insertion, a deletion, another
 * character or a swap of two neighbours, in code points; no part is edited twice (optimal string alignment, as
 * Lucene's Levenshtein automata count). Zero edits is the word itself.
 */
export function compileFuzzy(term: string, edits: 0 | 1 | 2): Matcher {
  if (edits === 0) {
    return { matches: (text) => text === term, required: term === '' ? [] : [term], prefix: term, suffix: term };
  }
  const word = new FuzzyWord(term, edits);
  return { matches: (text) => word.isNear(text), required: [], prefix: '', suffix: '' };
}

/** One for all words: nothing here waits, and a page has thousands of terms to compare with each of them. */
let characters = new Uint32Array(512);

class FuzzyWord {
  readonly #word: Uint32Array;
  readonly #edits: number;
  /** A bit for each character's last five bits: which characters occur, roughly. */
  readonly #traits: number;
  /** The last three rows of the table of distances, each with a wall at both ends. */
  #before = new Uint8Array(7);
  #above = new Uint8Array(7);
  #row = new Uint8Array(7);

  constructor(term: string, edits: number) {
    this.#word = Uint32Array.from(term, (character) => character.codePointAt(0) ?? 0);
    this.#edits = edits;
    this.#traits = traitsOf(this.#word, this.#word.length);
  }

  isNear(text: string): boolean {
    const word = this.#word;
    const edits = this.#edits;
    // A code point is one unit or two, so this spares the reading.
    if (text.length + edits < word.length || text.length > 2 * (word.length + edits)) return false;
    const length = read(text);
    if (Math.abs(length - word.length) > edits) return false;
    // An edit changes two characters at most: one that goes, one that comes.
    if (bitsOf(this.#traits ^ traitsOf(characters, length)) > 2 * edits) return false;
    let start = 0;
    let [wordEnd, textEnd] = [word.length, length];
    while (start < wordEnd && start < textEnd && word[start] === characters[start]) start++;
    while (wordEnd > start && textEnd > start && word[wordEnd - 1] === characters[textEnd - 1]) {
      wordEnd--;
      textEnd--;
    }
    return this.#within(start, wordEnd - start, textEnd - start);
  }

  /**
   * The distance between what is left of word and text, row by row. Cell c of row y is column `y + c - 3`: those two
   * at most off the diagonal, further ones take more edits than are allowed.
   */
  #within(start: number, height: number, width: number): boolean {
    this.#above.set([FAR, FAR, FAR, 0, 1, 2, FAR]);
    this.#before.fill(FAR);
    for (let y = 1; y <= height; y++) {
      // Every way to the end has a cell in this row, or jumps over it by a swap, whose cost the row shows too.
      if (this.#fill(start, y, width) > this.#edits) return false;
      [this.#before, this.#above, this.#row] = [this.#above, this.#row, this.#before];
    }
    return (this.#above[width - height + 3] ?? FAR) <= this.#edits;
  }

  /** Fills a row and returns the least in it. */
  #fill(start: number, y: number, width: number): number {
    const row = this.#row.fill(FAR);
    let least = FAR;
    for (let cell = 1; cell < 6; cell++) {
      const x = y + cell - 3;
      if (x < 0 || x > width) continue;
      const distance = x === 0 ? y : this.#distance(start, y, x, cell);
      row[cell] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }

  #distance(start: number, y: number, x: number, cell: number): number {
    const word = this.#word;
    const [mine, other] = [start + y - 1, start + x - 1];
    const replaced = (this.#above[cell] ?? FAR) + (word[mine] === characters[other] ? 0 : 1);
    const least = Math.min(replaced, (this.#above[cell + 1] ?? FAR) + 1, (this.#row[cell - 1] ?? FAR) + 1);
    const isSwap = y > 1 && x > 1 && word[mine] === characters[other - 1] && word[mine - 1] === characters[other];
    return isSwap ? Math.min(least, (this.#before[cell] ?? FAR) + 1) : least;
  }
}

/** Reads the text's code points and returns how many there are. */
function read(text: string): number {
  if (characters.length < text.length) characters = new Uint32Array(2 * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at) ?? 0;
    if (character > 0xffff) at++;
    characters[length++] = character;
  }
  return length;
}

function traitsOf(characters: Uint32Array, length: number): number {
  let traits = 0;
  for (let at = 0; at < length; at++) traits |= 1 << ((characters[at] ?? 0) & 31);
  return traits;
}

/** How many bits are set. */
function bitsOf(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
