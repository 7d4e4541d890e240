import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ResponseSink } from './response-sink.ts';
import type { TapHolder } from '../accounts/principal.ts';
import type { Hub } from '../stream/hub.ts';
import { readParameters, type StreamParameters, type StreamQuery, type StreamRequest } from '../stream/request.ts';
import { wireFor } from '../stream/wire.ts';

export interface StreamDeps {
  readonly hub: Hub;
  /** The tap whose token the request carries. @throws Problem `unauthenticated` */
  readonly tapOf: (request: FastifyRequest) => Pick<TapHolder, 'tapId' | 'organizationId'>;
  /** Rules of the tap, armed or not: a paused tap keeps its rules and its stream. */
  readonly ruleCount: (tapId: string) => number;
  /** The token was used. */
  readonly touch: (tapId: string) => void;
}

/**
 * `GET /v1/stream` (spec, Stream). Everything that can be refused is refused before the 200, with a status; what
 * goes wrong after it is an `error` event. HEAD answers what GET would, without a stream. (Node's server has switched
 * Nagle's algorithm off on every socket: a match is a small packet, and waits for no acknowledgement.)
 */
export function streamRoutes(app: FastifyInstance, deps: StreamDeps): void {
  // Before the opening is counted (`rate-limits.ts`): a request that asks for what there is not opens nothing.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    deps.tapOf(request);
    parametersOf(request as FastifyRequest<{ Querystring: StreamQuery }>);
  };

  // Fastify's own HEAD would run the handler of GET, and its stream would stay open without a reader.
  const options = { exposeHeadRoute: false, onRequest };
  app.get<{ Querystring: StreamQuery }>('/v1/stream', options, async (request, reply) => {
    const asked = await read(request, deps);
    // A body has no meaning here, but unread it would hold up its request, which may only last so long.
    request.raw.resume();
    // It may have been revoked while the credit was looked up; from here on, the hub is told.
    deps.tapOf(request);
    deps.touch(asked.tapId);
    await deps.hub.connect(asked, new ResponseSink(reply.raw, headersOf(reply, asked)));
    reply.hijack();
    // One that is not read has an end of its own, and one that says nothing is none.
    reply.raw.setTimeout(0);
    forgetHeaders(request.raw);
  });

  app.head<{ Querystring: StreamQuery }>('/v1/stream', { onRequest }, async (request, reply) => {
    const asked = await read(request, deps);
    reply.hijack();
    reply.raw.writeHead(200, headersOf(reply, asked));
    reply.raw.end();
  });
}

async function read(
  request: FastifyRequest<{ Querystring: StreamQuery }>,
  { hub, tapOf, ruleCount }: StreamDeps,
): Promise<StreamRequest> {
  const { tapId, organizationId } = tapOf(request);
  const parameters = parametersOf(request);
  await hub.admit(organizationId);
  return { ...parameters, tapId, wire: wireFor(request.headers.accept), hasRules: ruleCount(tapId) > 0 };
}

function parametersOf({ query, headers }: FastifyRequest<{ Querystring: StreamQuery }>): StreamParameters {
  const { 'last-event-id': lastEventId } = headers;
  return readParameters(query, Array.isArray(lastEventId) ? lastEventId.join() : lastEventId);
}

/** Node keeps the request as long as its answer lasts: a kilobyte and more of each stream, and its token. */
function forgetHeaders(request: IncomingMessage): void {
  request.headers = {};
  request.rawHeaders = [];
}

/** Around Fastify; what its hooks set for every answer goes out with ours. */
function headersOf(reply: FastifyReply, { wire }: StreamRequest): OutgoingHttpHeaders {
  const given = reply.getHeaders() as OutgoingHttpHeaders;
  const vary = given['vary'] === undefined ? 'Accept' : `${given['vary']}, Accept`;
  return { ...given, 'content-type': wire.contentType, vary, ...HEADERS };
}

const HEADERS = {
  // no-transform: a proxy that compresses would hold frames back until its window is full.
  'cache-control': 'no-cache, no-transform',
  // nginx buffers responses, and reads no other header to learn that it must not.
  'x-accel-buffering': 'no',
} as const;
