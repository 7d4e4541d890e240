import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyRoutes, organizationRoutes } from './accounts.ts';
import { crawlRoutes, type CrawlService, ingestRoutes, type IngestService, sourceRoutes } from './crawl.ts';
import { creditRoutes } from './credit.ts';
import { metricsRoute } from './metrics.ts';
import { ratingRoutes } from './ratings.ts';
import { filterRoutes, ruleReportRoute, ruleTrialRoute } from './rules.ts';
import { savedMatchRoutes } from './saved-matches.ts';
import { watchChangesRoute, watchRoutes } from './watches.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Manager } from '../accounts/principal.ts';
import type { Sources } from '../crawl/sources.ts';
import type { Filters } from '../filters/filters.ts';
import { createApp } from '../http/app.ts';
import { Auth, organizationOf } from '../http/auth.ts';
import { publicRoutes, type RouteDeps } from '../http/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import type { SavedMatches } from '../saved/saved-matches.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { RuleTally } from '../taps/rule-tally.ts';
import type { RuleTrials } from '../taps/rule-trials.ts';
import type { WatchService } from '../watch/watch-service.ts';
import type { Status } from '../../shared/api/status.ts';

export interface AdminDeps extends RouteDeps {
  readonly accounts: Accounts;
  readonly catalog: { readonly data: CatalogData };
  readonly filters: Filters;
  readonly saved: SavedMatches;
  readonly tally: RuleTally;
  readonly trials: RuleTrials;
  readonly sources: Sources;
  readonly watchService: WatchService;
  readonly crawl: CrawlService;
  readonly ratings: DomainRatings;
  readonly ingest: IngestService;
  readonly metrics: Metrics;
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
  publicRoutes(app, new Auth({ keys, taps, log, operator }), deps);
  statusRoute(app, deps);
  keyRoutes(app, keys, accounts);
  organizationRoutes(app, deps);
  creditRoutes(app, accounts, deps.outside);
  filterRoutes(app, deps.filters, idOf);
  ruleReportRoute(app, deps.tally, idOf);
  ruleTrialRoute(app, deps.trials, idOf);
  savedMatchRoutes(app, deps.saved, (request) => operator(organizationOf(request)));
  watchRoutes(app, deps.watchService, (request) => operator(organizationOf(request)));
  watchChangesRoute(app, deps.watchService, idOf);
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
