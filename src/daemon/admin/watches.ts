import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Manager } from '../accounts/keys.ts';
import { integerIn, pathId } from '../http/requests.ts';
import { answerTo } from '../http/problems.ts';
import type { BatchOutcome, ChangesAsked, WatchService } from '../watch/watch-service.ts';
import { Problem } from '../problem.ts';
import { WatchBatch, type WatchBatchReport, WatchEdit, WatchOrder } from '../../shared/api/watch.ts';
import {
  WATCH_CHANGES_A_PAGE,
  WATCH_CHANGES_WAIT_SECONDS,
  WATCH_CHECKS_A_PAGE,
  WATCHES_REQUEST_BYTES,
} from '../../shared/limits.ts';

/** The operator, acting for the organization that a request is about. */
type Asking = (request: FastifyRequest) => Manager;

const pathCheck = Type.Object({ id: Type.String(), n: Type.String() });

/** `/admin/watches`: making, seeing and changing them. */
export function watchRoutes(app: FastifyInstance, watches: WatchService, asking: Asking): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/watches',
    handler: async (request) => ({ data: await watches.list(asking(request).organizationId) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/watches',
    schema: { body: WatchOrder },
    handler: async (request, reply) => reply.code(201).send({ data: await watches.add(asking(request), request.body) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/watches/batch',
    bodyLimit: WATCHES_REQUEST_BYTES,
    schema: { body: WatchBatch },
    handler: async (request) => ({ data: batchReport(await watches.addAll(asking(request), request.body.watches)) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/watches/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await watches.show(asking(request).organizationId, request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/watches/:id',
    schema: { params: pathId, body: WatchEdit },
    handler: async (request) => {
      return { data: await watches.edit(asking(request).organizationId, request.params.id, request.body) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/watches/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await watches.remove(asking(request).organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/watches/:id/check',
    schema: { params: pathId },
    handler: async (request) => ({ data: await watches.checkNow(asking(request).organizationId, request.params.id) }),
  });
  historyRoutes(app, watches, asking);
}

function historyRoutes(app: FastifyInstance, watches: WatchService, asking: Asking): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/watches/:id/checks',
    schema: { params: pathId },
    handler: async (request) => {
      return { data: await watches.checks(asking(request).organizationId, request.params.id, checksAsked(request)) };
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/watches/:id/checks/:n',
    schema: { params: pathCheck },
    handler: async (request) => {
      const { id, n } = request.params;
      return { data: await watches.check(asking(request).organizationId, id, checkNumber(n, 'check')) };
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/watches/:id/versions/:n',
    schema: { params: pathCheck },
    handler: async (request) => {
      const { id, n } = request.params;
      return { data: await watches.version(asking(request).organizationId, id, checkNumber(n, 'version')) };
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/watches/:id/comparison',
    schema: { params: pathId },
    handler: async (request) => {
      const [from, to] = [needed(request, 'from'), needed(request, 'to')];
      return { data: await watches.comparison(asking(request).organizationId, request.params.id, from, to) };
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/watches/:id/explanation',
    schema: { params: pathId },
    handler: async (request) => {
      return { data: await watches.explanation(asking(request).organizationId, request.params.id) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/watches/:id/seen',
    schema: { params: pathId, body: Type.Object({ n: Type.Integer({ minimum: 0 }) }) },
    handler: async (request, reply) => {
      await watches.see(asking(request).organizationId, request.params.id, request.body.n);
      return reply.code(204).send();
    },
  });
}

function batchReport({ added, untaken }: BatchOutcome): WatchBatchReport {
  const isKnown = ({ problem }: (typeof untaken)[number]): boolean => KNOWN.has(problem.code);
  const said = ({ index, url, problem }: (typeof untaken)[number]): WatchBatchReport['known'][number] => ({
    index,
    url,
    message: answerTo(problem).body.message,
  });
  return {
    added,
    known: untaken.filter(isKnown).map(said),
    refused: untaken.filter((one) => !isKnown(one)).map(said),
  };
}

const KNOWN: ReadonlySet<string> = new Set(['already_watching', 'watched_in_organization']);

function checksAsked(request: Pick<FastifyRequest, 'query'>): Parameters<WatchService['checks']>[2] {
  const query = queryOf(request);
  const before = integerIn(query, 'before', { least: 1 });
  const { most, default: standard } = WATCH_CHECKS_A_PAGE;
  const atMost = integerIn(query, 'limit', { least: 1, most }) ?? standard;
  return { atMost, onlyChanges: query['changes'] === 'true', ...(before !== undefined && { before }) };
}

function needed(request: Pick<FastifyRequest, 'query'>, field: string): number {
  const value = integerIn(queryOf(request), field, { least: 1 });
  if (value !== undefined) return value;
  throw new Problem('invalid_field', { field, message: `The ${field} parameter is required.` });
}

/** The number of a check in a path; anything else is a 404. */
function checkNumber(text: string, resource: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem('not_found', { resource });
}

function queryOf({ query }: Pick<FastifyRequest, 'query'>): Readonly<Record<string, unknown>> {
  return query as Readonly<Record<string, unknown>>;
}

/**
 * `GET /admin/watch-changes`: changes after a cursor, oldest first, or the newest ones. `wait` makes it a long poll: where
 * there is no change yet, the answer comes with the next one, or empty after so many seconds.
 */
export function watchChangesRoute(
  app: FastifyInstance,
  watches: WatchService,
  /** The organization that a request is about. */
  idOf: (request: FastifyRequest) => string,
): void {
  app.addHook('preClose', async () => watches.close());
  app.route({
    method: 'GET',
    url: '/admin/watch-changes',
    handler: async (request, reply) => {
      return { data: await watches.changes(idOf(request), askedIn(request), goneWith(reply)) };
    },
  });
}

function askedIn(request: FastifyRequest): ChangesAsked {
  const query = request.query as Readonly<Record<string, unknown>>;
  const { most, default: standard } = WATCH_CHANGES_A_PAGE;
  const isNewest = query['newest'] === 'true';
  const seconds = integerIn(query, 'wait', { least: 0, most: WATCH_CHANGES_WAIT_SECONDS }) ?? 0;
  if (isNewest && seconds > 0) {
    throw new Problem('invalid_field', { field: 'wait', message: 'wait and newest cannot be combined.' });
  }
  const { watch } = query;
  return {
    after: integerIn(query, 'after', { least: 0 }) ?? 0,
    atMost: integerIn(query, 'limit', { least: 1, most }) ?? standard,
    isNewest,
    waitMs: seconds * 1_000,
    ...(typeof watch === 'string' && { watchId: watch }),
  };
}

/** Aborted when the client disconnects or has its answer, so that a long poll does not outlive it. */
function goneWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
