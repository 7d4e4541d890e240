import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';

/**
 * One HTTP request, over the daemon's Unix socket or to a URL, and its answer with the body still flowing. The stream
 * and every other request go through here, so that there is one place that knows how the daemon is reached and how
 * failing to looks. Made of node:http alone: undici and the global `fetch` cost 160 ms at start, and `fetch` cannot
 * open a Unix socket. Redirects are answers like any other: following one would carry the key to another host.
 */
export type Target =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

export interface Answer {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface Request {
  readonly method: string;
  /** From the root, with its query: `/v1/stream?limit=1`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** Milliseconds until the status line: a daemon that is alive answers at once, a black hole never does. */
const ANSWER_MS = 30_000;

/** No answer came: nothing listens, the name is unknown, the certificate is wrong, or it took too long. */
export class Unreachable extends Failure {
  override readonly name = 'Unreachable';
  readonly target: Target;

  constructor(target: Target, cause: unknown) {
    super('unreachable', exitCode.unreachable, sentence(target, cause), { cause, ...fix(target, cause) });
    this.target = target;
  }
}

/** Sends a request and answers with the head of the response. @throws {Unreachable}; the signal's reason on abort. */
export async function send(target: Target, request: Request): Promise<Answer> {
  const { url, options } = where(target, request);
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const outgoing = open(url, options, (incoming) => {
      clearTimeout(deadline);
      resolve({ status: incoming.statusCode ?? 0, headers: joined(incoming), body: incoming });
    });
    const deadline = setTimeout(() => {
      outgoing.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`));
    }, ANSWER_MS);
    outgoing.on('error', (error) => {
      clearTimeout(deadline);
      const aborted = request.signal?.aborted === true;
      reject(aborted ? error : new Unreachable(target, error));
    });
    outgoing.end(request.body);
  });
}

function where(target: Target, request: Request): { url: URL; options: RequestOptions } {
  const base = target.kind === 'url' ? target.url.replace(/\/+$/, '') : 'http://localhost';
  const body = request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) };
  return {
    url: new URL(base + request.path),
    options: {
      method: request.method,
      headers: { ...request.headers, ...body },
      // One connection a request: a kept socket of a shared agent can be closed by the daemon just as we reuse it.
      agent: false,
      ...(target.kind === 'socket' && { socketPath: target.path }),
      ...(request.signal && { signal: request.signal }),
    },
  };
}

function joined(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  );
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was reset',
  ENOENT: 'the socket does not exist',
  EACCES: 'it belongs to another user',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name service does not answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
};

function sentence(target: Target, cause: unknown): string {
  const code = codeOf(cause);
  const reason = reasons[code] ?? (cause instanceof Error && cause.message !== '' ? cause.message : code);
  const at = target.kind === 'socket' ? target.path : target.url;
  return `cannot reach the daemon at ${at}: ${reason}`;
}

function fix(target: Target, cause: unknown): { hint?: string } {
  if (target.kind === 'url') return { hint: 'check --url or HYDRANT_URL, and that the daemon listens on that address' };
  const code = codeOf(cause);
  if (code === 'EACCES') return { hint: 'run this as the user of the daemon, or give --url <url> and a key' };
  const isDown = code === 'ENOENT' || code === 'ECONNREFUSED';
  return isDown ? { hint: 'it does not appear to be running; start it with: hydrant serve' } : {};
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
