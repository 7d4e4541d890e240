import type { Diagnostic } from '../../api/diagnostic.ts';
import type {
  Bound,
  Expression,
  Group,
  Leaf,
  NumberQuery,
  Quoted,
  Range,
  Regex,
  Span,
  Wildcard,
  Words,
  WrittenClause,
} from '../ast.ts';
import { type CheckContext, checkPattern } from './patterns.ts';
import { checkTime, checkTimeRange, readNumber } from './values.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';
import { type Field, fieldNamed, isKnownField, QUERY_FIELDS } from '../fields.ts';
import { isValue } from '../suggest/nearest-value.ts';
import type { Suggestions } from '../suggest/suggestions.ts';
import { bareOrQuoted, escapeValue, quote } from '../syntax/print.ts';
import { compareCodePoints } from '../syntax/code-point-order.ts';

/** What the specification's rules say about a query that is well formed: all findings, clause by clause. */
export function check(query: Group, text: string, context: CheckContext): Diagnostic[] {
  const checker = new Checker(text, context);
  checker.group(query);
  return checker.found;
}

class Checker {
  readonly found: Diagnostic[] = [];
  readonly #text: string;
  readonly #context: CheckContext;

  constructor(text: string, context: CheckContext) {
    this.#text = text;
    this.#context = context;
  }

