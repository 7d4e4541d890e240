import type { AppendedEvent, EventLog } from '../storage/event-log.ts';
import type { TapHead } from '../storage/nodes.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import { Connection, type Host, type Sink } from './connection.ts';
import type { Metering } from '../accounts/metering.ts';
import { findStart, type StreamRequest, type StreamStart } from './request.ts';
import { Tail } from './tail.ts';
import type { StreamFormat } from './format.ts';

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
 * alone. `delivery-schedule.ts` decides when the readers of a tap are notified, `format.ts` has the two formats of a
 * stream, and `accounts/metering.ts` charges for deliveries.
 */
export class Hub {
  readonly #deps: HubDeps;
  /** By format, then by tap: each tap is encoded once for all readers of a format. */
  readonly #tails = new Map<StreamFormat, Map<string, Tail>>();
  readonly #connections = new Set<Connection>();
  #closing = false;
  readonly #whenEmpty: (() => void)[] = [];

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Connections that are open or ending. */
  get open(): number {
    return this.#connections.size;
  }

  /** Bytes that were written to sockets and not sent yet: the cost of clients that do not read. */
  get bufferedBytes(): number {
    let bytes = 0;
    for (const connection of this.#connections) bytes += connection.buffered;
    return bytes;
  }

  /** What is kept in memory for all streams together: taps with readers, and bytes of their recent frames. */
  get retained(): { readonly taps: number; readonly bytes: number } {
    const tails = this.#all();
    return { taps: tails.length, bytes: tails.reduce((sum, tail) => sum + tail.bytes, 0) };
  }

  /** New events, after their commit. Returns at once; the readers are served in the next turn of the loop, or later. */
  announce(events: readonly AppendedEvent[]): void {
    for (const event of events) {
      for (const tail of this.#of(event.tapId)) {
        tail.append(event);
        tail.schedule.wake();
      }
    }
  }

  /** Taps that are read here. */
  get readTaps(): readonly string[] {
    return [...new Set(this.#all().map(({ tapId }) => tapId))];
  }

  /** How far taps have come, by whatever node: readers find the events in the log. */
  tapsMoved(heads: readonly TapHead[]): void {
    for (const [tapId, head] of heads) {
      for (const tail of this.#of(tapId)) if (tail.moveHead(head)) tail.schedule.wake();
    }
  }

  /** @throws Problem `out_of_credit` when the prepaid balance does not pay one more match. */
  async admit(organizationId: string): Promise<void> {
    if (!(await this.#deps.metering.mayOpen(organizationId))) throw new Problem('out_of_credit', {});
  }

  /**
   * Opens a stream into `sink`; resolves when it has begun. Until then nothing was written, and a refusal can still
   * be answered in full.
   * @throws Problem `shutting_down`; `unauthenticated` when the tap was revoked meanwhile; what the log throws.
   */
  async connect(request: StreamRequest, sink: Sink): Promise<void> {
    if (this.#closing) throw new Problem('shutting_down', {});
    const tail = this.#join(request);
    try {
      const start = await this.#findStart(tail, request);
      if (this.#closing) throw new Problem('shutting_down', {});
      if (tail.revoked) throw new Problem('unauthenticated', { wanted: 'tap token', given: 'unknown' });
      sink.begin(start);
      const { limit } = request;
      const connection = new Connection({ tail, sink, host: this.#host, next: start.offset, limit });
      this.#connections.add(connection);
      tail.readers.add(connection);
      connection.begin(request, this.#retryMs());
    } finally {
      tail.opening -= 1;
      this.#letGo(tail);
    }
  }

  /** Ends the streams of a revoked tap at once. */
  revoke(tapId: string): void {
    for (const tail of this.#of(tapId)) {
      tail.revoked = true;
      for (const reader of tail.readers) reader.finish(tail.format.error('tap_revoked'));
    }
  }

  /** Refuses new streams and sends every open one its `end`; after `graceMs`, sockets that have not closed are cut. */
  async closeAll(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const connection of this.#connections) connection.close();
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
    return await findStart(position, bounds, {
      now: outside.now(),
      firstAt: (at) => eventLog.firstAt(tapId, at),
      droppedUpTo: async () => (await eventLog.extent()).droppedUpTo,
    });
  }

  /** Joined before the head of the log is read: events that are appended from here on are announced to this tail. */
  #join({ tapId, format }: StreamRequest): Tail {
    const tails = this.#tails.get(format) ?? new Map<string, Tail>();
    this.#tails.set(format, tails);
    const { eventLog, metering, legacyPayload } = this.#deps;
    const tail = tails.get(tapId) ?? new Tail(tapId, format, { eventLog, metering, legacyPayload });
    tails.set(tapId, tail);
    tail.opening += 1;
    return tail;
  }

  readonly #host: Host = {
    left: (connection, tail) => {
      tail.readers.delete(connection);
      this.#letGo(tail);
    },
    closed: (connection) => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
    },
    failed: (what, error) => this.#deps.onError(what, error),
  };

  #all(): Tail[] {
    return [...this.#tails.values()].flatMap((tails) => Array.from(tails.values()));
  }

  #of(tapId: string): Tail[] {
    return [...this.#tails.values()].flatMap((tails) => tails.get(tapId) ?? []);
  }

  /** A tap without readers costs nothing. A socket may close long after its stream ended: the tap has a new tail then. */
  #letGo(tail: Tail): void {
    const isUsed = tail.opening > 0 || tail.readers.size > 0;
    if (isUsed) return;
    tail.schedule.stop();
    const tails = this.#tails.get(tail.format);
    if (tails?.get(tail.tapId) === tail) tails.delete(tail.tapId);
  }

  /** Random, so that clients which lost their connections together do not reconnect together. */
  #retryMs(): number {
    const [high = 0, low = 0] = this.#deps.outside.randomBytes(2);
    return RETRY_MS.least + ((high * 256 + low) % (RETRY_MS.most - RETRY_MS.least + 1));
  }
}

export interface HubDeps {
  readonly eventLog: Pick<EventLog, 'bounds' | 'extent' | 'firstAt' | 'read'>;
  readonly metering: Metering;
  readonly outside: Outside;
  /** Matches carry the fields that older clients read, too. */
  readonly legacyPayload: boolean;
  /** An internal error ended a stream; the client received an `error` event. */
  readonly onError: (what: string, error: unknown) => void;
}

const RETRY_MS = { least: 2_000, most: 4_000 } as const;
