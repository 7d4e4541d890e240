import { join } from 'node:path';
import { foldLetters } from '../src/shared/label/language/model.ts';

/**
 * Pieces of words as the package eld counts them: the UTF-8 bytes of a word from 0, 3, 6 … on, four each, and its last
 * four; an edge of the word is a space. Only those in Latin letters are taken, since in other scripts four bytes are
 * two letters, and the n-grams know those.
 */
interface Database {
  readonly ngramsData: {
    readonly languages: Record<string, string>;
    readonly ngrams: Record<string, Record<string, number>>;
  };
}

/** What eld adds to every weight of its database (src/languageDetector.js). */
const LEAST = 53;
/** Eld's weights, 59 to 260, in natural logarithms; chosen on the build half of the labelled snippets. */
const SCALE = 0.05;

export type Shares = ReadonlyMap<string, number>;

/** For each piece the languages that have it with a weight. */
export async function piecesOf(
  path: string,
  languages: readonly string[],
  guessed: ReadonlyMap<string, Shares>,
): Promise<Map<string, [number, number][]>> {
  const { ngramsData } = (await import(join(path, 'src/ngrams/small.js'))) as Database;
  const spelled = await spelling(path);
  const pieces = new Map<string, [number, number][]>();
  for (const [written, byLanguage] of Object.entries(ngramsData.ngrams)) {
    const piece = spelled(written);
    if (piece === undefined || !/^ ?\p{Script=Latin}+ ?$/u.test(piece)) continue;
    const weights = Object.entries(byLanguage).map(([index, weight]): [number, number] => {
      // Eld has no Indonesian: what it learnt as Malay speaks for it.
      const code = ngramsData.languages[index]?.replace('ms', 'id') ?? '';
      return [LATIN.has(code) ? languages.indexOf(code) : -1, (weight + LEAST) * SCALE];
    });
    for (const [code, shares] of guessed) weights.push([languages.indexOf(code), guess(piece, shares) * SCALE]);
    // Pieces that differ by letters which the model folds into one are one piece, of as many languages.
    const folded = foldLetters(piece);
    const found = pieces.get(folded) ?? [];
    const added = weights.filter(
      ([language, weight]) => language !== -1 && weight > 0 && found.every(([other]) => other !== language),
    );
    if (added.length > 0) pieces.set(folded, [...found, ...added]);
  }
  return pieces;
}

/** Eld's languages in Latin letters; its Kurdish is in Arabic letters. */
const LATIN = new Set(
  'ca cs da de en es et eu fi fr hr hu id is it lt lv az nl no pl pt ro sk sl sq sv tl tr vi yo'.split(' '),
);

/** Natural logarithm of a piece's probability by chained trigrams, below which a language has it too seldom. */
const SELDOM = -12;
const RARE = -15;
const PER_LOGARITHM = 20;

/** The weight eld would give, guessed for a language it lacks from the shares of the piece's trigrams; 0 is none. */
function guess(piece: string, shares: Shares): number {
  if (piece.length < 3) return 0;
  let logarithm = Math.log((shares.get(piece.slice(0, 3)) ?? 0) + 1e-5);
  for (let at = 1; at + 3 <= piece.length; at++) {
    const given = (shares.get(piece.slice(at, at + 2)) ?? 0) + 2e-5;
    logarithm += Math.log(((shares.get(piece.slice(at, at + 3)) ?? 0) + 1e-5) / given);
  }
  return logarithm > SELDOM ? (logarithm - RARE) * PER_LOGARITHM : 0;
}

/** From eld's alphabet, a character a byte, to text; undefined where the bytes cut a letter in two. */
async function spelling(path: string): Promise<(written: string) => string | undefined> {
  const { dictionary } = (await import(join(path, 'src/dictionary.js'))) as { dictionary: readonly string[] };
  const byteOf = new Map(dictionary.map((character, byte) => [character, byte]));
  byteOf.set(' ', 0x20);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (written) => {
    const bytes = written.split('').map((character) => byteOf.get(character) ?? character.charCodeAt(0));
    try {
      return decoder.decode(Uint8Array.from(bytes));
    } catch {
      return undefined;
    }
  };
}
