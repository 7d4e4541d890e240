import type { Diagnostic } from '../../api/diagnostic.ts';
import { diagnostic } from '../codes.ts';
import { FieldContext } from './field-context.ts';
import { lexRange } from './lex-range.ts';
import { Suggestions } from '../suggest/suggestions.ts';
import { isSpace, type Token, type TokenKind, token } from './token.ts';
import { unquotedValue } from './unquoted.ts';

const SINGLE: Readonly<Record<string, TokenKind>> = {
  '(': 'left_parenthesis',
  ')': 'right_parenthesis',
  ':': 'colon',
  '+': 'plus',
  '-': 'minus',
  '!': 'not',
};

const OPERATORS: Readonly<Record<string, TokenKind>> = {
  AND: 'and',
  '&&': 'and',
  OR: 'or',
  '||': 'or',
  NOT: 'not',
};

/** A word with its escapes and wildcards. `+` and `-` may stand inside it but not lead it. */
const WORD = /(?:[^ \t\n\r\u3000+\-!():^[\]"{}~\\/]|\\[^])(?:[^ \t\n\r\u3000!():^[\]"{}~\\/]|\\[^])*/y;
/** The same where the specification's two backslashes before a colon are one escaped colon, as in a time. */
const TIME = /(?:[^ \t\n\r\u3000+\-!():^[\]"{}~\\/]|\\\\:|\\[^])(?:[^ \t\n\r\u3000!():^[\]"{}~\\/]|\\\\:|\\[^])*/y;
const TILDE = /~(?:[^ \t\n\r\u3000!():^[\]"{}~*?\\/]|\\[^])*/y;
const BOOST = /\^\d+(?:\.\d+)?/y;
const QUOTED = /"(?:[^"\\]|\\[^])*"/y;
const ESCAPED = /\\[^]/g;

/**
 * The tokens of Lucene's classic query parser (QueryParser.jj, 8.x): the longest match wins, and on a tie the rule
 * that stands earlier. Always ends with an `end` token; reading stops at the first thing that is no token.
 */
export function lex(query: string, suggestions = new Suggestions()): Token[] {
  const tokens: Token[] = [];
  const context = new FieldContext(suggestions);
  let at = 0;
  while (at < query.length) {
    const character = query.charAt(at);
    if (isSpace(character)) {
      at++;
      continue;
    }
    const found = character === '[' || character === '{' ? lexRange(query, at) : [next(query, at, context)];
    for (const token of found) {
      tokens.push(token);
      context.follow(token);
    }
    const last = found.at(-1);
    if (!last || last.kind === 'invalid') break;
    at = last.end;
  }
  tokens.push({ kind: 'end', start: query.length, end: query.length, text: '' });
  return tokens;
}

function next(query: string, at: number, context: FieldContext): Token {
  const character = query.charAt(at);
  switch (character) {
    case '"':
      return matched(query, at, QUOTED, 'quoted') ?? unclosedQuote(query, at);
    case '/':
      return unquotedValue(query, at, at, context) ?? regex(query, at);
    case '^':
      return matched(query, at, BOOST, 'boost') ?? badBoost(query, at);
    case '~':
      return matched(query, at, TILDE, 'tilde') ?? stray(query, at);
    default:
      return single(query, at, character) ?? word(query, at, context) ?? stray(query, at);
  }
}

function single(query: string, at: number, character: string): Token | undefined {
  // Followed by a space these are no operators but words: classic Lucene reads `a - b` as `a b`.
  if ('+-!'.includes(character) && isSpace(query[at + 1])) return token('bare_operator', at, at + 1, query);
  const kind = SINGLE[character];
  return kind && token(kind, at, at + 1, query);
}

function matched(query: string, at: number, pattern: RegExp, kind: TokenKind): Token | undefined {
  pattern.lastIndex = at;
  return pattern.test(query) ? token(kind, at, pattern.lastIndex, query) : undefined;
}

function word(query: string, at: number, context: FieldContext): Token | undefined {
  const found = matched(query, at, context.name === 'publish_time' ? TIME : WORD, 'term');
  if (!found) return undefined;
  return unquotedValue(query, at, found.end, context) ?? { ...found, kind: wordKind(found.text) };
}

function wordKind(text: string): TokenKind {
  const operator = Object.hasOwn(OPERATORS, text) ? OPERATORS[text] : undefined;
  if (operator !== undefined) return operator;
  if (text === '*') return 'star';
  // Escaped characters are blanked out: `\*` is a letter.
  const bare = text.replace(ESCAPED, '../..');
  const first = bare.search(/[*?]/);
  if (first < 0) return 'term';
  return first === bare.length - 1 && bare.endsWith('*') ? 'prefix' : 'wildcard';
}

/** `/…/`, where `\/` may be inside: the longest match, so a last `\/` closes it only when no later slash does. */
function regex(query: string, at: number): Token {
  let end = -1;
  for (let slash = query.indexOf('/', at + 1); slash >= 0; slash = query.indexOf('/', slash + 1)) {
    end = slash + 1;
    if (query[slash - 1] !== '\\') break;
  }
  if (end > 0) return token('regex', at, end, query);
  const span = { start: at, end: at + 1 };
  const message = `The slash at position ${at} begins a regex that no second slash ends.`;
  const hint = { message: 'A slash that is meant as a character is escaped.', replacement: '\\/' };
  return invalid(query, diagnostic('unescaped_slash', span, message, { hint }));
}

function unclosedQuote(query: string, at: number): Token {
  const span = { start: at, end: query.length };
  const message = `The quote at position ${at} is never closed.`;
  const written = query.slice(at);
  const escapes = /\\*$/.exec(written)?.[0].length ?? 0;
  const hint = { message: 'Close it.', replacement: `${written}${escapes % 2 ? '\\' : ''}"` };
  return invalid(query, diagnostic('unclosed_quote', span, message, { hint }));
}

function badBoost(query: string, at: number): Token {
  const message = `The ^ at position ${at} must be followed by a number at once, as in ^2 or ^0.5.`;
  return invalid(query, diagnostic('bad_boost', { start: at, end: at + 1 }, message));
}

function stray(query: string, at: number): Token {
  const span = { start: at, end: at + 1 };
  const character = query.charAt(at);
  if (character === '\\') {
    const message = 'The backslash at the end of the query escapes nothing.';
    const hint = { message: 'A backslash that is meant as a character is written twice.', replacement: '\\\\' };
    return invalid(query, diagnostic('bad_escape', span, message, { hint }));
  }
  const message = `The ${character} at position ${at} has no beginning.`;
  const hint = { message: 'Meant as a character, it is escaped.', replacement: `\\${character}` };
  return invalid(query, diagnostic('syntax_error', span, message, { hint }));
}

function invalid(query: string, problem: Diagnostic): Token {
  const start = problem.span?.start ?? 0;
  const end = problem.span?.end ?? query.length;
  return { ...token('invalid', start, end, query), problem };
}
