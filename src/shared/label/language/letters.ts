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

/** Every character of these blocks is a letter; asking about each of 40,000 would take longer than loading the model. */
const LETTERS_ONLY = new Set<Script>(['Han', 'Hangul']);

/** One byte a code unit: 0 is no letter, otherwise one more than the index in `SCRIPTS`. */
export function scriptTable(): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  const letter = /[\p{L}\p{M}]/u;
  for (const [script, first, last] of BLOCKS) {
    const code = SCRIPTS.indexOf(script) + 1;
    if (LETTERS_ONLY.has(script)) table.fill(code, first, last + 1);
    else for (let unit = first; unit <= last; unit++) if (letter.test(String.fromCharCode(unit))) table[unit] = code;
  }
  return table;
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
