import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Manager } from '../accounts/principal.ts';
import { pathId } from '../http/path-id.ts';
import { answerTo } from '../http/problems.ts';
import { integerIn } from '../http/query-integer.ts';
import { Problem } from '../problem.ts';
import {
  type CheckDetail,
  type CheckReport,
  WatchBatch,
  type WatchBatchReport,
  type WatchComparison,
  WatchEdit,
  type WatchExplanation,
  WatchOrder,
  type WatchReport,
  type WatchVersion,
} from '../../shared/api/watch.ts';
import { WATCH_CHECKS_A_PAGE, WATCHES_REQUEST_BYTES } from '../../shared/limits.ts';

/** What the operator may do with the watches of an organization, whosever. Refusals are thrown as Problems. */
export interface WatchesDesk {
  list(organizationId: string): Promise<WatchReport[]>;
  add(operator: Manager, order: WatchOrder): Promise<WatchReport>;
  addAll(
    operator: Manager,
    orders: WatchBatch['watches'],
  ): Promise<{
    readonly added: readonly WatchReport[];
    readonly untaken: readonly { readonly index: number; readonly url: string; readonly problem: Problem }[];
  }>;
  show(organizationId: string, id: string): Promise<WatchReport>;
  edit(organizationId: string, id: string, edit: WatchEdit): Promise<WatchReport>;
  remove(organizationId: string, id: string): Promise<void>;
  checkNow(organizationId: string, id: string): Promise<{ due_at: string }>;
  checks(organizationId: string, id: string, asked: ChecksAsked): Promise<CheckReport[]>;
  check(organizationId: string, id: string, n: number): Promise<CheckDetail>;
  version(organizationId: string, id: string, n: number): Promise<WatchVersion>;
  comparison(organizationId: string, id: string, from: number, to: number): Promise<WatchComparison>;
  explanation(organizationId: string, id: string): Promise<WatchExplanation>;
  see(organizationId: string, id: string, n: number): Promise<void>;
}

interface ChecksAsked {
  readonly before?: number;
  readonly atMost: number;
  readonly onlyChanges?: boolean;
}

/** The operator, acting for the organization that a request is about. */
type Asking = (request: FastifyRequest) => Manager;

const pathCheck = Type.Object({ id: Type.String(), n: Type.String() });

/** `/admin/watches`: making, seeing and changing them. */
export function watchRoutes(app: FastifyInstance, watches: WatchesDesk, asking: Asking): void {
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

function historyRoutes(app: FastifyInstance, watches: WatchesDesk, asking: Asking): void {
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

function batchReport({ added, untaken }: Awaited<ReturnType<WatchesDesk['addAll']>>): WatchBatchReport {
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

function checksAsked(request: Pick<FastifyRequest, 'query'>): ChecksAsked {
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

/** The number of a check in a path: what is none names none. */
function checkNumber(text: string, resource: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem('not_found', { resource });
}

function queryOf({ query }: Pick<FastifyRequest, 'query'>): Readonly<Record<string, unknown>> {
  return query as Readonly<Record<string, unknown>>;
}
