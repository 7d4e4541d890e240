import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type UrlList } from '../../../src/daemon/discovery/url-list.ts';
import { listOf } from '../../../src/daemon/discovery/feeds-and-sitemaps.ts';
import { readSitemap, readSitemapEvents } from '../../../src/daemon/discovery/sitemap.ts';

const url = 'https://example.com/sitemap.xml';
const ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function read(text: string | Uint8Array, contentType = 'application/xml', address = url): UrlList | undefined {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return listOf({ url: address, contentType, bytes });
}

const urlset = (entries: string, root = ns): UrlList | undefined =>
  read(`<?xml version="1.0"?><urlset ${root}>${entries}</urlset>`);
const at = (text: string): number => Date.parse(text);

describe('a sitemap', () => {
  test('lists addresses with their dates', () => {
    const listing =
      urlset(`<url><loc>https://example.com/a</loc><lastmod>2026-02-13</lastmod><priority>0.8</priority></url>
      <url><loc> https://example.com/b?x=1&amp;y=2 </loc></url>`);
    expect(listing).toEqual({
      kind: 'sitemap',
      entries: [
        { url: 'https://example.com/a', changedAt: at('2026-02-13') },
        { url: 'https://example.com/b?x=1&y=2' },
      ],
      sitemaps: [],
    });
  });

  test.each([
    ['2026-02-13', at('2026-02-13')],
    ['2026-02-13T08:06Z', at('2026-02-13T08:06:00Z')],
    ['2026-02-13T08:06:32+02:00', at('2026-02-13T06:06:32Z')],
    ['2026-02-13T08:06:32.45-05:00', at('2026-02-13T13:06:32Z')],
    ['2026-02-13 08:06:32', at('2026-02-13T08:06:32Z')],
    ['2026-13-13', undefined],
    ['2026', undefined],
    ['soon', undefined],
  ])('lastmod %s is %s', (lastmod, instant) => {
    expect(urlset(`<url><loc>/a</loc><lastmod>${lastmod}</lastmod></url>`)?.entries[0]?.changedAt).toBe(instant);
  });

  test('an index lists sitemaps', () => {
    const listing =
      read(`<sitemapindex ${ns}><sitemap><loc>https://example.com/1.xml.gz</loc><lastmod>2026-02-13</lastmod></sitemap>
      <sitemap><loc><![CDATA[https://example.com/2.xml?a=1&b=2]]></loc></sitemap><sitemap>https://example.com/3.xml?a=1&amp;b=2</sitemap></sitemapindex>`);
    expect(listing).toEqual({
      kind: 'sitemap',
      entries: [],
      sitemaps: [
        { url: 'https://example.com/1.xml.gz', changedAt: at('2026-02-13') },
        { url: 'https://example.com/2.xml?a=1&b=2' },
        { url: 'https://example.com/3.xml?a=1&b=2' },
      ],
    });
  });

  test('of news has the dates of its articles', () => {
    const listing =
      urlset(`<url><loc>https://example.com/a</loc><news:news><news:publication><news:name>N</news:name></news:publication>
      <news:publication_date>2026-02-13T08:00:00Z</news:publication_date><news:title>T</news:title></news:news></url>`);
    expect(listing).toMatchObject({
      isNews: true,
      entries: [{ url: 'https://example.com/a', changedAt: at('2026-02-13T08:00:00Z') }],
    });
  });

  test('pictures and films in it are no pages', () => {
    const listing =
      urlset(`<url><image:image><image:loc>https://example.com/a.jpg</image:loc></image:image><loc>https://example.com/a</loc>
      <video:video><video:publication_date>2026-02-13</video:publication_date><video:player_loc>https://example.com/p</video:player_loc></video:video></url>`);
    expect(listing).toEqual({ kind: 'sitemap', entries: [{ url: 'https://example.com/a' }], sitemaps: [] });
  });

  test('a page in other languages is an entry too, and keeps its own date', () => {
    const listing =
      urlset(`<url><loc>https://example.com/en</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
      <xhtml:link rel="alternate" media="print" href="https://example.com/print"/></url>
      <url><loc>https://example.com/de</loc><lastmod>2026-02-13</lastmod></url>`);
    expect(listing?.entries).toEqual([
      { url: 'https://example.com/en' },
      { url: 'https://example.com/de', changedAt: at('2026-02-13') },
    ]);
  });

  test.each([
    ['no namespace', '<urlset><url><loc>https://example.com/a</loc></url></urlset>'],
    [
      'a wrong one',
      '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://example.com/a</loc></url></urlset>',
    ],
    ['a prefix', `<s:urlset xmlns:s="x"><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>`],
    ['a prefix of nothing', '<s:urlset><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>'],
    ['bare ampersands', '<urlset><url><loc>https://example.com/a</loc><lastmod>&nbsp;&</lastmod></url></urlset>'],
    [
      'white space and a mark before it',
      '\uFEFF\n <?xml version="1.0"?><urlset><url><loc>https://example.com/a</loc></url></urlset>',
    ],
  ])('with %s is read', (_, text) => {
    expect(read(text)?.entries).toEqual([{ url: 'https://example.com/a' }]);
  });

  test('bare ampersands of addresses stay, wherever a piece of the file ends', () => {
    const pieces = [
      '<urlset><url><loc>https://example.com/?a=1&',
      'amp;b=2&c=3&l',
      't=4&am',
      'p;d=5</loc></url></urlset>',
    ];
    const texts: string[] = [];
    const visitor = {
      open: () => {},
      close: () => {},
      isDone: () => false,
      text: (value: string) => texts.push(value),
    };
    expect(readSitemapEvents(pieces, visitor)).toBeUndefined();
    expect(texts.join('')).toBe('https://example.com/?a=1&b=2&c=3&lt=4&d=5');
  });

  test('any cut of a file into pieces reads the same', () => {
    const text = '<urlset><url><loc>https://example.com/?a=1&b=2&amp;c=3&#38;d=4<![CDATA[&e=5]]></loc></url></urlset>';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        const texts: string[] = [];
        readSitemapEvents(pieces, {
          open: () => {},
          close: () => {},
          isDone: () => false,
          text: (value) => texts.push(value),
        });
        expect(texts.join('')).toBe('https://example.com/?a=1&b=2&c=3&d=4&e=5');
      }),
    );
  });

  test.each(['utf-16le', 'latin1'] as const)('in %s is read by its declaration', (encoding) => {
    const name = encoding === 'latin1' ? 'iso-8859-1' : 'utf-16';
    const text = `<?xml version="1.0" encoding="${name}"?><urlset><url><loc>https://example.com/ä</loc></url></urlset>`;
    const mark = encoding === 'latin1' ? '' : '\uFEFF';
    expect(read(Buffer.from(mark + text, encoding))?.entries).toEqual([{ url: 'https://example.com/%C3%A4' }]);
  });

  test('relative addresses start from it, and an empty one is none', () => {
    const listing = read(
      '<urlset><url><loc>/a</loc></url><url><loc></loc></url><url><lastmod>2026-01-01</lastmod></url></urlset>',
    );
    expect(listing?.entries).toEqual([{ url: 'https://example.com/a' }]);
  });
});

