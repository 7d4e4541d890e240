import { eachWord } from './words.ts';

/** Lucene's English stop words (EnglishAnalyzer): not searched in texts, but each still takes a position. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

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

/** Code point by code point, without context: the engine's own makes `ς` of a last `Σ`, and two letters of `İ`. */
function lowerCase(word: string): string {
  if (!/[\u0130\u03A3]/.test(word)) return word.toLowerCase();
  return Array.from(word, (character) => (character === '\u0130' ? 'i' : character.toLowerCase())).join('');
}
