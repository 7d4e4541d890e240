import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternOf, trapOf } from '../../../src/daemon/discovery/discover.ts';

const host = 'https://example.com';

describe('traps', () => {
  test.each([
    [`${host}${'/a1/b2/c3/d4'.repeat(4)}/e5`, 'its path has 17 segments'],
    [`${host}/a/b/a/b/a/b`, '"a" stands in its path 3 times'],
    [`${host}/x/y/news/news/news`, '"news" stands in its path 3 times'],
    [`${host}/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9`, 'it has 9 query parameters'],
  ])('%s is one: %s', (url, reason) => {
    expect(trapOf(url)).toBe(reason);
  });

  test.each([
    `${host}/`,
    `${host}/2026/02/02/02/a-slug`,
    `${host}/news/uk/news/story`,
    `${host}//a///b`,
    `${host}/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8`,
    `${host}/${Array.from({ length: 16 }, (_, index) => `s${index}`).join('/')}`,
  ])('%s is none', (url) => {
    expect(trapOf(url)).toBeUndefined();
  });
});

describe('patterns', () => {
  test.each([
    ['/calendar/2026/11/22', '/calendar/1999/1/2'],
    ['/item/12?page=3&sort=a', '/item/99?sort=b&page=7'],
    ['/p/deadbeef01', '/p/0123456789abcdef'],
    ['/o/123e4567-e89b-12d3-a456-426614174000', '/o/00000000-1111-2222-3333-444455556666'],
    ['/a?id=1&id=2', '/a?id=3'],
    ['/list?f1=a&f2=b', '/list?f8=a'],
  ])('%s and %s are made by one template', (one, other) => {
    expect(patternOf(host + one)).toBe(patternOf(host + other));
  });

  test.each([
    ['/calendar/2026/11/22', '/calendar/2026/11'],
    ['/a?id=1', '/a'],
    ['/a?id=1', '/a?nr=1'],
    ['/news/facade', '/news/decade'],
    ['/a', '/b'],
  ])('%s and %s are not', (one, other) => {
    expect(patternOf(host + one)).not.toBe(patternOf(host + other));
  });

  test('another host has other patterns', () => {
    expect(patternOf('https://a.example/1')).not.toBe(patternOf('https://b.example/1'));
  });

  test('a pattern has 32 bits, whatever the URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: false }), (url) => {
        const pattern = patternOf(url);
        expect(pattern >>> 0).toBe(pattern);
      }),
    );
  });
});
