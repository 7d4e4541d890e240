import type { AppendedEvent, EventLog } from '../storage/event-log.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import { Connection, type Sink } from './connection.ts';
import { END, errorFrame } from './frames.ts';
import type { StreamRequest } from './request.ts';
import { findStart, type StreamStart } from './start.ts';
import { Tail } from './tail.ts';

/**
 * Streams. Events come in after they were committed (`announce`), clients come in over HTTP (`connect`), frames go out.
 *
 * The event log is the truth, and a connection is a cursor over it: an offset and nothing else. Replay and live are
 * the same loop, so there is no hand-over between them that could lose or repeat an event. The newest frames of a
 * tap that has readers are kept in memory, encoded once for all of them, so that readers at the head never touch the
 * log; whoever is behind reads it in pages. An announcement is only a hint that there is more: one that is late,
 * doubled or missing costs a read of the log and never an event.
 *
 * Decided against: a queue per client. It needs a bound, the bound overflows for the client that is catching up, and
 * then someone loses events. Here a client that stalls costs the chunk in its socket's hands, and waits for itself
 * alone. Also against gathering frames for some milliseconds: it would save CPU beyond what this daemon will ever
 * stream, and every match would pay for it.
 */
export class Hub {
  readonly #deps: HubDeps;
  readonly #tails = new Map<string, Tail>();
  readonly #connections = new Set<Connection>();
  /** Tails with news, told together: a burst of visits is one round of writes. */
  readonly #awake = new Set<Tail>();
  #roundIsDue = false;
  #closing = false;
  readonly #whenEmpty: (() => void)[] = [];

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Connections that are open or ending. */
  get open(): number {
    return this.#connections.size;
  }

  /** Bytes that sockets were given and have not passed on: what clients that do not read cost. */
  get bufferedBytes(): number {
    let bytes = 0;
    for (const connection of this.#connections) bytes += connection.buffered;
    return bytes;
  }

  /** What is kept in memory for all streams together: taps with readers, and bytes of their recent frames. */
  get retained(): { readonly taps: number; readonly bytes: number } {
    let bytes = 0;
    for (const tail of this.#tails.values()) bytes += tail.bytes;
    return { taps: this.#tails.size, bytes };
  }

  /** New events, after their commit. Returns at once; the readers are served in the next turn of the loop. */
  announce(events: readonly AppendedEvent[]): void {
    for (const event of events) {
      const tail = this.#tails.get(event.tapId);
      if (!tail) continue;
      tail.append(event);
      this.#awake.add(tail);
    }
    if (this.#awake.size === 0 || this.#roundIsDue) return;
    this.#roundIsDue = true;
    setImmediate(() => this.#wake());
  }

  /**
   * Opens a stream into `sink`; resolves when it has begun. Until then nothing was written, and a refusal can still
   * be answered in full.
   * @throws Problem `shutting_down`; `unauthenticated` when the tap was revoked meanwhile; what the log throws.
   */
  async connect(request: StreamRequest, sink: Sink): Promise<void> {
    if (this.#closing) throw new Problem('shutting_down', {});
    const tail = this.#tails.get(request.tapId) ?? new Tail(request.tapId, this.#deps.eventLog);
    // Joined before the head is read: what is appended from here on is announced to this tail.
    this.#tails.set(request.tapId, tail);
    tail.opening += 1;
    try {
      const start = await this.#findStart(tail, request);
      if (this.#closing) throw new Problem('shutting_down', {});
      if (tail.revoked) throw new Problem('unauthenticated', { wanted: 'tap token', given: 'unknown' });
      this.#begin(tail, request, start, sink);
    } finally {
      tail.opening -= 1;
      this.#letGo(tail);
    }
  }

  /** Ends the streams of a tap that is no more, at once. */
  revoke(tapId: string): void {
    const tail = this.#tails.get(tapId);
    if (!tail) return;
    tail.revoked = true;
    for (const reader of tail.readers) reader.finish(errorFrame('tap_revoked'));
  }

  /** Refuses new streams and sends every open one its `end`; after `graceMs`, sockets that have not closed are cut. */
  async closeAll(graceMs: number): Promise<void> {
    this.#closing = true;
    // What was announced and not yet told goes before the end: the last visits of a daemon that stops.
    this.#wake();
    for (const connection of this.#connections) connection.finish(END);
    if (this.#connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty.push(resolve);
    });
    const cut = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, graceMs);
    await empty;
    clearTimeout(cut);
  }

  async #findStart(tail: Tail, { tapId, position }: StreamRequest): Promise<StreamStart> {
    const { eventLog, outside } = this.#deps;
    const bounds = await eventLog.bounds(tapId);
    tail.learn(bounds);
    return await findStart(position, bounds, (windowMs) => eventLog.firstAt(tapId, outside.now() - windowMs));
  }

  #begin(tail: Tail, request: StreamRequest, start: StreamStart, sink: Sink): void {
    sink.begin(start);
    const connection: Connection = new Connection({
      tail,
      sink,
      request,
      next: start.offset,
      retryMs: this.#retryMs(),
      onLeave: () => {
        tail.readers.delete(connection);
        this.#letGo(tail);
      },
      onClosed: () => {
        this.#connections.delete(connection);
        if (this.#connections.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
      },
      onError: this.#deps.onError,
    });
    this.#connections.add(connection);
    tail.readers.add(connection);
    connection.begin();
  }

  #wake(): void {
    this.#roundIsDue = false;
    const tails = [...this.#awake];
    this.#awake.clear();
    for (const tail of tails) for (const reader of tail.readers) reader.pump();
  }

  /** A tap without readers costs nothing. A socket may close long after its stream ended: the tap has a new tail then. */
  #letGo(tail: Tail): void {
    const isUsed = tail.opening > 0 || tail.readers.size > 0;
    if (!isUsed && this.#tails.get(tail.tapId) === tail) this.#tails.delete(tail.tapId);
  }

  /** Clients that lost their connection together must not come back together. */
  #retryMs(): number {
    const [high = 0, low = 0] = this.#deps.outside.randomBytes(2);
    return RETRY_MS.least + ((high * 256 + low) % (RETRY_MS.most - RETRY_MS.least + 1));
  }
}

export interface HubDeps {
  readonly eventLog: EventLog;
  readonly outside: Outside;
  /** A fault of ours that ended a stream; the client got an `error` event. */
  readonly onError: (what: string, error: unknown) => void;
}

const RETRY_MS = { least: 2_000, most: 4_000 } as const;
