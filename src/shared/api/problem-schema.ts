import { Type } from 'typebox';
import { DiagnosticSchema } from './diagnostic.ts';

/** `ProblemBody` for the document of the API. */
export const ProblemSchema = Type.Object(
  {
    message: Type.String({ description: 'What is wrong, in a sentence or more.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Only with 422: sentences by field.' }),
    ),
    diagnostics: Type.Optional(
      Type.Array(DiagnosticSchema, { description: 'Only where a query was refused: what validation says of it.' }),
    ),
  },
  { title: 'Problem', additionalProperties: false },
);
