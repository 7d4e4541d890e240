import { createZstdDecompress } from 'node:zlib';
import type { Piece } from '../../shared/archive/byte-window.ts';
import type { ByteSource } from './byte-source.ts';
import { isZlibError } from './damage.ts';
import { unpackedOnce } from './unpack-once.ts';

/** Frame after frame of zstd, as `.warc.zst` has one for each record. */
export async function* zstdPieces(source: ByteSource): AsyncGenerator<Piece> {
  while ((await source.peek(1)).length > 0) {
    const { offset } = source;
    let within = 0;
    try {
      for await (const bytes of unpackedOnce(source, createZstdDecompress(), SLICE_BYTES)) {
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
const SLICE_BYTES = 1_024;
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
