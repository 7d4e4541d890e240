import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';
import { pathId } from './path-id.ts';
import { Problem } from '../problem.ts';
import type { Manager } from '../accounts/principal.ts';
import { type CrawlEntry, type Watch, WatchChange, WatchCreation } from '../../shared/api/watch.ts';

/** Watches of URLs, as their members may have them. Refusals are thrown as Problems. */
export interface WatchDoor {
  list(asking: Manager, limit?: number): Promise<Watch[]>;
  create(asking: Manager, creation: WatchCreation): Promise<Watch>;
  show(asking: Manager, id: string, limit?: number): Promise<{ data: Watch; diffs: CrawlEntry[] }>;
  change(asking: Manager, id: string, change: WatchChange): Promise<Watch>;
  remove(asking: Manager, id: string): Promise<void>;
}

/** `/v1/url-watch`, for management keys, each of which acts as the member who made it (spec: URL Watch). */
export function urlWatchRoutes(app: FastifyInstance, { auth, watches }: { auth: Auth; watches: WatchDoor }): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantManager;

  routes.route({
    method: 'GET',
    url: '/v1/url-watch',
    onRequest,
    handler: async (request) => ({ data: await watches.list(auth.manager(request), limitIn(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/v1/url-watch',
    onRequest,
    schema: { body: WatchCreation },
    handler: async (request, reply) => {
      const { url, frequency_minutes } = request.body;
      const watch = await watches.create(auth.manager(request), { url, frequency_minutes });
      return reply.code(201).send({ data: watch });
    },
  });
  routes.route({
    method: 'GET',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { params: pathId },
    handler: async (request) => watches.show(auth.manager(request), request.params.id, limitIn(request)),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { params: pathId, body: WatchChange },
    handler: async (request) => {
      return { data: await watches.change(auth.manager(request), request.params.id, request.body) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { params: pathId },
    handler: async (request, reply) => {
      await watches.remove(auth.manager(request), request.params.id);
      return reply.code(204).send();
    },
  });
}

/** As the URL's parser leaves it. What is no number is passed on as one that no range holds: the room names its range. */
function limitIn({ query }: Pick<FastifyRequest, 'query'>): number | undefined {
  const { limit } = query as { readonly limit?: unknown };
  if (limit === undefined) return undefined;
  if (typeof limit !== 'string') {
    throw new Problem('invalid_field', { field: 'limit', message: 'limit may be given once only.' });
  }
  return /^\d{1,15}$/.test(limit) ? Number(limit) : Number.NaN;
}
