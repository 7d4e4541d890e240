import { fastifyCors } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { StartFailure } from '../start-failure.ts';

/** Seconds a browser may keep the answer to its preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages of these origins to call the API from a browser. `*` allows every origin, which is safe: browsers never add the
 * Authorization header by themselves. Without origins, no CORS header is sent. Must be called before any route is registered.
 * @throws {StartFailure} for an invalid origin.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  for (const origin of origins) checkOrigin(origin);
  void app.register(fastifyCors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'last-event-id'],
    exposedHeaders: ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-stream-start'],
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
