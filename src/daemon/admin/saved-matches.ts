import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SavedMatches } from '../saved/saved-matches.ts';
import type { Manager } from '../accounts/principal.ts';
import { pathId } from '../http/parameters.ts';
import { SavedMatchCreation, SavedMatchNote, SavedMatchQuestion } from '../../shared/api/saved-match.ts';

/** `/admin/matches`: a match that is saved is a `201`, and a `200` where its address was saved already. */
export function savedMatchRoutes(
  app: FastifyInstance,
  saved: SavedMatches,
  /** The operator, acting for the organization that a request is about. */
  asking: (request: FastifyRequest) => Manager,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/matches',
    schema: { querystring: SavedMatchQuestion },
    handler: async (request) => ({ data: await saved.list(asking(request).organizationId, request.query) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/matches',
    schema: { body: SavedMatchCreation },
    handler: async (request, reply) => {
      const { match, isNew } = await saved.save(asking(request), request.body);
      return reply.code(isNew ? 201 : 200).send({ data: match });
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/matches/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await saved.show(asking(request).organizationId, request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/matches/:id',
    schema: { params: pathId, body: SavedMatchNote },
    handler: async (request) => {
      const { params, body } = request;
      return { data: await saved.note(asking(request).organizationId, params.id, body.note) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/matches/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await saved.remove(asking(request).organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
}
