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
