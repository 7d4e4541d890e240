/** What data/language.json holds; scripts/language-model.ts writes it. */
interface Data {
  readonly known: readonly string[];
  readonly strangers: readonly string[];
  readonly simplified: string;
  readonly traditional: string;
  readonly japanese: string;
  readonly letters: string;
  readonly ngrams: TableData;
  readonly pieces: TableData;
}

/** A table as the file has it; `data` is base64 of what scripts/language-encoding.ts describes. */
export interface TableData {
  readonly rows: number;
  readonly entries: number;
  /** What a step of a weight is worth. */
  readonly step: number;
  readonly data: string;
}

/** The model in memory: tables only, so that scoring a text allocates next to nothing. */
export interface Languages {
  /** Codes by index: first those of the vocabulary (as many as `known`), then languages outside it. */
  readonly codes: readonly string[];
  readonly known: number;
  readonly scripts: Scripts;
  /** By code unit, of folded letters: 0 is no letter of the model, otherwise a letter's part of an n-gram's key. */
  readonly letters: Uint16Array;
  /** By code unit: 0 or one of `HAN`. */
  readonly han: Uint8Array;
  /** Trigrams, bigrams where a script has no pieces, and pieces of words by `pieceKey`. */
  readonly ngrams: Table;
  readonly pieces: Table;
}

/** Ways of writing Chinese characters, by characters that the others do not have. */
const HAN = { simplified: 1, traditional: 2, japanese: 3 } as const;

/** Bits of a letter in the key of an n-gram; the last letter is in the low bits. */
export const LETTER_BITS = 10;
/** The part that stands for the edge of a word. */
export const EDGE = 1;

/**
 * A hash table that is looked up as the file has it, so that it costs nothing to load. A key is spread over `KEY_BITS` bits
 * (`spread`): the upper ones choose a bucket, the other 16 tell a row among the few of its bucket.
 */
export interface Table {
  /** By bucket, and one more: its first row, and the first entry of that. */
  readonly firstRow: Uint32Array;
  readonly firstEntry: Uint32Array;
  /** By row: the lower 8 of the 16 bits, the upper 8, and how many entries it has, one behind the other. */
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  readonly counts: Uint8Array;
  /** By entry: the index of a language, and how much the key speaks for it, in steps. */
  readonly languages: Uint8Array;
  readonly weights: Uint8Array;
  /** What a step is worth in natural logarithms. */
  readonly step: number;
}

const KEY_BITS = 30;
/** Bits of a spread key that tell the rows of a bucket apart. */
export const ROW_BITS = 16;
export const BUCKETS = 1 << (KEY_BITS - ROW_BITS);

/** Spreads keys (Knuth's multiplicative method); no two keys become the same. */
export function spread(key: number): number {
  return Math.imul(key, 0x9e37_79b1) & ((1 << KEY_BITS) - 1);
}

/** The key of a piece is made unit by unit from 0, the space at an edge among them. */
export function nextPieceKey(key: number, unit: number): number {
  const mixed = Math.imul(key ^ unit, 0x0100_0193);
  return (mixed ^ (mixed >>> 13)) & ((1 << KEY_BITS) - 1);
}

export function pieceKey(piece: string): number {
  let key = 0;
  for (let at = 0; at < piece.length; at++) key = nextPieceKey(key, piece.charCodeAt(at));
  return key;
}

/** Reads the model when the first page needs it. */
export async function loadLanguages(): Promise<Languages> {
  const { default: data } = await import('../data/language.json', { with: { type: 'json' } });
  return languagesFrom(data);
}

function languagesFrom(data: Data): Languages {
  const letters = new Uint16Array(0x1_0000);
  for (let at = 0; at < data.letters.length; at++) letters[data.letters.charCodeAt(at)] = at + EDGE + 1;
  const han = new Uint8Array(0x1_0000);
  for (const way of ['simplified', 'traditional', 'japanese'] as const) {
    for (const character of data[way]) han[character.charCodeAt(0)] = HAN[way];
  }
  return {
    codes: [...data.known, ...data.strangers],
    known: data.known.length,
    scripts: new Scripts(),
    letters,
    han,
    ngrams: tableFrom(data.ngrams),
    pieces: tableFrom(data.pieces),
  };
}

/** Views of the file's bytes, and the sums of what its buckets hold. */
function tableFrom({ rows, entries, step, data }: TableData): Table {
  const bytes = Buffer.from(data, 'base64');
  let at = 0;
  const next = (length: number): Uint8Array => bytes.subarray(at, (at += length));
  const [rowsIn, entriesLow, entriesHigh] = [next(BUCKETS), next(BUCKETS), next(BUCKETS)];
  const firstRow = new Uint32Array(BUCKETS + 1);
  const firstEntry = new Uint32Array(BUCKETS + 1);
  for (let bucket = 0, row = 0, entry = 0; bucket < BUCKETS; bucket++) {
    row += rowsIn[bucket] ?? 0;
    entry += (entriesLow[bucket] ?? 0) + 256 * (entriesHigh[bucket] ?? 0);
    firstRow[bucket + 1] = row;
    firstEntry[bucket + 1] = entry;
  }
  const [low, high, counts] = [next(rows), next(rows), next(rows)];
  return { firstRow, firstEntry, low, high, counts, languages: next(entries), weights: next(entries), step };
}

