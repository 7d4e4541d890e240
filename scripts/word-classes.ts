import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { PICTOGRAPHS } from '../src/shared/analysis/emoji.ts';
import { WordClass } from '../src/shared/analysis/word-class.ts';

/**
 * Writes the table of Unicode's word-break classes (UAX #29, as Lucene 8's StandardTokenizer reads them) from the
 * property tables of the engine it runs on; with --check it compares instead. The table is kept in the repository so
 * that a newer engine, with a newer Unicode, cannot change what the words of a text are.
 */

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
  [WordClass.extend, /^[\p{M}\p{Cf}\uFF9E\uFF9F]$/u],
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

const LAST_CODE_POINT = 0x10ffff;
const LINE = 108;

function classify(codePoint: number): WordClass {
  const character = String.fromCodePoint(codePoint);
  return CLASSES.find(([, pattern]) => pattern.test(character))?.[0] ?? WordClass.other;
}

/** Runs of one class: a capital letter for the class, the length in base 36. */
function encode(): string {
  let runs = '';
  for (let from = 0; from <= LAST_CODE_POINT;) {
    const found = classify(from);
    let to = from + 1;
    while (to <= LAST_CODE_POINT && classify(to) === found) to++;
    runs += String.fromCharCode(0x41 + found) + (to - from).toString(36);
    from = to;
  }
  return runs;
}

function source(runs: string): string {
  const lines = Array.from({ length: Math.ceil(runs.length / LINE) }, (_, line) => {
    return `  '${runs.slice(line * LINE, (line + 1) * LINE)}',\n`;
  });
  const story = [
    `Written by scripts/word-classes.ts from Unicode ${process.versions['unicode']}: the word-break class of every code point, from 0 on.`,
    'A run is a capital letter (A is class 0) and its length in base 36.',
  ];
  return `/**\n${story.map((line) => ` * ${line}\n`).join('')} */\nexport const WORD_CLASS_RUNS = [\n${lines.join('')}].join('');\n`;
}

const file = new URL('../src/shared/analysis/word-class-table.ts', import.meta.url);
const written = source(encode());
if (!process.argv.includes('--check')) await writeFile(file, written);
else if ((await readFile(file, 'utf8')) !== written) {
  process.stderr.write('src/shared/analysis/word-class-table.ts: not what scripts/word-classes.ts writes\n');
  process.exitCode = 1;
}
