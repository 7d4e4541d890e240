import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { AddressGuard, OPENABLE_NETWORKS } from './address-guard.ts';
import { Answer, headerOf, timesOf } from './answer.ts';
import { readStart } from './body.ts';
import { type Connect, guardedConnector } from './connector.ts';
import { FetchProblem } from './fetched.ts';
import type { Resolve } from './names.ts';
import { HEADER_BYTES, networkProblem } from './network-error.ts';
import { URL_LENGTH } from '../../shared/limits.ts';

/**
 * Sends one request to an address that the operator has named, and reads the beginning of what comes back; or connects to one.
 * Every connection is judged where it is made, as those of the crawl are, by a guard of its own: the operator's networks are
 * open, since what he names is his to reach, and the metadata services of clouds are closed whatever name or form they come
 * by, since a name that he trusts may turn to them.
 *
 * No redirect is followed: it would carry a secret to somebody else. A connection is made for each request and closed behind it,
 * as messages are rare.
 */
export class Sender {
  readonly #connect: Connect;
  readonly #userAgent: string;
  readonly #now: () => number;

  constructor({ userAgent, resolve, now }: SenderOptions) {
    this.#connect = guardedConnector(new AddressGuard({ allowPrivate: OPENABLE_NETWORKS }), resolve);
    this.#userAgent = userAgent;
    this.#now = now;
  }

  /**
   * Resolves whatever the status of the answer is. An answer whose head came, and whose body did not, is one with a shorter body.
   * @throws {FetchProblem} there is no answer
   * @throws the reason of the signal
   */
  async send(request: Outgoing, signal: AbortSignal): Promise<Reply> {
    const url = sendable(request.url);
    signal.throwIfAborted();
    const end = new AbortController();
    const client = new Client(url.origin, {
      connect: this.#connect(end.signal, () => undefined),
      allowH2: false,
      maxHeaderSize: HEADER_BYTES,
      // Who calls has one deadline for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const hangUp = (): void => {
      end.abort(signal.reason);
      void client.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', hangUp, { once: true });
    const answer = new Answer(() => undefined);
    try {
      const { method, body, headers } = request;
      const named = Object.entries({ ...headers, 'user-agent': this.#userAgent }).flat();
      client.dispatch({ path: url.pathname + url.search, method, headers: named, body }, answer);
      const head = await answer.head;
      const { retryAfterMs } = timesOf(head.headers, this.#now());
      const text = await beginningOf(answer, headerOf(head.headers, 'content-encoding'), request.mostBytes);
      return { status: head.status, body: text, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    } catch (error) {
      throw signal.aborted ? signal.reason : (networkProblem(error, url, false) ?? error);
    } finally {
      signal.removeEventListener('abort', hangUp);
      end.abort();
      void client.destroy();
    }
  }

  /**
   * A TCP connection, which is the caller's.
   * @throws {FetchProblem} there is none
   * @throws the reason of the signal
   */
  async connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const to = { hostname: host, host, protocol: 'http:', port: String(port) };
    return new Promise((resolve, reject) => {
      this.#connect(signal, () => undefined)(to, (...[error, socket]) => {
        if (socket) resolve(socket);
        else reject(signal.aborted ? signal.reason : (networkProblem(error, named(host, port)) ?? error));
      });
    });
  }
}

export interface SenderOptions {
  readonly userAgent: string;
  readonly resolve: Resolve;
  readonly now: () => number;
}

interface Outgoing {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the body of the answer, decoded: more is not read. */
  readonly mostBytes: number;
}

interface Reply {
  readonly status: number;
  /** Retry-After, milliseconds from now on; at most a day. */
  readonly retryAfterMs?: number;
  readonly body: string;
}

/** @throws {FetchProblem} of an address that no request is made to */
function sendable(text: string): URL {
  const url = text.length > URL_LENGTH ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new FetchProblem('bad_url', 'the address is no http or https URL');
  if (url.username !== '' || url.password !== '') {
    throw new FetchProblem('bad_url', 'the address carries a user name or password, which belong elsewhere');
  }
  return url;
}

/** What errors call the host. */
function named(host: string, port: number): URL {
  return (
    URL.parse(`http://${host}:${port}/`) ?? URL.parse(`http://[${host}]:${port}/`) ?? new URL('http://host.invalid/')
  );
}

/** As far as it can be read: the head has said what there is to say. */
async function beginningOf(answer: Answer, contentEncoding: string, most: number): Promise<string> {
  try {
    const bytes = await readStart(answer, { contentEncoding, contentLength: '' }, { ...LIMITS, bytes: most });
    return new TextDecoder().decode(bytes, { stream: true });
  } catch {
    return '';
  }
}

const LIMITS = { name: 'the answer', unpacks: false };
