import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Auth } from './auth.ts';
import { pathId } from './requests.ts';
import { Tap, TapChange, TapCreated, TapCreation } from '../../shared/api/tap.ts';
import type { Taps } from '../taps/taps.ts';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { Problem } from '../problem.ts';

export interface TapDeps {
  readonly auth: Auth;
  readonly taps: Taps;
  /** Without `status`, and in the answer to PUT without `token`: clients of the older API refuse what they do not know. */
  readonly isLegacy?: boolean | undefined;
}

/** `/v1/taps`, for management keys (spec: Tap management). */
export function tapRoutes(app: FastifyInstance, { auth, taps, isLegacy = false }: TapDeps): void {
  const shown = (tap: Tap): Partial<Tap> => (isLegacy ? without(tap, 'status') : tap);
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantManager;

  routes.route({
    method: 'GET',
    url: '/v1/taps',
    onRequest,
    schema: { doc: docs.list },
    handler: async (request) => ({ data: taps.list(auth.manager(request).organizationId).map(shown) }),
  });
  routes.route({
    method: 'POST',
    url: '/v1/taps',
    onRequest,
    schema: { doc: docs.create, body: TapCreation },
    handler: async (request, reply) => {
      const tap = await taps.create(auth.manager(request).organizationId, request.body.name);
      const { id, name, token_prefix, created_at, token } = tap;
      return reply.code(201).send({ data: { id, name, token_prefix, created_at }, token } satisfies TapCreated);
    },
  });
  routes.route({
    method: 'GET',
    url: '/v1/taps/:id',
    onRequest,
    schema: { doc: docs.get, params: pathId },
    handler: async (request) => ({ data: shown(taps.get(auth.manager(request).organizationId, request.params.id)) }),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/taps/:id',
    onRequest,
    schema: { doc: docs.change, params: pathId, body: TapChange },
    handler: async (request) => {
      const tap = await taps.change(auth.manager(request).organizationId, request.params.id, request.body);
      return { data: isLegacy ? without(tap, 'status', 'token') : tap };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/taps/:id',
    onRequest,
    schema: { doc: docs.revoke, params: pathId },
    handler: async (request, reply) => {
      await taps.revoke(auth.manager(request).organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
}

function without(tap: Tap, ...names: readonly (keyof Tap)[]): Partial<Tap> {
  return Object.fromEntries(Object.entries(tap).filter(([name]) => !names.includes(name as keyof Tap)));
}

const noTap = new Problem('not_found', { resource: 'tap' });
const theirTap = new Problem('forbidden', { resource: 'tap' });
const badName = new Problem('invalid_field', { field: 'name', message: 'The name field is required.' });
const noRoom = new Problem('tap_limit_reached', { ...ON_FREE, limit: 1 });

const tap = {
  id: '0f5ad3a1-3f6c-4e0b-9b3a-5f1f6a1f2f10',
  name: 'news',
  status: 'active',
  token: `svc_${'A1b2C3d4'.repeat(5)}`,
  token_prefix: 'svc_A1b2',
  rules_count: 2,
  last_used_at: null,
  created_at: '2026-02-27T00:00:00+00:00',
};
const { id, name, token_prefix, created_at, token } = tap;
const oneTap = json(Type.Object({ data: Tap }), { data: tap });

const docs = {
  list: {
    id: 'listTaps',
    tag: 'Taps',
    key: 'management key',
    summary: 'List the taps of the organization',
    description: 'Each tap includes its full token.',
    answer: {
      status: 200,
      description: 'All taps.',
      content: json(Type.Object({ data: Type.Array(Tap) }), { data: [tap] }),
    },
  },
  create: {
    id: 'createTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Create a tap',
    description: 'It is active, and counts toward the plan’s limit of active taps.',
    answer: {
      status: 201,
      description: 'The tap and its token.',
      content: json(TapCreated, { data: { id, name, token_prefix, created_at }, token }),
    },
    refusals: [badName, noRoom],
  },
  get: {
    id: 'getTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Show a tap',
    answer: { status: 200, description: 'The tap, including its token.', content: oneTap },
    refusals: [theirTap, noTap],
  },
  change: {
    id: 'changeTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Rename, pause or resume a tap',
    description:
      'Each field may be sent alone. A paused tap keeps its rules and its token, and matches nothing; it does not count ' +
      'toward the limit of active taps.',
    answer: { status: 200, description: 'The changed tap.', content: oneTap },
    refusals: [theirTap, noTap, badName, noRoom],
  },
  revoke: {
    id: 'revokeTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Revoke a tap',
    description: 'Deletes its rules, ends its open streams at once and makes its token invalid.',
    answer: { status: 204, description: 'The tap is revoked.' },
    refusals: [theirTap, noTap],
  },
} as const satisfies Readonly<Record<string, RouteDoc>>;
