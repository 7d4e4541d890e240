import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteSource, packingOf, unpackedPieces } from '../../../src/cli/archive/pieces.ts';
import { foundIn, told, warc } from '../../shared/archive/warc-bytes.ts';
import { chunks, members, readPacked } from './packed.ts';

const records = ['first', 'second block', 'x'.repeat(200_000), ''].map((block) => warc('response', block));
const [one = Buffer.alloc(0), two = Buffer.alloc(0), long = Buffer.alloc(0)] = records;
const offsets = (parts: readonly Uint8Array[]): number[] =>
  parts.map((_, index) => members(...parts.slice(0, index)).length);
const withoutPlace = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/^\d+ /, ''));

describe('gzip', () => {
  test('of a member for each record: the place of a record is that of its member', async () => {
    const found = await readPacked(members(...records));
    expect(found.map((line) => Number(line.split(' ', 1)[0]))).toEqual(offsets(records));
  });

  test('is the same however the bytes come', async () => {
    const bytes = members(one, two, one);
    const whole = await readPacked(bytes);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
        expect(await readPacked(bytes, size)).toEqual(whole);
      }),
    );
  });

  test.each([
    ['the whole file is one member', gzipSync(Buffer.concat(records))],
    [
      'members end anywhere',
      members(
        ...[0, 1, 2].map((part) =>
          Buffer.concat(records).subarray(part * 90_000, part === 2 ? undefined : (part + 1) * 90_000),
        ),
      ),
    ],
    ['there are zeros behind the last member', Buffer.concat([members(...records), Buffer.alloc(1_024)])],
    ['frames of zstd follow one another', Buffer.concat(records.map((record) => zstdCompressSync(record)))],
    ['the file is not packed', Buffer.concat(records)],
  ])('%s: the same records', async (_, bytes) => {
    expect(withoutPlace(await readPacked(bytes))).toEqual(withoutPlace(await readPacked(members(...records))));
  });

  test('heads with a name, a comment, an extra field and a checksum are passed', async () => {
    const packed = gzipSync(one);
    const head = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 255, 2, 0, 7, 7, 0x61, 0, 0x62, 0, 1, 2]);
    expect(await readPacked(Buffer.concat([head, packed.subarray(10), members(two)]))).toHaveLength(2);
  });
});

describe('damaged gzip', () => {
  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0xff;
    return copy;
  };

  test('a record whose checksum is wrong is left out, the others are read', async () => {
    const bytes = Buffer.concat([members(one), flipped(gzipSync(long), gzipSync(long).length - 6), members(two)]);
    expect(withoutPlace(await readPacked(bytes))).toEqual([
      'response first',
      'the gzip data is damaged',
      'response second block',
    ]);
  });

  test('wherever a byte is wrong, at most two records are lost, and none is other than it was', async () => {
    const bytes = members(one, two, one, two, one);
    const right = new Set(withoutPlace(await readPacked(bytes)));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: bytes.length - 1 }), async (at) => {
        const found = withoutPlace(await readPacked(flipped(bytes, at)));
        const read = found.filter((line) => line.startsWith('response'));
        expect(read.every((line) => right.has(line))).toBe(true);
        expect(read.length).toBeGreaterThanOrEqual(3);
        expect(read.length === 5 || found.length > read.length).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('a file that ends within a member is told, with what came before', async () => {
    const bytes = members(one, two);
    for (let end = members(one).length + 1; end < bytes.length; end += 1) {
      const found = withoutPlace(await readPacked(bytes.subarray(0, end)));
      expect(found[0]).toBe('response first');
      expect(found.slice(1)).toHaveLength(1);
      expect(found[1]).not.toMatch(/^response/);
    }
  });

  test('zstd that ends too early is told', async () => {
    const bytes = Buffer.concat([zstdCompressSync(one), zstdCompressSync(long)]);
    expect(withoutPlace(await readPacked(bytes.subarray(0, bytes.length - 5))).at(-1)).toBe(
      'the zstd data is damaged, or ends too early',
    );
  });

  test('what only looks like members costs no more than its length', async () => {
    const lookalikes = Buffer.concat(
      Array.from({ length: 300 }, () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 7])),
    );
    const found = await readPacked(Buffer.concat([members(one), lookalikes, deflateRawSync('x'), members(two)]));
    const read = withoutPlace(found).filter((line) => line.startsWith('response'));
    expect(read).toEqual(['response first', 'response second block']);
  });

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('a bomb of %s comes in pieces, and is passed over', async (_, pack) => {
    const bomb = pack(warc('response', Buffer.alloc(256 * 1_024 * 1_024)));
    const source = new ByteSource(chunks(Buffer.concat([bomb, pack(one)])));
    let most = 0;
    const watched = async function* () {
      for await (const piece of unpackedPieces(source, await packingOf(source, 'a.warc'))) {
        most = Math.max(most, 'bytes' in piece ? piece.bytes.length : 0);
        yield piece;
      }
    };
    expect(withoutPlace(told(await foundIn(watched())))).toEqual(['passed too long', 'response first']);
    expect(most).toBeLessThan(1_024 * 1_024);
  });

  test('a dictionary, and a zip file, are refused in a sentence', async () => {
    await expect(readPacked(Buffer.from('5d2a4d1804000000', 'hex'))).rejects.toThrow(/dictionary/);
    await expect(readPacked(Buffer.from('PK\u0003\u0004....'))).rejects.toThrow(/zip file/);
  });
});
