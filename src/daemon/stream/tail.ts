import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendedEvent, EventLog, LogBounds, LoggedEvent } from '../storage/event-log.ts';
import type { Metering } from '../accounts/metering.ts';
import type { StreamFormat } from './format.ts';

/** One client of a tap. */
export interface Reader {
  /** There may be more to read. */
  pump(): void;
  /** Sends the final frame and closes. */
  finish(finalFrame: Buffer): void;
}

interface TailDeps {
  readonly eventLog: Pick<EventLog, 'bounds' | 'firstAt' | 'read'>;
  readonly metering: Metering;
  readonly legacyPayload: boolean;
}

/**
 * One tap's log as its readers see it: the newest frames in memory, the rest in the log. Exists only while someone
 * reads. It may forget anything at any time – a reader whose offset is not here reads it from the log – so nothing
 * depends on announcements being complete or in order.
 */
export class Tail {
  readonly tapId: string;
  readonly format: StreamFormat;
  readonly readers = new Set<Reader>();
  /** Notifies the readers of new events. */
  readonly schedule = new DeliverySchedule(this.readers);
  /** Clients that are opening a stream: not readers yet, but they rely on the events announced here. */
  opening = 0;
  revoked = false;
  readonly #deps: TailDeps;
  /** Unknown until the bounds were read; without it no id can be written. */
  #partition: number | undefined;
  /** Every offset below is durable. */
  #head = 0;
  /** Frames of the offsets right before `#end`. */
  #frames: Buffer[] = [];
  #end = 0;
  #bytes = 0;
  /** The last chunk joined from `#frames`: live readers stand at the same offset and share it. */
  #joined: Chunk | undefined;
  /** Pages being read, by their first offset: clients that come back together after a restart share them. */
  readonly #pages = new Map<number, Promise<Chunk>>();
  /** Offsets known to be paid; and payments under way, by what they are for. */
  #paid = { from: 0, to: 0 };
  readonly #payments = new Map<string, Promise<number>>();

  constructor(tapId: string, format: StreamFormat, deps: TailDeps) {
    this.tapId = tapId;
    this.format = format;
    this.#deps = deps;
  }

  /** Bytes of frames held in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  learn(bounds: LogBounds): void {
    this.#partition ??= bounds.partition;
    this.#head = Math.max(this.#head, bounds.head);
  }

  /** Whether that is news. */
  moveHead(head: number): boolean {
    const isNews = head > this.#head;
    this.#head = Math.max(this.#head, head);
    return isNews;
  }

