import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Auth } from './auth.ts';
import { pathId } from './path-id.ts';
import { type Tap, TapChange, TapCreation, type TapCreated } from '../../shared/api/tap.ts';
import type { Taps } from '../taps/taps.ts';

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
    handler: async (request) => ({ data: taps.list(auth.manager(request).organizationId).map(shown) }),
  });
  routes.route({
    method: 'POST',
    url: '/v1/taps',
    onRequest,
    schema: { body: TapCreation },
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
    schema: { params: pathId },
    handler: async (request) => ({ data: shown(taps.get(auth.manager(request).organizationId, request.params.id)) }),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/taps/:id',
    onRequest,
    schema: { params: pathId, body: TapChange },
    handler: async (request) => {
      const tap = await taps.change(auth.manager(request).organizationId, request.params.id, request.body);
      return { data: isLegacy ? without(tap, 'status', 'token') : tap };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/taps/:id',
    onRequest,
    schema: { params: pathId },
    handler: async (request, reply) => {
      await taps.revoke(auth.manager(request).organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
}

function without(tap: Tap, ...names: readonly (keyof Tap)[]): Partial<Tap> {
  return Object.fromEntries(Object.entries(tap).filter(([name]) => !names.includes(name as keyof Tap)));
}
