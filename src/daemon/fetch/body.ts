import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { gunzip } from '../compression.ts';
import { FetchProblem } from './fetched.ts';
import { quote } from './printable.ts';

/**
 * A response body becomes the bytes of a page, or a FetchProblem: never more than its limit, whatever the headers
 * promise and however small it is on the wire. Bytes are counted where they come off the wire and again behind each
 * decoder, because a body can be large at one of these places only: a bomb at the end, a double bomb in the middle,
 * a flood of empty compressed blocks at the beginning.
 *
 * Most pages are a few kilobytes on the wire. Those are collected and decoded in one go, which costs a fifth of what
 * streams do; a decoder is told beforehand how much it may give. Larger ones are decoded in a thread, chunk by chunk,
 * so a decoder runs no further ahead than its own buffer.
 *
 * Decided against: undici's `maxResponseSize`, which counts bytes on the wire, and its decompression, which is
 * experimental; cutting at the limit, because half a page reads as a mass deletion.
 */
interface BodyHeaders {
  /** `Content-Encoding`, lists joined by commas; empty when absent. */
  readonly contentEncoding: string;
  /** `Content-Length`; empty when absent. */
  readonly contentLength: string;
}

export interface BodyLimits {
  /** As it is called in a sentence. */
  readonly name: string;
  /** Of the decoded body. */
  readonly bytes: number;
  /** Whether the body may itself be a gzip file, which is then unpacked, too. */
  readonly unpacks: boolean;
}

/** The body, decoded; zero bytes for an empty one. Alone in its ArrayBuffer, so that it can be handed to a thread. */
export async function readBody(body: Chunks, headers: BodyHeaders, limits: BodyLimits): Promise<Uint8Array> {
  const codings = codingsOf(headers.contentEncoding);
  const isPacked = codings.length > 0 || limits.unpacks;
  const encodedLimit = isPacked ? limits.bytes + CODING_OVERHEAD : limits.bytes;
  if (Number(headers.contentLength) > encodedLimit) throw tooLarge(limits);

  const chunks = body[Symbol.asyncIterator]();
  try {
    const { start, ended } = await begin(chunks);
    if (ended) return unpackedAtOnce(start, codings, limits);
    return await unpacked(resumed(start, chunks), { codings, encodedLimit, limits });
  } finally {
    await chunks.return?.();
  }
}

/** The first `most` bytes of a body, decoded, and no more of it is read; all of a shorter one. */
export async function readStart(body: Chunks, headers: BodyHeaders, limits: BodyLimits): Promise<Uint8Array> {
  const most = limits.bytes;
  const start = new GrowingBuffer(most);
  let chunks = counted(body, WIRE_FOR_START, limits);
  for (const coding of codingsOf(headers.contentEncoding).toReversed())
    chunks = counted(decoded(chunks, coding), WIRE_FOR_START, limits);
  for await (const chunk of chunks) {
    start.append(chunk.subarray(0, most - start.length));
    if (start.length === most) break;
  }
  return start.bytes();
}

/** Bytes on the wire that are collected before a decoder is started, and decoded at once if that was all. */
export const AT_ONCE_BYTES = 64 * 1_024;
/** What compression may add to bytes that do not compress: a header, and a few bytes for each block. */
const CODING_OVERHEAD = 64 * 1_024;
/** Bytes that the beginning of a file may take at any stage: blocks without content could go on without end. */
const WIRE_FOR_START = 5 * 1_024 * 1_024;
/** Repetitive tables reach 100 to 1; a gzip bomb 1,000, a brotli bomb far more. */
const MOST_RATIO = 200;
const RATIO_FROM_BYTES = 1_024 * 1_024;

async function begin(chunks: AsyncIterator<Uint8Array>): Promise<{ start: Uint8Array; ended: boolean }> {
  const start = new GrowingBuffer(2 * AT_ONCE_BYTES);
  for (;;) {
    const next = await chunks.next();
    if (next.done) return { start: start.bytes(), ended: true };
    start.append(next.value);
    if (start.length > AT_ONCE_BYTES) return { start: start.bytes(), ended: false };
  }
}

