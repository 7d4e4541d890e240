import type { Socket } from 'node:net';
import { Client } from 'undici';
import { Answer } from './answer.ts';
import { AnswerHeads, readThrough } from './answer-head.ts';
import type { Connect } from './connector.ts';
import { FetchProblem } from './fetch-problem.ts';
import { HEADER_BYTES, HEADERS_MS, IDLE_MS } from './network-error.ts';

/** What is sent: everything else of a request is fixed. */
export interface Request {
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/**
 * The connection to one origin, made when something is asked for. One request at a time. Once the server has closed
 * it, or it has been idle for too long, the next request makes it anew; so what is kept here is of the socket that
 * stands now.
 */
export class Connection {
  readonly origin: string;
  /** The address that it leads to. */
  address = '';
  /** The error, once the server has reset it: undici takes a reset for the end of a body that has no length. */
  reset: Error | undefined;
  readonly #end = new AbortController();
  readonly #client: Client;
  readonly #now: () => number;
  #heads = new AnswerHeads();
  #isOpen = false;
  #served = 0;
  #answer: Answer | undefined;
  #wasKept = false;

  constructor(origin: string, { connect, now, onClosed }: ConnectionOptions) {
    this.origin = origin;
    this.#now = now;
    this.#client = new Client(origin, {
      connect: connect(this.#end.signal, (socket, address) => this.#connected(socket, address)),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_MS,
      keepAliveMaxTimeout: KEEP_MS,
      keepAliveTimeoutThreshold: KEEP_MARGIN_MS,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      bodyTimeout: IDLE_MS,
    });
    this.#client.on('disconnect', () => {
      this.#isOpen = false;
      onClosed();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes of the body that was asked for last. */
  get received(): number {
    return this.#answer?.wireBytes ?? 0;
  }

  /** Ended by us: it makes no more requests. */
  get isDestroyed(): boolean {
    return this.#end.signal.aborted;
  }

  /**
   * Resolves when the head of the answer is there.
   * @throws {FetchProblem} `stale`; else what undici throws.
   */
  async ask(request: Request): Promise<Answer> {
    const answer = this.#send(request);
    try {
      await answer.head;
      return answer;
    } catch (error) {
      if (!this.#wasKept || this.#heads.hasBegun || !isHangUp(error) || this.isDestroyed) throw error;
      // It may have closed the kept connection before it saw the request, which says nothing about the page, or because
      // of it. Made again at once, it would be a second request without a rest.
      throw new FetchProblem('stale', `${new URL(this.origin).host} closed a kept connection`);
    }
  }

  /** Ends it, and what is under way on it, which fails with the reason. */
  async destroy(reason: Error | null = null): Promise<void> {
    this.#end.abort(reason ?? ENDED);
    await this.#client.destroy(reason ?? ENDED);
  }

  #send({ path, headers }: Request): Answer {
    const answer = new Answer((answer) => {
      answer.startedAt = this.#now();
      this.#heads.expect();
      this.#wasKept = this.#served > 0;
      this.#served += 1;
    });
    this.#answer = answer;
    this.#wasKept = false;
    this.#client.dispatch({ path, method: 'GET', headers: [...headers] }, answer);
    return answer;
  }

  #connected(socket: Socket, address: string): void {
    this.#isOpen = true;
    this.#served = 0;
    this.address = address;
    this.reset = undefined;
    this.#heads = new AnswerHeads();
    readThrough(socket, this.#heads);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.reset = error;
    });
  }
}

export interface ConnectionOptions {
  readonly connect: Connect;
  readonly now: () => number;
  /** The socket was closed, by whomever; called each time. */
  readonly onClosed: () => void;
}

/** Made once: a reason of its own for each connection would be an error with its stack each time. */
const ENDED = new Error('the connection was ended');
/** Milliseconds that a connection is kept after an answer, unless its server names a shorter time. */
export const KEEP_MS = 4_000;
/** Taken off what the server names: a request must not meet its closing. */
const KEEP_MARGIN_MS = 1_000;

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UPS.has(String(error.code));
}

const HANG_UPS = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
