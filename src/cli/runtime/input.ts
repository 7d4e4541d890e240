import { createReadStream } from 'node:fs';
import { Failure, systemReason, UsageError } from './failure.ts';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes of an input that is read as a whole, or of one line: a list of as many URLs as one may sensibly have. */
export const INPUT_BYTES = 16 * 1_024 * 1_024;

export type Chunks = AsyncIterable<Buffer | string>;

/** @throws {UsageError} on more than `INPUT_BYTES`, and on what cannot be read; both name the input as `name` does */
export async function readAll(from: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readable(from, name)) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > INPUT_BYTES) throw new UsageError(`${name}: more than ${INPUT_BYTES} bytes`);
    chunks.push(buffer);
  }
  // Not `toString`, which keeps the byte order mark that some editors write.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** One line of an input. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end, LF or CRLF; undefined when the line is longer than was asked for: it is skipped, not kept. */
  readonly text: string | undefined;
}

/**
 * The lines of an input of any length, one at a time: no more is kept than one line and one chunk. A last line
 * without an end counts, nothing after the last end does not.
 * @param longest UTF-16 units
 */
export async function* eachLine(from: Chunks, name: string, longest = INPUT_BYTES): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const line = new GrowingLine(longest);
  for await (const chunk of readable(from, name)) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      line.grow(text.slice(start, end));
      start = end + 1;
      yield line.take();
    }
    line.grow(text.slice(start));
  }
  line.grow(decoder.decode());
  if (!line.isEmpty) yield line.take();
}

class GrowingLine {
  readonly #longest: number;
  #number = 0;
  #length = 0;
  #text = '';

  constructor(longest: number) {
    this.#longest = longest;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  grow(text: string): void {
    this.#length += text.length;
    this.#text = this.#length > this.#longest ? '' : this.#text + text;
  }

  take(): Line {
    const text = this.#length > this.#longest ? undefined : this.#text.replace(/\r$/, '');
    this.#number += 1;
    this.#length = 0;
    this.#text = '';
    return { number: this.#number, text };
  }
}

/** A file, pipe or device, closed when the reading ends; what the system says against opening it is thrown to who reads. */
export function openFile(file: string): Readable {
  // Unheard, an error that comes before the first read would end the process with a stack trace.
  return createReadStream(file).on('error', () => {});
}

/** The chunks. @throws {UsageError} that names the input, for what the system says against reading them */
export async function* readable<Chunk>(from: AsyncIterable<Chunk>, name: string): AsyncGenerator<Chunk> {
  try {
    yield* from;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Failure || !('code' in error)) throw error;
    throw new UsageError(`cannot read ${name}: ${systemReason(error)}`);
  }
}

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

/** Whether the bytes begin so. */
export function isAt(head: Uint8Array, magic: readonly number[]): boolean {
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
