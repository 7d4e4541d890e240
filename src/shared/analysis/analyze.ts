import { eachWord } from './words.ts';

/** Lucene's English stop words (EnglishAnalyzer): not searched in texts, but each still takes a position. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term);
}

/** Receives one token; `position` counts words from 0, `start` and `end` are UTF-16 units of the text. */
export type OnToken = (term: string, position: number, start: number, end: number) => void;

/** Splits a text into searchable words, for pages and for queries alike. */
export function analyze(text: string, keepsStopWords: boolean, onToken: OnToken): void {
  let position = -1;
  eachWord(text, (start, end) => {
    position++;
    const term = lowerCase(text.slice(start, end));
    if (keepsStopWords || !STOP_WORDS.has(term)) onToken(term, position, start, end);
  });
}

const UNITS = 0x1_0000;
const BLOCK = 0x100;

/**
 * Lower case as Java's Character.toLowerCase has it: character by character, whatever stands beside it. The engine's
 * own makes `ς` of a last `Σ`, and two characters of `İ`.
 */
export function lowerCase(word: string): string {
  if (!/[\u0130\u03A3]/.test(word)) return word.toLowerCase();
  return Array.from(word, (character) => (character === '\u0130' ? 'i' : character.toLowerCase())).join('');
}

/** The same for single UTF-16 units; surrogates stand for themselves. */
export const LOWER_UNITS = new Uint16Array(UNITS);

/** Blocks without letters of two cases, which most are, stay as they are at first: each unit stands for itself. */
function readLowerCases(): void {
  for (let unit = 0; unit < UNITS; unit++) LOWER_UNITS[unit] = unit;
  for (let from = 0; from < UNITS; from += BLOCK) {
    const block = String.fromCharCode(...LOWER_UNITS.subarray(from, from + BLOCK));
    const lower = lowerCase(block);
    if (lower === block) continue;
    for (let unit = 0; unit < BLOCK; unit++) LOWER_UNITS[from + unit] = lower.charCodeAt(unit);
  }
}

readLowerCases();
