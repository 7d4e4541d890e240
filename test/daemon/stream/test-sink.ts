import { type ParsedStream, parseStrictly } from './strict-parser.ts';
import type { Sink } from '../../../src/daemon/stream/connection.ts';
import { formatStart, type StreamStart } from '../../../src/daemon/stream/request.ts';

/** A socket in memory. It takes `capacity` bytes, then says it is full, until the test lets it drain. */
export class TestSink implements Sink {
  start: StreamStart | undefined;
  capacity: number;
  /** Of the updates, as they came. */
  readonly ids: string[] = [];
  /** Bytes taken since it was last drained; writes that came although it had said it was full. */
  buffered = 0;
  writesWhileFull = 0;
  writes = 0;
  largestWrite = 0;
  ended = false;
  destroyed = false;
  /** An ended socket closes by itself once everything is passed on; a stalled one does not. */
  #closed = false;
  readonly #chunks: Uint8Array[] = [];
  #full = false;
  #onDrain: () => void = () => {};
  #onClose: () => void = () => {};

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.capacity = capacity;
  }

  get full(): boolean {
    return this.#full;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  get said(): ParsedStream {
    return parseStrictly(this.text);
  }

  get types(): string[] {
    return this.said.events.map((event) => event.type);
  }

  get startsAt(): string | undefined {
    return this.start && formatStart(this.start);
  }

  begin(start: StreamStart): void {
    this.start = start;
  }

  write(chunk: Uint8Array): boolean {
    if (this.ended || this.destroyed) throw new Error('a write after the end');
    if (this.#full) this.writesWhileFull += 1;
    this.writes += 1;
    this.#chunks.push(chunk);
    for (const [, id = ''] of Buffer.from(chunk)
      .toString('latin1')
      .matchAll(/^id: (.*)$/gm))
      this.ids.push(id);
    this.buffered += chunk.length;
    this.largestWrite = Math.max(this.largestWrite, chunk.length);
    this.#full = this.buffered >= this.capacity;
    return !this.#full;
  }

  /** The peer has read everything. */
  drain(): void {
    this.buffered = 0;
    if (this.ended) this.close();
    if (!this.#full) return;
    this.#full = false;
    this.#onDrain();
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#onClose = listener;
  }

  end(): void {
    this.ended = true;
    if (!this.#full) this.close();
  }

  destroy(): void {
    this.destroyed = true;
    this.close();
  }

  /** The connection is gone, whoever closed it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }
}
