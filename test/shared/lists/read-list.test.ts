import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList } from '../../../src/shared/lists/read-list.ts';

test('a URL a line, with empty lines and remarks', () => {
  expect(
    readList(
      '\uFEFFhttps://example.com/a#x\r\n\n# a remark\n  https://example.com/b\nexample.com\nhttps://example.com/a\n',
    ),
  ).toEqual({
    format: 'lines',
    urls: [
      { url: 'https://example.com/a', line: 1 },
      { url: 'https://example.com/b', line: 4 },
    ],
    problems: ['Line 5: "example.com" is not an http or https URL.'],
  });
});

test('OPML: feeds with their titles, in folders too', () => {
  const opml = `<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
    <outline text="News"><outline type="rss" text="A" title="The A" xmlUrl="https://a.example/feed?x=1&y=2" htmlUrl="https://a.example/"/></outline>
    <outline text="B" xmlurl="https://b.example/rss"/>
    <outline type="link" text="C" url="https://c.example/"/>
    <outline text="D" xmlUrl="feed://d.example/"/>
    <outline text="Empty" xmlUrl=""/></body></opml>`;
  expect(readList(opml)).toEqual({
    format: 'opml',
    urls: [
      { url: 'https://a.example/feed?x=1&y=2', title: 'The A', tags: ['News'] },
      { url: 'https://b.example/rss', title: 'B' },
      { url: 'https://c.example/', title: 'C' },
    ],
    problems: ['"feed://d.example/" is not an http or https URL.'],
  });
});

test('OPML: the folders that a feed is in are its tags, and its categories', () => {
  const opml = `<opml><body>
    <outline text="News"><outline text="Local"><outline text="A" xmlUrl="https://a.example/"/></outline>
      <outline text="B" xmlUrl="https://b.example/" category="/Travel/Ferries,sea"/></outline>
    <outline text="Work"><outline text="Another A" xmlUrl="https://a.example/"/></outline>
    <outline text="C" xmlUrl="https://c.example/"/></body></opml>`;
  expect(readList(opml).urls).toEqual([
    { url: 'https://a.example/', title: 'A', tags: ['News', 'Local', 'Work'] },
    { url: 'https://b.example/', title: 'B', tags: ['News', 'Travel/Ferries', 'sea'] },
    { url: 'https://c.example/', title: 'C' },
  ]);
});

test('a feed: its entries with their titles, wherever those stand', () => {
  const rss = `<rss><channel><title>The feed</title><image><title>No</title><link>https://a.example/</link></image>
    <item><link>https://a.example/1</link><title>One</title></item>
    <item><title><![CDATA[Two]]></title><link>https://a.example/2</link></item>
    <item><link>https://a.example/3</link></item></channel></rss>`;
  expect(readList(rss).urls).toEqual([
    { url: 'https://a.example/1', title: 'One' },
    { url: 'https://a.example/2', title: 'Two' },
    { url: 'https://a.example/3' },
  ]);
});

test('a sitemap: its addresses, and those of an index', () => {
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc> https://example.com/a </loc>
    <image:image xmlns:image="x"><image:loc>https://example.com/a.jpg</image:loc></image:image></url></urlset>`;
  expect(readList(sitemap)).toMatchObject({
    format: 'sitemap',
    urls: [{ url: 'https://example.com/a' }],
    problems: [],
  });
  const index = '<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>';
  expect(readList(index).urls).toEqual([{ url: 'https://example.com/1.xml' }]);
});

test('a feed: the links of its entries', () => {
  const rss =
    '<rss><channel><link>https://example.com/</link><item><link>https://example.com/a</link></item></channel></rss>';
  expect(readList(rss)).toMatchObject({ format: 'feed', urls: [{ url: 'https://example.com/a' }] });
  const atom =
    '<feed><link href="/"/><entry><link rel="self" href="https://example.com/x"/><link href="https://example.com/b"/></entry></feed>';
  expect(readList(atom).urls).toEqual([{ url: 'https://example.com/b' }]);
});

test('another document has a problem and no addresses', () => {
  expect(readList('<html><a href="https://example.com/">x</a></html>').problems).toHaveLength(1);
  expect(readList(`<opml>${'<outline>'.repeat(300)}`).problems).toEqual(['The XML has more than 200 nested elements.']);
});

test('an empty list is empty', () => {
  expect(readList('')).toEqual({ format: 'lines', urls: [], problems: [] });
});

test('100,000 addresses are taken, and 100 problems told', () => {
  const many = Array.from({ length: 100_002 }, (_, index) => `https://example.com/${index}`).join('\n');
  const { urls, problems } = readList(many);
  expect(urls).toHaveLength(100_000);
  expect(problems).toEqual(['2 more than 100000 URLs were left out.']);
  expect(readList('x\n'.repeat(500)).problems).toHaveLength(100);
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom('<opml>', '<outline xmlUrl="', 'https://a.example/', '\n', '&', '">', '<!DOCTYPE'),
        ),
      ),
      (parts) => {
        const { urls } = readList(parts.join(''));
        expect(urls.every(({ url }) => /^https?:/.test(url))).toBe(true);
      },
    ),
  );
});