describe('a sitemap of lines', () => {
  const text = '\uFEFFhttps://example.com/a\r\n\nhttps://example.com/b\nno address\nftp://example.com/\n';

  test('is told by its name, or by what was expected', () => {
    const entries = [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }];
    expect(read(text, 'text/plain', 'https://example.com/sitemap.txt')?.entries).toEqual(entries);
    const bytes = new TextEncoder().encode(text);
    const expected = listOf({ url: 'https://example.com/urls', contentType: '', bytes, expected: 'sitemap' });
    expect(expected?.entries).toEqual(entries);
  });

  test('another text with addresses is a page', () => {
    expect(read(text, 'text/plain', 'https://example.com/links.txt')).toBeUndefined();
  });
});

describe('broken and hostile sitemaps', () => {
  test('one that breaks off is what was read of it', () => {
    const listing = read('<urlset><url><loc>https://example.com/a</loc></url><url><loc>https://exam');
    expect(listing).toEqual({
      kind: 'sitemap',
      entries: [{ url: 'https://example.com/a' }],
      sitemaps: [],
      problem: 'Of the sitemap 1 entries were read: it breaks off before its end.',
    });
  });

  test('entities of its own are not read', () => {
    const bomb = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const listing = read(
      `<!DOCTYPE urlset [<!ENTITY e0 "lol">${bomb}]><urlset><url><loc>https://example.com/&e12;</loc></url></urlset>`,
    );
    expect(listing?.entries).toEqual([{ url: 'https://example.com/&e12;' }]);
  });

  test.each([
    ['nested elements', `<urlset>${'<url>'.repeat(100_000)}`, /more than 200 nested elements/],
    ['mistakes', `<urlset>${'<a b=c></a>'.repeat(50_000)}</urlset>`, /more than 10000 mistakes/],
    ['sections that do not end', `<urlset>${'<![CDATA['.repeat(100_000)}`, /breaks off/],
    [
      'letters of one address',
      `<urlset><url><loc>https://example.com/${'a'.repeat(1_000_000)}</loc></url>`,
      /breaks off/,
    ],
    ['ampersands', `<urlset><url><loc>https://example.com/${'&'.repeat(1_000_000)}</loc></url>`, /breaks off/],
  ])('many %s end it, with a reason', (_, text, reason) => {
    const listing = read(text);
    expect(listing?.entries).toEqual([]);
    expect(listing?.problem).toMatch(reason);
  });

  test('50,000 entries are read, and no more of the file', () => {
    const entry = (n: number): string => `<url><loc>https://example.com/${n}</loc></url>`;
    const text = `<urlset>${Array.from({ length: 60_000 }, (_, n) => entry(n)).join('')}<broken`;
    const listing = read(text);
    expect(listing?.entries).toHaveLength(50_000);
    expect(listing?.problem).toBeUndefined();
  });

  test('a file of 50 MB is never one string', () => {
    const entry = new TextEncoder().encode(`<url><loc>https://example.com/a</loc><x>${'y'.repeat(900)}</x></url>\n`);
    const bytes = new Uint8Array(50 * 1_024 * 1_024);
    bytes.set(new TextEncoder().encode('<urlset>'));
    for (let at = 8; at + entry.length <= bytes.length; at += entry.length) bytes.set(entry, at);
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    expect(readSitemap(bytes, 'application/xml', url).entries).toEqual([{ url: 'https://example.com/a' }]);
    const pieces = decode.mock.calls.map(([piece]) => piece?.byteLength ?? 0);
    decode.mockRestore();
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(bytes.length);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(65_536);
  });
});
