import { diagnostic } from './codes.ts';
import { SyntaxRefusal } from './syntax-refusal.ts';
import type { Token } from './token.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const MOST = 2 ** 31 - 1;

/** The slop of `"a b"~2.9` is 2: a number cut to its whole part, and 0 where it is none (`"a b"~`, `"a b"~x`). */
export function slopOf(tilde: Token): number {
  const written = tilde.text.slice(1);
  if (!NUMBER.test(written)) return 0;
  const slop = Math.trunc(Number.parseFloat(written));
  if (slop >= 0) return Math.min(slop, MOST);
  const message = `The slop ${tilde.text} is negative; it says how many places words may be moved.`;
  const hint = { message: 'The distance without its sign.', replacement: `~${Math.min(-slop, MOST)}` };
  throw new SyntaxRefusal(diagnostic('bad_slop', tilde, message, { hint }));
}
