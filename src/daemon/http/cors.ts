import { fastifyCors } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { StartFailure } from '../start-failure.ts';

/** Seconds a browser may keep the answer to its preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins call the API from a browser, which nothing else may. `*` is any origin: keys travel in a
 * header that no browser adds by itself, so that there is nothing for a foreign page to ride on. Without origins nothing
 * is registered and no header is sent. Has to be called before any route is registered.
 * @throws {StartFailure} for what is no origin.
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
    // An OPTIONS that is no preflight is no mistake either.
    strictPreflight: false,
  });
}

function checkOrigin(origin: string): void {
  if (origin === '*' || URL.parse(origin)?.origin === origin) return;
  const what = `cors-origins has ${JSON.stringify(origin)}, which is no origin`;
  throw new StartFailure('configuration', `${what}; write it as https://app.example.org, without a path`);
}
