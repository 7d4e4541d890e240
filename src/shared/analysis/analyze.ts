import { lowerCase } from './lower-case.ts';
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