  append(event: AppendedEvent): void {
    this.#head = Math.max(this.#head, event.offset + 1);
    if (this.#partition === undefined || event.offset < this.#end) return;
    if (event.offset > this.#end) this.#forget(event.offset);
    const frame = this.#frame(event);
    this.#frames.push(frame);
    this.#end += 1;
    this.#bytes += frame.length;
    this.#joined = undefined;
    this.#trim();
  }

  /** The frames from `from` on; undefined when there are none yet, 'behind' when they are only in the log. */
  take(from: number): Chunk | 'behind' | undefined {
    if (from >= this.#head) return undefined;
    const first = this.#end - this.#frames.length;
    if (from < first || from >= this.#end) return 'behind';
    if (this.#joined?.first !== from) this.#joined = Chunk.join(from, this.#frames.slice(from - first));
    return this.#joined;
  }

  /**
   * The frames from `from` on, out of the log. Begins later where retention has dropped `from`; empty, with `next`
   * unchanged, where the log has nothing to give.
   */
  page(from: number): Promise<Chunk> {
    const underWay = this.#pages.get(from);
    if (underWay) return underWay;
    const page = this.#read(from).finally(() => this.#pages.delete(from));
    this.#pages.set(from, page);
    return page;
  }

  /**
   * How far the events from `from` to `to` may be written: what was not paid before is paid now, once for all readers.
   * A plain number when nothing has to be waited for.
   */
  pay(from: number, to: number): number | Promise<number> {
    if (from >= this.#paid.from && to <= this.#paid.to) return to;
    const asked = `${from}-${to}`;
    const underWay = this.#payments.get(asked);
    if (underWay) return underWay;
    const answer = this.#deps.metering.deliver(this.tapId, from, to);
    if (typeof answer === 'number') return this.#learnPaid(from, answer);
    const payment = answer.then((paidTo) => this.#learnPaid(from, paidTo)).finally(() => this.#payments.delete(asked));
    this.#payments.set(asked, payment);
    return payment;
  }

  /** One span is remembered, and the live one is the one that all ask for. */
  #learnPaid(from: number, to: number): number {
    const touches = from <= this.#paid.to && to >= this.#paid.from;
    if (touches) this.#paid = { from: Math.min(from, this.#paid.from), to: Math.max(to, this.#paid.to) };
    else if (to > this.#paid.to) this.#paid = { from, to };
    return to;
  }

  async #read(from: number): Promise<Chunk> {
    // Node hands over up to a thousand answers of another thread without a look at its sockets: a log that answers
    // at once would keep all other clients waiting for as long as someone replays.
    await nextTurn();
    const events = await this.#deps.eventLog.read(this.tapId, from, PAGE);
    const [first] = events;
    if (first) {
      const chunk = Chunk.join(first.offset, this.#encode(events));
      this.#head = Math.max(this.#head, chunk.next);
      return chunk;
    }
    const bounds = await this.#deps.eventLog.bounds(this.tapId);
    return Chunk.join(Math.max(from, bounds.floor), []);
  }

  /** One at a time, so that what no longer fits into a chunk is not encoded for nothing. */
  *#encode(events: readonly LoggedEvent[]): Generator<Buffer> {
    for (const event of events) yield this.#frame(event);
  }

  #frame(event: LoggedEvent): Buffer {
    return this.format.update(this.tapId, this.#partition ?? 0, event, this.#deps.legacyPayload);
  }

  #trim(): void {
    while (this.#bytes > TAIL_BYTES) this.#bytes -= this.#frames.shift()?.length ?? 0;
  }

  #forget(end: number): void {
    this.#frames = [];
    this.#bytes = 0;
    this.#end = end;
  }
}

/** Bytes of recent frames per tap with readers: seconds of a busy tap, and little beside what its sockets cost. */
export const TAIL_BYTES = 256 * 1_024;

/** What is read from the log at a time: with ids and field names around it, about one chunk. */
const PAGE = { events: 128, bytes: 44 * 1_024 } as const;

/**
 * Bytes in one write. Small enough that a reader which stalls with one in hand costs little, large enough that a
 * write call, which is what delivery costs, carries many events.
 */
export const CHUNK_BYTES = 64 * 1_024;

/** Successive frames, joined: what one write hands to a socket, and many readers share. Never changed. */
export class Chunk {
  readonly bytes: Buffer;
  /** The offset of the first frame; of the next one to come when there is none. */
  readonly first: number;
  /** Where each frame ends in `bytes`. */
  readonly #ends: readonly number[];

  private constructor(first: number, bytes: Buffer, ends: readonly number[]) {
    this.first = first;
    this.bytes = bytes;
    this.#ends = ends;
  }

  /** As many frames as fit into a chunk, from `first` on; one frame at least, whatever its size. */
  static join(first: number, frames: Iterable<Buffer>): Chunk {
    const parts: Buffer[] = [];
    const ends: number[] = [];
    let size = 0;
    for (const frame of frames) {
      if (parts.length > 0 && size + frame.length > CHUNK_BYTES) break;
      size += frame.length;
      parts.push(frame);
      ends.push(size);
    }
    const [only] = parts;
    return new Chunk(first, only && parts.length === 1 ? only : Buffer.concat(parts, size), ends);
  }

  get count(): number {
    return this.#ends.length;
  }

  /** The offset after the last frame. */
  get next(): number {
    return this.first + this.#ends.length;
  }

  /** The first frames, `events` at most; the bytes stay shared. */
  upTo(events: number): Chunk {
    if (events >= this.count) return this;
    const ends = this.#ends.slice(0, events);
    return new Chunk(this.first, this.bytes.subarray(0, ends.at(-1) ?? 0), ends);
  }
}

/**
 * When the readers of a tap are notified of new events. A write costs microseconds whatever its size, so a tap with many readers
 * must not write to each of them for every event: after a round of notifications the tap pauses in proportion to the number of
 * readers, and events that arrive meanwhile are sent together. A tap that was silent notifies at once, and a tap with few
 * readers never pauses long enough to notice. Decided against: always batching, which would delay every match of a quiet tap;
 * and a measured event rate, which says nothing about what a round costs.
 */
export class DeliverySchedule {
  readonly #readers: ReadonlySet<{ pump(): void }>;
  #turn: NodeJS.Immediate | undefined;
  #pauseTimer: NodeJS.Timeout | undefined;
  #hasEvents = false;

  constructor(readers: ReadonlySet<{ pump(): void }>) {
    this.#readers = readers;
  }

  /** There are new events. Returns at once. */
  wake(): void {
    // The pause restarts at the first new event: at a steady rate that makes one round for everything within a pause.
    if (!this.#hasEvents) this.#pauseTimer?.refresh();
    this.#hasEvents = true;
    if (this.#turn === undefined && this.#pauseTimer === undefined) this.#begin();
  }

  /** No reader is notified any more. */
  stop(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#pauseTimer);
    this.#turn = undefined;
    this.#pauseTimer = undefined;
  }

  #begin(): void {
    this.#turn = setImmediate(() => {
      this.#hasEvents = false;
      this.#notify(this.#readers.values());
    });
  }

  /** Some readers per turn of the event loop, so that a tap with thousands does not delay the others. */
  #notify(readers: Iterator<{ pump(): void }>): void {
    for (let notified = 0; notified < READERS_A_TURN; notified += 1) {
      const { done, value } = readers.next();
      if (done === true) return this.#pause();
      value.pump();
    }
    this.#turn = setImmediate(() => this.#notify(readers));
  }

  #pause(): void {
    this.#turn = undefined;
    const pauseMs = Math.min(Math.floor(this.#readers.size * PAUSE_MS_PER_READER), MOST_PAUSE_MS);
    if (pauseMs === 0) return this.#continue();
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#continue();
    }, pauseMs).unref();
  }

  #continue(): void {
    if (this.#hasEvents) this.#begin();
  }
}

/** About ten times what a write costs; a client does not notice the longest pause. */
const PAUSE_MS_PER_READER = 0.05;
const MOST_PAUSE_MS = 50;
const READERS_A_TURN = 500;
