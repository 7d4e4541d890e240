import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { FetchProblem } from './fetch-problem.ts';
import { quote } from './printable.ts';

/** What we say we read, and what `decoded` can undo. */
export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate';

export type Chunks = AsyncIterable<Uint8Array>;

export type Coding = (firstByte: number) => Transform;

const gunzip: Coding = () => createGunzip();

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', () => createBrotliDecompress()],
  // 8 MiB is all that HTTP allows (RFC 9659); a frame may ask for 128 MiB of window before its first byte.
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
  // The standard means zlib's format (RFC 1950), some servers send bare deflate (RFC 1951): the method bits tell.
  ['deflate', (firstByte: number) => ((firstByte & 0x0f) === 0x08 ? createInflate() : createInflateRaw())],
]);

/** Labels seen in the wild that change nothing. */
const NO_CODING = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** One is the rule, two happen behind proxies; a long list is an attack. */
const MOST_CODINGS = 2;

/** The codings of a `Content-Encoding` header in the order they were applied. Throws for unknown ones, or too many. */
export function codingsOf(header: string): readonly Coding[] {
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

/** Undoes one coding, as fast as the chunks that come out are taken. No bytes in, no bytes out. */
export async function* decoded(encoded: Chunks, coding: Coding): Chunks {
  const chunks = encoded[Symbol.asyncIterator]();
  const first = await firstChunk(chunks);
  if (!first) return;
  const decoder = coding(first[0] ?? 0);
  const fed = pipeline(rejoined(first, chunks), decoder);
  // The decoder fails with the same error, and there it is heard.
  fed.catch(() => undefined);
  try {
    yield* decoder as Chunks;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new FetchProblem('undecodable', `the body is not what its encoding says (${error.code})`);
  }
}

async function firstChunk(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const next = await chunks.next();
    if (next.done) return undefined;
    if (next.value.length > 0) return next.value;
  }
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
function isZlibError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR__ERROR_)/.test(String(error.code));
}
