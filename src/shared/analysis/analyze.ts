import { lowerCase } from './lower-case.ts';
import { eachWord } from './words.ts';

/** Lucene's English stop words (EnglishAnalyzer): not searched in texts, but each still takes a position. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

const SHORT_END = 32;

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

/** How many words at the end of the text are stop words. Reads no more of it than it must. */
export function stopWordsAtEnd(text: string): number {
  for (let length = SHORT_END; ; length *= 4) {
    // White space parts words whatever stands around it, so an end that begins after some has the same words.
    const from = length < text.length ? text.lastIndexOf(' ', text.length - length) + 1 : 0;
    let atEnd = 0;
    let isAll = true;
    analyze(text.slice(from), true, (term) => {
      if (STOP_WORDS.has(term)) atEnd++;
      else [atEnd, isAll] = [0, false];
    });
    if (!isAll || from === 0) return atEnd;
  }
}
