import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Feeds } from '../feeds/feeds.ts';
import { pathId } from '../http/requests.ts';
import { type FeedCreated, FeedCreation } from '../../shared/api/feed.ts';

/** `/admin/feeds`: feeds by address; `:id` is an id, a name or the beginning of an id. The address is in the answer to POST alone. */
export function adminFeedRoutes(
  app: FastifyInstance,
  { feeds, publicUrl }: { readonly feeds: Feeds; readonly publicUrl: string },
  /** The organization that a request is about. */
  idOf: (request: FastifyRequest) => string,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/feeds',
    handler: async (request) => ({ data: await feeds.list(idOf(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/feeds',
    schema: { body: FeedCreation },
    handler: async (request, reply) => {
      const { report, secret } = await feeds.add(idOf(request), request.body);
      const address = (format: string): string => new URL(`/feeds/${secret}.${format}`, publicUrl).href;
      const created: FeedCreated = { data: report, addresses: { atom: address('atom'), json: address('json') } };
      return reply.code(201).send(created);
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/feeds/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await feeds.remove(idOf(request), request.params.id);
      return reply.code(204).send();
    },
  });
}
