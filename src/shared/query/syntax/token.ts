import type { Diagnostic } from '../../api/diagnostic.ts';

export type TokenKind =
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  | 'bare_operator'
  | 'left_parenthesis'
  | 'right_parenthesis'
  | 'colon'
  | 'star'
  | 'boost'
  | 'quoted'
  | 'term'
  | 'tilde'
  | 'prefix'
  | 'wildcard'
  | 'regex'
  | 'range_start'
  | 'range_end'
  | 'range_to'
  | 'range_bound'
  | 'unquoted'
  | 'end'
  | 'invalid';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** As written, escapes and quotes included. */
  readonly text: string;
  /**
   * What is wrong with an `invalid` token, which is the last one before `end`, or with an `unquoted` one: a whole
   * value with characters that it cannot have unquoted, behind which reading goes on.
   */
  readonly problem?: Diagnostic;
}

const SPACE = /[ \t\n\r\u3000]/;
/** White space of the classic grammar; U+00A0 is a letter like any other there. */
export function isSpace(character: string | undefined): boolean {
  return character !== undefined && SPACE.test(character);
}

export function token(kind: TokenKind, start: number, end: number, query: string): Token {
  return { kind, start, end, text: query.slice(start, end) };
}
