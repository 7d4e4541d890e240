import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gunzip, unzstd, zstd } from '../../src/daemon/compression.ts';

/** What a kept context is to be like: a new one for each input. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 8_000 })).map(repeated),
);
const damage = fc.record({ keep: fc.double({ min: 0, max: 1, noNaN: true }), flip: fc.option(fc.nat()) });
const inputs = fc.array(fc.record({ content, damage: fc.option(damage, { freq: 3 }) }), {
  minLength: 1,
  maxLength: 12,
});

function repeated([piece, times]: [Uint8Array, number]): Uint8Array {
  return new Uint8Array(Buffer.concat(Array.from({ length: times }, () => piece)));
}

function damaged(bytes: Uint8Array, how: { keep: number; flip: number | null } | null): Uint8Array {
  if (how === null) return bytes;
  const copy = Uint8Array.from(bytes.subarray(0, Math.floor(bytes.length * how.keep)));
  if (how.flip !== null && copy.length > 0) {
    const at = how.flip % copy.length;
    copy[at] = (copy[at] ?? 0) ^ 0xff;
  }
  return copy;
}

function tried(work: () => Uint8Array): string {
  try {
    return Buffer.from(work()).toString('base64');
  } catch (error) {
    return `failed: ${(error as NodeJS.ErrnoException).code}`;
  }
}

describe('contexts that are kept', () => {
  test('whatever came before, zstd packs what zstd unpacks, alone in its buffer', () => {
    fc.assert(
      fc.property(fc.array(content, { maxLength: 12 }), (all) => {
        for (const bytes of all) {
          const packed = zstd(bytes);
          expect(packed.buffer.byteLength).toBe(packed.length);
          expect(Buffer.from(bytes).equals(zstdDecompressSync(packed))).toBe(true);
          expect(Buffer.from(bytes).equals(unzstd(packed))).toBe(true);
        }
      }),
    );
  });

  test('a text is packed as its UTF-8, whatever it is written in and however long it is', () => {
    const letters = ['a', ' ', '\n', 'é', 'ÿ', 'Ā', '’', '€', '語', '\u{1f600}', '\ud800', '\udc00'];
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 60 }).map((all) => all.join(''));
    const times = fc.constantFrom(1, 2, 900, 1_100, 30_000, 70_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, times), { maxLength: 6 }), (all) => {
        for (const [piece, count] of all) {
          const whole = piece.repeat(Math.min(count, Math.ceil(70_000 / Math.max(piece.length, 1))));
          expect(unzstd(zstd(whole)).equals(Buffer.from(whole))).toBe(true);
        }
      }),
    );
  });

  test('whatever came before, whole or damaged, zstd is unpacked or refused as by a new context', () => {
    fc.assert(
      fc.property(inputs, (all) => {
        for (const { content: bytes, damage: how } of all) {
          const packed = damaged(zstdCompressSync(bytes), how);
          expect(tried(() => unzstd(packed))).toBe(tried(() => zstdDecompressSync(packed)));
        }
      }),
    );
  });

  test('whatever came before, whole or damaged, gzip is unpacked or refused as by a new context', async () => {
    const { gunzipSync } = await import('node:zlib');
    const maxOutputLength = 3 * 1_024 * 1_024;
    fc.assert(
      fc.property(inputs, (all) => {
        for (const { content: bytes, damage: how } of all) {
          const packed = damaged(gzipSync(bytes), how);
          const asNew = tried(() => gunzipSync(packed, { maxOutputLength }));
          expect(tried(() => gunzip(packed, { maxOutputLength }))).toBe(asNew);
        }
      }),
    );
  });

  test('gzip files of several members, and with something behind them, are unpacked as by a new context', async () => {
    const { gunzipSync } = await import('node:zlib');
    const maxOutputLength = 3 * 1_024 * 1_024;
    const [one, two] = [gzipSync('first'), gzipSync('second')];
    for (const packed of [
      Buffer.concat([one, two]),
      Buffer.concat([one, Buffer.alloc(9)]),
      Buffer.concat([one, two, one]),
    ]) {
      const unpacked = gunzip(packed, { maxOutputLength });
      expect(unpacked.toString()).toBe(gunzipSync(packed).toString());
    }
    expect(gunzip(two, { maxOutputLength }).toString()).toBe('second');
  });

  test('gzip has its bound, below and beyond what the kept context unpacks', () => {
    const large = gzipSync(Buffer.alloc(2_000_000, 'a page '));
    for (const maxOutputLength of [1_000, 1_048_576, 1_999_999]) {
      expect(() => gunzip(large, { maxOutputLength })).toThrow(
        expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }),
      );
    }
    expect(gunzip(large, { maxOutputLength: 2_000_000 }).length).toBe(2_000_000);
    expect(gunzip(gzipSync('next'), { maxOutputLength: 2_000_000 }).toString()).toBe('next');
  });

  test('a text is packed as its UTF-8', () => {
    expect(unzstd(zstd('größer, 大')).toString()).toBe('größer, 大');
  });
});
