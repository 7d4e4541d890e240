import { diagnostic, type Hint } from '../codes.ts';
import { SyntaxRefusal } from './syntax-refusal.ts';
import type { Token } from './token.ts';

/** Says what a range needs, and how this one was probably meant. `tokens` begin with its bracket. */
export function refuseRange(open: Token, tokens: readonly Token[]): never {
  const length = tokens.findIndex((token) => token.kind === 'range_end' || token.kind === 'end');
  const inside = tokens.slice(1, length < 0 ? undefined : length);
  const close = tokens[length]?.kind === 'range_end' ? tokens[length] : undefined;
  const span = { start: open.start, end: close?.end ?? inside.at(-1)?.end ?? open.end };
  const message = `The range at position ${open.start} must read [from TO to] or {from TO to}, with * for an open end.`;
  const replacement = close ? repaired(inside, open.text, close.text) : closed(inside, open.text);
  const hint: Hint | undefined =
    replacement === undefined ? undefined : { message: `Write ${replacement}.`, replacement };
  throw new SyntaxRefusal(diagnostic('bad_range', span, message, { hint }));
}

/** `[a TO b` at the end of the query. Where a `)` follows, it may be a group's or meant as the range's. */
function closed(inside: readonly Token[], open: string): string | undefined {
  const [low, to, high, ...rest] = inside;
  if (!low || to?.kind !== 'range_to' || !high || high.text.includes(')') || rest.length > 0) return undefined;
  return `${open}${low.text} TO ${high.text}${open === '[' ? ']' : '}'}`;
}

/** `[a b]`, `[a to b]`, `[a - b]`, `[aTOb]`, `[5-9]`, `[a TO]` and `[TO b]`; undefined where it cannot be told. */
function repaired(inside: readonly Token[], open: string, close: string): string | undefined {
  const words = inside.map((token) => token.text);
  const bounds = words.length === 1 ? (words[0]?.split(/TO|\.\.|(?<=^\d+)-(?=\d+$)/) ?? []) : withoutMiddle(words);
  const [low, high] = bounds;
  if (low === undefined || high === undefined || bounds.length > 2) return undefined;
  return `${open}${low || '*'} TO ${high || '*'}${close}`;
}

function withoutMiddle(words: readonly string[]): readonly string[] {
  if (words.length === 2 && words[0] === 'TO') return ['*', words[1] ?? ''];
  if (words.length === 2 && words[1] === 'TO') return [words[0] ?? '', '*'];
  if (words.length === 3 && /^(?:to|-|\.\.|,)$/i.test(words[1] ?? '')) return [words[0] ?? '', words[2] ?? ''];
  return words;
}
