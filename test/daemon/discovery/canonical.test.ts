import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalUrl } from '../../../src/shared/page/canonical-url.ts';
import { hostOf, identityOf } from '../../../src/daemon/discovery/canonical.ts';

describe('the URL as it is fetched', () => {
  test.each([
    ['HTTP://Example.COM:80/a/../b#part', 'http://example.com/b'],
    ['https://example.com:443', 'https://example.com/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://example.com/?', 'https://example.com/'],
    ['https://example.com/#', 'https://example.com/'],
    ['https://example.com/a?utm_source=x&id=2&UTM_Medium=y', 'https://example.com/a?id=2'],
    ['https://example.com/a?fbclid=abc', 'https://example.com/a'],
    ['https://example.com/a?gclid=1&mc_cid=2&msclkid=3&_ga=4&hsa_cam=5', 'https://example.com/a'],
    // Names that only look alike, and those that choose the page on too many sites.
    ['https://example.com/a?ref=b&source=c&utm=1&xutm_a=2', 'https://example.com/a?ref=b&source=c&utm=1&xutm_a=2'],
    // Order, encoding and empty parts are left as they came: servers may care.
    ['https://example.com/?b=2&a=1&&c', 'https://example.com/?b=2&a=1&&c'],
    ['https://example.com/%7Ea/?q=a+b%20c', 'https://example.com/%7Ea/?q=a+b%20c'],
    ['https://example.com/a;jsessionid=1?PHPSESSID=2', 'https://example.com/a;jsessionid=1?PHPSESSID=2'],
  ])('%s is %s', (text, url) => {
    expect(canonicalUrl(text)).toBe(url);
  });

  test.each([
    'ftp://example.com/',
    'javascript:void(0)',
    'mailto:a@example.com',
    '/relative',
    '',
    'http://',
    'https://user@example.com/',
    'https://:secret@example.com/',
    `https://example.com/${'a'.repeat(2_048)}`,
    `https://example.com/${'ä'.repeat(600)}`,
  ])('%s is no page to visit', (text) => {
    expect(canonicalUrl(text)).toBeUndefined();
  });

  test('whatever comes, it neither throws nor differs the second time', () => {
    fc.assert(
      fc.property(urlLike, (text) => {
        const once = canonicalUrl(text);
        expect(once === undefined ? undefined : canonicalUrl(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  test('hosts written to deceive come out as the address guard sees them', () => {
    const { urls } = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/ssrf.json'), 'utf8')) as {
      urls: { url: string; host: string | null }[];
    };
    const seen = urls.map(({ url, host }) => ({ host, canonical: canonicalUrl(url) }));
    const kept = seen.filter((one) => one.canonical !== undefined);
    expect(kept.length).toBeGreaterThan(10);
    for (const { host, canonical } of kept) expect(new URL(canonical ?? '').hostname).toBe(host?.replace(/\.$/, ''));
  });
});

describe('the identity', () => {
  test.each([
    ['https://example.com/?a=1&b=2', 'https://example.com/?b=2&a=1'],
    ['https://example.com/?a=1', 'https://example.com/?a=1&&'],
    ['https://example.com/%7ea', 'https://example.com/~a'],
    ['https://example.com/%c3%a4', 'https://example.com/%C3%A4'],
    ['https://example.com/a;jsessionid=1A2B3C?x=1', 'https://example.com/a?x=1'],
    ['https://example.com/(S(4hqa0555fwsecu455xqckv45))/a.aspx', 'https://example.com/a.aspx'],
    ['https://example.com/?PHPSESSID=x&id=7', 'https://example.com/?id=7'],
    ['https://example.com/?sid=0a1b2c3d4e5f6071829a3b4c&id=7', 'https://example.com/?id=7'],
  ])('%s and %s are one page', (one, other) => {
    expect(identityOf(one)).toEqual(identityOf(other));
  });

  test.each([
    ['https://example.com/a', 'https://example.com/a/'],
    ['https://example.com/', 'https://www.example.com/'],
    ['https://example.com/', 'http://example.com/'],
    ['https://example.com/', 'https://example.com:8443/'],
    ['https://example.com/', 'https://example.com/index.html'],
    ['https://example.com/A', 'https://example.com/a'],
    ['https://example.com/?a=1&a=2', 'https://example.com/?a=2&a=1'],
    ['https://example.com/?a=1', 'https://example.com/?a=2'],
    ['https://example.com/?a', 'https://example.com/?a='],
    ['https://example.com/?sid=12', 'https://example.com/?sid=13'],
    ['https://example.com/a%2Fb', 'https://example.com/a/b'],
    ['https://example.com/?a=b%26c=d', 'https://example.com/?a=b&c=d'],
    ['https://example.com/?id=1', 'https://example.com/'],
    ['https://example.com/?p=1', 'https://example.com/?p=2'],
    ['https://example.com/?page=1', 'https://example.com/?page=2'],
    ['https://example.com/?A=1', 'https://example.com/?a=1'],
    ['https://example.com/?a=x', 'https://example.com/?a=X'],
    ['https://example.com/?q=a+b', 'https://example.com/?q=a%2Bb'],
    ['https://example.com/?pk_id=1', 'https://example.com/?pk_id=2'],
    [
      'https://example.com/?sid=550e8400-e29b-41d4-a716-446655440000',
      'https://example.com/?sid=6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    ],
  ])('%s and %s are two pages', (one, other) => {
    const [first, second] = [one, other].map((url) => identityOf(canonicalUrl(url) ?? ''));
    expect(first).not.toEqual(second);
  });

  test('it is the host and 52 bits', () => {
    fc.assert(
      fc.property(urlLike, (text) => {
        const url = canonicalUrl(text);
        if (url === undefined) return;
        const { host, hash } = identityOf(url);
        expect(host).toBe(hostOf(url));
        expect(Number.isSafeInteger(hash) && hash >= 0 && hash < 2 ** 52).toBe(true);
        expect(identityOf(new URL(url))).toEqual({ host, hash });
      }),
    );
  });

  test('a hash stands in the database: it must not change', () => {
    expect(identityOf('https://example.com/a?b=1&a=2')).toEqual({ host: 'example.com', hash: 323_979_777_225_454 });
  });
});

const part = fc.string({ unit: 'grapheme', maxLength: 12 });
const piece = fc.constantFrom(
  'utm_source=1',
  'sid=0a1b2c3d4e5f6071829a3b4c',
  '%2e%2e',
  '..',
  '%',
  '&',
  '=',
  '?',
  '#',
  ';jsessionid=1',
  ':80',
  '@',
);
const urlLike = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS:', ''),
    fc.constantFrom('a.example', 'b.example..', '[::1]', '1.2.3.4.', 'ä.example.'),
    fc.array(fc.oneof(part, piece), { maxLength: 8 }),
  )
  .map(([scheme, host, rest]) => `${scheme}${host}/${rest.join('')}`);
