import { EDGE, LETTER_BITS, type TableData } from '../src/shared/label/language/model.ts';

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
 * Keys in rising order as differences (7 bits a byte, the low ones first, 128 set where more follow), each followed by
 * the number of its languages in a byte; then the languages of all rows, then their weights in steps.
 */
export function encodeTable(unsorted: readonly Row[]): TableData {
  const rows = unsorted.toSorted((a, b) => a.key - b.key);
  const entries = rows.flatMap(({ weights }) => weights);
  const step = entries.reduce((most, [, weight]) => Math.max(most, weight), 0) / 255;
  const bytes: number[] = [];
  const push = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  let last = 0;
  for (const { key, weights } of rows) {
    if (key === last) throw new Error(`two rows have the key ${key}`);
    if (weights.length > 127) throw new Error(`a row of ${weights.length} languages does not fit a byte`);
    push(key - last);
    bytes.push(weights.length);
    last = key;
  }
  const data = Buffer.from([
    ...bytes,
    ...entries.map(([language]) => language),
    ...entries.map(([, weight]) => Math.max(1, Math.round(weight / step))),
  ]);
  return { rows: rows.length, entries: entries.length, step, data: data.toString('base64') };
}
