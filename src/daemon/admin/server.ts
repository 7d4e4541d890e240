import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Keys } from '../accounts/keys.ts';
import type { Manager } from '../accounts/principal.ts';
import { type CrawlDesk, crawlRoutes } from './crawl.ts';
import { type MetricsPage, metricsRoute } from './metrics.ts';
import { type IngestDesk, ingestRoutes } from './ingest.ts';
import { type RatingDesk, ratingRoutes } from './ratings.ts';
import { type SourceDesk, sourceRoutes } from './sources.ts';
import { createApp } from '../http/app.ts';
import { Auth } from '../http/auth.ts';
import { pathId } from '../http/path-id.ts';
import { type RouteDeps, publicRoutes } from '../http/server.ts';
import { timestamp } from '../outside.ts';
import type { KeyRecord } from '../storage/catalog.ts';
import { type Key, KeyCreation, type KeyCreated } from '../../shared/api/key.ts';
import type { Status } from '../../shared/api/status.ts';

export interface AdminDeps extends RouteDeps {
  /** Who a request without a key acts as. */
  readonly operator: Manager;
  readonly sources: SourceDesk;
  readonly crawl: CrawlDesk;
  readonly ratings: RatingDesk;
  readonly ingest: IngestDesk;
  readonly metrics: MetricsPage;
  status(): Promise<Status>;
}

/**
 * The operator's door: a second server, for the Unix socket in the data directory. Who can open that file is the
 * operator, so its requests need no key, and nothing administrative listens on the network. It answers the public
 * routes too, under the same code, so that the command line speaks to one address; a route that wants a tap token
 * still wants it, because it acts for that tap.
 */
export function createAdminServer(deps: AdminDeps): FastifyInstance {
  const { keys, taps, log, operator } = deps;
  const app = createApp(log);
  publicRoutes(app, new Auth({ keys, taps, log, operator }), deps);
  statusRoute(app, deps);
  keyRoutes(app, deps.keys, deps.operator);
  sourceRoutes(app, deps.sources);
  crawlRoutes(app, deps.crawl);
  ratingRoutes(app, deps.ratings);
  ingestRoutes(app, deps.ingest);
  metricsRoute(app, deps.metrics);
  return app;
}

function statusRoute(app: FastifyInstance, deps: Pick<AdminDeps, 'status'>): void {
  app.route({ method: 'GET', url: '/admin/status', handler: async () => ({ data: await deps.status() }) });
}

function keyRoutes(app: FastifyInstance, keys: Keys, operator: Manager): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/keys',
    handler: async () => ({ data: keys.list(operator.organizationId).map(toWire) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/keys',
    schema: { body: KeyCreation },
    handler: async (request, reply) => {
      const { record, key } = await keys.create(request.body.name, operator.memberId);
      return reply.code(201).send({ data: toWire(record), key } satisfies KeyCreated);
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/keys/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await keys.revoke(operator.organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
}

function toWire({ id, name, prefix, createdAt }: KeyRecord): Key {
  return { id, name, prefix, created_at: timestamp(Date.parse(createdAt)) };
}
