import { WORD_CLASS_RUNS } from './word-class-table.ts';

/** The word-break classes of Unicode (UAX #29) as Lucene's StandardTokenizer reads them. */
export const WordClass = {
  other: 0,
  letter: 1,
  hebrew: 2,
  digit: 3,
  katakana: 4,
  /** `_` and its kind: joins words, and may lead or end one. */
  connector: 5,
  /** Joins letters (`:`), digits (`,`), or both (`.`), one at a time. */
  midLetter: 6,
  midNumber: 7,
  midBoth: 8,
  singleQuote: 9,
  doubleQuote: 10,
  /** Marks and format characters belong to the character before them. */
  extend: 11,
  /** Thai, Lao, Khmer, Burmese: runs without spaces, kept whole. */
  southEastAsian: 12,
  /** Each character is a word. */
  han: 13,
  hiragana: 14,
  pictograph: 15,
} as const;
export type WordClass = (typeof WordClass)[keyof typeof WordClass];

const PLANE = 0x1_0000;

/** By code point, of the plane that nearly all text is in: one read a character. */
export const BASIC_CLASSES = new Uint8Array(PLANE);
/** Of the planes above: where each run begins, ascending, and its class. */
const starts: number[] = [];
const classes: number[] = [];

export function wordClass(codePoint: number): number {
  if (codePoint < PLANE) return BASIC_CLASSES[codePoint] ?? WordClass.other;
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle;
  }
  return classes[low] ?? WordClass.other;
}

function readRuns(): void {
  let from = 0;
  for (const [, letter = 'A', length = '0'] of WORD_CLASS_RUNS.matchAll(/([A-Z])([0-9a-z]+)/g)) {
    const found = letter.charCodeAt(0) - 0x41;
    const to = from + Number.parseInt(length, 36);
    if (from < PLANE) BASIC_CLASSES.fill(found, from, Math.min(to, PLANE));
    if (to > PLANE) {
      starts.push(Math.max(from, PLANE));
      classes.push(found);
    }
    from = to;
  }
}

readRuns();
