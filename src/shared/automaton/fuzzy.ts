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
  const word = Uint32Array.from(term, codePoint);
  return { matches: (text) => isNear(word, text, edits), required: [], prefix: '', suffix: '' };
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** One for all matchers: nothing here waits, and a page has thousands of words. */
let scratch = new Uint32Array(512);

function isNear(word: Uint32Array, text: string, edits: number): boolean {
  // An edit changes the length by two units at most, so this spares the reading.
  if (text.length + edits < word.length || text.length > 2 * (word.length + edits)) return false;
  if (scratch.length < text.length) scratch = new Uint32Array(2 * text.length);
  const length = read(text, scratch);
  if (Math.abs(length - word.length) > edits) return false;
  let start = 0;
  let [wordEnd, textEnd] = [word.length, length];
  while (start < wordEnd && start < textEnd && word[start] === scratch[start]) start++;
  while (wordEnd > start && textEnd > start && word[wordEnd - 1] === scratch[textEnd - 1]) {
    wordEnd--;
    textEnd--;
  }
  return within(word, start, wordEnd, textEnd, edits);
}

function read(text: string, into: Uint32Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at) ?? 0;
    if (character > 0xffff) at++;
    into[length++] = character;
  }
  return length;
}

/** Three rows of five: the cells at most two edits off the diagonal, with a wall on each side. */
const rows = [new Uint8Array(7), new Uint8Array(7), new Uint8Array(7)] as const;

/**
 * The distance between what is left of word and text, row by row. Cell d of a row is the text's place
 * `row + d - 3`: only these can be within two edits.
 */
function within(word: Uint32Array, start: number, wordEnd: number, textEnd: number, edits: number): boolean {
  const height = wordEnd - start;
  const width = textEnd - start;
  let [before, above, row] = rows;
  before.fill(FAR);
  above.fill(FAR);
  for (let cell = 3; cell < 6; cell++) above[cell] = cell - 3;
  for (let y = 1; y <= height; y++) {
    if (fill(row, above, before, word, start, y, width) > edits) return false;
    [before, above, row] = [above, row, before];
  }
  return (above[width - height + 3] ?? FAR) <= edits;
}

/** Fills one row and returns its least cell: later rows have none smaller, but for a swap's, of its own row's last. */
function fill(
  row: Uint8Array,
  above: Uint8Array,
  before: Uint8Array,
  word: Uint32Array,
  start: number,
  y: number,
  width: number,
): number {
  row.fill(FAR);
  let least = FAR;
  for (let cell = 1; cell < 6; cell++) {
    const x = y + cell - 3;
    if (x < 0 || x > width) continue;
    const distance = x === 0 ? y : cellOf(row, above, before, word, start, y, x, cell);
    row[cell] = distance;
    if (distance < least) least = distance;
  }
  return least;
}

function cellOf(
  row: Uint8Array,
  above: Uint8Array,
  before: Uint8Array,
  word: Uint32Array,
  start: number,
  y: number,
  x: number,
  cell: number,
): number {
  const [a, b] = [start + y - 1, start + x - 1];
  const replaced = (above[cell] ?? FAR) + (word[a] === scratch[b] ? 0 : 1);
  const least = Math.min(replaced, (above[cell + 1] ?? FAR) + 1, (row[cell - 1] ?? FAR) + 1);
  const swapped = y > 1 && x > 1 && word[a] === scratch[b - 1] && word[a - 1] === scratch[b];
  return swapped ? Math.min(least, (before[cell] ?? FAR) + 1) : least;
}