function unpackedAtOnce(wire: Uint8Array, codings: readonly Coding[], limits: BodyLimits): Uint8Array {
  const byRatio = Math.max(RATIO_FROM_BYTES, wire.length * MOST_RATIO);
  const most = Math.min(limits.bytes, byRatio);
  const decoders = [
    ...codings.toReversed().map((coding) => decodedAtOnce(coding)),
    ...(limits.unpacks ? [gunzippedAtOnce] : []),
  ];
  let bytes = wire;
  for (const decode of decoders) {
    const next = decode(bytes, most);
    if (!next) throw byRatio < limits.bytes ? bomb(limits) : tooLarge(limits);
    bytes = next;
  }
  if (bytes.length > limits.bytes) throw tooLarge(limits);
  return bytes;
}

interface Unpacking {
  readonly codings: readonly Coding[];
  readonly encodedLimit: number;
  readonly limits: BodyLimits;
}

async function unpacked(body: Chunks, { codings, encodedLimit, limits }: Unpacking): Promise<Uint8Array> {
  const wire = { bytes: 0 };
  let chunks = counted(body, encodedLimit, limits, wire);
  for (const coding of codings.toReversed()) chunks = counted(decoded(chunks, coding), encodedLimit, limits);
  if (limits.unpacks) chunks = gunzipped(chunks);
  const page = new GrowingBuffer(limits.bytes);
  for await (const chunk of chunks) {
    if (page.length + chunk.length > limits.bytes) throw tooLarge(limits);
    page.append(chunk);
    if (page.length > RATIO_FROM_BYTES && page.length > wire.bytes * MOST_RATIO) throw bomb(limits);
  }
  return page.bytes();
}

async function* resumed(start: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* counted(chunks: Chunks, limit: number, limits: BodyLimits, count = { bytes: 0 }): Chunks {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    if (count.bytes > limit) throw tooLarge(limits);
    yield chunk;
  }
}

function tooLarge({ name, bytes }: BodyLimits): FetchProblem {
  return new FetchProblem('too_large', `${name} is larger than ${bytes / 1_024 / 1_024} MiB`);
}

function bomb({ name }: BodyLimits): FetchProblem {
  const from = `${RATIO_FROM_BYTES / 1_024 / 1_024} MiB`;
  return new FetchProblem('too_large', `${name} unpacks to more than ${MOST_RATIO} times its size, and over ${from}`);
}

/**
 * Copies chunks together as they come. Kept as they are, five million chunks of one byte would each hold on to the
 * 64 KiB that they were read in. What it grows out of is freed at once: left to the garbage collector, which does not
 * see how much it is, it came to 30 MB of a crawl (measured).
 */
class GrowingBuffer {
  readonly #most: number;
  #buffer = new Uint8Array(new ArrayBuffer(8 * 1_024));
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Math.max(length, Math.min(this.#most, this.#buffer.length * 2));
      this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(larger));
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** The end of it: nothing can be appended any more. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#buffer.buffer.transfer(this.#length));
  }
}

/** What we say we read, and what `decoded` can undo. */
export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate';

export type Chunks = AsyncIterable<Uint8Array>;

/** How one coding is undone: as a stream, and in one go with an upper bound. */
interface Coding {
  readonly stream: (firstByte: number) => Transform;
  readonly atOnce: (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
}

const GZIP: Coding = { stream: () => createGunzip(), atOnce: gunzip };
// 8 MiB is all that HTTP allows (RFC 9659); a frame may ask for 128 MiB of window before its first byte.
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['br', { stream: () => createBrotliDecompress(), atOnce: brotliDecompressSync }],
  [
    'zstd',
    {
      stream: () => createZstdDecompress(ZSTD),
      atOnce: (bytes, options) => zstdDecompressSync(bytes, { ...ZSTD, ...options }),
    },
  ],
  [
    'deflate',
    {
      stream: (firstByte) => (isZlibFormat(firstByte) ? createInflate() : createInflateRaw()),
      atOnce: (bytes, options) => (isZlibFormat(bytes[0]) ? inflateSync : inflateRawSync)(bytes, options),
    },
  ],
]);

