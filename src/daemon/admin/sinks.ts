import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Manager } from '../accounts/keys.ts';
import { integerIn } from '../http/requests.ts';
import type { Sinks } from '../notify/sinks.ts';
import { SinkChange, SinkCreation, SinkReplay } from '../../shared/api/notify.ts';
import { SINK_ENTRIES_A_PAGE, SINK_REQUEST_BYTES } from '../../shared/limits.ts';

const path = Type.Object({ sink: Type.String() });

/** `/admin/sinks`: `src/shared/api/notify.ts` has the table of them. `asking`: the operator, for the organization that is meant. */
export function sinkRoutes(app: FastifyInstance, sinks: Sinks, asking: (request: FastifyRequest) => Manager): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const idOf = (request: FastifyRequest): string => asking(request).organizationId;

  routes.route({ method: 'GET', url: '/admin/sink-kinds', handler: async () => ({ data: await sinks.kinds() }) });
  routes.route({
    method: 'GET',
    url: '/admin/sinks',
    handler: async (request) => ({ data: await sinks.list(idOf(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/sinks',
    bodyLimit: SINK_REQUEST_BYTES,
    schema: { body: SinkCreation },
    handler: async (request, reply) => reply.code(201).send({ data: await sinks.add(asking(request), request.body) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/sinks/:sink',
    schema: { params: path },
    handler: async (request) => ({ data: await sinks.show(idOf(request), request.params.sink) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/sinks/:sink',
    bodyLimit: SINK_REQUEST_BYTES,
    schema: { params: path, body: SinkChange },
    handler: async (request) => ({ data: await sinks.edit(idOf(request), request.params.sink, request.body) }),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/sinks/:sink',
    schema: { params: path },
    handler: async (request, reply) => {
      await sinks.remove(idOf(request), request.params.sink);
      return reply.code(204).send();
    },
  });
  actionRoutes(app, sinks, idOf);
}

function actionRoutes(app: FastifyInstance, sinks: Sinks, idOf: (request: FastifyRequest) => string): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  for (const action of ['test', 'pause', 'resume'] as const) {
    routes.route({
      method: 'POST',
      url: `/admin/sinks/:sink/${action}`,
      schema: { params: path },
      handler: async (request) => ({ data: await sinks[action](idOf(request), request.params.sink) }),
    });
  }
  routes.route({
    method: 'POST',
    url: '/admin/sinks/:sink/replay',
    schema: { params: path, body: SinkReplay },
    handler: async (request) => ({ data: await sinks.replay(idOf(request), request.params.sink, request.body) }),
  });
  for (const list of ['log', 'parked'] as const) {
    routes.route({
      method: 'GET',
      url: `/admin/sinks/:sink/${list}`,
      schema: { params: path },
      handler: async (request) => ({ data: await sinks[list](idOf(request), request.params.sink, pageOf(request)) }),
    });
  }
}

/** `?limit=&before=`. */
function pageOf(request: FastifyRequest): { readonly before?: number; readonly atMost: number } {
  const query = request.query as Record<string, unknown>;
  const { most, default: usual } = SINK_ENTRIES_A_PAGE;
  const before = integerIn(query, 'before', { least: 1 });
  const atMost = integerIn(query, 'limit', { least: 1, most }) ?? usual;
  return { atMost, ...(before !== undefined && { before }) };
}
