import { isIP } from 'node:net';
import {
  fastifyRateLimit,
  type errorResponseBuilderContext,
  type FastifyRateLimitStore,
  normalizeIP,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';
import { RequestCounts } from './request-counts.ts';
import { COUNTED_CLIENTS, RULES_REQUESTS_A_MINUTE, STREAM_OPENINGS_A_MINUTE } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

const MINUTE_MS = 60_000;

interface RateLimit {
  /** Routes that are counted together; also what the sentence of a refusal names. */
  readonly group: string;
  readonly max: number;
  readonly clientOf: (request: FastifyRequest) => string;
  /** What the operator sets the number with. */
  readonly setting?: string;
}

/**
 * How often a client may ask (spec, Limits). A tap is counted by its id, after its token was checked: a stranger cannot
 * spend a tap's requests, nor fill the table that they are counted in. Where no key is needed the address is counted, an
 * IPv6 client by its /64, which is what one household gets. Taps and addresses have a table each. The refusal is ours;
 * headers and order of hooks are the package's.
 *
 * Has to be called before any route is registered.
 */
export function limitRates(
  app: FastifyInstance,
  { auth, now, publicValidateRate }: { auth: Auth; now: () => number; publicValidateRate: number },
): void {
  const byTap = (request: FastifyRequest): string => auth.tap(request).tapId;
  const rules: RateLimit = { group: '/v1/rules', max: RULES_REQUESTS_A_MINUTE, clientOf: byTap };
  const limits: Readonly<Record<string, RateLimit>> = {
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
    store: storeOver(new RequestCounts(now, COUNTED_CLIENTS), new RequestCounts(now, COUNTED_CLIENTS)),
  });
}

/** The package asks for a class, and for a child of it for each route. */
function storeOver(taps: RequestCounts, addresses: RequestCounts) {
  const counting = (counts: RequestCounts): FastifyRateLimitStore['incr'] => {
    return (client, answer, windowMs) => answer(null, counts.count(client, windowMs));
  };
  return class implements FastifyRateLimitStore {
    readonly incr = counting(taps);

    child(route: object): FastifyRateLimitStore {
      const isOfAddresses = 'keyGenerator' in route && route.keyGenerator === addressOf;
      return { incr: counting(isOfAddresses ? addresses : taps), child: () => this };
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

/** What a trusted proxy forwards may be anything; what is no address counts as the proxy's own. */
function addressOf(request: FastifyRequest): string {
  const { ip, socket } = request;
  return normalizeIP(isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip, 64);
}
