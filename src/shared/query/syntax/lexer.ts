import type { Diagnostic } from '../../api/diagnostic.ts';
import { type Code, diagnostic, type Hint, shown } from '../codes.ts';
import { Suggestions } from '../suggest/suggestions.ts';
import type { Span } from '../ast.ts';
import { type Field, fieldNamed, isKnownField } from '../fields.ts';
import { escapeValue, quote, withoutBackslashes } from './print.ts';

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
  const bare = text.replace(ESCAPED, '..');
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
  const message = `The slash at position ${at} begins a regex that is never closed.`;
  const hint = { message: 'To use a slash as a character, escape it.', replacement: '\\/' };
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
    const hint = { message: 'To use a backslash as a character, write it twice.', replacement: '\\\\' };
    return invalid(query, diagnostic('bad_escape', span, message, { hint }));
  }
  const message = `The ${character} at position ${at} closes a range that was never opened.`;
  const hint = { message: 'To use it as a character, escape it.', replacement: `\\${character}` };
  return invalid(query, diagnostic('syntax_error', span, message, { hint }));
}

function invalid(query: string, problem: Diagnostic): Token {
  const start = problem.span?.start ?? 0;
  const end = problem.span?.end ?? query.length;
  return { ...token('invalid', start, end, query), problem };
}

