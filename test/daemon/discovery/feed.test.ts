import { describe, expect, test } from 'vitest';
import { listOf } from '../../../src/daemon/discovery/feeds-and-sitemaps.ts';
import { type UrlList } from '../../../src/daemon/discovery/url-list.ts';

const url = 'https://example.com/blog/feed';

function read(text: string | Uint8Array, contentType = 'application/xml'): UrlList | undefined {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return listOf({ url, contentType, bytes });
}

const at = (text: string): number => Date.parse(text);

describe('what is a feed', () => {
  const item = '<item><link>https://example.com/a</link></item>';

  test.each([
    ['RSS 2.0', `<rss version="2.0"><channel>${item}</channel></rss>`],
    [
      'RSS 0.91 behind a document type',
      `<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "x.dtd"><rss version="0.91"><channel>${item}</channel></rss>`,
    ],
    [
      'RSS 1.0',
      `<?xml version="1.0"?><!-- a licence --><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">${item}</rdf:RDF>`,
    ],
    ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.com/a"/></entry></feed>'],
    [
      'Atom under a prefix',
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="https://example.com/a"/></a:entry></a:feed>',
    ],
    [
      'JSON Feed',
      '{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"1","url":"https://example.com/a"}]}',
    ],
    [
      'RSS behind white space and a byte order mark',
      `\uFEFF \n<?xml version="1.0"?><rss version="2.0"><channel>${item}</channel></rss>`,
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'feed', entries: [{ url: 'https://example.com/a' }], sitemaps: [] });
  });

  test('the Content-Type does not decide', () => {
    const rss = `<rss version="2.0"><channel>${item}</channel></rss>`;
    for (const type of ['text/html', 'text/plain', '', 'application/octet-stream'])
      expect(read(rss, type)?.kind).toBe('feed');
  });

  test.each([
    [
      'a page that shows one',
      '<!doctype html><html><body><pre>&lt;rss></pre><rss version="2.0"><channel></channel></rss></body></html>',
    ],
    ['another document', '<?xml version="1.0"?><opml version="2.0"><body/></opml>'],
    [
      'RDF that is no feed',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>',
    ],
    [
      'a feed of another kind',
      '<feed xmlns="https://example.com/prices"><entry><link href="https://example.com/a"/></entry></feed>',
    ],
    ['other JSON', '{"title":"t","items":[{"url":"https://example.com/a"}]}'],
    ['text', 'https://example.com/a'],
    ['nothing', ''],
  ])('%s is none', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('its encoding is that of its declaration', () => {
    const head =
      '<?xml version="1.0" encoding="iso-8859-1"?><rss version="2.0"><channel><item><link>https://example.com/';
    const bytes = Buffer.from(`${head}\u00e4</link></item></channel></rss>`, 'latin1');
    expect(read(bytes)?.entries).toEqual([{ url: 'https://example.com/%C3%A4' }]);
  });
});

