import type { Diagnostic } from '../api/diagnostic.ts';
import type { Span } from './ast.ts';

/** What is wrong, what to write instead where there is something, and the clause that is to blame, with its place. */
export function firstMistake(query: string, diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  if (!first) return 'This query cannot be used.';
  const { message, hint, span } = first;
  // Some say it themselves, since a hint that cannot be tried is not shown.
  const sentence = hint && !message.endsWith(hint.message) ? `${message} ${hint.message}` : message;
  return span === undefined ? sentence : `${sentence} ${placeOf(query, span)}`;
}

/** Characters of a clause that are repeated. */
const SHOWN_CLAUSE = 80;

/** `(at position 4: title:ferr*)`; positions count UTF-16 units from 0, as those of `diagnostics` do. */
function placeOf(query: string, { start, end }: Span): string {
  const field = /[\w.]+:$/.exec(query.slice(0, start))?.[0] ?? '';
  // A field is to blame with the word, phrase or range behind it.
  const value = /^:(?:"(?:[^"\\]|\\[^])*"?|[[{][^\]}]*[\]}]?|(?:[^\s()"\\]|\\[^])*)/.exec(query.slice(end))?.[0] ?? '';
  const clause = query.slice(start - field.length, end + value.length);
  const shown = clause.length > SHOWN_CLAUSE ? `${clause.slice(0, SHOWN_CLAUSE)}…` : clause;
  const at = start - field.length;
  return shown.trim() === '' ? `(at position ${at})` : `(at position ${at}: ${shown})`;
}
