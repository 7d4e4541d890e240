import type { Dispatcher } from 'undici';
import type { Chunks } from './content-encoding.ts';
import { FetchProblem } from './fetch-problem.ts';

export type Headers = Record<string, string | string[] | undefined>;

/** The status line and headers of an answer. */
export interface Head {
  readonly status: number;
  /** The reason phrase, as the server wrote it. */
  readonly phrase: string;
  readonly headers: Headers;
  /** Names and values in turn, as they came. */
  readonly raw: readonly (Buffer | string)[];
}

/**
 * One answer as it comes in: the head when it is complete, then the chunks of the body, which are taken as fast as
 * they are asked for. Written against undici's dispatch and not its `request`, whose body is a Node stream: a third of
 * what fetching a short page costs.
 */
export class Answer implements Dispatcher.DispatchHandler, Chunks {
  readonly head: Promise<Head>;
  /** Milliseconds since 1970 at which the request was sent; 0 before. */
  startedAt = 0;
  /** Bytes of the body so far. */
  wireBytes = 0;
  readonly #onStart: (answer: Answer) => void;
  readonly #settled = Promise.withResolvers<Head>();
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #informational = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  /** Bytes that may still be thrown away; undefined while they are wanted. */
  #discard: number | undefined;

  constructor(onStart: (answer: Answer) => void) {
    this.#onStart = onStart;
    this.head = this.#settled.promise;
    // Who called it off may not wait for it any more.
    this.head.catch(() => undefined);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#onStart(this);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers, phrase = ''): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > MOST_INFORMATIONAL) controller.abort(flood());
      return;
    }
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    this.#settled.resolve({ status, phrase, headers, raw });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.wireBytes += chunk.length;
    if (this.#discard !== undefined) {
      this.#discard -= chunk.length;
      if (this.#discard < 0) this.#stir();
      return;
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MOST_WAITING) controller.pause();
    this.#stir();
  }

  onResponseEnd(): void {
    this.#state = 'ended';
    this.#stir();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#state = 'failed';
    this.#error = error;
    this.#settled.reject(error);
    this.#stir();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunks = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      const [only] = chunks;
      // A server may send five million chunks of one byte: each on its own would cost seconds.
      if (only) yield chunks.length === 1 ? only : Buffer.concat(chunks);
      if (this.#waiting.length > 0) continue;
      if (this.#error) throw this.#error;
      if (this.#state === 'ended') return;
      await this.#more();
    }
  }

  /**
   * Whether the connection can serve another request. What was not read is read and forgotten for that, if it is short
   * and comes soon: a redirect and an error page mostly are.
   */
  async drained(): Promise<boolean> {
    this.#waiting = [];
    this.#discard = MOST_DRAINED;
    if (this.#state === 'open') {
      const timer = setTimeout(() => {
        this.#discard = -1;
        this.#stir();
      }, DRAIN_MS);
      while (this.#isDraining()) await this.#more();
      clearTimeout(timer);
    }
    return this.#state === 'ended';
  }

  #isDraining(): boolean {
    return this.#state === 'open' && (this.#discard ?? 0) >= 0;
  }

  /** Until something comes, or ends. */
  #more(): Promise<void> {
    const stirred = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    // What was held back comes before this returns.
    if (this.#controller?.paused) this.#controller.resume();
    return stirred;
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** `100 Continue` is not asked for; `103 Early Hints` comes once, or a few times. */
const MOST_INFORMATIONAL = 20;
/** Bytes that have arrived and nobody has asked for yet. */
const MOST_WAITING = 64 * 1_024;
const MOST_DRAINED = 16 * 1_024;
const DRAIN_MS = 1_000;

function flood(): FetchProblem {
  return new FetchProblem('undecodable', `the server sent more than ${MOST_INFORMATIONAL} informational answers`);
}
