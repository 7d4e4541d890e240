import { type TObject, type TSchema, Type } from 'typebox';
import { answerTo } from './problems.ts';
import { DiagnosticSchema } from '../../shared/api/diagnostic.ts';
import { ProblemSchema } from '../../shared/api/problem.ts';
import { Problem } from '../problem.ts';
import { REQUEST_BYTES } from '../../shared/limits.ts';

export type KeyKind = 'management key' | 'tap token' | 'none';

declare module 'fastify' {
  interface FastifySchema {
    /** Every public route has one; `openapi.ts` makes `/openapi.json` and `/docs` from it. */
    readonly doc?: RouteDoc;
  }
}

/**
 * What the API documentation says about a route beyond the schemas that its requests are validated with. The answer's schema
 * is documentation only: given to Fastify as `response`, it would drop the fields it does not name from what is sent.
 */
export interface RouteDoc {
  /** `operationId`: what generated clients call it. */
  readonly id: string;
  readonly tag: 'Taps' | 'Rules' | 'Stream' | 'Validation' | 'URL Watch' | 'Documentation';
  readonly key: KeyKind;
  readonly summary: string;
  readonly description?: string;
  /** Parameters that the handler validates itself. */
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly answer: AnswerDoc;
  /** How it can refuse, beyond what every route with such a key or a body can. */
  readonly refusals?: readonly Problem[];
}

/** The organization and plan that the examples of refusals name. */
export const ON_FREE = { organization: 'press', plan: 'Free', isOwn: false } as const;

export interface AnswerDoc {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Media types; default `application/json`. None with 204. */
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly example: unknown }>>;
  readonly headers?: Readonly<Record<string, TSchema>>;
}

export function json(schema: TSchema, example: unknown): NonNullable<AnswerDoc['content']> {
  return { 'application/json': { schema, example } };
}

/** `responses` as the package for OpenAPI takes them: the answer, then every refusal, by status, with its sentence. */
export function responsesOf(doc: RouteDoc, hasBody: boolean): Record<string, object> {
  const { status, description, headers } = doc.answer;
  const content = hasBody ? withWarnings(doc.answer.content) : doc.answer.content;
  const answer = content === undefined ? { type: 'null', description } : { description, content };
  const refusals = [...common(doc.key, hasBody), ...(doc.refusals ?? [])];
  const byStatus = Map.groupBy(refusals, (problem) => answerTo(problem).status);
  const failures = [...byStatus].map(([code, problems]) => [code, refused(problems)] as const);
  return {
    [status]: { ...answer, ...(headers && { headers }) },
    ...Object.fromEntries(failures.toSorted(([left], [right]) => left - right)),
    500: {
      description: 'An internal error of the daemon; its log has the details.',
      content: json(ProblemSchema, { message: 'Internal error. The daemon’s log has the details.' }),
    },
  };
}

/** `warnOfMisspeltFields` adds these to an answer. */
function withWarnings(content: AnswerDoc['content']): AnswerDoc['content'] {
  const media = content?.['application/json'];
  if (media === undefined || !Type.IsObject(media.schema)) return content;
  const { title, properties } = media.schema as TObject & { readonly title?: string };
  const warnings = Type.Optional(
    Type.Array(DiagnosticSchema, { description: 'Hints about an accepted request, such as a misspelt field.' }),
  );
  const schema = Type.Object({ ...properties, warnings }, title === undefined ? {} : { title });
  return { ...content, 'application/json': { ...media, schema } };
}

function common(key: KeyKind, hasBody: boolean): Problem[] {
  return [
    ...(key === 'none' ? [] : [new Problem('unauthenticated', { wanted: key, given: 'none' })]),
    ...(hasBody
      ? [
          new Problem('malformed_body', { detail: 'Unexpected end of JSON input' }),
          new Problem('body_too_large', { limit: REQUEST_BYTES }),
        ]
      : []),
    new Problem('shutting_down', {}),
  ];
}

function refused(problems: readonly Problem[]): object {
  const examples = problems.map((problem) => [problem.code, { value: answerTo(problem).body }] as const);
  const names = Object.keys(answerTo(problems[0] ?? new Problem('shutting_down', {})).headers);
  const headers = Object.fromEntries(names.map((name) => [name, Type.String()]));
  return {
    description: [...new Set(problems.map(({ code }) => code))].join(', '),
    content: { 'application/json': { schema: ProblemSchema, examples: Object.fromEntries(examples) } },
    ...(names.length > 0 && { headers }),
  };
}
