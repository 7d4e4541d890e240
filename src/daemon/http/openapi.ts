import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ApiDocument } from './docs-page.ts';
import type { DescribedApi, DescribedRoute } from './openapi-document.ts';
import { json, type RouteDoc } from './route-doc.ts';

/** All routes that are registered from now on, as far as they are documented. */
export function collectRoutes(app: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema?.doc) routes.push({ method, url, schema: { ...schema } });
  });
  return routes;
}

/**
 * `GET /openapi.json` and `GET /docs`, and `GET /`, which says where they are: open to everyone, as they say nothing of who
 * uses this daemon. What makes them is loaded when the first of them is asked for: most daemons are never asked, and it is
 * 4 MB.
 */
export function documentRoutes(app: FastifyInstance, described: DescribedApi): void {
  // Anyone may ask for them. As bytes that are made once, they cost nothing more where a client does not read them.
  const pages = new Map<string | undefined, Buffer>();
  let document: Promise<object> | undefined;
  let bytes: Buffer | undefined;
  const load = async (): Promise<object> => (await import('./openapi-document.ts')).openApiDocument(described);
  app.route({
    method: 'GET',
    url: '/',
    schema: { doc: docs.root },
    handler: async ({ headers }, reply) => {
      // Not `/docs`: a proxy may have put a path before it.
      if (headers.accept?.includes('text/html') === true) return reply.redirect('docs');
      return reply.send(ROOT);
    },
  });
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { doc: docs.openapi },
    handler: async (_request, reply) => {
      bytes ??= Buffer.from(JSON.stringify(await (document ??= load())));
      return reply.type('application/json; charset=utf-8').send(bytes);
    },
  });
  app.route({
    method: 'GET',
    url: '/docs',
    schema: { doc: docs.page },
    handler: async ({ protocol, host }, reply) => {
      const wanted = HOST.test(host) ? `${protocol}://${host}` : undefined;
      const api = await (document ??= load());
      const { docsPage } = await import('./docs-page.ts');
      const url = pages.has(wanted) || pages.size < MOST_PAGES ? wanted : undefined;
      const page = pages.get(url) ?? Buffer.from(docsPage(withoutReferences(api) as ApiDocument, url));
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

const ROOT = {
  message: 'This is the API of hydrant, which watches the web and streams the changes that match your rules.',
  docs: '/docs',
  openapi: '/openapi.json',
};

const docs = {
  root: {
    id: 'root',
    tag: 'Documentation',
    key: 'none',
    summary: 'What this server is, and where its documentation is',
    description: 'A browser (`Accept: text/html`) is redirected to `/docs`.',
    answer: {
      status: 200,
      description: 'The name of the service and the paths of its documents.',
      content: json(Type.Object({ message: Type.String(), docs: Type.String(), openapi: Type.String() }), ROOT),
    },
  },
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
