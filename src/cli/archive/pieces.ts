import { isAt } from '../runtime/input.ts';
import type { Piece } from '../../shared/archive/byte-window.ts';
import { type Found, readRecords } from '../../shared/archive/records.ts';
import type { WarcHead } from '../../shared/archive/warc-head.ts';
import { UsageError } from '../runtime/failure.ts';
import type { ByteSource } from './byte-source.ts';
import { gzipPieces, zstdPieces } from './compressed-pieces.ts';

/** How an archive is packed, by its first bytes: names are missing (stdin) or wrong. */
export type Packing = 'none' | 'gzip' | 'zstd';

/** @throws {UsageError} on what is no archive that can be read as it comes */
export async function packingOf(source: ByteSource, name: string): Promise<Packing> {
  const head = await source.peek(8);
  if (isAt(head, [0x1f, 0x8b])) return 'gzip';
  if (isAt(head, [0x28, 0xb5, 0x2f, 0xfd])) return 'zstd';
  if (isAt(head, [0x5d, 0x2a, 0x4d, 0x18])) {
    throw new UsageError(`${name} is packed with a dictionary of its own, which is not read`, {
      try: `zstd -d --stdout ${name} | hydrant ingest -`,
    });
  }
  if (isAt(head, [0x50, 0x4b, 0x03, 0x04])) throw new UsageError(`${name} is a zip file, and no WARC file`);
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
