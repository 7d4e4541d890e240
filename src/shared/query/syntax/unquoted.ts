import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Span } from '../ast.ts';
import { type Code, diagnostic, type Hint, shown } from '../codes.ts';
import type { FieldContext } from './field-context.ts';
import { type Field, fieldNamed, isKnownField } from '../fields.ts';
import { type Token, token } from './token.ts';
import { escapeValue, quote, withoutBackslashes } from './written.ts';

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
export function unquotedValue(query: string, at: number, wordEnd: number, context: FieldContext): Token | undefined {
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
    const message = `${shown(raw)} is read as a regex: the values of ${name} are quoted.`;
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
