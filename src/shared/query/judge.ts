import type { Diagnostic } from '../api/diagnostic.ts';
import { QUERY_CLAUSES } from '../limits.ts';
import type { Query, Span } from './ast.ts';
import { diagnostic } from './codes.ts';

/** Refuses what is too much to evaluate on every page, and what no page can match. */
export function judge(query: Query | undefined, whole: Span): Diagnostic | undefined {
  if (!query) {
    const message = 'The query can never match: only stop words or punctuation, which are not searched, are in it.';
    return diagnostic('unmatchable_query', whole, message);
  }
  const size = leaves(query);
  if (size > QUERY_CLAUSES) {
    const message = `The query has ${size} words, phrases and wildcards; ${QUERY_CLAUSES} are allowed.`;
    return diagnostic('too_many_clauses', whole, message);
  }
  if (!hasPositive(query)) {
    const message = 'The query only says what must not be there; at least one positive clause is needed.';
    return diagnostic('only_negative', whole, message);
  }
  if (canMatch(query)) return undefined;
  const message = 'The query can never match: a part that is required only says NOT, and alone that matches nothing.';
  return diagnostic('unmatchable_query', whole, message);
}

function leaves(query: Query): number {
  if (query.kind !== 'boolean') return 1;
  return query.clauses.reduce((sum, clause) => sum + leaves(clause.query), 0);
}

function hasPositive(query: Query): boolean {
  if (query.kind !== 'boolean') return true;
  return query.clauses.some((clause) => clause.occur !== 'must_not' && hasPositive(clause.query));
}

function canMatch(query: Query): boolean {
  if (query.kind !== 'boolean') return true;
  const required = query.clauses.filter((clause) => clause.occur === 'must');
  if (required.length > 0) return required.every((clause) => canMatch(clause.query));
  return query.clauses.some((clause) => clause.occur === 'should' && canMatch(clause.query));
}