describe('entries', () => {
  const rss = (items: string, channel = '', root = ''): UrlList | undefined =>
    read(
      `<rss version="2.0" ${root} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>${channel}${items}</channel></rss>`,
    );

  test('of RSS have a link, a permalink, or that of Atom', () => {
    const items = [
      '<link>https://example.com/1?a=1&amp;b=2</link>',
      '<link><![CDATA[ https://example.com/2 ]]></link>',
      '<guid>https://example.com/3</guid>',
      '<guid isPermaLink="false">https://example.com/no</guid>',
      '<guid>tag:4</guid>',
      '<atom:link rel="alternate" href="https://example.com/5"/>',
      '<link>/6</link>',
    ].map((fields) => `<item><title>T</title>${fields}</item>`);
    expect(rss(items.join(''))?.entries.map((entry) => entry.url)).toEqual([
      'https://example.com/1?a=1&b=2',
      'https://example.com/2',
      'https://example.com/3',
      'https://example.com/5',
      'https://example.com/6',
    ]);
  });

  test.each([
    ['<pubDate>Fri, 13 Feb 2026 08:06:32 +0200</pubDate>', at('2026-02-13T06:06:32Z')],
    ['<pubDate>Fri, 13 Feb 2026 08:06:32 EST</pubDate>', at('2026-02-13T13:06:32Z')],
    ['<pubDate>2026-02-13 08:06</pubDate>', at('2026-02-13T08:06:00Z')],
    ['<dc:date>2026-02-13T08:06:32+02:00</dc:date>', at('2026-02-13T06:06:32Z')],
    [
      '<pubDate>Fri, 13 Feb 2026 08:06:32 Z</pubDate><atom:updated>2026-02-14T00:00:00Z</atom:updated>',
      at('2026-02-14T00:00:00Z'),
    ],
    ['<pubDate>yesterday</pubDate>', undefined],
    ['<pubDate>0</pubDate>', undefined],
  ])('of RSS are dated by %s', (date, instant) => {
    expect(rss(`<item><link>https://example.com/</link>${date}</item>`)?.entries[0]?.changedAt).toBe(instant);
  });

  test('of Atom have the alternate link, and when they were updated, else published', () => {
    const entries = [
      '<link rel="edit" href="/edit"/><link rel="alternate" href="a"/><published>2026-01-01T00:00:00Z</published><updated>2026-01-02T00:00:00Z</updated>',
      '<link href="b"/><published>2026-01-01T00:00:00Z</published>',
      '<id>https://example.com/c</id>',
      '<id>urn:d</id><link rel="self" href="d"/>',
    ].map((fields) => `<entry><title>T</title>${fields}</entry>`);
    expect(read(`<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`)?.entries).toEqual([
      { url: 'https://example.com/blog/a', changedAt: at('2026-01-02') },
      { url: 'https://example.com/blog/b', changedAt: at('2026-01-01') },
      { url: 'https://example.com/c' },
    ]);
  });

  test('of JSON Feed have their own address, else that of what they point to', () => {
    const items = [
      {
        id: '1',
        url: 'https://example.com/1',
        external_url: 'https://other.example/',
        date_published: '2026-01-01T00:00:00Z',
        date_modified: '2026-01-02T00:00:00Z',
      },
      { id: '2', external_url: 'https://other.example/2' },
      { id: 'https://example.com/3' },
      { id: '4' },
    ];
    expect(read(JSON.stringify({ version: 'https://jsonfeed.org/version/1', title: 't', items }))?.entries).toEqual([
      { url: 'https://example.com/1', changedAt: at('2026-01-02') },
      { url: 'https://other.example/2' },
      { url: 'https://example.com/3' },
    ]);
  });

  test('xml:base counts, of the feed and of the entry', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.example/x/">
      <entry><link href="a"/></entry><entry xml:base="y/"><link href="b"/></entry></feed>`;
    expect(read(atom)?.entries.map((entry) => entry.url)).toEqual([
      'https://other.example/x/a',
      'https://other.example/x/y/b',
    ]);
    expect(rss('<item><link>a</link></item>', '', 'xml:base="https://other.example/"')?.entries).toEqual([
      { url: 'https://other.example/a' },
    ]);
  });

  test('only http and https are addresses', () => {
    expect(rss('<item><link>javascript:alert(1)</link></item><item><link>magnet:?x</link></item>')?.entries).toEqual(
      [],
    );
  });

  test('the first thousand count', () => {
    const items = Array.from({ length: 1_500 }, (_, index) => `<item><link>/${index}</link></item>`);
    expect(rss(items.join(''))?.entries).toHaveLength(1_000);
  });

  const hour = 3_600_000;
  test.each([
    ['<ttl>90</ttl>', 1.5 * hour],
    ['<ttl>99999</ttl>', 24 * hour],
    ['<ttl>-5</ttl>', undefined],
    ['<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>', hour / 4],
    ['<sy:updatePeriod> daily </sy:updatePeriod>', 24 * hour],
    ['<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>', hour],
    ['', undefined],
  ])('a feed with %s wants a rest of %s ms', (channel, rest) => {
    expect(rss('<item><link>/a</link></item>', channel)?.restMs).toBe(rest);
  });

  test('hours at which a feed is not to be read are told', () => {
    const channel = '<skipHours><hour>0</hour><hour>23</hour></skipHours>';
    expect(rss('<item><link>/a</link></item>', channel)?.skipHours).toEqual([0, 23]);
  });
});

describe('broken and hostile feeds', () => {
  const head = '<rss version="2.0"><channel>';
  const item = (n: number): string =>
    `<item><title>${n}</title><link>https://example.com/${n}</link><description>d</description></item>`;

  test('one that breaks off is read up to its last whole entry', () => {
    const listing = read(`${head}${item(1)}${item(2)}<item><title>3</title><link>https://exam</link><description>d<b`);
    expect(listing?.entries.map((entry) => entry.url)).toEqual(['https://example.com/1', 'https://example.com/2']);
    expect(listing?.problem).toBe('The feed breaks off after 2 entries.');
  });

  test('one that cannot be read is refused with a reason', () => {
    expect(read(`${head}<item><description>`)).toEqual({
      kind: 'feed',
      entries: [],
      sitemaps: [],
      problem: expect.stringMatching(/^The feed cannot be read: ./),
    });
    expect(read('{"version":"https://jsonfeed.org/version/1", broken')?.problem).toMatch(/^The feed cannot be read: /);
  });

  test('entities of its own are not read', () => {
    const bomb = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const listing = read(
      `<!DOCTYPE rss [<!ENTITY e0 "lol">${bomb}]>${head}<item><title>&e12;</title><link>https://example.com/&e12;</link></item></channel></rss>`,
    );
    expect(listing?.entries).toEqual([{ url: 'https://example.com/&e12;' }]);
  });

  test('the entities of HTML may be named in its document type', () => {
    const type =
      '<!DOCTYPE rss [<!ENTITY % HTMLlat1 PUBLIC "-//W3C//ENTITIES Latin 1 for XHTML//EN" "http://w3.example/a.ent">%HTMLlat1;]>';
    expect(read(`${type}${head}${item(1)}</channel></rss>`)?.entries).toEqual([{ url: 'https://example.com/1' }]);
  });

  test('a file of this machine is not read', () => {
    const listing = read(
      `<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/hostname">]>${head}<item><link>https://example.com/&f;</link></item></channel></rss>`,
    );
    expect(listing?.entries).toEqual([{ url: 'https://example.com/&f;' }]);
  });

  test('tags that do not end inside of an element that is taken whole do not take the parser an hour', () => {
    const listing = read(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href=<guid>${'x="j"<!D '.repeat(500_000)}`,
    );
    expect(listing).toMatchObject({
      entries: [],
      problem: 'The feed cannot be read: it has too many unclosed tags.',
    });
  });

  test('a long article about quotes and comparisons is no such feed', () => {
    const text = `it's 3 < 4, don't say "a <b" &lt; `.repeat(20_000);
    const listing = read(
      `${head}<item><link>https://example.com/1</link><description><![CDATA[${text}]]></description></item></channel></rss>`,
    );
    expect(listing?.entries).toHaveLength(1);
  });

  test('what a parser shows of a feed has no control characters', () => {
    const { problem = '' } = read('<rDF \u001bhttp://purl.org/rss/1.0') ?? {};
    expect(problem).toContain('cannot be read');
    expect(problem).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ['nested elements', `${head}${'<a>'.repeat(100_000)}`],
    ['sections that do not end', `${head}${item(1)}${'<![CDATA['.repeat(100_000)}`],
    ['tags that do not end', `${head}${item(1)}${'<a b="'.repeat(100_000)}`],
    [
      'attributes',
      `<rss version="2.0" ${Array.from({ length: 20_000 }, (_, n) => `xmlns:a${n}="http://a/${n}"`).join(' ')}><channel>${item(1)}</channel></rss>`,
    ],
    ['entries', `${head}${item(1).repeat(20_000)}</channel></rss>`],
    ['names of the language', `${head}<__proto__><constructor/></__proto__>${item(1)}</channel></rss>`],
    ['JSON inside JSON', `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(200_000)}`],
    ['a document type that does not end', `<!DOCTYPE rss [${'<!ENTITY a "b">'.repeat(20_000)}`],
  ])('many %s are borne', (_, text) => {
    const listing = read(text);
    expect(listing?.entries.length ?? 0).toBeLessThanOrEqual(1_000);
  });
});
