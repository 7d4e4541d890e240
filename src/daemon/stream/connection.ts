import { HEARTBEAT_MS } from '../../shared/limits.ts';
import { isNoRoom } from '../problem.ts';
import { StorageUnavailable } from '../storage/unavailable.ts';
import type { Chunk, Reader, Tail } from './tail.ts';
import type { StreamRequest, StreamStart } from './request.ts';

/** A socket, as a connection uses it. */
export interface Sink {
  /** Once, before the first write: where the stream starts, so that a header can say so. */
  begin(start: StreamStart): void;
  /** False when its buffer is full: the chunk was accepted, but nothing more may be written before it drains. */
  write(chunk: Uint8Array): boolean;
  onDrain(listener: () => void): void;
  /** Called once, whoever closed it; at once when it is closed already. */
  onClose(listener: () => void): void;
  /** Bytes that were written and not sent yet. */
  readonly buffered: number;
  end(): void;
  destroy(): void;
}

/** The owner of the connections. One object for all of them: ten thousand idle streams must cost little each. */
export interface Host {
  /** It has stopped reading. */
  left(connection: Connection, tail: Tail): void;
  /** Its socket is closed. */
  closed(connection: Connection): void;
  failed(what: string, error: unknown): void;
}

export interface ConnectionDeps {
  readonly tail: Tail;
  readonly sink: Sink;
  readonly host: Host;
  /** The offset of the first event it receives. */
  readonly next: number;
  /** Events until it ends. */
  readonly limit: number;
}

/**
 * One client: a cursor (`#next`) over its tap's log, and a socket that takes what it can. Replay and live are one
 * loop; a full socket stops it, and costs nothing but the cursor until it drains.
 */
export class Connection implements Reader {
  readonly #tail: Tail;
  readonly #sink: Sink;
  readonly #host: Host;
  #state: 'open' | 'ending' | 'ended' | 'closed' = 'open';
  #next: number;
  /** Events until `limit`. */
  #left: number;
  #full = false;
  /** Waiting for a page of the log or for a payment. */
  #waiting = false;
  /** It ends once what it waits for was sent. */
  #closing = false;
  #finalFrame: Buffer | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  /** First the `timeout` of the request, then the limit for a socket that does not accept the final frame. */
  #deadline: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(deps: ConnectionDeps) {
    this.#tail = deps.tail;
    this.#sink = deps.sink;
    this.#host = deps.host;
    this.#next = deps.next;
    this.#left = deps.limit;
  }

  get buffered(): number {
    return this.#sink.buffered;
  }

  begin({ hasRules, timeoutMs }: StreamRequest, retryMs: number): void {
    const { format } = this.#tail;
    this.#sink.onClose(() => this.#closed());
    // The client may have disconnected while the start was looked up.
    if (this.#state !== 'open') return;
    this.#sink.onDrain(() => this.#drained());
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    this.#deadline = setTimeout(() => this.end(), timeoutMs).unref();
    this.#write(format.connected(retryMs));
    if (hasRules) this.pump();
    else this.finish(format.error('no_rules'));
  }

  /** Sends events until there are no more or the socket is full. */
  pump(): void {
    while (this.#state === 'open' && !this.#full && !this.#waiting) {
      const found = this.#tail.take(this.#next);
      if (found === undefined) return;
      if (found === 'behind')
        void this.#wait(
          () => this.#tail.page(this.#next),
          (chunk) => this.#offer(chunk),
        );
      else this.#offer(found);
    }
  }

  end(): void {
    this.finish(this.#tail.format.end);
  }

  /** Sends what there is, including events that are being paid for or read, and ends. Used when the daemon stops. */
  close(): void {
    this.#closing = true;
    this.pump();
    if (!this.#waiting) this.end();
  }

  /** Sends `finalFrame` and closes. A socket that has not accepted it after a while is destroyed. */
  finish(finalFrame: Buffer): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#finalFrame = finalFrame;
    this.#stopTimers();
    this.#deadline = setTimeout(() => this.destroy(), END_TIMEOUT_MS).unref();
    this.#host.left(this, this.#tail);
    if (!this.#full) this.#sendFinalFrame();
  }

  destroy(): void {
    this.#sink.destroy();
    this.#closed();
  }

  /** Waits for the log or the ledger, one request at a time, and continues if the stream is still open. */
  async #wait<Found>(ask: () => Promise<Found>, resume: (found: Found) => void): Promise<void> {
    this.#waiting = true;
    try {
      const found = await ask();
      this.#waiting = false;
      // A heartbeat may have filled the socket meanwhile: the result is dropped and read again when it drains.
      if (this.#state === 'open' && !this.#full) {
        const before = this.#next;
        resume(found);
        // If the log had nothing, asking again would loop.
        if (this.#next > before && !this.#closing) this.pump();
      }
      if (this.#closing && !this.#waiting) this.end();
    } catch (error) {
      this.#waiting = false;
      if (error instanceof StorageUnavailable && !this.#closing) return this.#tryLater();
      const why = isNoRoom(error) ? 'the disk is full: a stream could not be paid for' : NOT_SERVED;
      this.#host.failed(why, error);
      this.finish(this.#tail.format.error(isNoRoom(error) ? 'disk_full' : 'log_unavailable'));
    }
  }

  /** The stream stays open, with its heartbeats, until the log can be read again. */
  #tryLater(): void {
    this.#retry = setTimeout(() => this.pump(), TRY_AGAIN_MS).unref();
  }

  /** Pays for the events and sends them, up to the limit. */
  #offer(chunk: Chunk): void {
    const part = chunk.upTo(this.#left);
    if (part.count === 0) {
      this.#next = part.next;
      return;
    }
    const paid = this.#tail.pay(part.first, part.next);
    if (typeof paid === 'number') this.#send(part, paid);
    else
      void this.#wait(
        () => paid,
        (paidTo) => this.#send(part, paidTo),
      );
  }

  #send(chunk: Chunk, paidTo: number): void {
    const part = chunk.upTo(Math.max(0, paidTo - chunk.first));
    this.#next = part.next;
    this.#left -= part.count;
    if (part.count > 0) this.#write(part.bytes);
    if (part.count < chunk.count) this.finish(this.#tail.format.error('out_of_credit'));
    else if (this.#left === 0) this.end();
  }

  #write(bytes: Uint8Array): void {
    this.#heartbeat?.refresh();
    this.#full = !this.#sink.write(bytes);
  }

  #beat(): void {
    if (!this.#full) this.#write(this.#tail.format.heartbeat);
  }

  #drained(): void {
    this.#full = false;
    if (this.#state === 'ending') this.#sendFinalFrame();
    else this.pump();
  }

  #sendFinalFrame(): void {
    this.#state = 'ended';
    if (this.#finalFrame) this.#sink.write(this.#finalFrame);
    this.#sink.end();
  }

  #closed(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#stopTimers();
    this.#host.left(this, this.#tail);
    this.#host.closed(this);
  }

  #stopTimers(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#deadline);
    clearTimeout(this.#retry);
  }
}

/** Between two looks at a database that is away. */
const TRY_AGAIN_MS = 1_000;

/** A client that reads accepts its final frame in milliseconds; one that stalls would keep its socket permanently. */
const END_TIMEOUT_MS = 5_000;

const NOT_SERVED = 'a stream could not be served from the log';
