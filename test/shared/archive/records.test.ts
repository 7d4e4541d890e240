import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ARCHIVE_HEAD_BYTES, ARCHIVE_RECORD_BYTES } from '../../../src/shared/limits.ts';
import { typeOf } from '../../../src/shared/archive/records.ts';
import { foundIn, piecesOf, told, warc } from './warc-bytes.ts';

const joined = (...parts: (Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const read = async (bytes: Uint8Array, sizes?: readonly number[]): Promise<string[]> =>
  told(await foundIn(piecesOf(bytes, sizes)));

const one = warc('response', 'first');
const two = warc('request', 'second block');
const three = warc('metadata', '');

describe('records', () => {
  test('are read one after another, each with its place', async () => {
    expect(await read(joined(one, two, three))).toEqual([
      '0 response first',
      `${one.length} request second block`,
      `${one.length + two.length} metadata `,
    ]);
  });

  test('hold their own bytes, from WARC/ to the end of the block', async () => {
    const [found] = await foundIn(piecesOf(one));
    expect(found?.kind === 'record' && Buffer.from(found.record.bytes).toString()).toBe(
      one.toString().slice(0, -'\r\n\r\n'.length),
    );
  });

  test('are the same however the bytes come', async () => {
    const bytes = joined(one, 'rubbish\r\n', two, three, one);
    const whole = await read(bytes);
    expect(whole).toHaveLength(5);
    const splits = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(splits, async (sizes) => {
        expect(await read(bytes, sizes)).toEqual(whole);
      }),
    );
  });

  test.each([
    ['lines without CR', 'WARC/1.0\nWARC-Type: response\nContent-Length: 1\n\na\n\n'],
    ['a draft’s version', 'WARC/0.17\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\na\r\n\r\n'],
    ['names in any case', 'WARC/1.1\r\nwarc-type: Response\r\nCONTENT-LENGTH: 1\r\n\r\na'],
    ['folded lines', 'WARC/1.1\r\nWARC-Type:\r\n response\r\nContent-Length: 1\r\n\r\na'],
    [
      'empty lines before and too few behind',
      '\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\na\r\n',
    ],
  ])('have %s', async (_, text) => {
    const [found, ...more] = await foundIn(piecesOf(joined(text, one)));
    expect(found).toMatchObject({ kind: 'record', record: { block: new Uint8Array([0x61]) } });
    expect(found?.kind === 'record' && typeOf(found.record.head)).toBe('response');
    expect(more).toHaveLength(1);
  });

  test('that are not wanted, or longer than the limit, are passed over and never held', async () => {
    const block = Buffer.alloc(ARCHIVE_RECORD_BYTES);
    const found = await foundIn(
      piecesOf(joined(warc('response', block), two, one)),
      (head) => typeOf(head) !== 'request',
    );
    expect(told(found).map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'passed too long',
      'passed unwanted',
      'response first',
    ]);
  });
});

describe('damage', () => {
  test.each([
    ['no WARC line', 'GARBAGE here\r\n', 'this is not a WARC record'],
    [
      'a version that is none',
      'WARC/x\r\nContent-Length: 1\r\n\r\na\r\n\r\n',
      'a record begins without its WARC/ line',
    ],
    ['no length', 'WARC/1.1\r\nWARC-Type: response\r\n\r\na\r\n\r\n', 'a record does not say how long it is'],
    ['a length below zero', 'WARC/1.1\r\nContent-Length: -1\r\n\r\na\r\n\r\n', 'a record does not say how long it is'],
    [
      'a head without end',
      `WARC/1.1\r\n${'a: b\r\n'.repeat(ARCHIVE_HEAD_BYTES / 6)}`,
      'the head of a record has no end',
    ],
  ])('%s: it is told with its place, and the next record is read', async (_, text, message) => {
    expect(await read(joined(one, text, two))).toEqual([
      '0 response first',
      `${one.length} ${message}`,
      `${one.length + text.length} request second block`,
    ]);
  });

  test.each([3, 20, 50, one.length - 5])('an archive that ends after %i bytes of a record is told', async (bytes) => {
    expect(await read(joined(two, one.subarray(0, bytes)))).toEqual([
      '0 request second block',
      expect.stringMatching(/^\d+ the archive ends in the middle of a record$/),
    ]);
  });

  test('a gap tears the record that it is in, and no other', async () => {
    const pieces = async function* () {
      yield* piecesOf(joined(one, two.subarray(0, two.length - 10)));
      yield { at: { offset: 900, within: 0 }, gap: 'bytes are missing' };
      yield { at: { offset: 1_000, within: 0 }, bytes: joined(three) };
    };
    expect(told(await foundIn(pieces()))).toEqual(['0 response first', '900 bytes are missing', '1000 metadata ']);
  });

  test('a head that another record cuts short is told, and the other is read for itself', async () => {
    const cut = 'WARC/1.1\r\nWARC-Type: response\r\n';
    const expected = ['0 the head of a record breaks off where another begins', `${cut.length} request second block`];
    expect(await read(joined(cut, two))).toEqual(expected);
    expect(await read(joined(cut, two), [3])).toEqual(expected);
  });

  test('beginnings of records without an end are looked at once, not once for each', async () => {
    const many = 20_000;
    const found = await read(joined('WARC/1.1\n'.repeat(many), one));
    expect(found).toHaveLength(many + 1);
    expect(found.at(-1)).toBe(`${many * 9} response first`);
  });

  test('whatever the bytes are, reading comes to its end and every place lies in the file', async () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        one,
        two,
        three,
        Buffer.from('WARC/'),
        Buffer.from('\r\nWARC/1.1\r\nContent-Length: 9999999\r\n\r\n'),
      ),
      fc.constantFrom(one, two).chain((whole) => fc.nat(whole.length).map((end) => whole.subarray(0, end))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), async (parts, size) => {
        const bytes = joined(...parts);
        const found = await foundIn(piecesOf(bytes, [size]));
        expect(found.every(({ at }) => at.offset + at.within <= bytes.length)).toBe(true);
        expect(found.length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 300 },
    );
  });
});
