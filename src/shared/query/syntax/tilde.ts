import type { Diagnostic } from '../../api/diagnostic.ts';
import { diagnostic } from '../codes.ts';
import type { Token } from './token.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const MOST = 2 ** 31 - 1;

/**
 * The slop of `"a b"~2.9` is 2: a number cut to its whole part, and 0 where it is none (`"a b"~`, `"a b"~x`). What is
 * wrong with it where it is negative.
 */
export function slopOf(tilde: Token): number | Diagnostic {
  const written = tilde.text.slice(1);
  if (!NUMBER.test(written)) return 0;
  // `~-0.5` is no slop either, and -0 is not 0 to everyone.
  const slop = Math.trunc(Number.parseFloat(written)) || 0;
  if (slop >= 0) return Math.min(slop, MOST);
  const message = `The slop ${tilde.text} is negative; it says how many places words may be moved.`;
  const hint = { message: 'The distance without its sign.', replacement: `~${Math.min(-slop, MOST)}` };
  return diagnostic('bad_slop', tilde, message, { hint });
}

/**
 * The edits of a fuzzy word: `~` and what is no number are 2, a whole number is itself, 2 at most, and what is between
 * 0 and 1 is the similarity of old: the part of the word's length that must stay (FuzzyQuery.floatToEdits, 8.x). What
 * is wrong with any other number.
 */
export function editsOf(tilde: Token, word: string): 0 | 1 | 2 | Diagnostic {
  const written = tilde.text.slice(1);
  if (!NUMBER.test(written)) return 2;
  // Lucene reads a float, and goes on in doubles.
  const number = Math.fround(Number.parseFloat(written));
  if (number < 0 || (number >= 1 && !Number.isInteger(number))) return badEdits(tilde, number);
  if (number >= 1 || number === 0) return upToTwo(number);
  return upToTwo(Math.floor((1 - number) * Array.from(word).length));
}

function upToTwo(edits: number): 0 | 1 | 2 {
  if (edits >= 2) return 2;
  return edits === 1 ? 1 : 0;
}

function badEdits(tilde: Token, number: number): Diagnostic {
  const message = `${tilde.text} is no number of edits: ~1 and ~2 are, and ~ alone means 2.`;
  const replacement = `~${upToTwo(Math.max(1, Math.floor(Math.abs(number))))}`;
  const hint = { message: `Write ${replacement}.`, replacement };
  return diagnostic('bad_fuzzy', tilde, message, { hint });
}
