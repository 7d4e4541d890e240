import { type Chunks, type Coding, codingsOf, decoded } from './content-encoding.ts';
import { FetchProblem } from './fetch-problem.ts';
import { PAGE_BYTES } from '../../shared/limits.ts';

/**
 * A response body becomes the bytes of a page, or a FetchProblem: never more than `PAGE_BYTES`, whatever the headers
 * promise and however small it is on the wire. Bytes are counted where they come off the wire and again behind each
 * decoder, because a body can be large at one of these places only: a bomb at the end, a double bomb in the middle,
 * a flood of empty compressed blocks at the beginning. Chunks are taken one at a time, so a decoder runs no further
 * ahead than its own buffer.
 *
 * Decided against: undici's `maxResponseSize`, which counts bytes on the wire, and its decompression, which is
 * experimental; cutting at the limit, because half a page reads as a mass deletion.
 */
export interface BodyHeaders {
  /** `Content-Encoding`, lists joined by commas; empty when absent. */
  readonly contentEncoding: string;
  /** `Content-Length`; empty when absent. */
  readonly contentLength: string;
}

/** The body, decoded; zero bytes for an empty one. */
export async function readBody(body: Chunks, headers: BodyHeaders): Promise<Uint8Array> {
  const codings = codingsOf(headers.contentEncoding);
  const encodedLimit = codings.length > 0 ? PAGE_BYTES + CODING_OVERHEAD : PAGE_BYTES;
  if (Number(headers.contentLength) > encodedLimit) throw tooLarge();

  const wire = { bytes: 0 };
  const chunks = decodedBy(codings, body, encodedLimit, wire);
  const page = new GrowingBuffer();
  for await (const chunk of chunks) {
    if (page.length + chunk.length > PAGE_BYTES) throw tooLarge();
    page.append(chunk);
    if (page.length > RATIO_FROM_BYTES && page.length > wire.bytes * MOST_RATIO) throw bomb();
  }
  return page.bytes();
}

/** The first `most` bytes of a body, decoded, and no more of it is read; all of a shorter one. */
export async function readStart(body: Chunks, headers: BodyHeaders, most: number): Promise<Uint8Array> {
  const start = new GrowingBuffer();
  const codings = codingsOf(headers.contentEncoding);
  for await (const chunk of decodedBy(codings, body, PAGE_BYTES)) {
    start.append(chunk.subarray(0, most - start.length));
    if (start.length === most) break;
  }
  return start.bytes();
}

function decodedBy(codings: readonly Coding[], body: Chunks, limit: number, wire?: { bytes: number }): Chunks {
  let chunks = counted(body, limit, wire);
  for (const coding of codings.toReversed()) chunks = counted(decoded(chunks, coding), limit);
  return chunks;
}

/** What compression may add to bytes that do not compress: a header, and a few bytes for each block. */
const CODING_OVERHEAD = 64 * 1_024;
/** Repetitive tables reach 100 to 1; a gzip bomb 1,000, a brotli bomb far more. */
const MOST_RATIO = 200;
const RATIO_FROM_BYTES = 1_024 * 1_024;

async function* counted(chunks: Chunks, limit: number, count = { bytes: 0 }): Chunks {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    if (count.bytes > limit) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): FetchProblem {
  return new FetchProblem('too_large', `the page is larger than ${PAGE_BYTES / 1_024 / 1_024} MiB`);
}

function bomb(): FetchProblem {
  const from = `${RATIO_FROM_BYTES / 1_024 / 1_024} MiB`;
  return new FetchProblem('too_large', `the page unpacks to more than ${MOST_RATIO} times its size, and over ${from}`);
}

/**
 * Copies chunks together as they come. Kept as they are, five million chunks of one byte would each hold on to the
 * 64 KiB that they were read in.
 */
class GrowingBuffer {
  #buffer = new Uint8Array(64 * 1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, Math.min(PAGE_BYTES, this.#buffer.length * 2)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }
}
