import { Type } from 'typebox';

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

/** The same for the document of the API. */
export const DiagnosticSchema = Type.Object(
  {
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    code: Type.String({ description: 'A stable string, such as unmatchable_query.' }),
    message: Type.String(),
    field: Type.Union([Type.String(), Type.Null()]),
    span: Type.Optional(
      Type.Object(
        { start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }) },
        { description: 'UTF-16 offsets into the query, saved filters written out.' },
      ),
    ),
    hint: Type.Optional(Type.Object({ message: Type.String(), replacement: Type.String() })),
  },
  { title: 'Diagnostic' },
);
