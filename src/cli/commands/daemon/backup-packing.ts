import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { exitCode } from '../../exit-code.ts';
import { Failure, UsageError } from '../../failure.ts';
import type { Chunks } from '../../input.ts';

export type Packing = 'zstd' | 'gzip' | 'none';

const endings: readonly (readonly [string, Packing])[] = [
  ['.tar.zst', 'zstd'],
  ['.tar.gz', 'gzip'],
  ['.tgz', 'gzip'],
  ['.tar', 'none'],
];

/** By the end of the name; stdout has none. @throws {UsageError} for another end, which would promise another form */
export function packingOf(file: string): Packing {
  if (file === '-') return 'zstd';
  const found = endings.find(([ending]) => file.toLowerCase().endsWith(ending));
  if (found) return found[1];
  throw new UsageError(`${file}: a backup is called .tar.zst, .tar.gz or .tar`, {
    try: `hydrant backup ${file}.tar.zst`,
  });
}

/** What packs it; nothing for a plain archive. */
export function packerOf(packing: Packing): Transform[] {
  if (packing === 'none') return [];
  return [packing === 'zstd' ? createZstdCompress() : createGzip()];
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** A backup, unpacked by what its first bytes say. @throws {Failure} when the packing is damaged or cut off */
export async function* unpackedBackup(from: Chunks): AsyncGenerator<Uint8Array> {
  const chunks = from[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < ZSTD.length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, Buffer.from(value)]);
  }
  const whole = continued(head, chunks);
  const isAt = (magic: readonly number[]): boolean => magic.every((byte, index) => head[index] === byte);
  if (isAt(ZSTD)) yield* through(whole, createZstdDecompress());
  else if (isAt(GZIP)) yield* through(whole, createGunzip());
  else yield* whole;
}

async function* continued(head: Buffer, rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const { value, done } = await rest.next();
    if (done === true) return;
    yield Buffer.from(value);
  }
}

async function* through(packed: AsyncGenerator<Buffer>, unpack: Transform): AsyncGenerator<Uint8Array> {
  // What fails ends the last of the streams, which is the one that is read.
  pipeline(Readable.from(packed), unpack, () => {});
  try {
    yield* unpack as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(Z_|ZSTD_)/.test(code)) throw error;
    throw new Failure('refused', exitCode.no, 'this is no whole backup: its packing is damaged, or it ends too early');
  }
}
