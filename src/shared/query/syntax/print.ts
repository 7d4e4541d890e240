import type { Clause, NumberQuery, PhraseQuery, Query, RangeQuery } from '../ast.ts';

const SIGNS: Readonly<Record<Clause['occur'], string>> = { must: '+', must_not: '-', should: '' };

/**
 * A query as text, much as Lucene's Query.toString(): every field named, `+` and `-` for what must and must not be
 * there. Read again it is the same query.
 */
export function print(query: Query): string {
  return query.kind === 'boolean' ? printClauses(query.clauses) : printLeaf(query);
}

function printClauses(clauses: readonly Clause[]): string {
  return clauses
    .map(({ occur, query }) => SIGNS[occur] + (query.kind === 'boolean' ? `(${print(query)})` : print(query)))
    .join(' ');
}

function printLeaf(query: Exclude<Query, { kind: 'boolean' }>): string {
  return `${query.field}:${printValue(query)}`;
}

function printValue(query: Exclude<Query, { kind: 'boolean' }>): string {
  switch (query.kind) {
    case 'term':
      return bareOrQuoted(query.term);
    case 'phrase':
      return printPhrase(query);
    case 'wildcard':
      return escapeValue(query.pattern, '*?');
    case 'fuzzy':
      return `${escapeValue(query.term)}~${query.edits}`;
    case 'regex':
      return `/${query.pattern}/`;
    case 'range':
      return printRange(query);
    case 'number':
      return printNumbers(query);
  }
}

/** Holes are filled with a stop word, which is what leaves them. */
function printPhrase({ terms, slop }: PhraseQuery): string {
  const words: string[] = [];
  for (const { term, position } of terms) {
    while (words.length < position) words.push('the');
    words.push(term);
  }
  return quote(words.join(' ')) + (slop > 0 ? `~${slop}` : '');
}

function printRange({ low, high }: RangeQuery): string {
  const open = low?.inclusive === false ? '{' : '[';
  const close = high?.inclusive === false ? '}' : ']';
  return `${open}${printBound(low?.text)} TO ${printBound(high?.text)}${close}`;
}

function printBound(text: string | undefined): string {
  if (text === undefined) return '*';
  // Spaces and brackets end a bound even behind a backslash.
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[ \t\n\r\u3000\]}]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped === '*' || escaped === 'TO' ? `\\${escaped}` : escaped;
}

function printNumbers({ low, high }: NumberQuery): string {
  return `[${low ?? '*'} TO ${high ?? '*'}]`;
}

/** A value in quotes, where only these two need an escape. */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Every backslash gone that makes the next character literal; `\uXXXX` is not read here. */
export function withoutBackslashes(raw: string): string {
  return raw.replace(/\\([^])/g, '$1');
}

const SPECIAL = /[ \t\n\r\u3000!():^[\]"{}~*?\\/]/;
/** Whole words that would be operators. */
const OPERATOR = /^(?:AND|OR|NOT|&&|\|\|)$/;

/** A value without quotes, its special characters escaped, but for those of `kept` and what is escaped already. */
export function escapeValue(raw: string, kept = ''): string {
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at);
    if (kept !== '' && character === '\\' && at + 1 < raw.length) {
      text += character + raw.charAt(++at);
    } else if (!kept.includes(character) && (SPECIAL.test(character) || (at === 0 && /[+$-]/.test(character)))) {
      text += `\\${character}`;
    } else {
      text += character;
    }
  }
  return OPERATOR.test(text) ? `\\${text}` : text;
}

/** A value of a keyword field: bare where it can be, and quoted where it would need an escape. */
export function bareOrQuoted(value: string): string {
  return value !== '' && escapeValue(value) === value ? value : quote(value);
}
