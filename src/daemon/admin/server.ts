import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Manager } from '../accounts/principal.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type CrawlDesk, crawlRoutes } from './crawl.ts';
import { creditRoutes } from './credit.ts';
import { type FilterDesk, filterRoutes } from './filters.ts';
import { type SavedMatchDesk, savedMatchRoutes } from './matches.ts';
import { type MetricsPage, metricsRoute } from './metrics.ts';
import { type IngestDesk, ingestRoutes } from './ingest.ts';
import { keyRoutes } from './keys.ts';
import { organizationRoutes } from './organizations.ts';
import { type RatingDesk, ratingRoutes } from './ratings.ts';
import { type RuleDesk, ruleReportRoute, type RuleTrialDesk, ruleTrialRoute } from './rules.ts';
import { type SourceDesk, sourceRoutes } from './sources.ts';
import { type WatchChangesDesk, watchChangesRoute } from './watch-changes.ts';
import { type WatchesDesk, watchRoutes } from './watches.ts';
import { createApp } from '../http/app.ts';
import { Auth, organizationOf } from '../http/auth.ts';
import type { FilterDoor } from '../http/validate.ts';
import { type RouteDeps, publicRoutes } from '../http/server.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { Status } from '../../shared/api/status.ts';

export interface AdminDeps extends RouteDeps {
  readonly accounts: Accounts;
  readonly catalog: { readonly data: CatalogData };
  readonly filters: FilterDoor & FilterDesk;
  readonly saved: SavedMatchDesk;
  readonly tally: RuleDesk;
  readonly trials: RuleTrialDesk;
  readonly sources: SourceDesk;
  readonly watchDesk: WatchesDesk & WatchChangesDesk;
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
  watchRoutes(app, deps.watchDesk, (request) => operator(organizationOf(request)));
  watchChangesRoute(app, deps.watchDesk, idOf);
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
