import type { Diagnostic } from '../../api/diagnostic.ts';
import { QUERY_CLAUSES } from '../../limits.ts';
import type { Assembled, NegativeGroup } from '../assemble.ts';
import { isWithin, type Query, type Span } from '../ast.ts';
import { diagnostic, shown } from '../codes.ts';
import { contradictions } from './contradictions.ts';
import { blockerOf, type Leaf } from './satisfiability.ts';

/** What only the whole shows: too much to evaluate on every page, nothing a page can match, or a page cannot lack. */
export function checkMeaning(assembled: Assembled, text: string, known: readonly Diagnostic[]): Diagnostic[] {
  const found = assembled.negativeGroups.map((group) => negativeGroup(group, text));
  const { query, places } = assembled;
  const refusal = refuse(query, places, { start: 0, end: text.length }, text, [...known, ...found]);
  if (refusal) return [...found, refusal];
  if (!query) return found;
  return [...found, ...contradictions(query, places), ...onlyRecent(query, places)];
}

function refuse(
  query: Query | undefined,
  places: ReadonlyMap<Query, Span>,
  whole: Span,
  text: string,
  known: readonly Diagnostic[],
): Diagnostic | undefined {
  if (!query) {
    const message = 'The query can never match: only stop words or punctuation, which are not searched, are in it.';
    return diagnostic('unmatchable_query', whole, message);
  }
  const size = leaves(query);
  if (size > QUERY_CLAUSES) {
    const message = `The query has ${size} words, phrases and other clauses; ${QUERY_CLAUSES} are allowed.`;
    return diagnostic('too_many_clauses', whole, message);
  }
  if (!hasPositive(query)) {
    const message = 'The query only says what must not be there; at least one positive clause is needed.';
    return diagnostic('only_negative', whole, message);
  }
  const open = matchesBy(query, isOpenRange);
  if (open) return matchAll(open, places.get(open) ?? whole, text);
  const blocker = blockerOf(query);
  if (!blocker) return undefined;
  const span = places.get(blocker) ?? whole;
  return unmatchable(blocker, span, text, known);
}

/** `known` are the findings about values and groups: where one of them heals the blocker, its remedy is shown. */
function unmatchable(blocker: Query, span: Span, text: string, known: readonly Diagnostic[]): Diagnostic {
  const remedy = known.find((found) => found.hint && isWithin(found.span, span));
  const why =
    blocker.kind === 'boolean' && blocker.clauses.every((clause) => clause.occur === 'must_not')
      ? 'only says NOT, and alone that matches nothing'
      : 'asks for a value that no page has';
  const message = `The query can never match: ${shown(text.slice(span.start, span.end))} ${why}.`;
  const field = blocker.kind === 'boolean' ? (remedy?.field ?? undefined) : blocker.field;
  const place = remedy?.span ?? span;
  return diagnostic('unmatchable_query', place, message + suggestion(remedy), { field, hint: remedy?.hint });
}

function suggestion(remedy: Diagnostic | undefined): string {
  return remedy?.hint ? ` ${remedy.hint.message}` : '';
}

function negativeGroup({ group, clause }: NegativeGroup, text: string): Diagnostic {
  const { span } = group;
  const message = `${shown(text.slice(span.start, span.end))} only says NOT, so this group matches nothing.`;
  const isBare = clause.modifier === 'none' && !group.fieldSpan && !group.boost;
  const replacement = isBare ? text.slice(span.start + 1, span.end - 1).trim() : undefined;
  const hint =
    replacement === undefined
      ? undefined
      : { message: 'Without the parentheses, NOT applies to the clauses beside it.', replacement };
  return diagnostic('negative_group', span, message, { hint });
}

function leaves(query: Query): number {
  if (query.kind !== 'boolean') return 1;
  return query.clauses.reduce((sum, clause) => sum + leaves(clause.query), 0);
}

function hasPositive(query: Query): boolean {
  if (query.kind !== 'boolean') return true;
  return query.clauses.some((clause) => clause.occur !== 'must_not' && hasPositive(clause.query));
}

/** Warns where there is a way to match by being recent alone: on most days that is every page. */
function onlyRecent(query: Query, places: ReadonlyMap<Query, Span>): Diagnostic[] {
  const recent = matchesBy(query, (leaf) => isAge(leaf) || isOpenRange(leaf));
  const span = recent && places.get(recent);
  if (!span) return [];
  const message = 'Being recent is all that is asked of a page here; add what it must be about.';
  return [diagnostic('only_recent', span, message, { field: 'recent' })];
}

function isAge(leaf: Leaf): boolean {
  return leaf.kind === 'number' && leaf.field === 'age';
}

/** `dr:[* TO *]`: every page that has the field. */
function isOpenRange(leaf: Leaf): boolean {
  return (leaf.kind === 'range' || leaf.kind === 'number') && leaf.low === undefined && leaf.high === undefined;
}

function matchAll(leaf: Leaf, span: Span, text: string): Diagnostic {
  const message =
    'A range that is open at both ends matches every page that has the field; give one end, or ask for something besides.';
  // Where the field stands right before it, it is part of what is meant.
  const named = new RegExp(`${leaf.field}\\s*:\\s*$`).exec(text.slice(0, span.start));
  return diagnostic('match_all', { start: named?.index ?? span.start, end: span.end }, message, { field: leaf.field });
}

/** The clause of this sort by which alone a page can match; undefined when something else is always needed. */
function matchesBy(query: Query, isOf: (leaf: Leaf) => boolean): Leaf | undefined {
  if (query.kind !== 'boolean') return isOf(query) ? query : undefined;
  const required = query.clauses
    .filter((clause) => clause.occur === 'must')
    .map((clause) => matchesBy(clause.query, isOf));
  if (required.length > 0) return required.every((found) => found !== undefined) ? required[0] : undefined;
  for (const clause of query.clauses) {
    const found = clause.occur === 'should' ? matchesBy(clause.query, isOf) : undefined;
    if (found) return found;
  }
  return undefined;
}
