import fastifySwagger from '@fastify/swagger';
import { fastify, type FastifySchema, type RouteOptions } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { SchemaNode } from './docs-page.ts';
import { type AnswerDoc, json, type KeyKind, type RouteDoc } from './route-doc.ts';
import { answerTo } from './problems.ts';
import { DiagnosticSchema } from '../../shared/api/diagnostic.ts';
import { ProblemSchema } from '../../shared/api/problem.ts';
import { Problem } from '../problem.ts';
import { REQUEST_BYTES } from '../../shared/limits.ts';

const about =
  'hydrant watches the web: it compares each page with its last visit and streams every change that matches a stored query. ' +
  'Bodies are JSON. Keys are sent as `Authorization: Bearer …`. Every refusal has a `message`; a 422 adds `errors` by field.';

const schemes = { 'management key': 'managementKey', 'tap token': 'tapToken' } as const;

/**
 * The API as an OpenAPI 3.1 document. Paths, parameters and bodies come from the schemas that the routes validate with; what
 * these cannot say – answers, refusals, examples – is the `doc` of each route, and the example of a refusal is the message
 * that is sent. It is made by a server of its own, which has the same routes and never listens: the one that serves is
 * complete by the time it is first asked.
 */
export async function openApiDocument({ routes, hasLegacyTaps }: DescribedApi): Promise<object> {
  const app = fastify({ logger: false, exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => '');
  await app.register(fastifySwagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'hydrant', version: '1', description: about },
      servers: [{ url: '/', description: 'The daemon that serves this document.' }],
      components: {
        securitySchemes: {
          managementKey: { type: 'http', scheme: 'bearer', description: 'svcm_ and 40 characters' },
          tapToken: { type: 'http', scheme: 'bearer', description: 'svc_ and 40 characters' },
        },
      },
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {};
      const named = withNamedSchemas(document.openapiObject);
      return hasLegacyTaps ? withLegacyTaps(named) : named;
    },
    transform: ({ schema, url }) => ({ schema: described(schema), url }),
  });
  for (const { method, url, schema } of routes)
    app.route({ method, url, ...(schema && { schema }), handler: () => '' });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

export interface DescribedApi {
  /** Complete once the server is ready. */
  readonly routes: readonly DescribedRoute[];
  readonly hasLegacyTaps: boolean;
}

/** A route as it was registered. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

function described({ doc, ...schema }: FastifySchema = {}): FastifySchema {
  if (!doc) return schema;
  const { id, tag, key, summary, description, query, headers } = doc;
  return {
    ...schema,
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: key === 'none' ? [] : [{ [schemes[key]]: [] }],
    response: responsesOf(doc, schema.body !== undefined),
  };
}

/** A schema with a title becomes a component of that name, so that generated clients have types with names. */
function withNamedSchemas<Described extends { components?: object }>(document: Described): Described {
  const schemas: Record<string, unknown> = {};
  const named = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(named);
    if (typeof node !== 'object' || node === null) return node;
    const copy: Record<string, unknown> = Object.fromEntries(
      Object.entries(node).map(([key, part]) => [key, named(part)]),
    );
    const { title, type, anyOf } = copy;
    if (typeof title !== 'string' || (type !== 'object' && anyOf === undefined)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  const walked = named(document) as Described;
  return { ...walked, components: { ...walked.components, schemas } };
}

/** `compat-legacy-match-payload`: a tap has no `status`, and where it was changed no `token`. */
function withLegacyTaps<Described extends { components?: { schemas?: object } }>(document: Described): Described {
  const schemas = { ...document.components?.schemas } as Record<string, SchemaNode>;
  const { properties = {}, required = [], ...rest } = schemas['Tap'] ?? {};
  const { status: _, ...kept } = properties;
  const always = required.filter((name) => name !== 'status' && name !== 'token');
  const tap = { ...rest, required: always, properties: kept };
  return { ...document, components: { ...document.components, schemas: { ...schemas, Tap: tap } } };
}

/** `responses` as the package for OpenAPI takes them: the answer, then every refusal, by status, with its sentence. */
function responsesOf(doc: RouteDoc, hasBody: boolean): Record<string, object> {
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
