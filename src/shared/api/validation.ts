import { type Static, Type } from 'typebox';
import { DiagnosticSchema } from './diagnostic.ts';

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
