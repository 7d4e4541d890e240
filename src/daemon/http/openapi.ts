import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { type ApiDocument, docsPage, type SchemaNode } from './docs-page.ts';
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
 * that is sent. Must be called before any route is registered.
 */
export function describeRoutes(app: FastifyInstance, { hasLegacyTaps = false } = {}): void {
  void app.register(fastifySwagger, {
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
}

/** `GET /openapi.json` and `GET /docs`: open to everyone, as they say nothing of who uses this daemon. */
export function documentRoutes(app: FastifyInstance): void {
  // Anyone may ask for them. As bytes that are made once, they cost nothing more where a client does not read them.
  const pages = new Map<string | undefined, Buffer>();
  let described: Buffer | undefined;
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { doc: docs.openapi },
    handler: async (_request, reply) => {
      described ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(described);
    },
  });
  app.route({
    method: 'GET',
    url: '/docs',
    schema: { doc: docs.page },
    handler: async ({ protocol, host }, reply) => {
      const wanted = HOST.test(host) ? `${protocol}://${host}` : undefined;
      const url = pages.has(wanted) || pages.size < MOST_PAGES ? wanted : undefined;
      const page = pages.get(url) ?? Buffer.from(docsPage(withoutReferences(app.swagger()) as ApiDocument, url));
      pages.set(url, page);
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
      return reply.type('text/html; charset=utf-8').send(page);
    },
  });
}

/** What its `curl` lines may name: a host name or an address, and a port. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** Pages that are kept, each for one host. The hosts that come after them are shown the default address. */
const MOST_PAGES = 8;

const docs = {
  openapi: {
    id: 'openapi',
    tag: 'Documentation',
    key: 'none',
    summary: 'This document',
    answer: {
      status: 200,
      description: 'OpenAPI 3.1.',
      content: json(Type.Object({ openapi: Type.String() }), { openapi: '3.1.0' }),
    },
  },
  page: {
    id: 'docs',
    tag: 'Documentation',
    key: 'none',
    summary: 'This document as a readable page',
    answer: {
      status: 200,
      description: 'One page that loads nothing from other servers.',
      content: { 'text/html': { schema: Type.String(), example: '<!doctype html>…' } },
    },
  },
} as const satisfies Readonly<Record<string, RouteDoc>>;

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

/** With each reference written out; there are no circles. */
function withoutReferences(document: object): unknown {
  const schemas: Record<string, unknown> =
    'components' in document ? (document.components as { schemas: Record<string, unknown> }).schemas : {};
  const inlined = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inlined);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node && typeof node.$ref === 'string') return inlined(schemas[node.$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, inlined(part)]));
  };
  return inlined(document);
}

type KeyKind = 'management key' | 'tap token' | 'none';

declare module 'fastify' {
  interface FastifySchema {
    /** Every public route has one; `/openapi.json` and `/docs` are made from it. */
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

interface AnswerDoc {
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
