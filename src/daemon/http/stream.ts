import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Hub } from '../stream/hub.ts';
import { readParameters, type StreamQuery, type StreamRequest } from '../stream/request.ts';
import type { Sink } from '../stream/connection.ts';
import { formatStart } from '../stream/start.ts';

export interface StreamDeps {
  readonly hub: Hub;
  /** The tap whose token the request carries. @throws Problem `unauthenticated` */
  readonly tapOf: (request: FastifyRequest) => { readonly id: string };
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
  // Fastify's own HEAD would run the handler of GET, and its stream would stay open without a reader.
  app.get<{ Querystring: StreamQuery }>('/v1/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const asked = read(request, deps);
    // A body has no meaning here, but unread it would hold up its request, which may only last so long.
    request.raw.resume();
    deps.touch(asked.tapId);
    await deps.hub.connect(asked, toSink(reply));
    reply.hijack();
  });

  app.head<{ Querystring: StreamQuery }>('/v1/stream', async (request, reply) => {
    read(request, deps);
    reply.hijack();
    writeHead(reply, HEADERS);
    reply.raw.end();
  });
}

function read(request: FastifyRequest<{ Querystring: StreamQuery }>, deps: StreamDeps): StreamRequest {
  const { id: tapId } = deps.tapOf(request);
  const lastEventId = request.headers['last-event-id'];
  const parameters = readParameters(request.query, Array.isArray(lastEventId) ? lastEventId.join() : lastEventId);
  return { ...parameters, tapId, hasRules: deps.ruleCount(tapId) > 0 };
}

function toSink(reply: FastifyReply): Sink {
  const response = reply.raw;
  // A client that resets its connection is no fault of ours; 'close' follows and cleans up.
  response.on('error', () => {});
  return {
    begin: (start) => writeHead(reply, { ...HEADERS, 'x-stream-start': formatStart(start) }),
    write: (chunk) => response.write(chunk),
    onDrain: (listener) => response.on('drain', listener),
    onClose: (listener) => {
      if (response.closed || response.destroyed) listener();
      else response.once('close', listener);
    },
    get buffered() {
      return response.writableLength;
    },
    end: () => response.end(),
    destroy: () => response.destroy(),
  };
}

/** Around Fastify, which would add a charset; what its hooks set for every answer goes out with it. */
function writeHead(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200, headers);
}

const HEADERS = {
  // Exactly this: some clients compare the whole value, and the standard fixes the encoding anyway.
  'content-type': 'text/event-stream',
  // no-transform: a proxy that compresses would hold frames back until its window is full.
  'cache-control': 'no-cache, no-transform',
  // nginx buffers responses, and reads no other header to learn that it must not.
  'x-accel-buffering': 'no',
} as const;
