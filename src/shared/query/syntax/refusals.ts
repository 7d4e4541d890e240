import type { Diagnostic } from '../../api/diagnostic.ts';
import { diagnostic, type Hint } from '../codes.ts';
import { fieldNamed } from '../fields.ts';
import type { Token, TokenKind } from './lexer.ts';

/** How lexer and parser stop at the first mistake; `validate` catches it, so it never leaves this room. */
export class SyntaxRefusal extends Error {
  override readonly name = 'SyntaxRefusal';
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

const OPERATORS: ReadonlySet<TokenKind> = new Set(['and', 'or', 'not', 'plus', 'minus']);

/** Only for what changes nothing by going; and tried, like every hint, so that the rest can stand without it. */
const LEFT_OUT: Hint = { message: 'Leave it out.', replacement: '' };

const ESCAPED_COLON: Hint = { message: 'To use it as a character, escape it.', replacement: '\\:' };

/** Says what is wrong with a token that cannot stand where it stands, after those `before`. */
export function refuseToken(token: Token, before: readonly Token[]): never {
  throw new SyntaxRefusal(token.problem ?? explain(token, before));
}

function explain(token: Token, before: readonly Token[]): Diagnostic {
  const previous = before.at(-1);
  const place = token.kind === 'end' ? 'at the end of the query' : `at position ${token.start}`;
  if (OPERATORS.has(token.kind)) return explainOperator(token, before, place);
  if (token.kind === 'end' || token.kind === 'right_parenthesis') return explainGap(token, previous, place);
  if (token.kind === 'boost') {
    const message = `The boost ${token.text} ${place} needs one word, phrase or group before it.`;
    return diagnostic('bad_boost', token, message);
  }
  if (token.kind === 'tilde') {
    return diagnostic('syntax_error', token, `The ${token.text} ${place} needs one word or phrase before it.`);
  }
  if (token.kind === 'colon') {
    const hint = previous && previous.kind !== 'colon' ? ESCAPED_COLON : LEFT_OUT;
    return diagnostic('syntax_error', token, `The : ${place} must stand between one field and its value.`, { hint });
  }
  return diagnostic('syntax_error', token, `${token.text} cannot stand ${place}.`);
}

function explainOperator(token: Token, before: readonly Token[], place: string): Diagnostic {
  const isBinary = token.kind === 'and' || token.kind === 'or';
  const [field, previous] = [before.at(-2), before.at(-1)];
  if (previous?.kind === 'colon' && field && !isBinary) return afterColon(field, token, place);
  const hint = isBinary ? LEFT_OUT : undefined;
  return diagnostic('misplaced_operator', token, misplaced(token, previous, place), { hint });
}

/** `title:-ferry`; the hint stands for all from the field to the operator. In `dr:-5` the sign may be the number's. */
function afterColon(field: Token, token: Token, place: string): Diagnostic {
  const replacement = `${token.text === 'NOT' ? 'NOT ' : token.text}${field.text}:`;
  const message = `${token.text} ${place} stands after a colon; it belongs before the field.`;
  if (!fieldNamed(field.text)) return diagnostic('misplaced_operator', token, message);
  const hint = { message: `Write ${replacement}.`, replacement };
  return diagnostic('misplaced_operator', { start: field.start, end: token.end }, message, { hint });
}

function misplaced(token: Token, previous: Token | undefined, place: string): string {
  if (!previous) return `${token.text} stands at the beginning of the query, with nothing before it.`;
  if (previous.kind === 'left_parenthesis') return `${token.text} ${place} begins a group, with nothing before it.`;
  if (previous.kind === 'colon') return `${token.text} ${place} stands where a value is needed.`;
  return `${token.text} ${place} follows ${previous.text}; one operator is enough.`;
}

/** Something is missing before the end, or before a `)`. */
function explainGap(token: Token, previous: Token | undefined, place: string): Diagnostic {
  if (!previous) {
    if (token.kind === 'end') return diagnostic('empty_query', token, 'The query is empty.');
    return diagnostic('unopened_group', token, `The ) ${place} has no matching (.`, { hint: LEFT_OUT });
  }
  if (OPERATORS.has(previous.kind)) {
    return diagnostic('misplaced_operator', previous, `${previous.text} has nothing after it ${place}.`, {
      hint: LEFT_OUT,
    });
  }
  if (previous.kind === 'colon') {
    return diagnostic('syntax_error', previous, `The : at position ${previous.start} has no value after it.`);
  }
  if (previous.kind !== 'left_parenthesis') {
    return diagnostic('unopened_group', token, `The ) ${place} has no matching (.`, { hint: LEFT_OUT });
  }
  if (token.kind === 'right_parenthesis') {
    const span = { start: previous.start, end: token.end };
    return diagnostic('empty_group', span, `The group at position ${previous.start} is empty.`, { hint: LEFT_OUT });
  }
  return diagnostic('unclosed_group', previous, `The ( at position ${previous.start} is never closed.`);
}

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
