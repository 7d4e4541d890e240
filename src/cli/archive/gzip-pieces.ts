import { crc32, createInflateRaw } from 'node:zlib';
import type { Piece } from '../../shared/archive/byte-window.ts';
import type { ByteSource } from './byte-source.ts';
import { isZlibError } from './damage.ts';
import { unpackedOnce } from './unpack-once.ts';

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
    for await (const bytes of unpackedOnce(source, createInflateRaw(), SLICE_BYTES)) {
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
const SLICE_BYTES = 16 * 1_024;

/** Zeros at the end, as tapes and some copiers leave them. */
async function passPadding(source: ByteSource): Promise<void> {
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    const first = chunk.findIndex((byte) => byte !== 0);
    if (first === -1) continue;
    source.giveBack(chunk.subarray(first));
    return;
  }
}
