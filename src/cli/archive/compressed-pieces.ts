import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Piece } from '../../shared/archive/byte-window.ts';
import type { ByteSource } from './byte-source.ts';

/**
 * A gzip file as archives have it: a member for each record, so that one can be found without the others. The place of
 * a byte is that of its member, and how far in it. The last bytes of a member come only when its checksum is right: a
 * record that was damaged is never whole.
 */
export async function* gzipPieces(source: ByteSource): AsyncGenerator<Piece> {
  for (;;) {
    await passPadding(source);
    const { offset } = source;
    const start = await source.peek(PLAIN_HEAD_BYTES);
    if (start.length === 0) return;
    const size = headSize(start[3] === 0 ? start : await source.peek(HEAD_BYTES));
    if (size === undefined) {
      yield { at: { offset, within: 0 }, gap: DAMAGED };
      await source.pass(1);
      await source.passTo(MAGIC);
      continue;
    }
    await source.pass(size);
    yield* member(source, offset);
  }
}

async function* member(source: ByteSource, offset: number): AsyncGenerator<Piece> {
  let within = 0;
  let sum = 0;
  let held: Uint8Array | undefined;
  const piece = (bytes: Uint8Array): Piece => ({ at: { offset, within: within - bytes.length }, bytes });
  try {
    for await (const bytes of unpackedOnce(source, createInflateRaw(), DEFLATE_SLICE_BYTES)) {
      if (held) yield piece(held);
      within += bytes.length;
      sum = crc32(bytes, sum);
      held = bytes;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    const isEnd = (await source.peek(1)).length === 0;
    yield { at: { offset, within }, gap: isEnd ? CUT : DAMAGED };
    if (!isEnd) await source.passTo(MAGIC);
    return;
  }
  const trailer = Buffer.from(await source.peek(TRAILER_BYTES)).subarray(0, TRAILER_BYTES);
  await source.pass(trailer.length);
  const isWhole = trailer.length === TRAILER_BYTES;
  const isRight = isWhole && trailer.readUInt32LE(0) === sum && trailer.readUInt32LE(4) === within % 2 ** 32;
  if (!isRight) yield { at: { offset, within }, gap: isWhole ? DAMAGED : CUT };
  else if (held) yield piece(held);
}

const DAMAGED = 'the gzip data is damaged';
const CUT = 'the file ends in the middle of its gzip data';

/** RFC 1952, 2.3: bytes before the deflate data; undefined where this is no member, or a head without end. */
function headSize(bytes: Uint8Array): number | undefined {
  const flags = bytes[3] ?? 0xff;
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length)) || flags > 0x1f) return undefined;
  let size = 10;
  if ((flags & 0x04) !== 0) size += 2 + (bytes[size] ?? 0) + 256 * (bytes[size + 1] ?? 0);
  for (const text of [0x08, 0x10]) {
    if ((flags & text) === 0) continue;
    const end = bytes.indexOf(0, size);
    if (end === -1) return undefined;
    size = end + 1;
  }
  if ((flags & 0x02) !== 0) size += 2;
  return size <= bytes.length ? size : undefined;
}

const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
const PLAIN_HEAD_BYTES = 10;
/** The extra field has 64 KiB at most; names are short. */
const HEAD_BYTES = 68 * 1_024;
const TRAILER_BYTES = 8;
/** Deflate makes a thousand bytes of one at most: 16 MiB. */
const DEFLATE_SLICE_BYTES = 16 * 1_024;

/** Zeros at the end, as tapes and some copiers leave them. */
async function passPadding(source: ByteSource): Promise<void> {
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    const first = chunk.findIndex((byte) => byte !== 0);
    if (first === -1) continue;
    source.giveBack(chunk.subarray(first));
    return;
  }
}

/** Frame after frame of zstd, as `.warc.zst` has one for each record. */
export async function* zstdPieces(source: ByteSource): AsyncGenerator<Piece> {
  while ((await source.peek(1)).length > 0) {
    const { offset } = source;
    let within = 0;
    try {
      for await (const bytes of unpackedOnce(source, createZstdDecompress(), ZSTD_SLICE_BYTES)) {
        yield { at: { offset, within }, bytes };
        within += bytes.length;
      }
    } catch (error) {
      if (!isZlibError(error)) throw error;
      yield { at: { offset, within }, gap: 'the zstd data is damaged, or ends too early' };
      // The frame that was tried may be what is found first.
      if (source.offset === offset) await source.pass(1);
      await source.passTo(ZSTD_MAGIC);
    }
  }
}

/** A block of four bytes may stand for 128 KiB: 32 MiB. */
const ZSTD_SLICE_BYTES = 1_024;
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

type Decoder = ReturnType<typeof createInflateRaw> | ReturnType<typeof createZstdDecompress>;

/**
 * One deflate stream, or one frame of zstd, out of many that follow one another: what comes behind its end is given back
 * to the source. Node's own gunzip goes on with the next member by itself, and does not say where that began; a record
 * is looked up by that. (A frame that ends where a chunk ends is gone on from, too, which only makes its stretch longer.)
 * Throws zlib's error on damage, with the source at most one slice before it, and where the source ends too early.
 *
 * @param most bytes that go in at a time, since all that comes out of them is held
 */
async function* unpackedOnce(source: ByteSource, decoder: Decoder, most: number): AsyncGenerator<Uint8Array> {
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

/** Whether zlib, or zstd, says that what it was given is not what it unpacks; not that a file could not be read. */
function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_)/.test(String(error.code));
}
