import { HEARTBEAT_MS } from '../../shared/limits.ts';
import { isNoRoom } from '../problem.ts';
import type { Chunk } from './chunk.ts';
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

/** Who keeps the connections. One for all of them: ten thousand streams that are silent must cost little each. */
export interface Host {
  /** It reads no more. */
  left(connection: Connection, tail: Tail): void;
  /** The socket is gone. */
  closed(connection: Connection): void;
  failed(what: string, error: unknown): void;
}

export interface ConnectionDeps {
  readonly tail: Tail;
  readonly sink: Sink;
  readonly host: Host;
  /** The offset of the first event it gets. */
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
  /** A page of the log, or a payment, is waited for. */
  #waiting = false;
  /** It ends once what is waited for has gone out. */
  #closing = false;
  #lastWords: Buffer | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  /** First the `timeout` of the request, then the patience with a socket that does not take its end. */
  #deadline: NodeJS.Timeout | undefined;

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
    const { wire } = this.#tail;
    this.#sink.onClose(() => this.#closed());
    // The client may have left while the start was looked up.
    if (this.#state !== 'open') return;
    this.#sink.onDrain(() => this.#drained());
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    this.#deadline = setTimeout(() => this.end(), timeoutMs).unref();
    this.#write(wire.connected(retryMs));
    if (hasRules) this.pump();
    else this.finish(wire.error('no_rules'));
  }

  /** Sends what there is and the socket takes. */
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
    this.finish(this.#tail.wire.end);
  }

  /** Sends what there is, and what is being paid for or read, and ends: the last visits of a daemon that stops. */
  close(): void {
    this.#closing = true;
    this.pump();
    if (!this.#waiting) this.end();
  }

  /** Says `lastWords` and closes. A socket that has not taken them after a while is destroyed. */
  finish(lastWords: Buffer): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#lastWords = lastWords;
    this.#stopTimers();
    this.#deadline = setTimeout(() => this.destroy(), END_PATIENCE_MS).unref();
    this.#host.left(this, this.#tail);
    if (!this.#full) this.#bow();
  }

  destroy(): void {
    this.#sink.destroy();
    this.#closed();
  }

  /** Waits for something of the log or the ledger, one thing at a time, and goes on if that still makes sense. */
  async #wait<Found>(ask: () => Promise<Found>, goOn: (found: Found) => void): Promise<void> {
    this.#waiting = true;
    try {
      const found = await ask();
      this.#waiting = false;
      // A heartbeat may have filled the socket meanwhile: what was found is let go, and found again when it drains.
      if (this.#state === 'open' && !this.#full) {
        const before = this.#next;
        goOn(found);
        // Where the log has nothing to give, asking again would not end.
        if (this.#next > before && !this.#closing) this.pump();
      }
      if (this.#closing && !this.#waiting) this.end();
    } catch (error) {
      this.#waiting = false;
      const why = isNoRoom(error) ? 'the disk is full: a stream could not be paid for' : NOT_SERVED;
      this.#host.failed(why, error);
      this.finish(this.#tail.wire.error(isNoRoom(error) ? 'disk_full' : 'log_unavailable'));
    }
  }

  /** Pays for the events and sends them, as many as the limit leaves. */
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
    if (part.count < chunk.count) this.finish(this.#tail.wire.error('out_of_credit'));
    else if (this.#left === 0) this.end();
  }

  #write(bytes: Uint8Array): void {
    this.#heartbeat?.refresh();
    this.#full = !this.#sink.write(bytes);
  }

  #beat(): void {
    if (!this.#full) this.#write(this.#tail.wire.heartbeat);
  }

  #drained(): void {
    this.#full = false;
    if (this.#state === 'ending') this.#bow();
    else this.pump();
  }

  #bow(): void {
    this.#state = 'ended';
    if (this.#lastWords) this.#sink.write(this.#lastWords);
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
  }
}

/** A client that reads takes its last frame in milliseconds; one that stalls would keep its socket for ever. */
const END_PATIENCE_MS = 5_000;

const NOT_SERVED = 'a stream could not be served from the log';
