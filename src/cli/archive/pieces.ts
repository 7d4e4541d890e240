import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { isAt } from '../runtime/input.ts';
import type { Piece } from '../../shared/archive/records.ts';
import { type Found, readRecords, type WarcHead } from '../../shared/archive/records.ts';
import { UsageError } from '../runtime/failure.ts';

/** How an archive is packed, by its first bytes: names are missing (stdin) or wrong. */
export type Packing = 'none' | 'gzip' | 'zstd';

/** @throws {UsageError} on what is no archive that can be read as it comes */
export async function packingOf(source: ByteSource, name: string): Promise<Packing> {
  const head = await source.peek(8);
  if (isAt(head, [0x1f, 0x8b])) return 'gzip';
  if (isAt(head, [0x28, 0xb5, 0x2f, 0xfd])) return 'zstd';
  if (isAt(head, [0x5d, 0x2a, 0x4d, 0x18])) {
    throw new UsageError(`${name} is compressed with a custom zstd dictionary, which hydrant does not have`, {
      try: `zstd -d --stdout ${name} | hydrant ingest -`,
    });
  }
  if (isAt(head, [0x50, 0x4b, 0x03, 0x04])) throw new UsageError(`${name} is a zip file, not a WARC file`);
  return 'none';
}

/** The bytes of an archive, unpacked, each with its place. What the packing does not say any more is a gap. */
export function unpackedPieces(source: ByteSource, packing: Packing): AsyncGenerator<Piece> {
  if (packing === 'gzip') return gzipPieces(source);
  return packing === 'zstd' ? zstdPieces(source) : plainPieces(source);
}

/** The records of an archive, each with its place in the file; in one that is not packed that is a byte of it. */
export async function* recordsIn(
  source: ByteSource,
  packing: Packing,
  wants?: (head: WarcHead) => boolean,
): AsyncGenerator<Found> {
  for await (const found of readRecords(unpackedPieces(source, packing), wants)) {
    const { offset, within } = found.at;
    yield packing === 'none' ? { ...found, at: { offset: offset + within, within: 0 } } : found;
  }
}

async function* plainPieces(source: ByteSource): AsyncGenerator<Piece> {
  for (;;) {
    const { offset } = source;
    const bytes = await source.next();
    if (!bytes) return;
    yield { at: { offset, within: 0 }, bytes };
  }
}

/**
 * A gzip file as archives have it: a member for each record, so that one can be found without the others. The place of
 * a byte is that of its member, and how far in it. The last bytes of a member come only when its checksum is right: a
 * record that was damaged is never whole.
 */
async function* gzipPieces(source: ByteSource): AsyncGenerator<Piece> {
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
async function* zstdPieces(source: ByteSource): AsyncGenerator<Piece> {
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

/** Bytes as they come, that can be given back. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #back: Uint8Array[] = [];
  #offset: number;

  /** @param offset of the first byte, in the file it is of */
  constructor(chunks: AsyncIterable<Uint8Array | string>, offset = 0) {
    this.#chunks = buffers(chunks);
    this.#offset = offset;
  }

  /** Of the next byte, in the file. */
  get offset(): number {
    return this.#offset;
  }

  /** Some bytes, never none; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#back.pop() ?? (await this.#fresh());
    this.#offset += chunk?.length ?? 0;
    return chunk;
  }

  giveBack(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#back.push(bytes);
    this.#offset -= bytes.length;
  }

  /** So many bytes, or all that are left where there are fewer. They stay. */
  async peek(count: number): Promise<Uint8Array> {
    let held: Uint8Array = new Uint8Array();
    while (held.length < count) {
      const chunk = await this.next();
      if (!chunk) break;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    }
    this.giveBack(held);
    return held;
  }

  async pass(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      const chunk = await this.next();
      if (!chunk) return;
      this.giveBack(chunk.subarray(left));
      left -= Math.min(left, chunk.length);
    }
  }

  /** To where these bytes stand, or to the end. */
  async passTo(magic: Buffer): Promise<void> {
    for (;;) {
      const chunk = await this.next();
      if (!chunk) return;
      // They may lie across two chunks.
      const ahead = await this.peek(magic.length - 1);
      const next = Buffer.concat([chunk, ahead.subarray(0, magic.length - 1)]).indexOf(magic);
      if (next === -1) continue;
      this.giveBack(chunk.subarray(next));
      return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fresh(): Promise<Uint8Array | undefined> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return undefined;
      if (value.length > 0) return value;
    }
  }
}

async function* buffers(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk as Uint8Array);
}
