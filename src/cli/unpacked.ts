import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from './failure.ts';
import type { Chunks } from './input.ts';

/**
 * An input as it comes, or unpacked where its first bytes say that it is gzip: a name may be missing (stdin) or wrong.
 * @param unzip the command for a zip file
 * @throws {UsageError} on a zip file, which cannot be unpacked as it comes, and on gzip that is damaged
 */
export async function* unpacked(
  from: Chunks,
  name: string,
  unzip = 'unzip -p list.zip | hydrant rating import -',
): AsyncGenerator<Buffer> {
  const chunks = buffers(from);
  const head = await firstBytes(chunks);
  const whole = joined(head, chunks);
  if (isAt(head, ZIP)) {
    throw new UsageError(`${name} is a zip file`, { try: unzip });
  }
  if (isAt(head, GZIP)) yield* gunzipped(whole, name);
  else yield* whole;
}

/** RFC 1952, 2.3.1; the local file header of a zip file. */
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];

function isAt(head: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte);
}

async function* buffers(from: Chunks): AsyncGenerator<Buffer> {
  for await (const chunk of from) yield Buffer.from(chunk);
}

/** At least as many bytes as tell a form, where there are so many. */
async function firstBytes(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < ZIP.length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* joined(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

async function* gunzipped(packed: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // What fails ends the last of the streams, which is the one that is read.
  pipeline(Readable.from(packed), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const isOfGzip = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isOfGzip ? new UsageError(`${name}: the gzip data is damaged or ends too early`) : error;
  }
}
