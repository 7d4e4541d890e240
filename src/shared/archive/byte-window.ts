/** Where in a file something stands: at which byte of it, or in a packed one so many unpacked bytes behind that byte. */
export interface Place {
  readonly offset: number;
  readonly within: number;
}

/** Some bytes of an archive, with the place of the first; or that bytes are missing there, and why. */
export type Piece = { readonly at: Place; readonly bytes: Uint8Array } | { readonly at: Place; readonly gap: string };

/**
 * What lies before the reader: a stretch of bytes that grows as it is asked for more, up to a gap or the end. No more
 * is held than what is asked for and one piece.
 */
export class ByteWindow {
  readonly #pieces: AsyncIterator<Piece>;
  #buffer: Uint8Array = new Uint8Array(LEAST_BYTES);
  #start = 0;
  #end = 0;
  /** Bytes that have left the window, and where pieces began that are not continuations of the one before. */
  #passed = 0;
  #marks: { readonly from: number; readonly at: Place }[] = [];
  #gap: { readonly at: Place; readonly gap: string } | undefined;
  #isOver = false;

  constructor(pieces: AsyncIterable<Piece>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes at hand. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** The place of the first byte at hand. */
  get place(): Place {
    while (this.#marks.length > 1 && (this.#marks[1]?.from ?? Infinity) <= this.#passed) this.#marks.shift();
    const mark = this.#marks[0];
    if (mark === undefined) return { offset: 0, within: 0 };
    return { offset: mark.at.offset, within: mark.at.within + this.#passed - mark.from };
  }

  /** False at a gap and at the end. */
  async grow(): Promise<boolean> {
    if (this.#gap || this.#isOver) return false;
    const { value: piece, done } = await this.#pieces.next();
    if (done === true) {
      this.#isOver = true;
      return false;
    }
    if ('gap' in piece) {
      this.#gap = piece;
      return false;
    }
    this.#append(piece.bytes, piece.at);
    return true;
  }

  /** So many bytes are at hand; false where there are not as many. */
  async has(count: number): Promise<boolean> {
    while (this.#end - this.#start < count) {
      if (!(await this.grow())) return false;
    }
    return true;
  }

  pass(count: number): void {
    this.#start += count;
    this.#passed += count;
  }

  /** Passes bytes that need not be at hand at the same time; false where there are not as many. */
  async passAll(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (this.bytes.length === 0 && !(await this.grow())) return false;
      const some = Math.min(left, this.bytes.length);
      this.pass(some);
      left -= some;
    }
    return true;
  }

  /** The gap that the window ends at: what is left before it goes, and the window grows again. */
  crossGap(): { readonly at: Place; readonly gap: string } | undefined {
    const gap = this.#gap;
    if (gap) this.pass(this.bytes.length);
    this.#gap = undefined;
    return gap;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #append(bytes: Uint8Array, at: Place): void {
    const end = this.#passed + this.bytes.length;
    const last = this.#marks.at(-1);
    const isNext = last?.at.offset === at.offset && last.at.within + end - last.from === at.within;
    if (!isNext) this.#marks.push({ from: end, at });
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #makeRoom(count: number): void {
    if (this.#end + count <= this.#buffer.length) return;
    const held = this.bytes;
    // One that a large record needed is let go of with it.
    const wanted = Math.max(LEAST_BYTES, 2 * (held.length + count));
    const fits = wanted <= this.#buffer.length && this.#buffer.length <= 4 * wanted;
    const buffer = fits ? this.#buffer : new Uint8Array(wanted);
    buffer.set(held, 0);
    this.#buffer = buffer;
    this.#start = 0;
    this.#end = held.length;
  }
}

const LEAST_BYTES = 128 * 1_024;
