import { BUCKETS, EDGE, LETTER_BITS, ROW_BITS, spread, type TableData } from '../src/shared/label/language/model.ts';

/** A key and, for each language that has it, the index of the language and the weight, which is positive. */
export interface Row {
  readonly key: number;
  readonly weights: readonly (readonly [language: number, weight: number])[];
}

/** The letters of n-grams without the space, sorted. */
export function lettersOf(grams: Iterable<string>): string {
  const letters = [...new Set([...grams].flatMap((gram) => gram.split('')))].filter((letter) => letter !== ' ').sort();
  if (letters.length + 2 > 1 << LETTER_BITS)
    throw new Error(`${letters.length} letters do not fit ${LETTER_BITS} bits`);
  return letters.join('');
}

/** Keys of n-grams as src/shared/label/language/language.ts makes them. */
export function ngramKeys(letters: string): (gram: string) => number {
  const partOf = new Map(letters.split('').map((letter, index) => [letter, index + EDGE + 1]));
  return (gram) => gram.split('').reduce((key, letter) => (key << LETTER_BITS) | (partOf.get(letter) ?? EDGE), 0);
}

/**
 * As `Table` in src/shared/label/language/model.ts reads it: of each bucket the number of rows, and of entries in two bytes,
 * the lower ones of all first; of each row in the order of spread keys the two bytes that tell it, and the number of its
 * languages; then the languages of all rows, then their weights in steps.
 */
export function encodeTable(unsorted: readonly Row[]): TableData {
  const rows = unsorted
    .map(({ key, weights }) => ({ mixed: spread(key), weights }))
    .toSorted((a, b) => a.mixed - b.mixed);
  const entries = rows.flatMap(({ weights }) => weights);
  const step = entries.reduce((most, [, weight]) => Math.max(most, weight), 0) / 255;
  const [rowsIn, entriesIn] = [new Uint32Array(BUCKETS), new Uint32Array(BUCKETS)];
  for (const [at, { mixed, weights }] of rows.entries()) {
    if (mixed === rows[at - 1]?.mixed) throw new Error('two rows have one key');
    const bucket = mixed >>> ROW_BITS;
    rowsIn[bucket] = (rowsIn[bucket] ?? 0) + 1;
    entriesIn[bucket] = (entriesIn[bucket] ?? 0) + weights.length;
  }
  const data = Buffer.from([
    ...rowsIn.map((count) => byte(count)),
    ...entriesIn.map((count) => count & 0xff),
    ...entriesIn.map((count) => byte(count >>> 8)),
    ...rows.map(({ mixed }) => mixed & 0xff),
    ...rows.map(({ mixed }) => (mixed >>> 8) & 0xff),
    ...rows.map(({ weights }) => byte(weights.length)),
    ...entries.map(([language]) => byte(language)),
    ...entries.map(([, weight]) => Math.max(1, Math.round(weight / step))),
  ]);
  return { rows: rows.length, entries: entries.length, step, data: data.toString('base64') };
}

function byte(value: number): number {
  if (value > 0xff) throw new Error(`${value} does not fit a byte`);
  return value;
}
