import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemBody } from '../../shared/api/problem.ts';

/** Bytes of a request's head: Node's own default, named because it is a limit of this API. */
export const HEADER_BYTES = 16 * 1_024;
/** What a CONNECT is refused with, beside the codes of Node. */
export const NO_PROXY = 'NO_PROXY';
/** Milliseconds a client has to read its refusal and hang up. Half-closed sockets have no other limit in Node. */
const LINGER_MS = 1_000;

/**
 * What the HTTP parser refuses never becomes a request: the answer is written by hand. `newest` is the answer to the
 * last request of this connection that was read. While one is owed nothing may be written before it or into it: the
 * client would take our refusal for the answer, or for a piece of its stream.
 */
export function refuseUnparsed(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  newest: ServerResponse | undefined,
): void {
  // Refused already; what still comes is let go, because a reset would take the refusal with it.
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
  if (code === NO_PROXY) return { status: 400, message: 'CONNECT is for proxies, and this is none.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'The request took too long to arrive.' };
  return { status: 400, message: 'This is not an HTTP request that can be read.' };
}