const VALUE = /[^ \t\n\r\u3000"]+/y;
const SCHEME = /^(?:https?|ftp)$/;
/** One without a backslash before it; `\\\\/` goes on too, as in Lucene's grammar. */
const BARE_SLASH = /(?:^|[^\\])\//;
const SLASHES = /:(?:\\?\/){2}/y;

/**
 * A value that has a slash or a colon in it and is not quoted, as people write addresses, labels and times. The
 * grammar makes three clauses of `url:*` + `/blog/` + `*`, and a second field of `https:`; read like that, one
 * mistake would be reported as several, none of them the one that was made. `wordEnd` is where the word at `at` ends
 * for the grammar. Undefined when nothing is wrong.
 */
function unquotedValue(query: string, at: number, wordEnd: number, context: FieldContext): Token | undefined {
  const field = fieldNamed(context.name);
  if (!isUnquoted(query, at, wordEnd, field, context)) return undefined;
  const end = valueEnd(query, at);
  const raw = query.slice(at, end);
  const start = context.written?.start ?? at;
  const problem = refusal(raw, { start, end }, field, context);
  return { ...token('unquoted', at, end, query), problem };
}

function isUnquoted(
  query: string,
  at: number,
  wordEnd: number,
  field: Field | undefined,
  context: FieldContext,
): boolean {
  if (query[at] === '/') return isNoRegex(query, at, field, context);
  const next = query[wordEnd];
  if (next !== '/' && next !== ':') return false;
  const isNamed = context.written !== undefined;
  if (isAddress(query, at, wordEnd)) return field?.kind === 'keyword' || !isNamed;
  if (field?.kind !== 'keyword') return false;
  // In a group, a word before a colon may be a field of its own.
  return next === '/' || isNamed || (field.name === 'publish_time' && !isKnownField(query.slice(at, wordEnd)));
}

function isAddress(query: string, at: number, schemeEnd: number): boolean {
  SLASHES.lastIndex = schemeEnd;
  return SCHEME.test(query.slice(at, schemeEnd)) && SLASHES.test(query);
}

/**
 * A label, or a regex with a slash inside that no backslash escapes: of `url:/https://example.com/` the grammar reads
 * the regex `https:`, and clauses of what is left over.
 */
function isNoRegex(query: string, at: number, field: Field | undefined, context: FieldContext): boolean {
  if (field?.name === 'page_category' || field?.name === 'page_type') return true;
  if (!field?.allowsRegex || context.written === undefined) return false;
  const raw = query.slice(at, valueEnd(query, at));
  return raw.length > 2 && raw.endsWith('/') && BARE_SLASH.test(raw.slice(1, -1));
}

/** Up to white space or a quote, or to a parenthesis that closes a group around the value. */
function valueEnd(query: string, at: number): number {
  VALUE.lastIndex = at;
  const end = VALUE.test(query) ? VALUE.lastIndex : at;
  let open = 0;
  for (let place = at; place < end; place++) {
    const character = query[place];
    if (character === '\\') place++;
    else if (character === '(') open++;
    else if (character === ')' && --open < 0) return place;
  }
  return end;
}

function refusal(raw: string, span: Span, field: Field | undefined, context: FieldContext): Diagnostic {
  const name = field?.name;
  const isNamed = context.written !== undefined;
  if (field?.vocabulary && raw.startsWith('/')) {
    const label = context.suggestions.value(field.vocabulary, withoutBackslashes(raw));
    const message = `${shown(raw)} is read as a regex: quote the values of ${name}.`;
    const replacement = `${isNamed ? `${name}:` : ''}${quote(label?.value ?? withoutBackslashes(raw))}`;
    const hint = context.suggestions.hint(label, `Write ${shown(replacement)}.`, replacement);
    return diagnostic('unquoted_category', span, message, { field: name, hint });
  }
  const code: Code = raw.includes('/') ? 'unescaped_slash' : 'unescaped_colon';
  const what = code === 'unescaped_slash' ? 'A slash begins a regex' : 'A colon ends the name of a field';
  const message = `${what}, so ${shown(raw)} must be quoted or its special characters escaped.`;
  return diagnostic(code, span, message, { field: name, hint: hintOf(fixed(raw, field, isNamed)) });
}

function hintOf(replacement: string): Hint {
  return { message: `Write ${shown(replacement)}.`, replacement };
}

function escapedRegex(raw: string): string {
  return `/${raw.slice(1, -1).replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part))}/`;
}

function fixed(raw: string, field: Field | undefined, isNamed: boolean): string {
  const prefix = isNamed && field ? `${field.name}:` : '';
  // A host has no path: whoever writes one means addresses.
  if (field?.name === 'domain' && isNamed && raw.includes('/')) {
    const part = raw.replace(/^\*+|\*+$/g, '');
    return `url:*${escapeValue(part, '*?')}*`;
  }
  if (raw.startsWith('/')) return prefix + escapedRegex(raw);
  if (field?.allowsWildcards && raw.includes('*')) return prefix + escapeValue(raw, '*?');
  return prefix + quote(withoutBackslashes(raw));
}

const BOUND = /[^ \]}]+/y;
const QUOTED_BOUND = /"(?:\\"|[^"])+"/y;

/**
 * The tokens of `[from TO to]` or `{from TO to}`: inside, `:` and `/` need no escape and quotes have no other
 * escape than `\"`. Without an end bracket the tokens run to the end of the query, where the parser misses it.
 */
function lexRange(query: string, start: number): Token[] {
  const tokens = [token('range_start', start, start + 1, query)];
  let at = start + 1;
  while (at < query.length) {
    const character = query.charAt(at);
    if (isSpace(character)) {
      at++;
      continue;
    }
    if (character === ']' || character === '}') {
      tokens.push(token('range_end', at, at + 1, query));
      break;
    }
    const end = Math.max(endOf(BOUND, query, at), endOf(QUOTED_BOUND, query, at));
    tokens.push(token(query.slice(at, end) === 'TO' ? 'range_to' : 'range_bound', at, end, query));
    at = end;
  }
  return tokens;
}

function endOf(pattern: RegExp, query: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(query) ? pattern.lastIndex : at;
}

/**
 * The field that applies where the lexer reads. The grammar's tokens do not depend on it; only values that no token
 * fits (a slash without its backslash) do, which are then read whole, to be refused in one piece.
 */
class FieldContext {
  readonly suggestions: Suggestions;
  /** Of the groups that are open, innermost last. */
  readonly #groups: string[] = [];
  #beforeLast: Token | undefined;
  #last: Token | undefined;

  constructor(suggestions: Suggestions) {
    this.suggestions = suggestions;
  }

  /** The field that stands right before, with its colon. */
  get written(): Token | undefined {
    return this.#last?.kind === 'colon' ? this.#beforeLast : undefined;
  }

  get name(): string {
    return this.written?.text ?? this.#groups.at(-1) ?? '';
  }

  follow(token: Token): void {
    if (token.kind === 'left_parenthesis') this.#groups.push(this.name);
    else if (token.kind === 'right_parenthesis') this.#groups.pop();
    this.#beforeLast = this.#last;
    this.#last = token;
  }
}

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
function isSpace(character: string | undefined): boolean {
  return character !== undefined && SPACE.test(character);
}

function token(kind: TokenKind, start: number, end: number, query: string): Token {
  return { kind, start, end, text: query.slice(start, end) };
}