/** The standard means zlib's format (RFC 1950), some servers send bare deflate (RFC 1951): the method bits tell. */
function isZlibFormat(firstByte = 0): boolean {
  return (firstByte & 0x0f) === 0x08;
}

/** Labels seen in the wild that change nothing. */
const NO_CODING = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** One is the rule, two happen behind proxies; a long list is an attack. */
const MOST_CODINGS = 2;

/** The codings of a `Content-Encoding` header in the order they were applied. Throws for unknown ones, or too many. */
function codingsOf(header: string): readonly Coding[] {
  if (header === '') return [];
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !NO_CODING.has(name));
  if (names.length > MOST_CODINGS) {
    throw new FetchProblem(
      'undecodable',
      `the body is encoded ${names.length} times; at most ${MOST_CODINGS} are supported`,
    );
  }
  return names.map((name) => {
    const coding = CODINGS.get(name);
    if (!coding)
      throw new FetchProblem('undecodable', `the content encoding ${quote(name)} is not one of ${ACCEPT_ENCODING}`);
    return coding;
  });
}

/** All of a body decoded, at most `most` bytes; undefined when it would be more. */
type AtOnce = (bytes: Uint8Array, most: number) => Uint8Array | undefined;

/** Undoes one coding of a short body, on this thread. No bytes in, no bytes out. */
function decodedAtOnce({ atOnce }: Coding): AtOnce {
  return (bytes, most) => {
    if (bytes.length === 0) return bytes;
    try {
      // zlib's result may lie in a buffer that is larger, or that others share.
      return new Uint8Array(atOnce(bytes, { maxOutputLength: most }));
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
      throw undecodable(error) ?? error;
    }
  };
}

/** The contents of a gzip file; any other body as it is. */
const gunzippedAtOnce: AtOnce = (bytes, most) => (isGzip(bytes) ? decodedAtOnce(GZIP)(bytes, most) : bytes);

/** Undoes one coding, as fast as the chunks that come out are taken. No bytes in, no bytes out. */
async function* decoded(encoded: Chunks, coding: Coding): Chunks {
  const chunks = encoded[Symbol.asyncIterator]();
  const first = await atLeast(1, chunks);
  if (first.length > 0) yield* through(coding.stream(first[0] ?? 0), rejoined(first, chunks));
}

/** The contents of a gzip file; any other body as it is. */
async function* gunzipped(body: Chunks): Chunks {
  const chunks = body[Symbol.asyncIterator]();
  const first = await atLeast(2, chunks);
  const all = rejoined(first, chunks);
  yield* isGzip(first) ? through(GZIP.stream(0), all) : all;
}

/** RFC 1952, 2.3.1. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function* through(decoder: Transform, encoded: Chunks): Chunks {
  const fed = pipeline(encoded, decoder);
  // The decoder fails with the same error, and there it is heard.
  fed.catch(() => undefined);
  try {
    yield* decoder as Chunks;
  } catch (error) {
    throw undecodable(error) ?? error;
  }
}

/** As many bytes as are asked for, or all that there are; more where they came in one piece. */
async function atLeast(count: number, chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array();
  while (bytes.length < count) {
    const next = await chunks.next();
    if (next.done) return bytes;
    bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

async function* rejoined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Z_DATA_ERROR, Z_BUF_ERROR (cut short), ERR__ERROR_FORMAT_… (brotli), ZSTD_error_…. */
function undecodable(error: unknown): FetchProblem | undefined {
  const code = codeOf(error);
  if (code === undefined || !/^(?:Z_|ZSTD_|ERR__ERROR_)/.test(code)) return undefined;
  return new FetchProblem('undecodable', `the body is not what its encoding says (${code})`);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
