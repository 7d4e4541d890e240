import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { pathId } from '../http/path-id.ts';
import {
  type DomainRating,
  type RatingImport,
  RatingImportCreation,
  RatingImportPart,
  type RatingStatus,
} from '../../shared/api/rating.ts';

/** What the operator may do with domain ratings. Refusals are thrown as Problems. */
export interface RatingDesk {
  show(domain: string): Promise<DomainRating>;
  status(): Promise<RatingStatus>;
  begin(name: string): Promise<RatingImport>;
  add(id: string, part: RatingImportPart): Promise<RatingImport>;
  publish(id: string): Promise<RatingStatus>;
  giveUp(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** `/admin/ratings`: the state, one domain, and an import in as many requests as it takes. */
export function ratingRoutes(app: FastifyInstance, ratings: RatingDesk): void {
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

function importRoutes(app: FastifyInstance, ratings: RatingDesk): void {
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
