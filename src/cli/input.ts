import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Failure, systemReason, UsageError } from './failure.ts';

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
