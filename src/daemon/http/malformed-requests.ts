import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemBody } from '../../shared/api/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bytes of a request's head: Node's own default, named because it is a limit of this API. */
export const HEADER_BYTES = 16 * 1_024;
/** The code for CONNECT, besides those of Node. */
export const NO_PROXY = 'NO_PROXY';
/** Milliseconds a client has to read the refusal and close. Node has no other limit for half-closed sockets. */
const LINGER_MS = 1_000;

/**
 * Answers what the HTTP parser refuses; it never becomes a request, so the response is written by hand. `newest` is the response
 * to the last request that was read from this connection. While a response is pending, nothing may be written before or into
 * it: the client would take the refusal for that response, or for a part of its stream.
 */
export function refuseUnparsed(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  newest: ServerResponse | undefined,
): void {
  // Refused already; further bytes are ignored, because a reset would discard the refusal.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (newest === undefined || isTurnOfRefusal(newest, socket)) refuse(error.code, socket);
  else if (newest.headersSent) socket.destroy();
  else newest.setHeader('connection', 'close');
}

function isTurnOfRefusal(newest: ServerResponse, socket: Socket): boolean {
  // Its own request broke off, and it is the first in the line of answers (the others have no socket yet).
  if (!newest.req.complete) return !newest.headersSent && newest.socket === socket;
  return newest.writableFinished;
}

function refuse(code: string | undefined, socket: Socket): void {
  const { status, message } = sentenceFor(code);
  const body = JSON.stringify({ message } satisfies ProblemBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(linger));
}

function sentenceFor(code: string | undefined): { status: number; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, message: `The request's head is too large. It may have up to ${HEADER_BYTES} bytes.` };
  }
  if (code === NO_PROXY) return { status: 400, message: 'This server is not a proxy: it does not support CONNECT.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'The request took too long to arrive.' };
  return { status: 400, message: 'The request is not valid HTTP.' };
}

/**
 * Refuses requests with an ambiguous head with a 400, and closes the connection (request smuggling: RFC 9112, 3.2, 6.1 and
 * 11.2). A proxy in front of the server may read such a head differently, and see other requests in the bytes that follow; so
 * nothing that follows on the connection is served. Node's parser has already refused heads with two lengths, or with a length
 * and chunks.
 */
export function refuseAmbiguousHeads(app: FastifyInstance): void {
  const refused = new WeakSet<Socket>();
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    // Pipelined behind the refused one, whose answer closes the connection.
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
