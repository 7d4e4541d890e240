import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { pathId } from '../http/path-id.ts';
import {
  type Source,
  SourceBatch,
  type SourceBatchReport,
  SourceChange,
  SourceCreation,
} from '../../shared/api/source.ts';
import { SOURCES_REQUEST_BYTES } from '../../shared/limits.ts';

/** What the operator may do with sources. Refusals are thrown as Problems. */
export interface SourceDesk {
  list(): Promise<Source[]>;
  show(id: string): Promise<Source>;
  add(creation: SourceCreation): Promise<Source>;
  addAll(creations: SourceBatch['sources']): Promise<SourceBatchReport>;
  edit(id: string, change: SourceChange): Promise<Source>;
  remove(id: string): Promise<void>;
}

/** `/admin/sources`: where the crawl starts, one by one or in lists. */
export function sourceRoutes(app: FastifyInstance, sources: SourceDesk): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/sources', handler: async () => ({ data: await sources.list() }) });
  routes.route({
    method: 'POST',
    url: '/admin/sources',
    schema: { body: SourceCreation },
    handler: async (request, reply) => reply.code(201).send({ data: await sources.add(request.body) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/sources/batch',
    bodyLimit: SOURCES_REQUEST_BYTES,
    schema: { body: SourceBatch },
    handler: async (request) => ({ data: await sources.addAll(request.body.sources) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/sources/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await sources.show(request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/sources/:id',
    schema: { params: pathId, body: SourceChange },
    handler: async (request) => ({ data: await sources.edit(request.params.id, request.body) }),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/sources/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await sources.remove(request.params.id);
      return reply.code(204).send();
    },
  });
}
