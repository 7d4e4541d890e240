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
  unescaped_slash: { severity: 'error', example: 'ferry/tram' },
  bad_escape: { severity: 'error', example: '\\u00zz' },
  bad_boost: { severity: 'error', example: 'ferry^high' },
  bad_slop: { severity: 'error', example: '"ferry line"~-1' },
  unknown_field: { severity: 'error', example: 'titel:ferry' },
  unsupported_syntax: { severity: 'error', example: 'ferry~1' },
  wildcard_not_allowed: { severity: 'error', example: 'title:ferr*' },
  regex_not_allowed: { severity: 'error', example: 'title:/ferry/' },
  match_all: { severity: 'error', example: 'url:*' },
  only_negative: { severity: 'error', example: 'NOT ferry' },
  unmatchable_query: { severity: 'error', example: 'the' },
  lowercase_operator: { severity: 'warning', example: 'ferry and tram' },
  words_joined: { severity: 'warning', example: 'domain:(example.com example.org)' },
  negative_group: { severity: 'warning', example: 'ferry OR (NOT tram)' },
} as const satisfies Record<string, CodeFacts>;

export type Code = keyof typeof CODES;

interface Details {
  readonly field?: string;
  /** `replacement` is what to put in the place of the span. */
  readonly hint?: { readonly message: string; readonly replacement: string };
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
