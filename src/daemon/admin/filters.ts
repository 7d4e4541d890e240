import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathId } from '../http/path-id.ts';
import {
  type Filter,
  FilterChange,
  FilterCreation,
  type FilterSaved,
  type FilterUse,
} from '../../shared/api/filter.ts';

/** What the operator may do with the saved filters of an organization. Refusals are thrown as Problems. */
export interface FilterDesk {
  list(organizationId: string): Filter[];
  show(organizationId: string, wanted: string): Filter;
  uses(organizationId: string, wanted: string): FilterUse[];
  add(organizationId: string, creation: FilterCreation): Promise<FilterSaved>;
  change(organizationId: string, wanted: string, change: FilterChange): Promise<FilterSaved>;
  remove(organizationId: string, wanted: string): Promise<void>;
}

/** `/admin/filters`: `:id` is an id, a name or the beginning of an id. */
export function filterRoutes(
  app: FastifyInstance,
  filters: FilterDesk,
  /** The organization that a request is about. */
  idOf: (request: FastifyRequest) => string,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/filters',
    handler: async (request) => ({ data: filters.list(idOf(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/filters',
    schema: { body: FilterCreation },
    handler: async (request, reply) => reply.code(201).send(await filters.add(idOf(request), request.body)),
  });
  routes.route({
    method: 'GET',
    url: '/admin/filters/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: filters.show(idOf(request), request.params.id) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/filters/:id/uses',
    schema: { params: pathId },
    handler: async (request) => ({ data: filters.uses(idOf(request), request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/filters/:id',
    schema: { params: pathId, body: FilterChange },
    handler: async (request) => filters.change(idOf(request), request.params.id, request.body),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/filters/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await filters.remove(idOf(request), request.params.id);
      return reply.code(204).send();
    },
  });
}
