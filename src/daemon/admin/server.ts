import type { FastifyInstance, FastifyRequest } from 'fastify';
import { creditRoutes, keyRoutes, organizationRoutes } from './accounts.ts';
import {
  crawlRoutes,
  type CrawlService,
  ingestRoutes,
  type IngestService,
  pageChangeRoute,
  ratingRoutes,
  sourceRoutes,
} from './crawl.ts';
import { adminFeedRoutes } from './feeds.ts';
import { sinkRoutes } from './sinks.ts';
import { filterRoutes, ruleReportRoutes, ruleTrialRoute, savedMatchRoutes } from './rules.ts';
import { watchChangesRoute, watchRoutes } from './watches.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Manager } from '../accounts/keys.ts';
import type { Sources } from '../crawl/sources.ts';
import type { Filters } from '../filters/filters.ts';
import { createApp } from '../http/app.ts';
import { Auth, organizationOf } from '../http/auth.ts';
import { publicRoutes, type RouteDeps } from '../http/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sinks } from '../notify/sinks.ts';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import type { SavedMatches } from '../saved/saved-matches.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { RuleTally } from '../taps/rule-tally.ts';
import type { PageChanges } from '../crawl/page-changes.ts';
import type { RuleTrials } from '../taps/rule-trials.ts';
import type { WatchService } from '../watch/watch-service.ts';
import type { Status } from '../../shared/api/status.ts';
import { limitConnections } from '../http/connection-limit.ts';
import { IDLE_CONNECTION_MS, METRICS_CONNECTIONS, STREAM_RETENTION_SECONDS } from '../../shared/limits.ts';
import type { Log } from '../process/log.ts';
import { StartFailure } from '../start-failure.ts';

interface AdminDeps extends RouteDeps {
  readonly accounts: Accounts;
  readonly catalog: { readonly data: CatalogData };
  readonly filters: Filters;
  readonly saved: SavedMatches;
  readonly tally: RuleTally;
  readonly trials: RuleTrials;
  readonly pageChanges: PageChanges;
  readonly sinks: Sinks;
  readonly sources: Sources;
  /** Where the public port is. */
  readonly publicUrl: string;
  readonly watchService: WatchService;
  readonly crawl: CrawlService;
  readonly ratings: DomainRatings;
  readonly ingest: IngestService;
  /** Loaded when they are first read. */
  readonly metrics: () => Promise<Metrics>;
  status(): Promise<Status>;
}

/**
 * The operator's server, on the Unix socket in the data directory. Whoever can open that file is the operator, so requests
 * need no key, and no administrative route listens on the network. It serves the public routes too, with the same code, so
 * that the command line uses one address; a route for tap tokens still requires one, because it acts for that tap.
 */
export function createAdminServer(deps: AdminDeps): FastifyInstance {
  const { accounts, keys, taps, log, onDiskFull } = deps;
  const app = createApp(log, { onDiskFull });
  const operator = (wanted: string | undefined): Manager => accounts.organizations.operator(wanted);
  const idOf = (request: FastifyRequest): string => accounts.organizations.find(organizationOf(request)).id;
  const auth = new Auth({ keys, taps, log, operator });
  // One that is not there is refused by routes that need none, too: who names it expects its answers.
  app.addHook('onRequest', async (request) => {
    const wanted = organizationOf(request);
    if (wanted) accounts.organizations.find(wanted);
  });
  publicRoutes(app, auth, deps, { longestSince: STREAM_RETENTION_SECONDS.most });
  statusRoute(app, deps);
  keyRoutes(app, keys, accounts);
  organizationRoutes(app, deps);
  creditRoutes(app, accounts, deps.outside);
  filterRoutes(app, deps.filters, idOf);
  ruleReportRoutes(app, deps, idOf);
  ruleTrialRoute(app, deps.trials, idOf);
  savedMatchRoutes(app, deps.saved, (request) => operator(organizationOf(request)));
  watchRoutes(app, deps.watchService, (request) => operator(organizationOf(request)));
  watchChangesRoute(app, deps.watchService, idOf);
  adminFeedRoutes(app, deps, idOf);
  sinkRoutes(app, deps.sinks, (request) => operator(organizationOf(request)));
  sourceRoutes(app, deps.sources);
  crawlRoutes(app, deps.crawl);
  pageChangeRoute(app, deps.pageChanges, idOf);
  ratingRoutes(app, deps.ratings);
  ingestRoutes(app, deps.ingest);
  metricsRoute(app, deps.metrics);
  return app;
}

function statusRoute(app: FastifyInstance, deps: Pick<AdminDeps, 'status'>): void {
  app.route({ method: 'GET', url: '/admin/status', handler: async () => ({ data: await deps.status() }) });
}

/** `GET /metrics`, as Prometheus reads it. */
function metricsRoute(app: FastifyInstance, load: AdminDeps['metrics']): void {
  app.route({
    method: 'GET',
    url: '/metrics',
    handler: async (_request, reply) => {
      const metrics = await load();
      return reply.type(metrics.contentType).send(await metrics.text());
    },
  });
}

/** The same for the network: a server that has this one route, since nothing else of the operator's may be there. */
export function createMetricsServer(metrics: AdminDeps['metrics'], log: Pick<Log, 'error'>): FastifyInstance {
  const app = createApp(log, { idleMs: IDLE_CONNECTION_MS });
  limitConnections(app, METRICS_CONNECTIONS);
  metricsRoute(app, metrics);
  return app;
}

/** Where the setting `metrics-listen` opens it: `127.0.0.1:9464`, `[::1]:9464`, `:9464` for every address. */
export function metricsAddress(text: string): { readonly host: string; readonly port: number } {
  const found = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]*)):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  if (found !== null && port <= 65_535) return { host: found[1] ?? (found[2] === '' ? '::' : (found[2] ?? '')), port };
  const what = `metrics-listen is ${JSON.stringify(text)}, which is not host:port`;
  throw new StartFailure('configuration', `${what}; write it like 127.0.0.1:9464`);
}