/**
 * Letters as the language model knows them: how a text is folded before its n-grams are counted, and which script a
 * letter belongs to. The script that makes the model folds its sources with the same function.
 */

/** Scripts that are told apart; `other` are those that no language of the vocabulary is written with. */
export const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Arabic',
  'Devanagari',
  'Hebrew',
  'Bengali',
  'Greek',
  'Thai',
  'Hangul',
  'Gujarati',
  'Gurmukhi',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Kana',
  'Han',
  'other',
] as const;

export type Script = (typeof SCRIPTS)[number];

/** First and last code unit of the blocks that hold a script's letters (Unicode, Blocks.txt). */
const BLOCKS: readonly (readonly [Script, number, number])[] = [
  ['Latin', 0x41, 0x24f],
  ['Latin', 0x1e00, 0x1eff],
  ['Greek', 0x370, 0x3ff],
  ['Greek', 0x1f00, 0x1fff],
  ['Cyrillic', 0x400, 0x52f],
  ['Hebrew', 0x590, 0x5ff],
  ['Arabic', 0x600, 0x6ff],
  ['Arabic', 0x750, 0x77f],
  ['Arabic', 0xfb50, 0xfdff],
  ['Arabic', 0xfe70, 0xfefc],
  ['Devanagari', 0x900, 0x97f],
  ['Bengali', 0x980, 0x9ff],
  ['Gurmukhi', 0xa00, 0xa7f],
  ['Gujarati', 0xa80, 0xaff],
  ['Tamil', 0xb80, 0xbff],
  ['Telugu', 0xc00, 0xc7f],
  ['Kannada', 0xc80, 0xcff],
  ['Malayalam', 0xd00, 0xd7f],
  ['Thai', 0xe00, 0xe7f],
  ['Hangul', 0x1100, 0x11ff],
  ['Hangul', 0x3130, 0x318f],
  ['Hangul', 0xac00, 0xd7a3],
  ['Kana', 0x3041, 0x30ff],
  ['Kana', 0xff66, 0xff9d],
  ['Han', 0x3400, 0x4dbf],
  ['Han', 0x4e00, 0x9fff],
  ['Han', 0xf900, 0xfaff],
  // Armenian; Syriac to Samaritan; Oriya; Sinhala; Lao to Georgian; Ethiopic to Mongolian; Tifinagh.
  ['other', 0x530, 0x58f],
  ['other', 0x700, 0x74f],
  ['other', 0x780, 0x8ff],
  ['other', 0xb00, 0xb7f],
  ['other', 0xd80, 0xdff],
  ['other', 0xe80, 0x10ff],
  ['other', 0x1200, 0x18af],
  ['other', 0x2d30, 0x2d7f],
];

/** Every character of these blocks is a letter. */
const LETTERS_ONLY: ReadonlySet<Script> = new Set(['Han', 'Hangul']);
const LETTER = /[\p{L}\p{M}]/u;
/** Of a character of whom nobody has asked yet whether it is a letter; beside it the script of its block. */
const UNASKED = 0x80;

/**
 * Which script a letter belongs to. Whether a character of the blocks is a letter is looked at when it is first asked for: a text
 * has a few dozen of 40,000.
 */
export class Scripts {
  readonly #table = new Uint8Array(0x1_0000);

  constructor() {
    for (const [script, first, last] of BLOCKS) {
      const code = SCRIPTS.indexOf(script) + 1;
      this.#table.fill(LETTERS_ONLY.has(script) ? code : code | UNASKED, first, last + 1);
    }
  }

  /** Of a code unit: 0 is no letter, otherwise one more than the index in `SCRIPTS`. */
  of(unit: number): number {
    const known = this.#table[unit] ?? 0;
    if (known < UNASKED) return known;
    const code = LETTER.test(String.fromCharCode(unit)) ? known - UNASKED : 0;
    this.#table[unit] = code;
    return code;
  }
}

/**
 * Letters that texts use for each other: the Romanian comma and cedilla, the Persian and the Arabic yeh. The second,
 * which the profiles are written with, stands for both.
 */
const ALIAS_OF: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ', ی: 'ي', '\u0307': '' };
/** The profiles have one letter for all of Latin Extended Additional, most of which are Vietnamese. */
const ADDITIONAL = 'ể';
const ALIAS = /[șțی\u1e00-\u1eff]|\u0307/gu;

/** Lower case, composed (NFC), aliases replaced; the dot that is left of a Turkish capital İ falls away. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(ALIAS, (letter) => ALIAS_OF[letter] ?? ADDITIONAL);
}
