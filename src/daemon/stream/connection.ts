import { HEARTBEAT_MS } from '../../shared/limits.ts';
import type { Chunk } from './chunk.ts';
import { CONNECTED, END, errorFrame, HEARTBEAT, retryFrame } from './frames.ts';
import type { StreamRequest } from './request.ts';
import type { StreamStart } from './start.ts';
import type { Reader, Tail } from './tail.ts';

/** What a socket looks like from here. */
export interface Sink {
  /** Once, before the first write: where the stream starts, so that a header can say so. */
  begin(start: StreamStart): void;
  /** False when it is full: the chunk was taken all the same, but nothing more is written before it drains. */
  write(chunk: Uint8Array): boolean;
  onDrain(listener: () => void): void;
  /** Called once, whoever closed it; at once when it is closed already. */
  onClose(listener: () => void): void;
  /** Bytes it was given and has not passed on. */
  readonly buffered: number;
  end(): void;
  destroy(): void;
}

export interface ConnectionDeps {
  readonly tail: Tail;
  readonly sink: Sink;
  readonly request: StreamRequest;
  /** The offset of the first event it gets. */
  readonly next: number;
  readonly retryMs: number;
  /** It reads no more. */
  readonly onLeave: () => void;
  /** The socket is gone. */
  readonly onClosed: () => void;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * One client: a cursor (`#next`) over its tap's log, and a socket that takes what it can. Replay and live are one
 * loop; a full socket stops it, and costs nothing but the cursor until it drains.
 */
export class Connection implements Reader {
  readonly #deps: ConnectionDeps;
  readonly #sink: Sink;
  #state: 'open' | 'ending' | 'ended' | 'closed' = 'open';
  #next: number;
  /** Events until `limit`. */
  #left: number;
  #full = false;
  #reading = false;
  #lastWords = END;
  #heartbeat: NodeJS.Timeout | undefined;
  /** First the `timeout` of the request, then the patience with a socket that does not take its end. */
  #deadline: NodeJS.Timeout | undefined;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#sink = deps.sink;
    this.#next = deps.next;
    this.#left = deps.request.limit;
  }

  get buffered(): number {
    return this.#sink.buffered;
  }

  begin(): void {
    const { request, retryMs } = this.#deps;
    this.#sink.onClose(() => this.#closed());
    // The client may have left while the start was looked up.
    if (this.#state !== 'open') return;
    this.#sink.onDrain(() => this.#drained());
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    this.#deadline = setTimeout(() => this.finish(END), request.timeoutMs).unref();
    this.#write(Buffer.concat([CONNECTED, retryFrame(retryMs)]));
    if (request.hasRules) this.pump();
    else this.finish(errorFrame('no_rules'));
  }

  /** Sends what there is and the socket takes. */
  pump(): void {
    while (this.#state === 'open' && !this.#full && !this.#reading) {
      const found = this.#deps.tail.take(this.#next);
      if (found === undefined) return;
      if (found === 'behind') void this.#readLog();
      else this.#send(found);
    }
  }

  /** Says `lastWords` and closes. A socket that has not taken them after a while is destroyed. */
  finish(lastWords: Buffer): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#lastWords = lastWords;
    this.#stopTimers();
    this.#deadline = setTimeout(() => this.destroy(), END_PATIENCE_MS).unref();
    this.#deps.onLeave();
    if (!this.#full) this.#bow();
  }

  destroy(): void {
    this.#sink.destroy();
    this.#closed();
  }

  async #readLog(): Promise<void> {
    this.#reading = true;
    try {
      const chunk = await this.#deps.tail.page(this.#next);
      this.#reading = false;
      // A heartbeat may have filled the socket meanwhile: the page is let go and read again when it drains.
      if (this.#state !== 'open' || this.#full || chunk.next === this.#next) return;
      this.#send(chunk);
      this.pump();
    } catch (error) {
      this.#reading = false;
      this.#deps.onError('the event log could not be read for a stream', error);
      this.finish(errorFrame('log_unavailable'));
    }
  }

  #send(chunk: Chunk): void {
    const part = chunk.upTo(this.#left);
    this.#next = part.next;
    this.#left -= part.count;
    if (part.count > 0) this.#write(part.bytes);
    if (this.#left === 0) this.finish(END);
  }

  #write(bytes: Uint8Array): void {
    this.#heartbeat?.refresh();
    this.#full = !this.#sink.write(bytes);
  }

  #beat(): void {
    if (!this.#full) this.#write(HEARTBEAT);
  }

  #drained(): void {
    this.#full = false;
    if (this.#state === 'ending') this.#bow();
    else this.pump();
  }

  #bow(): void {
    this.#state = 'ended';
    this.#sink.write(this.#lastWords);
    this.#sink.end();
  }

  #closed(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#stopTimers();
    this.#deps.onLeave();
    this.#deps.onClosed();
  }

  #stopTimers(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#deadline);
  }
}

/** A client that reads takes its last frame in milliseconds; one that stalls would keep its socket for ever. */
const END_PATIENCE_MS = 5_000;
