import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BodyLimits, readBody } from '../../../src/daemon/fetch/body.ts';
import { FetchProblem } from '../../../src/daemon/fetch/fetched.ts';
import { PAGE_BYTES } from '../../../src/shared/limits.ts';

const MIB = 1024 * 1024;
const PAGE: BodyLimits = { name: 'the page', bytes: PAGE_BYTES, unpacks: false };
const ENCODERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => zstdCompressSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
};

/** A body that comes in the given pieces and notes how far it was read, and whether it was let go. */
class Pieces {
  taken = 0;
  released = false;
  readonly #pieces: Iterable<Uint8Array>;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of this.#pieces) {
        this.taken += piece.length;
        yield piece;
      }
    } finally {
      this.released = true;
    }
  }
}

function read(body: AsyncIterable<Uint8Array>, contentEncoding = '', contentLength = ''): Promise<Uint8Array> {
  return readBody(body, { contentEncoding, contentLength }, PAGE);
}

async function problemOf(reading: Promise<Uint8Array>): Promise<{ reason: string; detail: string }> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof FetchProblem) return { reason: error.reason, detail: error.message };
    throw error;
  }
  throw new Error('the body was read');
}

function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function* endless(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece;
}

describe('what comes out is what was put in', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
  const coding = fc.constantFrom(...Object.keys(ENCODERS));
  const content = fc.uint8Array({ minLength: 1, maxLength: 5_000 });

  test('for any bytes, any one or two codings, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(coding, { maxLength: 2 }), sizes, async (bytes, codings, sizes) => {
        const encoded = codings.reduce<Uint8Array>((body, name) => ENCODERS[name]!(body), bytes);
        const pieces = new Pieces(cut(encoded, sizes));
        expect(await read(pieces, codings.join(', '))).toEqual(bytes);
        expect(pieces.released).toBe(true);
      }),
    );
  });

  test('bare deflate is read as well as the zlib format', async () => {
    const bytes = Buffer.from('<p>deflate, as some servers mean it</p>');
    expect(Buffer.from(await read(new Pieces([deflateRawSync(bytes)]), 'deflate'))).toEqual(bytes);
    expect(Buffer.from(await read(new Pieces(cut(deflateSync(bytes), [1])), 'DEFLATE'))).toEqual(bytes);
  });

  test('names that change nothing are passed over, and empty bodies stay empty under any coding', async () => {
    expect(await read(new Pieces([Buffer.from('x')]), 'identity, utf-8,')).toHaveLength(1);
    for (const name of Object.keys(ENCODERS)) {
      expect(await read(new Pieces([]), name)).toHaveLength(0);
      expect(await read(new Pieces([new Uint8Array(), new Uint8Array()]), name)).toHaveLength(0);
    }
  });

  test('several gzip members are one body', async () => {
    const members = Buffer.concat([gzipSync('one '), gzipSync('two')]);
    expect(Buffer.from(await read(new Pieces([members]), 'gzip')).toString()).toBe('one two');
  });
});

