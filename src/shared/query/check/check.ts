import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Aids } from './aids.ts';
import type { Expression, Group, Leaf, Quoted, Span, Wildcard, Words } from '../ast.ts';
import { checkAddress } from './check-address.ts';
import { checkPattern } from './check-pattern.ts';
import { checkTime } from './check-time.ts';
import { diagnostic, shown } from '../codes.ts';
import { emptyRange } from './empty-range.ts';
import { type Field, fieldNamed, isKnownField, QUERY_FIELDS } from '../fields.ts';
import { isValue } from '../suggest/nearest-value.ts';
import { readNumber } from './numbers.ts';
import { operatorWords } from '../syntax/operator-words.ts';
import type { Suggestions } from '../suggest/suggestions.ts';
import { bareOrQuoted, quote } from '../syntax/written.ts';

/** What the specification's rules say about a query that is well formed: all findings, clause by clause. */
export function check(query: Group, text: string, aids: Aids): Diagnostic[] {
  const checker = new Checker(text, aids);
  checker.group(query);
  return checker.found;
}

class Checker {
  readonly found: Diagnostic[] = [];
  readonly #text: string;
  readonly #aids: Aids;

  constructor(text: string, aids: Aids) {
    this.#text = text;
    this.#aids = aids;
  }

  group(group: Group): void {
    this.found.push(...operatorWords(group.clauses, this.#text));
    for (const { expression } of group.clauses) this.#expression(expression);
  }

  #expression(expression: Expression): void {
    if (expression.fieldSpan && !isKnownField(expression.field) && !isMatchAll(expression)) {
      this.found.push(unknownField(expression.field, expression.fieldSpan, this.#text, this.#aids.suggestions));
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
        this.found.push(...valueFindings(leaf, field, this.#text, this.#aids.suggestions));
        this.found.push(...checkTime(leaf, field), ...checkAddress(leaf, field));
        break;
      case 'wildcard':
      case 'regex':
        this.found.push(...checkPattern(leaf, field, this.#text, this.#aids), ...checkAddress(leaf, field));
        break;
      case 'range':
        this.found.push(...emptyRange(leaf, this.#text));
        break;
      case 'fuzzy':
      case 'refused':
        break;
    }
  }
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
    const hint = { message: 'A colon that is meant as a character is escaped.', replacement: `${name}\\` };
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
  const start = `${shown(value) || 'The empty text'} is no value of ${field.name}, so this clause matches nothing.`;
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
