/** One finding about a query (spec: Validate a query). Offsets are UTF-16 units into the expanded query. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** A stable string; the table is in docs/query-language.md. */
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly span?: { readonly start: number; readonly end: number };
  readonly hint?: { readonly message: string; readonly replacement: string };
}
