import type { Diagnostic } from '../api/diagnostic.ts';
import type { Span } from './ast.ts';

interface CodeFacts {
  readonly severity: Diagnostic['severity'];
  /** A query that earns this code; the shortest telling one, the same as in docs/query-language.md. */
  readonly example: string;
}

/** Every diagnostic of the query language. Codes are stable: clients switch on them. */
export const CODES = {
  empty_query: { severity: 'error', example: ' ' },
  query_too_long: { severity: 'error', example: 'a query of more than 16,384 characters' },
  too_many_clauses: { severity: 'error', example: 'a query of more than 1,024 terms' },
  too_deep: { severity: 'error', example: 'more than 64 parentheses inside one another' },
  syntax_error: { severity: 'error', example: 'title::ferry' },
  unclosed_quote: { severity: 'error', example: '"ferry line' },
  unclosed_group: { severity: 'error', example: '(ferry OR tram' },
  unopened_group: { severity: 'error', example: 'ferry)' },
  empty_group: { severity: 'error', example: 'ferry AND ()' },
  misplaced_operator: { severity: 'error', example: 'ferry AND' },
  unescaped_slash: { severity: 'error', example: 'url:*/blog/*' },
  unescaped_colon: { severity: 'error', example: 'publish_time:2024-05-02T09:00:00' },
  bad_escape: { severity: 'error', example: '\\u00zz' },
  bad_boost: { severity: 'error', example: 'ferry^high' },
  bad_slop: { severity: 'error', example: '"ferry line"~-1' },
  bad_fuzzy: { severity: 'error', example: 'ferry~1.5' },
  bad_range: { severity: 'error', example: 'dr:[10 20]' },
  bad_number: { severity: 'error', example: 'dr:high' },
  bad_recent: { severity: 'error', example: 'ferry AND recent:yesterday' },
  bad_regex: { severity: 'error', example: 'url:/.*(a/' },
  regex_shorthand: { severity: 'error', example: 'url:/.*\\d+/' },
  regex_too_large: { severity: 'error', example: 'url:/(.*a.{20}b|.*c.{20}d)/' },
  unknown_field: { severity: 'error', example: 'titel:ferry' },
  unknown_filter: { severity: 'error', example: 'ferry AND $nojunk' },
  filter_not_allowed: { severity: 'error', example: 'ferry AND $no-junk' },
  wildcard_not_allowed: { severity: 'error', example: 'title:ferr*' },
  regex_not_allowed: { severity: 'error', example: 'title:/ferry/' },
  unquoted_category: { severity: 'error', example: 'page_category:/News/' },
  match_all: { severity: 'error', example: 'url:*' },
  only_negative: { severity: 'error', example: 'NOT ferry' },
  unmatchable_query: { severity: 'error', example: 'the' },
  unknown_enum_value: { severity: 'warning', example: 'ferry OR language:EN' },
  contradiction: { severity: 'warning', example: 'language:en AND language:de' },
  empty_range: { severity: 'warning', example: 'dr:[90 TO 10]' },
  empty_regex: { severity: 'warning', example: 'url:/ab&cd/' },
  incomplete_time: { severity: 'warning', example: 'publish_time:2024-05-02' },
  impossible_value: { severity: 'warning', example: 'domain:Example.com' },
  filtered_out: { severity: 'warning', example: 'ferry OR page_category:"/Adult"' },
  recent_shortened: { severity: 'warning', example: 'ferry AND recent:30d' },
  only_recent: { severity: 'warning', example: 'recent:24h' },
  boost_ignored: { severity: 'warning', example: 'ferry^2 tram' },
  lowercase_operator: { severity: 'warning', example: 'ferry and tram' },
  words_joined: { severity: 'warning', example: 'domain:(example.com example.org)' },
  negative_group: { severity: 'warning', example: 'ferry OR (NOT tram)' },
} as const satisfies Record<string, CodeFacts>;

export type Code = keyof typeof CODES;

export type Hint = NonNullable<Diagnostic['hint']>;

interface Details {
  readonly field?: string | undefined;
  /** `replacement` is what to put in the place of the span. */
  readonly hint?: Hint | undefined;
}

export function diagnostic(code: Code, span: Span, message: string, details: Details = {}): Diagnostic {
  return {
    severity: CODES[code].severity,
    code,
    message,
    field: details.field ?? null,
    span: { start: span.start, end: span.end },
    ...(details.hint && { hint: details.hint }),
  };
}

/** What was written, short enough for a message: hostile queries are long. */
export function shown(written: string): string {
  const text = written.trim();
  return text.length > 64 ? `${text.slice(0, 63)}…` : text;
}

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
