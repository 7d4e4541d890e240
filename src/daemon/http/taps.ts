import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Auth } from './auth.ts';
import { pathId } from './path-id.ts';
import { TapChange, TapCreation, type TapCreated } from '../../shared/api/tap.ts';
import type { Taps } from '../taps/taps.ts';

/** `/v1/taps`, for management keys (spec: Tap management). */
export function tapRoutes(app: FastifyInstance, { auth, taps }: { auth: Auth; taps: Taps }): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantManager;

  routes.route({
    method: 'GET',
    url: '/v1/taps',
    onRequest,
    handler: async (request) => ({ data: taps.list(auth.manager(request).organizationId) }),
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
    handler: async (request) => ({ data: taps.get(auth.manager(request).organizationId, request.params.id) }),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/taps/:id',
    onRequest,
    schema: { params: pathId, body: TapChange },
    handler: async (request) => {
      const tap = await taps.change(auth.manager(request).organizationId, request.params.id, request.body);
      return { data: tap };
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
