import type { Diagnostic } from '../../api/diagnostic.ts';
import { QUERY_DEPTH } from '../../limits.ts';
import type { Bound, Expression, Group, Leaf, Refused, Span, Word, WrittenClause } from '../ast.ts';
import { diagnostic } from '../codes.ts';
import { DEFAULT_FIELD } from '../fields.ts';
import { lex, type Token, type TokenKind } from './lexer.ts';
import { refuseRange, refuseToken, SyntaxRefusal } from './refusals.ts';
import type { Suggestions } from '../suggest/suggestions.ts';

/** The classic grammar (QueryParser.jj, 8.x). The whole query comes back as one group; a mistake is thrown. */
export function parse(query: string, suggestions?: Suggestions): Group {
  const parser = new Parser(lex(query, suggestions));
  const clauses = parser.clauses(DEFAULT_FIELD, 0);
  parser.expectEnd();
  return { kind: 'group', field: DEFAULT_FIELD, clauses, span: { start: 0, end: query.length } };
}

interface FieldRef {
  readonly field: string;
  readonly fieldSpan?: Span;
}

/** A word in front of one of these is a clause of its own, never joined with the words before it. */
const ENDS_JOINING: ReadonlySet<TokenKind> = new Set(['colon', 'star', 'tilde', 'boost', 'and', 'or']);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  clauses(field: string, depth: number): WrittenClause[] {
    const clauses: WrittenClause[] = [];
    do {
      const words = this.#joinedWords(field);
      if (words.length > 0) {
        const span = { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 };
        const expression: Expression = { kind: 'words', field, words, span };
        clauses.push({ conjunction: 'none', modifier: 'none', expression });
      } else {
        const conjunction = clauses.length > 0 ? this.#conjunction() : 'none';
        const modifier = this.#modifier();
        clauses.push({ conjunction, modifier, expression: this.#expression(field, depth) });
      }
    } while (!this.#isOneOf('end', 'right_parenthesis', 'invalid', 'colon', 'tilde', 'boost'));
    return clauses;
  }

  expectEnd(): void {
    if (this.#peek().kind !== 'end') this.#refuse();
  }

  /** Two or more words in a row are one text (splitOnWhitespace=false); fewer are left to `#expression`. */
  #joinedWords(field: string): Word[] {
    let count = 0;
    while (this.#peek(count).kind === 'term' && (count === 0 || !ENDS_JOINING.has(this.#peek(count + 1).kind))) count++;
    return count < 2 ? [] : Array.from({ length: count }, () => wordOf(this.#take(), field));
  }

  #conjunction(): WrittenClause['conjunction'] {
    if (!this.#isOneOf('and', 'or')) return 'none';
    return this.#take().kind === 'and' ? 'and' : 'or';
  }

  #modifier(): WrittenClause['modifier'] {
    if (!this.#isOneOf('plus', 'minus', 'not')) return 'none';
    return this.#take().kind === 'plus' ? 'must' : 'must_not';
  }

  #expression(inherited: string, depth: number): Expression {
    const reference = this.#field(inherited);
    if (this.#peek().kind === 'left_parenthesis') return this.#group(reference, depth);
    if (this.#peek().kind === 'range_start') return this.#range(reference);
    return this.#suffixed(this.#leaf(reference));
  }

  #field(inherited: string): FieldRef {
    const token = this.#peek();
    if (this.#peek(1).kind !== 'colon' || (token.kind !== 'term' && token.kind !== 'star')) return { field: inherited };
    this.#at += 2;
    return { field: unescape(token.text, token), fieldSpan: spanOf(token) };
  }

  #group(reference: FieldRef, depth: number): Expression {
    const open = this.#take();
    if (depth >= QUERY_DEPTH) {
      const message = `Parentheses may be nested up to ${QUERY_DEPTH} deep.`;
      throw new SyntaxRefusal(diagnostic('too_deep', open, message));
    }
    const clauses = this.clauses(reference.field, depth + 1);
    if (this.#peek().kind === 'end') {
      throw new SyntaxRefusal(diagnostic('unclosed_group', open, `The ( at position ${open.start} is never closed.`));
    }
    if (this.#peek().kind !== 'right_parenthesis') this.#refuse();
    const close = this.#take();
    const boost = this.#peek().kind === 'boost' ? { boost: spanOf(this.#take()) } : {};
    return { kind: 'group', ...reference, clauses, span: { start: open.start, end: close.end }, ...boost };
  }

  /** The expression of one token, its suffixes not seen yet. */
  #leaf(reference: FieldRef): Leaf {
    const token = this.#take();
    const written = { ...reference, span: spanOf(token) };
    switch (token.kind) {
      case 'term':
      case 'bare_operator':
        return { kind: 'words', ...written, words: [wordOf(token, reference.field)] };
      case 'quoted': {
        const inside = { start: token.start + 1, end: token.end - 1 };
        return { kind: 'quoted', ...written, text: valueOf(token.text.slice(1, -1), inside, reference.field), slop: 0 };
      }
      case 'star':
      case 'wildcard':
        return { kind: 'wildcard', ...written, pattern: plainPattern(token.text) };
      case 'prefix': {
        const prefix = unescape(token.text.slice(0, -1), { start: token.start, end: token.end - 1 });
        return { kind: 'wildcard', ...written, pattern: `${escapeWildcards(prefix)}*` };
      }
      case 'regex':
        return { kind: 'regex', ...written, pattern: token.text.slice(1, -1) };
      default:
        if (token.kind === 'unquoted' && token.problem) return { kind: 'refused', ...written, problem: token.problem };
        this.#at--;
        return this.#refuse();
    }
  }

  /** With its `~…` and `^…`, one of each at most, in either order. */
  #suffixed(leaf: Leaf): Expression {
    let boost = this.#boost();
    const tilde = this.#peek().kind === 'tilde' ? this.#take() : undefined;
    boost ??= tilde && this.#boost();
    const boosted = boost ? { ...leaf, boost: spanOf(boost) } : leaf;
    if (!tilde) return boosted;
    return withTilde(boosted, tilde);
  }

  #boost(): Token | undefined {
    return this.#peek().kind === 'boost' ? this.#take() : undefined;
  }

  #range(reference: FieldRef): Expression {
    const open = this.#take();
    const low = this.#bound(open, 'range_bound', 'range_to');
    this.#bound(open, 'range_to');
    const high = this.#bound(open, 'range_bound', 'range_to');
    const close = this.#bound(open, 'range_end');
    const boost = this.#boost();
    return {
      kind: 'range',
      ...reference,
      ...(low.text !== '*' && { low: boundOf(low, open.text === '[', reference.field) }),
      ...(high.text !== '*' && { high: boundOf(high, close.text === ']', reference.field) }),
      span: { start: open.start, end: close.end },
      ...(boost && { boost: spanOf(boost) }),
    };
  }

  #bound(open: Token, ...expected: readonly TokenKind[]): Token {
    if (!this.#isOneOf(...expected)) refuseRange(open, this.#tokens.slice(this.#tokens.indexOf(open)));
    return this.#take();
  }

  #isOneOf(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#peek().kind);
  }

  #peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (!token) throw new Error('the lexer ends with an end token');
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #refuse(): never {
    return refuseToken(this.#peek(), this.#tokens.slice(0, this.#at));
  }
}

/** The span of `leaf` is without its `~` still. */
function withTilde(leaf: Leaf, tilde: Token): Leaf {
  const span = { start: leaf.span.start, end: Math.max(leaf.span.end, tilde.end) };
  if (leaf.kind === 'quoted') {
    const slop = slopOf(tilde);
    return typeof slop === 'number' ? { ...leaf, span, slop } : refused(leaf, span, slop);
  }
  // The grammar lets ~ stand behind a wildcard or a regex, where it does nothing.
  if (leaf.kind !== 'words') return { ...leaf, span };
  const { words, ...written } = leaf;
  const text = words[0]?.text ?? '';
  const edits = editsOf(tilde, text);
  if (typeof edits !== 'number') return refused(leaf, span, edits);
  return { ...written, kind: 'fuzzy', text, edits, wordSpan: leaf.span, span };
}

function refused({ field, fieldSpan, boost }: Leaf, span: Span, problem: Diagnostic): Refused {
  return { kind: 'refused', field, ...(fieldSpan && { fieldSpan }), ...(boost && { boost }), span, problem };
}

function boundOf(token: Token, inclusive: boolean, field: string): Bound {
  const isQuoted = /^".+"$/s.test(token.text);
  const raw = isQuoted ? token.text.slice(1, -1) : token.text;
  const text = valueOf(raw, { start: token.start + Number(isQuoted), end: token.end }, field);
  return { text, inclusive, span: spanOf(token) };
}

function spanOf(token: Token): Span {
  return { start: token.start, end: token.end };
}

function wordOf(token: Token, field: string): Word {
  return { text: valueOf(token.text, token, field), span: spanOf(token) };
}

/** Without its escapes. Of the specification's two backslashes before the colons of a time, both. */
function valueOf(raw: string, span: Span, field: string): string {
  const text = unescape(raw, span);
  return field === 'publish_time' ? text.replace(/\\+:/g, ':') : text;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const MOST = 2 ** 31 - 1;

/**
 * The slop of `"a b"~2.9` is 2: a number cut to its whole part, and 0 where it is none (`"a b"~`, `"a b"~x`). What is
 * wrong with it where it is negative.
 */
function slopOf(tilde: Token): number | Diagnostic {
  const written = tilde.text.slice(1);
  if (!NUMBER.test(written)) return 0;
  // `~-0.5` is no slop either, and -0 is not 0 to everyone.
  const slop = Math.trunc(Number.parseFloat(written)) || 0;
  if (slop >= 0) return Math.min(slop, MOST);
  const message = `The slop ${tilde.text} is negative; it says how many places words may be moved.`;
  const hint = { message: 'Remove the sign.', replacement: `~${Math.min(-slop, MOST)}` };
  return diagnostic('bad_slop', tilde, message, { hint });
}

/**
 * The edits of a fuzzy word: `~` and what is no number are 2, a whole number is itself, 2 at most, and what is between
 * 0 and 1 is the similarity of old: the part of the word's length that must stay (FuzzyQuery.floatToEdits, 8.x). What
 * is wrong with any other number.
 */
function editsOf(tilde: Token, word: string): 0 | 1 | 2 | Diagnostic {
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
  const message = `${tilde.text} is not a number of edits: use ~1 or ~2; ~ alone means 2.`;
  const replacement = `~${upToTwo(Math.max(1, Math.floor(Math.abs(number))))}`;
  const hint = { message: `Write ${replacement}.`, replacement };
  return diagnostic('bad_fuzzy', tilde, message, { hint });
}

/** Takes the backslashes away: `\x` is x, `\u0041` the UTF-16 unit 0041. `span` is where `raw` stands in the query. */
function unescape(raw: string, span: Span): string {
  if (!raw.includes('\\')) return raw;
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] !== '\\') {
      text += raw.charAt(at);
    } else if (raw[at + 1] === 'u') {
      text += unit(raw, at, span);
      at += 5;
    } else if (at + 1 === raw.length) {
      // The last of a range's bound, which ends at a space or bracket whatever stands before it.
      const place = { start: span.start + at, end: span.start + at + 1 };
      const message = 'The backslash at the end of the bound escapes nothing.';
      const hint = { message: 'To use a backslash as a character, write it twice.', replacement: '\\\\' };
      throw new SyntaxRefusal(diagnostic('bad_escape', place, message, { hint }));
    } else {
      text += raw.charAt(at + 1);
      at += 1;
    }
  }
  return text;
}

/** `*` and `?` of a pattern made from plain text are letters. */
function escapeWildcards(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

/** A written wildcard with no more backslashes than it needs: `*\/blog\/*` is `*` + `/blog/` + `*`. */
function plainPattern(written: string): string {
  return written.replace(/\\([^])/g, (escaped, character: string) => (/[\\*?]/.test(character) ? escaped : character));
}

function unit(raw: string, at: number, span: Span): string {
  const digits = raw.slice(at + 2, at + 6);
  if (/^[0-9A-Fa-f]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
  const start = span.start + at;
  const place = { start, end: Math.min(start + 2 + digits.length, span.end) };
  const message = `\\u${digits} is not a character: four hexadecimal digits must follow \\u.`;
  throw new SyntaxRefusal(diagnostic('bad_escape', place, message));
}
