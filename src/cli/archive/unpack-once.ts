import type { createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';

type Decoder = ReturnType<typeof createInflateRaw> | ReturnType<typeof createZstdDecompress>;

/**
 * One deflate stream, or one frame of zstd, out of many that follow one another: what comes behind its end is given back
 * to the source. Node's own gunzip goes on with the next member by itself, and does not say where that began; a record
 * is looked up by that. (A frame that ends where a chunk ends is gone on from, too, which only makes its stretch longer.)
 * Throws zlib's error on damage, with the source at most one slice before it, and where the source ends too early.
 *
 * @param most bytes that go in at a time, since all that comes out of them is held
 */
export async function* unpackedOnce(source: ByteSource, decoder: Decoder, most: number): AsyncGenerator<Uint8Array> {
  const stream = new Step(decoder);
  let fed = 0;
  try {
    for (;;) {
      const chunk = await source.next();
      if (!chunk) {
        yield* await stream.end();
        return;
      }
      const slice = chunk.subarray(0, most);
      source.giveBack(chunk.subarray(slice.length));
      const { output, isOver } = await stream.feed(slice).catch((error: unknown) => {
        // The next member may begin in it.
        source.giveBack(slice);
        throw error;
      });
      fed += slice.length;
      if (isOver) source.giveBack(slice.subarray(slice.length - (fed - decoder.bytesWritten)));
      yield* output;
      if (isOver) return;
    }
  } finally {
    decoder.destroy();
  }
}

/** A transform, a step at a time: what goes in, and all that comes out of it. */
class Step {
  readonly #decoder: Decoder;
  #output: Uint8Array[] = [];
  #isOver = false;
  #settle: (error?: Error | null) => void = () => {};

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
    decoder.on('data', (chunk: Buffer) => this.#output.push(chunk));
    decoder.on('end', () => {
      this.#isOver = true;
      this.#settle();
    });
    decoder.on('error', (error) => this.#settle(error));
  }

  async feed(slice: Uint8Array): Promise<{ output: readonly Uint8Array[]; isOver: boolean }> {
    await this.#step(() => this.#decoder.write(slice, this.#settle));
    return { output: this.#taken(), isOver: this.#isOver };
  }

  /** Nothing follows. */
  async end(): Promise<readonly Uint8Array[]> {
    await this.#step(() => this.#decoder.end());
    return this.#taken();
  }

  #step(begin: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        if (error) reject(error);
        else resolve();
      };
      begin();
    });
  }

  #taken(): readonly Uint8Array[] {
    const output = this.#output;
    this.#output = [];
    return output;
  }
}
