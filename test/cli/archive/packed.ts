import { gzipSync } from 'node:zlib';
import { ByteSource, packingOf, unpackedPieces } from '../../../src/cli/archive/pieces.ts';
import { foundIn, told } from '../../shared/archive/warc-bytes.ts';

/** A member for each part, as archives are packed. */
export function members(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts.map((part) => gzipSync(part)));
}

export async function* chunks(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function readPacked(bytes: Uint8Array, size?: number): Promise<string[]> {
  const source = new ByteSource(chunks(bytes, size));
  return told(await foundIn(unpackedPieces(source, await packingOf(source, 'a.warc'))));
}
