import type { FastifyInstance } from 'fastify';
import { createApp } from '../http/app.ts';
import { limitConnections } from '../http/connection-limit.ts';
import { IDLE_CONNECTION_MS, METRICS_CONNECTIONS } from '../../shared/limits.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { StartFailure } from '../start-failure.ts';

/** `GET /metrics`, as Prometheus reads it. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.route({
    method: 'GET',
    url: '/metrics',
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
}

/** The same for the network: a server that has this one route, since nothing else of the operator's may be there. */
export function createMetricsServer(metrics: Metrics, log: Pick<Log, 'error'>): FastifyInstance {
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
  throw new StartFailure('configuration', `${what}; write it as 127.0.0.1:9464`);
}
