import type { FastifyInstance } from 'fastify';
import { fastifyCors } from '@fastify/cors';
import { type AppOptions, createApp } from './app.ts';
import { Auth } from './auth.ts';
import { limitConnections } from './connection-limit.ts';
import { warnOfMisspeltFields } from './requests.ts';
import { limitRates } from './rate-limits.ts';
import { collectRoutes, documentRoutes } from './openapi.ts';
import { ruleRoutes } from './rules.ts';
import { streamRoutes } from './stream.ts';
import { tapRoutes } from './taps.ts';
import { urlWatchRoutes } from './url-watches.ts';
import { feedRoutes } from './feeds.ts';
import { validateRoutes } from './validate.ts';
import { IDLE_CONNECTION_MS } from '../../shared/limits.ts';
import type { FeedDocuments } from '../feeds/feed-documents.ts';
import type { Feeds } from '../feeds/feeds.ts';
import type { Filters } from '../filters/filters.ts';
import type { Watches } from '../watch/watches.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Log } from '../process/log.ts';
import type { RequestCounts } from '../storage/nodes.ts';
import type { Outside } from '../outside.ts';
import type { Hub } from '../stream/hub.ts';
import type { Rules } from '../taps/rules.ts';
import type { Taps } from '../taps/taps.ts';
import { StartFailure } from '../start-failure.ts';

export interface RouteDeps {
  readonly keys: Keys;
  readonly taps: Taps;
  readonly rules: Rules;
  readonly hub: Hub;
  readonly watches: Watches;
  readonly feeds: Feeds;
  readonly feedDocuments: FeedDocuments;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly outside: Pick<Outside, 'now'>;
  /** Where several daemons answer; default: this one counts by itself how often clients ask. */
  readonly requestCounts?: RequestCounts | undefined;
  /** Default: no organization has any. */
  readonly filters?: Pick<Filters, 'lookup'>;
  readonly onDiskFull?: AppOptions['onDiskFull'];
  readonly hasLegacyTaps?: boolean;
}

/** What the operator's server does otherwise. */
interface OperatorRoutes {
  /** See `StreamDeps`. */
  readonly longestSince?: number;
}

export interface ServerOptions extends AppOptions {
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins?: readonly string[];
  /** Requests a minute of one address to `/v1/validate/public`. */
  readonly publicValidateRate?: number;
  /** Whether taps have the form of the older API. For matches see `TailDeps.legacyPayload`. */
  readonly compatLegacyMatchPayload?: 'on' | 'off';
  /** Connections at the same time. Default: any number. */
  readonly maxConnections?: number;
  /** Routes that stand beside the API, and are in no document of it. */
  readonly beside?: ((app: FastifyInstance) => Promise<void>) | undefined;
}

/** The default. */
const PUBLIC_VALIDATE_RATE = 30;

/**
 * The public API. A handler reads the request, calls a service, and shapes the answer. Services refuse by throwing a Problem,
 * which `app.ts` turns into a status and a message. The caller listens. CORS and rate limits are plugins, and so are the routes,
 * because Fastify loads plugins in order.
 */
export function createServer(deps: RouteDeps, options: ServerOptions = {}): FastifyInstance {
  const { keys, taps, feeds, log, outside, onDiskFull } = deps;
  const app = createApp(log, { idleMs: IDLE_CONNECTION_MS, ...options, onDiskFull });
  if (options.maxConnections !== undefined) boundConnections(app, options.maxConnections, log);
  // Named one by one: an `operator` passed along by a spread would let requests without a key act as the operator.
  const auth = new Auth({ keys, taps, log });
  const { corsOrigins = [], publicValidateRate = PUBLIC_VALIDATE_RATE } = options;
  allowOrigins(app, corsOrigins);
  limitRates(app, { auth, feeds, now: () => outside.now(), publicValidateRate, shared: deps.requestCounts });
  const hasLegacyTaps = options.compatLegacyMatchPayload === 'on';
  const routes = collectRoutes(app);
  void app.register(async (scope) => {
    warnOfMisspeltFields(scope);
    publicRoutes(scope, auth, { ...deps, hasLegacyTaps });
    documentRoutes(scope, { routes, hasLegacyTaps });
  });
  if (options.beside) void app.register(options.beside);
  return app;
}

/** Every public route. */
export function publicRoutes(
  app: FastifyInstance,
  auth: Auth,
  deps: RouteDeps,
  { longestSince }: OperatorRoutes = {},
): void {
  const { taps, rules, hub, watches, log, outside, filters = noFilters } = deps;
  tapRoutes(app, { auth, taps, isLegacy: deps.hasLegacyTaps });
  ruleRoutes(app, { auth, rules });
  validateRoutes(app, { auth, filters, log, now: () => outside.now() });
  urlWatchRoutes(app, { auth, watches });
  feedRoutes(app, deps);
  streamRoutes(app, {
    hub,
    tapOf: (request) => auth.tap(request),
    ruleCount: (tapId) => rules.count(tapId),
    longestSince,
    touch: (tapId) => auth.noteUse(tapId),
  });
}

function boundConnections(app: FastifyInstance, most: number, log: Pick<Log, 'warn'>): void {
  limitConnections(app, most, () => {
    log.warn(
      { connections: most },
      'the connection limit is reached: idle connections are closed; raise it with max-connections',
    );
  });
}

/** For compositions without saved filters. */
const noFilters: Pick<Filters, 'lookup'> = { lookup: () => ({ filters: () => undefined, filterNames: [] }) };

/** Seconds a browser may keep the answer to its preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages of these origins to call the API from a browser. `*` allows every origin, which is safe: browsers never add the
 * Authorization header by themselves. Without origins, no CORS header is sent. Must be called before any route is registered.
 * @throws {StartFailure} for an invalid origin.
 */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  for (const origin of origins) checkOrigin(origin);
  void app.register(fastifyCors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'last-event-id'],
    exposedHeaders: [
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'x-stream-start',
      'x-stream-head',
      'x-stream-kept-from',
    ],
    maxAge: PREFLIGHT_SECONDS,
    // Other OPTIONS requests are not errors.
    strictPreflight: false,
  });
}

function checkOrigin(origin: string): void {
  if (origin === '*' || URL.parse(origin)?.origin === origin) return;
  const what = `cors-origins has ${JSON.stringify(origin)}, which is not an origin`;
  throw new StartFailure('configuration', `${what}; write it as https://app.example.org, without a path`);
}