describe('the limit', () => {
  test('a body of exactly the limit is a page; one byte more is not', async () => {
    expect(await read(new Pieces(cut(new Uint8Array(PAGE_BYTES), [65_536])))).toHaveLength(PAGE_BYTES);
    const problem = await problemOf(read(new Pieces(cut(new Uint8Array(PAGE_BYTES + 1), [65_536]))));
    expect(problem).toEqual({ reason: 'too_large', detail: 'the page is larger than 5 MiB' });
  });

  test('bytes that do not compress may fill the limit when encoded, too', async () => {
    const noise = Buffer.concat(Array.from({ length: PAGE_BYTES / 64 / 1024 }, () => random(64 * 1024)));
    const body = new Pieces(cut(gzipSync(noise), [65_536]));
    expect(Buffer.from(await read(body, 'gzip')).equals(noise)).toBe(true);
  });

  test('a Content-Length above the limit is refused before a byte is read', async () => {
    const body = new Pieces(endless(Buffer.alloc(1024)));
    expect(await problemOf(read(body, '', String(PAGE_BYTES + 1)))).toMatchObject({ reason: 'too_large' });
    expect(body.taken).toBe(0);
  });

  test('an endless body is read to the limit and let go', async () => {
    const body = new Pieces(endless(Buffer.alloc(65_536, 'x')));
    expect(await problemOf(read(body))).toMatchObject({ reason: 'too_large' });
    expect(body.taken).toBeLessThanOrEqual(PAGE_BYTES + 65_536);
    expect(body.released).toBe(true);
  });

  test.each(['gzip', 'br', 'zstd', 'deflate'])('a %s bomb of 64 MiB is refused', async (name) => {
    const bomb = ENCODERS[name]!(new Uint8Array(64 * MIB));
    const body = new Pieces(cut(bomb, [256]));
    expect(await problemOf(read(body, name))).toMatchObject({ reason: 'too_large' });
    expect(body.released).toBe(true);
  });

  test('a bomb inside a bomb is refused', async () => {
    const bomb = gzipSync(gzipSync(new Uint8Array(64 * MIB)));
    expect(await problemOf(read(new Pieces([bomb]), 'gzip, gzip'))).toMatchObject({ reason: 'too_large' });
  });

  test('so is one that is large only in the middle', async () => {
    const emptyMember = gzipSync('');
    const inner = Buffer.alloc(8 * MIB, emptyMember);
    const body = new Pieces([gzipSync(inner.subarray(0, inner.length - (inner.length % emptyMember.length)))]);
    expect(await problemOf(read(body, 'gzip, gzip'))).toMatchObject({ reason: 'too_large' });
  });

  test('and one that stays empty however much of it arrives', async () => {
    const body = new Pieces(endless(Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')))));
    expect(await problemOf(read(body, 'gzip'))).toMatchObject({ reason: 'too_large' });
    expect(body.taken).toBeLessThan(PAGE_BYTES + MIB);
    expect(body.released).toBe(true);
  });

  test('below 5 MiB the ratio tells a bomb from a page', async () => {
    const problem = await problemOf(read(new Pieces(cut(gzipSync(new Uint8Array(2 * MIB)), [64])), 'gzip'));
    expect(problem.detail).toBe('the page unpacks to more than 200 times its size, and over 1 MiB');
    const table = Buffer.from(Array.from({ length: 60_000 }, (_, row) => `<tr><td>${row}</td></tr>`).join(''));
    expect(await read(new Pieces([gzipSync(table)]), 'gzip')).toHaveLength(table.length);
    expect(await read(new Pieces([gzipSync(new Uint8Array(MIB))]), 'gzip')).toHaveLength(MIB);
  });

  test('a zstd frame that asks for more window than HTTP allows is refused', async () => {
    expect(await read(new Pieces([emptyZstdFrame(23)]), 'zstd')).toHaveLength(0);
    const problem = await problemOf(read(new Pieces([emptyZstdFrame(24)]), 'zstd'));
    expect(problem.reason).toBe('undecodable');
  });
});

describe('bodies that cannot be decoded', () => {
  const html = Buffer.from('<p>Words enough that no coding stores them as they are, words enough.</p>');

  test.each(Object.keys(ENCODERS))('%s that is cut short, or is something else', async (name) => {
    const encoded = ENCODERS[name]!(html);
    for (const body of [encoded.subarray(0, encoded.length - 9), Buffer.from('<p>plain text</p>'), Buffer.of(0xff)]) {
      const problem = await problemOf(read(new Pieces([body]), name));
      expect(problem.reason).toBe('undecodable');
      expect(problem.detail).toMatch(/^the body is not what its encoding says \([A-Za-z_0-9]+\)$/);
    }
  });

  test('an unknown coding is named, without its control characters', async () => {
    const problem = await problemOf(read(new Pieces([html]), 'rot13\u001b[2J'));
    expect(problem).toEqual({
      reason: 'undecodable',
      detail: String.raw`the content encoding "rot13\u{1b}[2j" is not one of gzip, br, zstd, deflate`,
    });
  });

  test('three codings are one too many', async () => {
    const problem = await problemOf(read(new Pieces([html]), 'gzip, gzip, gzip'));
    expect(problem.detail).toBe('the body is encoded 3 times; at most 2 are supported');
  });

  test('an error of the connection stays what it is, behind any coding', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield gzipSync(html).subarray(0, 20);
      await Promise.resolve();
      throw gone;
    }
    await expect(read(broken(), 'gzip')).rejects.toBe(gone);
    await expect(read(broken(), 'gzip, deflate')).rejects.toThrow('gone');
    await expect(read(broken())).rejects.toBe(gone);
  });
});

function random(size: number): Buffer {
  // A linear congruential generator: noise enough for a compressor, and the same at each run.
  const bytes = Buffer.alloc(size);
  let state = size;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Magic number, a header with a window of 2^`log` bytes and no content size, one empty block (RFC 8878, 3.1.1). */
function emptyZstdFrame(log: number): Buffer {
  return Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, (log - 10) << 3, 0x01, 0x00, 0x00);
}
