/**
 * The word-break classes of Unicode (UAX #29) as Lucene's StandardTokenizer reads them. Built from the engine's own
 * Unicode tables, block by block as texts need them: a table for all code points would cost every start 40 ms.
 */
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

const BLOCK_BITS = 8;
const BLOCK_SIZE = 1 << BLOCK_BITS;
const blocks: (Uint8Array | undefined)[] = [];

export function wordClass(codePoint: number): number {
  const index = codePoint >>> BLOCK_BITS;
  const block = (blocks[index] ??= buildBlock(index));
  return block[codePoint & (BLOCK_SIZE - 1)] ?? WordClass.other;
}

function buildBlock(index: number): Uint8Array {
  const block = new Uint8Array(BLOCK_SIZE);
  for (let offset = 0; offset < BLOCK_SIZE; offset++) {
    block[offset] = classify(String.fromCodePoint((index << BLOCK_BITS) + offset));
  }
  return block;
}

/**
 * The pictographs of Emoji 11, inside a character class. Unicode has since taken the property from those that never
 * became emoji (★, ♪), which must stay searchable.
 */
export const PICTOGRAPHS =
  '\\p{Extended_Pictographic}\\u2600-\\u2605\\u2607-\\u2685\\u2690-\\u2705\\u2708-\\u2712\\u2763-\\u2767' +
  '\\u{1F000}-\\u{1F0FF}\\u{1F249}-\\u{1F3FA}\\u{1F400}-\\u{1F53D}\\u{1F546}-\\u{1F64F}\\u{1F680}-\\u{1F6FF}';

/** The first that fits decides. Comments name the property values of WordBreakProperty.txt. */
const CLASSES: readonly (readonly [WordClass, RegExp])[] = [
  [WordClass.singleQuote, /^'$/],
  [WordClass.doubleQuote, /^"$/],
  // MidNumLet, MidLetter, MidNum.
  [WordClass.midBoth, /^[.\u2018\u2019\u2024\uFE52\uFF07\uFF0E]$/],
  [WordClass.midLetter, /^[:\u00B7\u0387\u05F4\u2027\uFE13\uFE55\uFF1A]$/],
  [WordClass.midNumber, /^[,;\u037E\u0589\u060C\u060D\u066C\u07F8\u2044\uFE10\uFE14\uFE50\uFE54\uFF0C\uFF1B]$/],
  // ExtendNumLet.
  [WordClass.connector, /^[\p{Pc}\u202F]$/u],
  // The zero width space separates; other format characters, and Katakana's voice marks, extend.
  [WordClass.other, /^\u200B$/],
  // Counted among the Han characters only since Unicode 12.
  [WordClass.other, /^\u3006$/],
  [WordClass.extend, /^[\p{M}\p{Cf}\uFF9E\uFF9F\p{Emoji_Modifier}]$/u],
  [WordClass.digit, /^[\p{Nd}\u066B]$/u],
  [WordClass.hebrew, /^(?=\p{L})\p{Script=Hebrew}$/u],
  [WordClass.katakana, /^[\p{Script=Katakana}\u3031-\u3035\u309B\u309C\u30A0\u30FC\uFF70]$/u],
  [WordClass.hiragana, /^\p{Script=Hiragana}$/u],
  [WordClass.han, /^\p{Script=Han}$/u],
  // LineBreak=Complex_Context.
  [
    WordClass.southEastAsian,
    /^(?=[\p{L}\p{N}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=New_Tai_Lue}\p{Script=Tai_Le}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]$/u,
  ],
  [WordClass.letter, /^[\p{Alphabetic}\u02C2-\u02C5\u02D2-\u02D7\u02DE\u02DF\u05F3]$/u],
  [WordClass.pictograph, new RegExp(`^[${PICTOGRAPHS}\\p{Regional_Indicator}]$`, 'u')],
];

function classify(character: string): WordClass {
  return CLASSES.find(([, pattern]) => pattern.test(character))?.[0] ?? WordClass.other;
}
