import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProblemBody } from '../../shared/api/problem.ts';

/**
 * Refuses, with a 400 and the end of the connection, a request whose head can be read in two ways. A proxy in front of the
 * server may have read it in the other: then the bytes that follow are another request to one of the two than to the other
 * (RFC 9112, 3.2, 6.1 and 11.2). So what follows on the connection is not served. Node's parser has already refused a head
 * with two lengths, or with a length beside chunks.
 */
export function refuseAmbiguousHeads(app: FastifyInstance): void {
  const refused = new WeakSet<Socket>();
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    // Read together with the one that was refused. Its answer closes the connection.
    if (refused.has(socket)) return reply.hijack();
    const message = faultOf(request);
    if (message === undefined) return undefined;
    refused.add(socket);
    return reply
      .code(400)
      .headers({ connection: 'close' })
      .send({ message } satisfies ProblemBody);
  });
}

function faultOf({ raw: { headers, rawHeaders, httpVersion } }: FastifyRequest): string | undefined {
  // Of several, Node keeps the first in `headers`.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host header.';
  if (hosts > 1) return `The request has ${hosts} Host headers; it must have one.`;
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  return 'The Transfer-Encoding header must be "chunked" and nothing else.';
}
