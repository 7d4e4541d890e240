import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ProblemBody } from '../../shared/api/problem.ts';
import { REQUEST_BYTES } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

/*
 * What comes in, before a route's handler reads it: the head, the body, and what every route's parameters share.
 */

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

/**
 * Reads every body as JSON, whatever its Content-Type: the API has no other format, and clients send no Content-Type, that of a
 * form, or a misspelt one. An empty body is an empty object, so that the refusal names the missing fields, and a `DELETE` with
 * `application/json` and no body is accepted.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify answers 415 to a header it cannot parse before it asks any parser. Without the header it asks ours.
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'];
  });
  boundFraming(app);
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_BYTES } as const;
  app.addContentTypeParser('*', options, async (_request: FastifyRequest, bytes: Buffer) => parse(bytes));
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

/**
 * Chunks of one byte, each with a meaningless extension of a kilobyte, occupy the HTTP parser for seconds before they reach the
 * body limit. A connection with so much overhead is closed without an answer.
 */
function boundFraming(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw, routeOptions: { bodyLimit } }, _reply, payload) => {
    if (raw.headers['transfer-encoding'] === undefined) return payload;
    const { socket } = raw;
    const most = socket.bytesRead + FRAMING * bodyLimit + READ_BYTES;
    // The body parser resumes the stream; adding a listener alone would start it too early.
    raw.pause();
    raw.on('data', () => {
      if (socket.bytesRead > most) socket.destroy();
    });
    return payload;
  });
}

/** Bytes on the wire per byte of the body: allows a chunk for every three bytes. */
const FRAMING = 3;
/** What Node reads at once: it may belong to the next request. */
const READ_BYTES = 64 * 1_024;

function parse(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 says what it met and where: "… in JSON at position 9 (line 1 column 10)".
    throw new Problem('malformed_body', { detail: error instanceof Error ? error.message : 'it cannot be read' });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_body', { detail: 'it is not UTF-8' });
  }
}

/** A parameter of a query that is a whole number; undefined where it is not given. @throws {Problem} invalid_field */
export function integerIn(
  query: Readonly<Record<string, unknown>>,
  field: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new Problem('invalid_field', { field, message: `${field} must be a whole number ${range}.` });
}

/** `:id` of a path. Any text passes: what is no id of ours is a 404 of its resource, not a 422. */
export const pathId = Type.Object({ id: Type.String() });
