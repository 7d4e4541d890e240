import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Auth } from './auth.ts';
import { pathId } from './requests.ts';
import { Problem } from '../problem.ts';
import type { Watches } from '../watch/watches.ts';
import { CrawlEntry, Watch, WatchChange, WatchCreation } from '../../shared/api/watch.ts';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { WATCH_FREQUENCIES, WATCH_HISTORY_LIMIT } from '../../shared/limits.ts';

/** `/v1/url-watch`, for management keys, each of which acts as the member who made it (spec: URL Watch). */
export function urlWatchRoutes(app: FastifyInstance, { auth, watches }: { auth: Auth; watches: Watches }): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantManager;

  routes.route({
    method: 'GET',
    url: '/v1/url-watch',
    onRequest,
    schema: { doc: docs.list },
    handler: async (request) => ({ data: await watches.list(auth.manager(request), limitIn(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/v1/url-watch',
    onRequest,
    schema: { doc: docs.create, body: WatchCreation },
    handler: async (request, reply) => {
      const { url, frequency_minutes } = request.body;
      const watch = await watches.create(auth.manager(request), { url, frequency_minutes });
      return reply.code(201).send({ data: watch });
    },
  });
  routes.route({
    method: 'GET',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { doc: docs.get, params: pathId },
    handler: async (request) => watches.show(auth.manager(request), request.params.id, limitIn(request)),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { doc: docs.change, params: pathId, body: WatchChange },
    handler: async (request) => {
      return { data: await watches.change(auth.manager(request), request.params.id, request.body) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/url-watch/:id',
    onRequest,
    schema: { doc: docs.remove, params: pathId },
    handler: async (request, reply) => {
      await watches.remove(auth.manager(request), request.params.id);
      return reply.code(204).send();
    },
  });
}

/** Anything but a number is passed on as NaN, which is outside of every range: `Watches` names the range in its refusal. */
function limitIn({ query }: Pick<FastifyRequest, 'query'>): number | undefined {
  const { limit } = query as { readonly limit?: unknown };
  if (limit === undefined) return undefined;
  if (typeof limit !== 'string') {
    throw new Problem('invalid_field', { field: 'limit', message: 'limit may be given once only.' });
  }
  return /^\d{1,15}$/.test(limit) ? Number(limit) : Number.NaN;
}

const noWatch = new Problem('not_found', { resource: 'watch' });
const badLimit = (most: number): Problem =>
  new Problem('invalid_field', { field: 'limit', message: `limit must be a whole number from 1 to ${most}.` });
const noFrequency = new Problem('invalid_field', {
  field: 'frequency_minutes',
  message: `The frequency_minutes field must be one of ${WATCH_FREQUENCIES.join(', ')}.`,
});
const tooFrequent = new Problem('watch_too_frequent', {
  ...ON_FREE,
  limit: 180,
  allowed: WATCH_FREQUENCIES.filter((minutes) => minutes >= 180),
});
const usedUp = new Problem('check_quota_used_up', { ...ON_FREE, limit: 1_000, until: '2026-03-01' });

const watch = {
  id: '6c0f7f5e-3a4e-4c59-9d5b-0d8f3a1c2b10',
  url: 'https://example.org/pricing',
  frequency_minutes: 180,
  status: 'active',
  change_count: 1,
  last_checked_at: '2026-02-27T03:00:00+00:00',
  created_at: '2026-02-27T00:00:00+00:00',
};
const oneWatch = json(Type.Object({ data: Watch }), { data: watch });
const diffs = [
  {
    diff: { hunks: [[{ ctx: ['Plans'] }, { del: ['Starter: 9 a month'], ins: ['Starter: 12 a month'] }]] },
    has_changes: true,
    created_at: '2026-02-27T03:00:00+00:00',
  },
  { diff: null, has_changes: false, created_at: '2026-02-27T00:00:01+00:00' },
];

function limitOf(description: string, more: object): { query: ReturnType<typeof Type.Object> } {
  return { query: Type.Object({ limit: Type.Optional(Type.Integer({ description, minimum: 1, ...more })) }) };
}

const docs = {
  list: {
    id: 'listWatches',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'List the watched URLs of the member',
    description: 'The newest first. A management key acts as the member who made it, and sees no watches of others.',
    ...limitOf('At most this many; up to the plan’s maximum of watched URLs, which is the default.', {}),
    answer: {
      status: 200,
      description: 'The watches.',
      content: json(Type.Object({ data: Type.Array(Watch) }), { data: [watch] }),
    },
    refusals: [badLimit(5)],
  },
  create: {
    id: 'createWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Watch a URL',
    description:
      `It is active, and its first check is due at once. \`frequency_minutes\` is one of ${WATCH_FREQUENCIES.join(', ')}, and ` +
      'not faster than the plan allows. A URL is watched once in an organization, whatever follows a `#` in it.',
    answer: {
      status: 201,
      description: 'The watch.',
      content: json(Type.Object({ data: Watch }), { data: created() }),
    },
    refusals: [
      new Problem('invalid_field', { field: 'url', message: 'The url field is required.' }),
      new Problem('private_address', { url: 'http://10.0.0.1/', detail: '10.0.0.1 is not a public address' }),
      noFrequency,
      tooFrequent,
      new Problem('watches_not_in_plan', { ...ON_FREE, plan: 'API only' }),
      new Problem('watch_limit_reached', { ...ON_FREE, limit: 5 }),
      usedUp,
      new Problem('already_watching', { url: watch.url }),
      new Problem('watched_in_organization', { url: watch.url }),
    ],
  },
  get: {
    id: 'getWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Show a watch and the results of its checks',
    description:
      'Every check is an entry, the newest first. `diff` is null where nothing has changed, and where a check has failed. ' +
      'Entries of an older format have `chunks` in place of `hunks`.',
    ...limitOf('At most this many entries.', {
      maximum: WATCH_HISTORY_LIMIT.most,
      default: WATCH_HISTORY_LIMIT.default,
    }),
    answer: {
      status: 200,
      description: 'The watch, and its entries beside it.',
      content: json(Type.Object({ data: Watch, diffs: Type.Array(CrawlEntry) }), { data: watch, diffs }),
    },
    refusals: [noWatch, badLimit(WATCH_HISTORY_LIMIT.most)],
  },
  change: {
    id: 'changeWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Change the frequency of a watch, pause or resume it',
    description: 'Each field may be sent alone. A watch that is resumed is checked at once.',
    answer: { status: 200, description: 'The changed watch.', content: oneWatch },
    refusals: [noWatch, noFrequency, tooFrequent, usedUp],
  },
  remove: {
    id: 'deleteWatch',
    tag: 'URL Watch',
    key: 'management key',
    summary: 'Stop watching a URL',
    description: 'Deletes its history, too.',
    answer: { status: 204, description: 'The watch is deleted.' },
    refusals: [noWatch],
  },
} as const satisfies Readonly<Record<string, RouteDoc>>;

function created(): object {
  return { ...watch, change_count: 0, last_checked_at: null };
}
