import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendedEvent, EventLog, LogBounds, LoggedEvent } from '../storage/event-log.ts';
import { Chunk } from './chunk.ts';
import { updateFrame } from './frames.ts';

/** One client of a tap, as the tap sees it. */
export interface Reader {
  /** There may be more to read. */
  pump(): void;
  /** The tap ends: say so, and close. */
  finish(lastWords: Buffer): void;
}

/**
 * One tap's log as its readers see it: the newest frames in memory, the rest in the log. Exists only while someone
 * reads. It may forget anything at any time – a reader whose offset is not here reads it from the log – so nothing
 * depends on announcements being complete or in order.
 */
export class Tail {
  readonly tapId: string;
  readonly readers = new Set<Reader>();
  /** Clients on the way: not readers yet, but already counting on what is announced here. */
  opening = 0;
  revoked = false;
  readonly #log: EventLog;
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

  constructor(tapId: string, log: EventLog) {
    this.tapId = tapId;
    this.#log = log;
  }

  /** Bytes of frames held in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  learn(bounds: LogBounds): void {
    this.#partition ??= bounds.partition;
    this.#head = Math.max(this.#head, bounds.head);
  }

  append(event: AppendedEvent): void {
    this.#head = Math.max(this.#head, event.offset + 1);
    if (this.#partition === undefined || event.offset < this.#end) return;
    if (event.offset > this.#end) this.#forget(event.offset);
    const frame = updateFrame(this.tapId, this.#partition, event);
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

  async #read(from: number): Promise<Chunk> {
    // Node hands over up to a thousand answers of another thread without a look at its sockets: a log that answers
    // at once would keep all other clients waiting for as long as someone replays.
    await nextTurn();
    const events = await this.#log.read(this.tapId, from, PAGE);
    const [first] = events;
    if (first) {
      const chunk = Chunk.join(first.offset, this.#encode(events));
      this.#head = Math.max(this.#head, chunk.next);
      return chunk;
    }
    const bounds = await this.#log.bounds(this.tapId);
    return Chunk.join(Math.max(from, bounds.floor), []);
  }

  /** One at a time, so that what no longer fits into a chunk is not encoded for nothing. */
  *#encode(events: readonly LoggedEvent[]): Generator<Buffer> {
    for (const event of events) yield updateFrame(this.tapId, this.#partition ?? 0, event);
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
