import { isIP } from 'node:net';
import {
  type errorResponseBuilderContext,
  fastifyRateLimit,
  type FastifyRateLimitStore,
  normalizeIP,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';
import { askedIn, FEED_ROUTE } from './feeds.ts';
import type { Feeds } from '../feeds/feeds.ts';
import type { RequestCounts as SharedCounts } from '../storage/nodes.ts';
import {
  COUNTED_CLIENTS,
  FEED_REQUESTS_A_MINUTE,
  RULES_REQUESTS_A_MINUTE,
  STREAM_OPENINGS_A_MINUTE,
} from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

const MINUTE_MS = 60_000;

interface RateLimit {
  /** Routes that share a limit; the message of a refusal names it. */
  readonly group: string;
  readonly max: number;
  readonly clientOf: (request: FastifyRequest) => string;
  /** The setting of the limit, if it has one. */
  readonly setting?: string;
}

/**
 * Rate limits per client (spec, Limits). Taps are counted by id, after their token was checked: a stranger can neither use up the
 * limit of a tap nor fill the table of counts. Routes without a key count by address, IPv6 by /64, the prefix of one customer.
 * A feed is counted by itself, and who asks for one that is not there by address. Taps and feeds have another table than addresses. @fastify/rate-limit sets the headers and runs the hooks.
 *
 * Must be called before any route is registered.
 */
export function limitRates(
  app: FastifyInstance,
  {
    auth,
    feeds,
    now,
    publicValidateRate,
    shared,
  }: {
    auth: Auth;
    feeds: Pick<Feeds, 'bySecret'>;
    now: () => number;
    publicValidateRate: number;
    /** Where several daemons answer; undefined: this one counts. */
    shared: SharedCounts | undefined;
  },
): void {
  const byTap = (request: FastifyRequest): string => auth.tap(request).tapId;
  const rules: RateLimit = { group: '/v1/rules', max: RULES_REQUESTS_A_MINUTE, clientOf: byTap };
  const byFeed = (request: FastifyRequest): string => {
    const asked = askedIn(request, feeds);
    return asked === undefined ? STRANGER + addressOf(request) : asked.feed.id;
  };
  const limits: Readonly<Record<string, RateLimit>> = {
    [FEED_ROUTE]: { group: '/feeds', max: FEED_REQUESTS_A_MINUTE, clientOf: byFeed },
    '/v1/rules': rules,
    '/v1/rules/:id': rules,
    '/v1/stream': { group: '/v1/stream', max: STREAM_OPENINGS_A_MINUTE, clientOf: byTap },
    '/v1/validate/public': {
      group: '/v1/validate/public',
      max: publicValidateRate,
      clientOf: addressOf,
      setting: 'public-validate-rate',
    },
  };
  app.addHook('onRoute', (route) => {
    const limit = limits[route.url];
    if (limit) route.config = { ...route.config, rateLimit: optionsOf(limit) };
  });
  void app.register(fastifyRateLimit, {
    global: false,
    timeWindow: MINUTE_MS,
    enableDraftSpec: true,
    store: storeOver(shared ? sharedCounting(shared, now) : ownCounting(now)),
  });
}

/** Before the address of who asks for a feed that is not there. */
const STRANGER = 'address ';

type Counted = ReturnType<RequestCounts['count']>;

/** Counts a request of an address, or of a tap or feed. */
type Counting = (isOfAddress: boolean, client: string, windowMs: number) => Promise<Counted>;

function ownCounting(now: () => number): Counting {
  const [taps, addresses] = [new RequestCounts(now, COUNTED_CLIENTS), new RequestCounts(now, COUNTED_CLIENTS)];
  return async (isOfAddress, client, windowMs) => (isOfAddress ? addresses : taps).count(client, windowMs);
}

function sharedCounting(shared: SharedCounts, now: () => number): Counting {
  return (isOfAddress, client, windowMs) => shared.count(`${isOfAddress ? 'a' : 't'} ${client}`, now(), windowMs);
}

/** The package requires a class, and calls `child` for each route. */
function storeOver(count: Counting) {
  const counting = (isOfAddresses: boolean): FastifyRateLimitStore['incr'] => {
    return (client, answer, windowMs) => {
      void count(isOfAddresses || client.startsWith(STRANGER), client, windowMs).then(
        (counted) => answer(null, counted),
        (error: unknown) => answer(error as Error),
      );
    };
  };
  return class implements FastifyRateLimitStore {
    readonly incr = counting(false);

    child(route: object): FastifyRateLimitStore {
      const isOfAddresses = 'keyGenerator' in route && route.keyGenerator === addressOf;
      return { incr: counting(isOfAddresses), child: () => this };
    }
  };
}

function optionsOf({ group, max, clientOf, setting }: RateLimit) {
  return {
    max,
    groupId: group,
    keyGenerator: clientOf,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: errorResponseBuilderContext) =>
      new Problem('rate_limited', {
        what: group,
        limit: max,
        seconds: Math.ceil(ttl / 1_000),
        ...(setting !== undefined && { setting }),
      }),
  };
}

/** What a client without a key is counted by. A trusted proxy may forward anything: if it is not an address, the proxy's own address counts. */
export function addressOf(request: FastifyRequest): string {
  const { ip, socket } = request;
  return normalizeIP(isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip, 64);
}

/**
 * Requests of each client within a fixed window that begins with its first request. Bounded: beyond that many clients, the least
 * recent one is forgotten, which merely starts a new window for it.
 */
export class RequestCounts {
  readonly #now: () => number;
  readonly #most: number;
  /** In the order of the latest request. */
  readonly #windows = new Map<string, { readonly began: number; count: number }>();

  /** `now` in milliseconds. */
  constructor(now: () => number, most: number) {
    this.#now = now;
    this.#most = most;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts one request; returns the count, and the milliseconds until the window ends. */
  count(client: string, windowMs: number): { readonly current: number; readonly ttl: number } {
    const now = this.#now();
    const window = this.#current(client, now, windowMs) ?? { began: now, count: 0 };
    window.count += 1;
    this.#windows.delete(client);
    this.#windows.set(client, window);
    this.#trim();
    return { current: window.count, ttl: window.began + windowMs - now };
  }

  /** Setting the clock back ends the window too: nobody is locked out until it has caught up. */
  #current(client: string, now: number, windowMs: number) {
    const window = this.#windows.get(client);
    return window && now >= window.began && now < window.began + windowMs ? window : undefined;
  }

  #trim(): void {
    for (const client of this.#windows.keys()) {
      if (this.#windows.size <= this.#most) return;
      this.#windows.delete(client);
    }
  }
}
