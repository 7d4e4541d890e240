import type { Readable } from 'node:stream';
import {
  createEventSource,
  type EventSourceClient,
  type EventSourceMessage,
  type FetchLikeInit,
  type FetchLikeResponse,
} from 'eventsource-client';
import { type ExitCode, exitCode } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import { type Answer, NotHydrant, readAnswer, Refused, send, type Target, Unreachable } from './transport.ts';

/** Bytes between two frames. The daemon's largest event is far below; without a line end the parser keeps all. */
const FRAME_BYTES = 1_024 * 1_024;

interface StreamRequest {
  readonly target: Target;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds without a byte after which the connection counts as dead. */
  readonly stallMs: number;
  /** Frames that may wait to be handled before the reading stops. */
  readonly highWater: number;
}

/** The connection is gone, or was not given this time: another try may help. */
export class StreamLost extends Failure {
  override readonly name = 'StreamLost';
  /** The answer's `Retry-After`. */
  readonly retryAfter: string | undefined;

  constructor(message: string, code: ExitCode = exitCode.unreachable, retryAfter?: string) {
    super('connection_lost', code, message);
    this.retryAfter = retryAfter;
  }
}

/**
 * One connection to the stream. eventsource-client reads it, and is kept from what it does badly: it would take any
 * status for a stream, queue without bound, never notice a dead peer, drop what it has on close, and come back every
 * two seconds whatever the answer. All of it is cured through its `fetch` option and by closing it at the moment it
 * schedules a reconnect; when to come back is the business of follow.ts.
 */
export class StreamConnection {
  readonly #request: StreamRequest;
  readonly #queue: EventQueue<EventSourceMessage>;
  readonly #source: EventSourceClient;
  #headers: Readonly<Record<string, string>> = {};
  readonly #closing = new AbortController();
  #failure: Error | undefined;
  #frameBytes = 0;

  constructor(request: StreamRequest) {
    this.#request = request;
    this.#queue = new EventQueue(request.highWater);
    this.#source = createEventSource({
      url: request.path,
      headers: { ...request.headers },
      fetch: async (_, init = {}) => this.#open(init),
      onMessage: (message) => {
        this.#frameBytes = 0;
        this.#queue.push(message);
      },
      onComment: () => {
        this.#frameBytes = 0;
      },
      onScheduleReconnect: () => {
        this.#source.close();
        this.#queue.end(this.#failure ?? new StreamLost('the daemon closed the connection'));
      },
    });
  }

  /** Of the answer, once a message has come. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /**
   * The next frame; undefined after `close()`, once all that was received is handed out.
   * @throws {StreamLost | Unreachable} try again · {Refused | NotHydrant} don't
   */
  async next(): Promise<EventSourceMessage | undefined> {
    return this.#queue.next();
  }

  close(): void {
    this.#queue.end();
    this.#source.close();
    this.#closing.abort();
  }

  async #open(init: FetchLikeInit): Promise<FetchLikeResponse> {
    try {
      const { target, path } = this.#request;
      const answer = await send(target, {
        method: 'GET',
        path,
        headers: init.headers ?? {},
        signal: this.#closing.signal,
      });
      // Without a listener an abort while nobody reads would end the process.
      answer.body.on('error', () => {});
      await checkAnswer(answer, target);
      this.#headers = answer.headers;
      return { status: 200, url: path, redirected: false, body: this.#gate(answer.body) };
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** The body, chunk by chunk, each read only when the queue has room: a reader that rests stops the daemon's writes. */
  #gate(body: Readable): ReadableStream<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            await this.#queue.room();
            const { done, value } = await this.#read(chunks, body);
            if (done === true) controller.close();
            else controller.enqueue(this.#counted(value));
          } catch (error) {
            body.destroy();
            this.#failure = error instanceof Failure ? error : new StreamLost(lossOf(error));
            throw error;
          }
        },
        cancel: () => void body.destroy(),
      },
      { highWaterMark: 0 },
    );
  }

  /** The daemon sends a comment every 15 s, so a silence three times as long is a dead peer, whatever TCP thinks. */
  async #read(chunks: AsyncIterator<Buffer>, body: Readable): Promise<IteratorResult<Buffer, unknown>> {
    const { stallMs } = this.#request;
    const stalled = new StreamLost(`nothing was received for ${Math.round(stallMs / 1_000)} s`);
    const timer = setTimeout(() => body.destroy(stalled), stallMs);
    return chunks.next().finally(() => clearTimeout(timer));
  }

  #counted(chunk: Buffer): Buffer {
    this.#frameBytes += chunk.length;
    if (this.#frameBytes <= FRAME_BYTES + chunk.length) return chunk;
    throw new NotHydrant(this.#request.target, `a frame of more than ${FRAME_BYTES} bytes`);
  }
}

/** Before a byte of the body is taken for events: a login page and a 429 are not streams. */
async function checkAnswer(answer: Answer, target: Target): Promise<void> {
  const { status, headers, body } = answer;
  if (status === 429 || status >= 500) {
    body.destroy();
    throw new StreamLost(`the daemon answers ${status}`, exitCode.tryAgain, headers['retry-after']);
  }
  if (status !== 200) throw new Refused(answer, await readAnswer(answer, target));
  const type = headers['content-type'] ?? 'no content type';
  if (/^text\/event-stream\s*(;|$)/i.test(type)) return;
  body.destroy();
  throw new NotHydrant(target, `the stream is ${type}`);
}

function lossOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? 'the connection broke off'
    : `the connection failed${code === '' ? '' : `: ${code}`}`;
}

/** Whether coming back later may help. */
export function isPassing(error: unknown): error is StreamLost | Unreachable {
  return error instanceof StreamLost || error instanceof Unreachable;
}

/**
 * What was received and not yet handled. The queue itself refuses nothing; who fills it asks `room()` before it reads
 * more, and so the reading stops, the socket's buffers fill, and the daemon waits: that is all the backpressure there
 * is. Ending it keeps what is in it.
 */
class EventQueue<Item> {
  readonly #highWater: number;
  #items: Item[] = [];
  #ended = false;
  #failure: Error | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(highWater: number) {
    this.#highWater = highWater;
  }

  push(item: Item): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wakeReader?.();
  }

  /** After what is queued, the reader gets the end, or `failure` thrown. The first call decides. */
  end(failure?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Resolves when there is room for more, or when nothing more is wanted. */
  async room(): Promise<void> {
    while (!this.#ended && this.#items.length >= this.#highWater) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  /** Undefined at the end. One reader only. */
  async next(): Promise<Item | undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        if (this.#items.length < this.#highWater) this.#wakeWriter?.();
        return item;
      }
      if (this.#ended) {
        if (this.#failure !== undefined) throw this.#failure;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
