import { type Static, Type } from 'typebox';

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

/** `POST /v1/validate` (spec: Validate a query). `query` may have `$name` references to saved filters. */
export const ValidationRequest = Type.Object(
  {
    query: Type.String({ description: 'A Lucene query; may refer to saved filters as $name.' }),
    quality: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'false drops the quality URL and age filters from the compiled query.',
      }),
    ),
    nsfw: Type.Optional(Type.Boolean({ default: false, description: 'true keeps adult pages.' })),
  },
  { examples: [{ query: 'title:ferry AND language:en', quality: false }] },
);
export type ValidationRequest = Static<typeof ValidationRequest>;

/** `POST /v1/validate/public`: the query as it is written, without saved filters. */
export const PublicValidationRequest = Type.Object(
  { query: Type.String({ description: 'A Lucene query without references to saved filters.' }) },
  { examples: [{ query: 'title:ferry AND language:en' }] },
);
export type PublicValidationRequest = Static<typeof PublicValidationRequest>;

/** The answer of both, and the object that `hydrant validate --json` prints. */
export const ValidationResult = Type.Object(
  {
    core_version: Type.String({ description: 'Version of the query engine.' }),
    valid: Type.Boolean({ description: 'False when any diagnostic is an error.' }),
    diagnostics: Type.Array(DiagnosticSchema),
    compiled: Type.Union([
      Type.Object({
        lucene: Type.String({ description: 'The query as it was understood.' }),
        effective_lucene: Type.String({
          description: 'The same with the quality, age and adult constraints of a rule.',
        }),
      }),
      Type.Null(),
    ]),
    info: Type.Object({
      fields_used: Type.Array(Type.String()),
      default_field_terms: Type.Array(Type.String()),
    }),
  },
  { title: 'ValidationResult' },
);
export type ValidationResult = Static<typeof ValidationResult>;
