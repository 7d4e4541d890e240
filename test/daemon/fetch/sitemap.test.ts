import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SITEMAP_BYTES } from '../../../src/shared/limits.ts';
import type { Fetched } from '../../../src/daemon/fetch/fetched.ts';
import { failure, fetcherFor, never, saying, Site } from './site.ts';

const MIB = 1024 * 1024;
const xml = Buffer.from('<?xml version="1.0"?><urlset><url><loc>https://a.test/</loc></url></urlset>');

async function fetchSitemap(listener: RequestListener): Promise<Fetched> {
  const site = await Site.http(listener);
  return fetcherFor().fetch({ url: site.url('/sitemap.xml.gz'), isSitemap: true }, never());
}

describe('a sitemap', () => {
  test.each(['application/xml', 'application/gzip', 'application/octet-stream', 'text/css', ''])(
    'may come as %j',
    async (type) => {
      const fetched = await fetchSitemap((_, response) => response.setHeader('content-type', type).end(xml));
      expect(fetched).toMatchObject({ outcome: 'fetched', bytes: new Uint8Array(xml) });
    },
  );

  test.each([
    ['a gzip file', gzipSync(xml), ''],
    ['a gzip file, compressed once more for the way', gzipSync(gzipSync(xml)), 'gzip'],
    ['compressed for the way', gzipSync(xml), 'gzip'],
  ])('may be %s', async (_, body, encoding) => {
    const fetched = await fetchSitemap((_, response) => {
      response.setHeader('content-encoding', encoding || 'identity').end(body);
    });
    expect(fetched).toMatchObject({ outcome: 'fetched', bytes: new Uint8Array(xml) });
  });

  test('may be larger than a page, packed or not', async () => {
    const noise = Array.from({ length: 400_000 }, (_, index) => `<loc>https://a.test/${index * 7_919}</loc>`).join('');
    expect(noise.length).toBeGreaterThan(10 * MIB);
    for (const body of [Buffer.from(noise), gzipSync(noise)]) {
      const fetched = await fetchSitemap((_, response) => response.end(body));
      expect(fetched.outcome === 'fetched' && Buffer.from(fetched.bytes).equals(Buffer.from(noise))).toBe(true);
      expect(fetched).toMatchObject({ hash: createHash('sha256').update(noise).digest('hex').slice(0, 32) });
    }
  });

  test('has a limit of its own', async () => {
    const fetched = await fetchSitemap((_, response) => {
      response.writeHead(200, { 'content-length': SITEMAP_BYTES + MIB }).write('x');
    });
    expect(fetched).toEqual(failure('too_large', 'the sitemap is larger than 50 MiB'));
  });

  const bomb = gzipSync(new Uint8Array(200 * MIB));
  test.each([
    ['a small bomb', gzipSync(new Uint8Array(20 * MIB)), 'identity'],
    ['a small bomb on the way', gzipSync(new Uint8Array(20 * MIB)), 'gzip'],
    ['a large bomb', bomb, 'identity'],
    ['a large bomb on the way', bomb, 'gzip'],
    ['a bomb in a bomb', gzipSync(bomb), 'gzip'],
  ])('that is %s is refused', async (_, body, encoding) => {
    const fetched = await fetchSitemap((_, response) => response.setHeader('content-encoding', encoding).end(body));
    expect(fetched).toEqual(failure('too_large', saying('the sitemap')));
  });

  test('is unpacked once: a bomb in a file in a file stays packed', async () => {
    const fetched = await fetchSitemap((_, response) => response.end(gzipSync(bomb)));
    expect(fetched.outcome === 'fetched' && fetched.bytes.length).toBe(bomb.length);
  });

  test('that is cut short is refused', async () => {
    const packed = gzipSync(xml);
    const fetched = await fetchSitemap((_, response) => response.end(packed.subarray(0, packed.length - 9)));
    expect(fetched).toEqual(failure('undecodable'));
  });
});

test('a page that is a gzip file stays one', async () => {
  const site = await Site.http((_, response) => response.end(gzipSync(xml)));
  const fetched = await fetcherFor().fetch({ url: site.url() }, never());
  expect(fetched).toMatchObject({ outcome: 'fetched', bytes: new Uint8Array(gzipSync(xml)) });
});
