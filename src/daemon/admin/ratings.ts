import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import { Type } from 'typebox';
import { pathId } from '../http/parameters.ts';
import { RatingImportCreation, RatingImportPart } from '../../shared/api/rating.ts';

/** `/admin/ratings`: the state, one domain, and an import in as many requests as it takes. */
export function ratingRoutes(app: FastifyInstance, ratings: DomainRatings): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/ratings', handler: async () => ({ data: await ratings.status() }) });
  routes.route({
    method: 'DELETE',
    url: '/admin/ratings',
    handler: async (_request, reply) => {
      await ratings.clear();
      return reply.code(204).send();
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/ratings/domains/:domain',
    schema: { params: Type.Object({ domain: Type.String() }) },
    handler: async (request) => ({ data: await ratings.show(request.params.domain) }),
  });
  importRoutes(app, ratings);
}

function importRoutes(app: FastifyInstance, ratings: DomainRatings): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports',
    schema: { body: RatingImportCreation },
    handler: async (request, reply) => reply.code(201).send({ data: await ratings.begin(request.body.name) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports/:id/domains',
    schema: { params: pathId, body: RatingImportPart },
    handler: async (request) => ({ data: await ratings.add(request.params.id, request.body) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports/:id/publish',
    schema: { params: pathId },
    handler: async (request) => ({ data: await ratings.publish(request.params.id) }),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/ratings/imports/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await ratings.giveUp(request.params.id);
      return reply.code(204).send();
    },
  });
}
