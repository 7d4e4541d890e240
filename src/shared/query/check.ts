import type { Diagnostic } from '../api/diagnostic.ts';
import type { Expression, Group, Span, Unsupported, Wildcard, Words } from './ast.ts';
import { diagnostic } from './codes.ts';
import { FIELD_NAMES, type Field, fieldNamed, PLANNED_FIELDS } from './fields.ts';
import { operatorWords } from './operator-words.ts';
import { nearest } from './suggest.ts';

/** What the specification's rules say about a query that is well formed: all findings, in the order of the text. */
export function check(query: Group, text: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  checkGroup(query, text, found);
  return found;
}

function checkGroup(group: Group, text: string, found: Diagnostic[]): void {
  found.push(...operatorWords(group.clauses, text));
  for (const clause of group.clauses) checkExpression(clause.expression, text, found);
}

function checkExpression(expression: Expression, text: string, found: Diagnostic[]): void {
  const field = fieldNamed(expression.field);
  if (!field && expression.fieldSpan && !matchesAll(expression)) {
    found.push(unknownField(expression.field, expression.fieldSpan, text));
  }
  if (expression.kind === 'group') checkGroup(expression, text, found);
  else found.push(...leafFindings(expression, field, text));
  if (expression.boost) found.push(boostUnsupported(expression.boost, text));
}

function leafFindings(leaf: Exclude<Expression, Group>, field: Field | undefined, text: string): Diagnostic[] {
  switch (leaf.kind) {
    case 'quoted':
      return [];
    case 'words':
      return field?.kind === 'keyword' && leaf.words.length > 1 ? [wordsJoined(leaf, text)] : [];
    case 'wildcard':
      return wildcardFindings(leaf, field);
    case 'regex':
    case 'fuzzy':
    case 'range':
      return [refuseUnsupported(leaf, field, text)];
  }
}

/** `*:*`, `url:*`, `domain:??*`. */
function matchesAll(expression: Expression): boolean {
  return expression.kind === 'wildcard' && /^[*?]+$/.test(expression.pattern);
}

function unknownField(name: string, span: Span, text: string): Diagnostic {
  if (PLANNED_FIELDS.includes(name)) {
    const message = `The field ${name} is not supported yet. Fields are ${FIELD_NAMES.join(', ')}.`;
    return diagnostic('unsupported_syntax', span, message, { field: name });
  }
  const hint = meantAsTime(span, text) ?? closestField(name);
  const shown = name.length > 64 ? `${name.slice(0, 63)}…` : name;
  const message = `There is no field ${shown}. Fields are ${FIELD_NAMES.join(', ')}.`;
  return diagnostic('unknown_field', span, message, { field: name, ...(hint && { hint }) });
}

/** `10:30`: nobody names a field so. */
function meantAsTime({ start, end }: Span, text: string): Diagnostic['hint'] {
  const written = text.slice(start, end);
  if (!/^\d+$/.test(written) || text[end] !== ':') return undefined;
  return { message: 'A colon that is meant as a character is escaped.', replacement: `${written}\\` };
}

function closestField(name: string): Diagnostic['hint'] {
  const closest = nearest(name, FIELD_NAMES);
  return closest && { message: `The closest field is ${closest}.`, replacement: closest };
}

function wildcardFindings(wildcard: Wildcard, field: Field | undefined): Diagnostic[] {
  const named = { field: wildcard.field };
  if (matchesAll(wildcard)) {
    const message = 'A wildcard of only * and ? matches every page; at least one other character is needed.';
    const start = wildcard.fieldSpan?.start ?? wildcard.span.start;
    return [diagnostic('match_all', { start, end: wildcard.span.end }, message, named)];
  }
  if (!field || field.allowsWildcards) return [];
  const message = `A wildcard works in url and domain only; ${field.name} is matched by whole words.`;
  return [diagnostic('wildcard_not_allowed', wildcard.span, message, named)];
}

/** What means something in a word; what is escaped already comes as a pair. */
const SPECIAL = /\\[^]|[-+!():^[\]"{}~*?/]/g;
const CONSTRUCTS = { regex: 'A regex', fuzzy: 'A fuzzy word (~)', range: 'A range' } as const;

function refuseUnsupported(expression: Unsupported, field: Field | undefined, text: string): Diagnostic {
  const { kind, span } = expression;
  const written = text.slice(span.start, span.end);
  const named = { field: expression.field };
  if (kind === 'regex' && field && !field.allowsRegex) {
    const message = `Text between slashes is a regex, which works in url only, not in ${field.name}.`;
    const replacement = written.replace(SPECIAL, (found) => (found.length > 1 ? found : `\\${found}`));
    const hint = { message: 'Meant as characters, they are escaped.', replacement };
    return diagnostic('regex_not_allowed', span, message, { ...named, hint });
  }
  const message = `${CONSTRUCTS[kind]} is not supported yet.`;
  if (kind !== 'fuzzy') return diagnostic('unsupported_syntax', span, message, named);
  const hint = { message: 'The word itself, without ~.', replacement: written.slice(0, written.lastIndexOf('~')) };
  return diagnostic('unsupported_syntax', span, message, { ...named, hint });
}

function boostUnsupported(span: Span, text: string): Diagnostic {
  const message = `The boost ${text.slice(span.start, span.end)} is not supported yet: matches are not ranked.`;
  return diagnostic('unsupported_syntax', span, message, { hint: { message: 'Leave it out.', replacement: '' } });
}

/** Classic Lucene reads `domain:(a b)` as the one term "a b" (splitOnWhitespace=false). */
function wordsJoined(words: Words, text: string): Diagnostic {
  const written = words.words.map(({ span }) => text.slice(span.start, span.end));
  const message = `In ${words.field}, ${written.length} words in a row are one value with spaces in it, which no page has.`;
  const hint = { message: 'Join them with OR.', replacement: written.join(' OR ') };
  return diagnostic('words_joined', words.span, message, { field: words.field, hint });
}
