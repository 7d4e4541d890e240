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
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { FetchProblem } from './fetch-problem.ts';
import { quote } from './printable.ts';

/** What we say we read, and what `decoded` can undo. */
export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate';

export type Chunks = AsyncIterable<Uint8Array>;

/** How one coding is undone: as a stream, and in one go with an upper bound. */
export interface Coding {
  readonly stream: (firstByte: number) => Transform;
  readonly atOnce: (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
}

const GZIP: Coding = { stream: () => createGunzip(), atOnce: gunzipSync };
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
export function codingsOf(header: string): readonly Coding[] {
  if (header === '') return [];
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !NO_CODING.has(name));
  if (names.length > MOST_CODINGS) {
    throw new FetchProblem(
      'undecodable',
      `the body is encoded ${names.length} times; at most ${MOST_CODINGS} are read`,
    );
  }
  return names.map((name) => {
    const coding = CODINGS.get(name);
    if (!coding)
      throw new FetchProblem('undecodable', `the content encoding ${quote(name)} is none of ${ACCEPT_ENCODING}`);
    return coding;
  });
}

/** All of a body decoded, at most `most` bytes; undefined when it would be more. */
export type AtOnce = (bytes: Uint8Array, most: number) => Uint8Array | undefined;

/** Undoes one coding of a short body, on this thread. No bytes in, no bytes out. */
export function decodedAtOnce({ atOnce }: Coding): AtOnce {
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
export const gunzippedAtOnce: AtOnce = (bytes, most) => (isGzip(bytes) ? decodedAtOnce(GZIP)(bytes, most) : bytes);

/** Undoes one coding, as fast as the chunks that come out are taken. No bytes in, no bytes out. */
export async function* decoded(encoded: Chunks, coding: Coding): Chunks {
  const chunks = encoded[Symbol.asyncIterator]();
  const first = await atLeast(1, chunks);
  if (first.length > 0) yield* through(coding.stream(first[0] ?? 0), rejoined(first, chunks));
}

/** The contents of a gzip file; any other body as it is. */
export async function* gunzipped(body: Chunks): Chunks {
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
