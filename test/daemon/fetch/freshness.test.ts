import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conditionsOf, parseHttpDate, timesOf, validatorsOf } from '../../../src/daemon/fetch/answer.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 37);
const DAY = 86_400_000;

describe('an HTTP date', () => {
  test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'is read in the form %s (RFC 9110, 5.6.7)',
    (text) => expect(parseHttpDate(text)).toBe(now),
  );

  test('with two digits for the year is of this century until 2069', () => {
    expect(parseHttpDate('Friday, 01-Jan-27 00:00:00 GMT')).toBe(Date.UTC(2027, 0, 1));
  });

  test.each(['', '0', '-1', 'tomorrow', '2026-01-01', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
    '%j is none',
    (text) => expect(parseHttpDate(text)).toBeUndefined(),
  );

  test('as our own runtime writes it comes back as it was', () => {
    const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
    fc.assert(fc.property(seconds, (at) => parseHttpDate(new Date(at * 1_000).toUTCString()) === at * 1_000));
  });
});

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['999999999', DAY],
    ['Sun, 06 Nov 1994 08:51:37 GMT', 120_000],
    ['Sunday, 06-Nov-94 08:51:37 GMT', 120_000],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
    ['Sun, 06 Nov 2044 08:00:00 GMT', DAY],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
  ])('%j is %s ms', (header, ms) => {
    expect(timesOf({ 'retry-after': header }, now).retryAfterMs).toBe(ms);
  });

  test('that is a date is counted by the clock that wrote it', () => {
    const headers = { date: 'Sun, 06 Nov 1994 08:00:00 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:02:00 GMT' };
    expect(timesOf(headers, now)).toEqual({ retryAfterMs: 120_000, madeAt: now - 2_977_000 });
  });
});

describe('how long an answer holds', () => {
  test.each([
    [{ 'cache-control': 'public, max-age=60' }, 60_000],
    [{ 'cache-control': 'MAX-AGE="60"' }, 60_000],
    [{ 'cache-control': ['no-transform', 'max-age=5'] }, 5_000],
    [{ 'cache-control': 's-maxage=60' }, undefined],
    [{ 'cache-control': 'max-age=31536000' }, DAY],
    [{ 'cache-control': 'max-age=60', expires: 'Sun, 06 Nov 1994 09:49:37 GMT' }, 60_000],
    [{ expires: 'Sun, 06 Nov 1994 09:49:37 GMT' }, 3_600_000],
    [{ expires: 'Sun, 06 Nov 1994 09:49:37 GMT', date: 'Sun, 06 Nov 1994 09:48:37 GMT' }, 60_000],
    [{ expires: '0' }, undefined],
    [{}, undefined],
  ])('by %j: %s ms', (headers, ms) => {
    expect(timesOf(headers, now).maxAgeMs).toBe(ms);
  });
});

describe('validators', () => {
  test.each([
    [{ etag: 'W/"a-1"' }, { etag: 'W/"a-1"' }],
    [
      { etag: 'no quotes', 'last-modified': 'yesterday' },
      { etag: 'no quotes', lastModified: 'yesterday' },
    ],
    [{ etag: ['"a"', '"b"'] }, undefined],
    [{ etag: '' }, undefined],
    [{ etag: `"${'x'.repeat(1_000)}"`, 'last-modified': 'x' }, { lastModified: 'x' }],
    [{ etag: '"\u00e4"' }, { etag: '"\u00e4"' }],
    [{}, undefined],
  ])('of %j are %j', (headers, validators) => {
    expect(validatorsOf(headers)).toEqual(validators);
  });

  test('that could not be a header are not sent', () => {
    expect(conditionsOf({ etag: '"a"\r\nx: y', lastModified: '\u20ac' })).toEqual([]);
    expect(conditionsOf({ etag: '"a"', lastModified: 'b' })).toEqual([
      'if-none-match',
      '"a"',
      'if-modified-since',
      'b',
    ]);
  });
});
