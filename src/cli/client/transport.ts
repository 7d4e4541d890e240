import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { exitCode, exitCodeOfStatus } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import type { SshTarget } from './ssh.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { ProblemBody } from '../../shared/api/problem.ts';
import { isDiagnostic, listOf } from './shape.ts';

/**
 * One HTTP request, over the daemon's Unix socket or to a URL, and its answer with the body still flowing. The stream
 * and every other request go through here, so that there is one place that knows how the daemon is reached and how
 * failing to looks. Made of node:http alone: undici and the global `fetch` cost 160 ms at start, and `fetch` cannot
 * open a Unix socket. Redirects are answers like any other: following one would carry the key to another host.
 */
export type Target =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | SshTarget;

export interface Answer {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

interface Request {
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
  // Who speaks to no machine by SSH does not load what does.
  if (target.kind === 'ssh') {
    const { dial } = await import('./ssh.ts');
    options.createConnection = () => dial(target);
    // An agent would make connections of its own.
    delete options.agent;
  }
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
  if (target.kind === 'ssh') return { hint: `check that this works: ${sshLine(target.url)} hydrant --version` };
  if (target.kind === 'url') return { hint: 'check --url or HYDRANT_URL, and that the daemon listens on that address' };
  const code = codeOf(cause);
  if (code === 'EACCES') return { hint: 'run this as the user of the daemon, or give --url <url> and a key' };
  const isDown = code === 'ENOENT' || code === 'ECONNREFUSED';
  return isDown ? { hint: 'it does not appear to be running; start it with: hydrant serve' } : {};
}

/** What somebody types to be on that machine: `ssh -p 2222 me@example.org`. */
export function sshLine(address: string): string {
  const { username, hostname, port } = new URL(address);
  return ['ssh', ...(port === '' ? [] : ['-p', port]), `${username === '' ? '' : `${username}@`}${hostname}`].join(' ');
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Bytes of an answer that is read whole: 50,000 sources are some 30 MB; only the stream is longer. */
const ANSWER_BYTES = 64 * 1_024 * 1_024;
/** Milliseconds that the body of an answer may take. */
const BODY_MS = 30_000;

/** The daemon's no: a status that is not 2xx, with the sentence it gave. */
export class Refused extends Failure {
  override readonly name = 'Refused';
  readonly status: number;
  readonly diagnostics: readonly Diagnostic[];

  constructor(answer: Pick<Answer, 'status' | 'headers'>, body: unknown) {
    const problem = problemOf(body);
    const diagnostics = listOf(isDiagnostic)(problem.diagnostics) ? problem.diagnostics : [];
    const code = diagnostics.length > 0 ? exitCode.no : exitCodeOfStatus(answer.status);
    const field = Object.keys(problem.errors ?? {})[0];
    super(wordOf(answer.status), code, messageOf(answer, problem), {
      ...(field !== undefined && { field }),
      ...hintOf(answer),
    });
    this.status = answer.status;
    this.diagnostics = diagnostics;
  }
}

/** Something answered, and it is no hydrant daemon: a proxy's login page, another service on that port. */
export class NotHydrant extends Failure {
  override readonly name = 'NotHydrant';

  constructor(target: Target, what: string) {
    const at = target.kind === 'socket' ? target.path : target.url;
    super('not_hydrant', exitCode.unreachable, `${at} does not answer like a hydrant daemon: ${what}`, {
      hint: 'check --url or HYDRANT_URL; the address is that of the daemon, without /v1',
    });
  }
}

/** The whole body as JSON; an empty one is `{}`. @throws {NotHydrant} */
export async function readAnswer(answer: Answer, target: Target): Promise<object> {
  const text = await readText(answer, target);
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Falls through: what it is instead is told by its status and type.
  }
  const type = answer.headers['content-type'] ?? 'no content type';
  throw new NotHydrant(target, `status ${answer.status}, ${type}`);
}

async function readText({ body }: Answer, target: Target): Promise<string> {
  const deadline = setTimeout(() => body.destroy(new Error('the answer took too long')), BODY_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) throw new NotHydrant(target, `more than ${ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure || isAbort(error) ? error : new Unreachable(target, error);
  } finally {
    clearTimeout(deadline);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function problemOf(body: unknown): Partial<ProblemBody> {
  return typeof body === 'object' && body !== null ? body : {};
}

function messageOf(answer: Pick<Answer, 'status' | 'headers'>, problem: Partial<ProblemBody>): string {
  if (typeof problem.message === 'string' && problem.message !== '') return problem.message;
  const location = answer.headers['location'];
  if (answer.status >= 300 && answer.status < 400) return `the address redirects to ${location ?? 'nowhere'}`;
  return `the daemon answered ${answer.status}`;
}

function hintOf({ status }: Pick<Answer, 'status'>): { hint?: string } {
  if (status === 401) return { hint: "on the daemon's machine: hydrant key list, hydrant tap token <tap>" };
  if (status >= 300 && status < 400) return { hint: 'give that address with --url' };
  if (status === 500) return { hint: "this is a bug; the daemon's log has the details" };
  return {};
}

const words: Readonly<Record<number, string>> = {
  401: 'unauthenticated',
  402: 'out_of_credit',
  403: 'forbidden',
  404: 'not_found',
  422: 'refused',
  429: 'too_many_requests',
  503: 'unavailable',
};

function wordOf(status: number): string {
  return words[status] ?? `status_${status}`;
}