  group(group: Group): void {
    this.found.push(...operatorWords(group.clauses, this.#text));
    for (const { expression } of group.clauses) this.#expression(expression);
  }

  #expression(expression: Expression): void {
    if (expression.fieldSpan && !isKnownField(expression.field) && !isMatchAll(expression)) {
      this.found.push(unknownField(expression.field, expression.fieldSpan, this.#text, this.#context.suggestions));
    }
    if (expression.kind === 'group') this.group(expression);
    else this.#leaf(expression);
    if (expression.boost) this.found.push(boostIgnored(expression.boost, this.#text));
  }

  #leaf(leaf: Leaf): void {
    if (leaf.kind === 'refused') {
      this.found.push(leaf.problem);
    } else if (isMatchAll(leaf)) {
      this.found.push(matchAll(leaf));
    } else {
      const number = readNumber(leaf);
      const field = fieldNamed(leaf.field);
      if (number)
        this.found.push(...('problem' in number ? [number.problem] : emptyRange(leaf, this.#text, number.query)));
      else if (field) this.#value(leaf, field);
    }
  }

  #value(leaf: Leaf, field: Field): void {
    switch (leaf.kind) {
      case 'words':
      case 'quoted':
        this.found.push(...valueFindings(leaf, field, this.#text, this.#context.suggestions));
        this.found.push(...checkTime(leaf, field), ...checkAddress(leaf, field));
        break;
      case 'wildcard':
      case 'regex':
        this.found.push(...checkPattern(leaf, field, this.#text, this.#context), ...checkAddress(leaf, field));
        break;
      case 'range':
        this.found.push(...rangeFindings(leaf, field, this.#text));
        break;
      case 'fuzzy':
      case 'refused':
        break;
    }
  }
}

/** A range that runs backwards is not turned around while one of its bounds is wrong. */
function rangeFindings(leaf: Range, field: Field, text: string): readonly Diagnostic[] {
  const wrong = checkTimeRange(leaf, field);
  return wrong.length > 0 ? wrong : emptyRange(leaf, text);
}

/** `*:*`, `url:*`, `domain:??*`. */
function isMatchAll(expression: Expression): expression is Wildcard {
  return expression.kind === 'wildcard' && /^[*?]+$/.test(expression.pattern);
}

function matchAll(leaf: Wildcard): Diagnostic {
  const message = 'A wildcard of only * and ? matches every page; at least one other character is needed.';
  const start = leaf.fieldSpan?.start ?? leaf.span.start;
  return diagnostic('match_all', { start, end: leaf.span.end }, message, { field: leaf.field });
}

function unknownField(name: string, span: Span, text: string, suggestions: Suggestions): Diagnostic {
  if (/^\d+$/.test(text.slice(span.start, span.end)) && text[span.end] === ':') {
    // `10:30`: nobody names a field so.
    const hint = { message: 'To use a colon as a character, escape it.', replacement: `${name}\\` };
    return diagnostic('unknown_field', span, `There is no field ${shown(name)}.`, { field: name, hint });
  }
  const closest = suggestions.field(name);
  const hint =
    closest === undefined ? undefined : { message: `The closest field is ${closest}.`, replacement: closest };
  const suggested = closest === undefined ? '' : ` Did you mean ${closest}?`;
  const message = `There is no field ${shown(name)}.${suggested} Fields are ${QUERY_FIELDS.join(', ')}.`;
  return diagnostic('unknown_field', span, message, { field: name, hint });
}

function boostIgnored(span: Span, text: string): Diagnostic {
  const message = `The boost ${text.slice(span.start, span.end)} has no effect: matches are not ranked.`;
  return diagnostic('boost_ignored', span, message, { hint: { message: 'Leave it out.', replacement: '' } });
}

function valueFindings(leaf: Words | Quoted, field: Field, text: string, suggestions: Suggestions): Diagnostic[] {
  if (field.kind === 'text') return [];
  if (leaf.kind === 'words' && leaf.words.length > 1) return [wordsJoined(leaf, text)];
  const value = leaf.kind === 'words' ? (leaf.words[0]?.text ?? '') : leaf.text;
  if (!field.vocabulary || isValue(field.vocabulary, value)) return [];
  const meant = suggestions.value(field.vocabulary, value);
  const start = `${shown(value) || 'The empty text'} is not a value of ${field.name}, so this clause matches nothing.`;
  const named = { field: field.name };
  if (meant === undefined) return [diagnostic('unknown_enum_value', leaf.span, start, named)];
  const replacement = leaf.kind === 'quoted' ? quote(meant.value) : bareOrQuoted(meant.value);
  const hint = suggestions.hint(meant, `The closest value is ${meant.value}.`, replacement);
  return [diagnostic('unknown_enum_value', leaf.span, `${start} ${hint.message}`, { ...named, hint })];
}

/** Classic Lucene reads `domain:(a b)` as the one term "a b" (splitOnWhitespace=false). */
function wordsJoined(words: Words, text: string): Diagnostic {
  const written = words.words.map(({ span }) => text.slice(span.start, span.end));
  const message = `In ${words.field}, ${written.length} words in a row are one value with spaces in it, which no page has.`;
  const listed = written.map((word) => word.replace(/,$/, ''));
  const hint = { message: 'Join them with OR.', replacement: listed.join(' OR ') };
  return diagnostic('words_joined', words.span, message, { field: words.field, hint });
}

const OPERATOR = /^(?:and|or|not)$/i;

function isNoOperator(word: string): boolean {
  return OPERATOR.test(word) && word !== word.toUpperCase();
}

/** Warns of `and`, `Or` and `not` between two clauses: only upper case is an operator, these are searched as words. */
function operatorWords(clauses: readonly WrittenClause[], text: string): Diagnostic[] {
  const places = clauses.flatMap(placesOf);
  return places
    .slice(1, -1)
    .filter((place): place is Span => place !== undefined && isNoOperator(text.slice(place.start, place.end)))
    .map((place) => {
      const written = text.slice(place.start, place.end);
      const operator = written.toUpperCase();
      const message = `${written} is searched as a word; the operator is written ${operator}.`;
      const hint = { message: 'Write it in upper case.', replacement: operator };
      return diagnostic('lowercase_operator', place, message, { hint });
    });
}

/** The places of a clause's words; one undefined for a clause that cannot be an operator in disguise. */
function placesOf({ conjunction, modifier, expression }: WrittenClause): (Span | undefined)[] {
  const plain = conjunction === 'none' && modifier === 'none' && !expression.fieldSpan && !expression.boost;
  if (!plain || expression.kind !== 'words') return [undefined];
  return expression.words.map((word) => word.span);
}

/** A Domain Rating (spec: Indexed query fields). */
const RATING = { least: 0, most: 100 } as const;

/** Warns of a range that holds nothing: bounds swapped, nothing between them, or a rating there is none of. */
function emptyRange(leaf: Leaf, text: string, number?: NumberQuery): Diagnostic[] {
  if (leaf.kind === 'range' && leaf.low && leaf.high) {
    const found = betweenBounds(leaf, leaf.low, leaf.high, text, number);
    if (found) return [found];
  }
  if (number?.field !== 'dr' || !isOffScale(number)) return [];
  const message = `A dr is a number from ${RATING.least} to ${RATING.most}, so this clause matches nothing.`;
  return [finding(leaf, message, undefined)];
}

function betweenBounds(
  leaf: Leaf,
  low: Bound,
  high: Bound,
  text: string,
  number: NumberQuery | undefined,
): Diagnostic | undefined {
  const order = number ? Number(low.text) - Number(high.text) : compareCodePoints(low.text, high.text);
  if (order > 0) {
    return finding(leaf, 'The bounds are swapped, so this range matches nothing.', swapped(low, high, text));
  }
  const isHollow = number ? isEmpty(number) : order === 0 && !(low.inclusive && high.inclusive);
  if (!isHollow) return undefined;
  return finding(leaf, 'Nothing lies between the bounds, so this range matches nothing.', closed(low, high, text));
}

function isEmpty({ low, high }: NumberQuery): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function isOffScale({ low, high }: NumberQuery): boolean {
  return (low ?? RATING.least) > RATING.most || (high ?? RATING.most) < RATING.least;
}

function finding(leaf: Leaf, message: string, replacement: string | undefined): Diagnostic {
  const hint: Hint | undefined =
    replacement === undefined ? undefined : { message: `Write ${shown(replacement)}.`, replacement };
  return diagnostic('empty_range', leaf.span, message, { field: leaf.field, hint });
}

/** Each bound keeps its own bracket. */
function swapped(low: Bound, high: Bound, text: string): string {
  return `${high.inclusive ? '[' : '{'}${written(high, text)} TO ${written(low, text)}${low.inclusive ? ']' : '}'}`;
}

function closed(low: Bound, high: Bound, text: string): string {
  return `[${written(low, text)} TO ${written(high, text)}]`;
}

function written({ span }: Bound, text: string): string {
  return text.slice(span.start, span.end);
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Warns of what no page's `url` or `domain` can be. Both are compared as the crawler writes them: a host in lower case
 * and ASCII, an address with its scheme and, after the host, its slash.
 */
function checkAddress(leaf: Words | Quoted | Wildcard | Regex, field: Field): Diagnostic[] {
  if (field.name !== 'url' && field.name !== 'domain') return [];
  const meant = meantBy(leaf, field.name);
  if (!meant) return [];
  const hint = { message: `Write ${shown(meant.replacement)}.`, replacement: meant.replacement };
  const message = `No page has such a ${field.name}: ${meant.why}.`;
  return [diagnostic('impossible_value', leaf.span, message, { field: field.name, hint })];
}

interface Meant {
  readonly why: string;
  readonly replacement: string;
}

/** Undefined when nothing is wrong, or nothing is known to be. */
function meantBy(leaf: Words | Quoted | Wildcard | Regex, name: 'url' | 'domain'): Meant | undefined {
  if (leaf.kind === 'regex') return anchored(leaf.pattern) ?? twiceEscaped(leaf.pattern);
  if (leaf.kind === 'wildcard') return name === 'domain' ? lowerCased(leaf.pattern) : undefined;
  const value = leaf.kind === 'quoted' ? leaf.text : leaf.words.length === 1 ? leaf.words[0]?.text : undefined;
  if (value === undefined) return undefined;
  if (leaf.kind === 'quoted' && /^\*[^*]|[^*]\*$/.test(value)) {
    return { why: 'a * in quotes is an ordinary character', replacement: escapeValue(value, '*') };
  }
  return name === 'url' ? address(value) : host(value);
}

function anchored(pattern: string): Meant | undefined {
  if (!pattern.startsWith('^')) return undefined;
  const replacement = `/${pattern.slice(1).replace(/(?<!\\)\$$/, '')}/`;
  return { why: 'a regex fits the whole of it, and ^ is an ordinary character', replacement };
}

/** One that every text must go through: outside classes, and nothing in the regex is one of several ways. */
const BACKSLASH_AND_SLASH = /^(?:[^\\[|~&]|\\[^\\]|\[(?:[^\\\]]|\\.)*\])*\\\\\/(?!.*(?:[|~&]|\)[?*{]))/s;

/** In a JSON body the backslash of `\/` is written twice; written so elsewhere it is a backslash, and then a slash. */
function twiceEscaped(pattern: string): Meant | undefined {
  if (!BACKSLASH_AND_SLASH.test(pattern)) return undefined;
  const replacement = `/${pattern.replaceAll('\\\\/', '\\/')}/`;
  return { why: 'two backslashes in a regex are one in the address, and no path has one', replacement };
}

function lowerCased(pattern: string): Meant | undefined {
  const lower = pattern.toLowerCase();
  if (lower === pattern) return undefined;
  return { why: 'hosts are written in lower case', replacement: escapeValue(lower, '*?') };
}

function address(value: string): Meant | undefined {
  if (value === '' || /[\s*]/.test(value)) return undefined;
  if (!SCHEME.test(value)) {
    return { why: 'an address begins with its scheme', replacement: `*${escapeValue(value)}*` };
  }
  const written = hrefOf(value);
  if (written === undefined || written === value) return undefined;
  return { why: `it is written ${shown(written)}`, replacement: bareOrQuoted(written) };
}

function host(value: string): Meant | undefined {
  if (/^[^\s,]+(?:,[^\s,]+)+$/.test(value)) {
    const replacement = `(${value.split(',').map(bareOrQuoted).join(' OR ')})`;
    return { why: 'there is a comma in it', replacement };
  }
  const [, name = ''] = /^(?:[a-z]+:\/\/)?([^/:?#@[\]\s]+)\/?$/i.exec(value) ?? [];
  const written = name && hrefOf(`http://${name}`)?.slice('http://'.length, -1);
  if (!written || written === value) return undefined;
  return { why: `it is written ${shown(written)}`, replacement: bareOrQuoted(written) };
}

function hrefOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).href : undefined;
}
