import { describe, expect, test } from 'vitest';
import { extraction, pageOf } from '../reading.ts';

const rss = { contentType: 'application/rss+xml', url: 'https://example.com/feed' };
const json = { contentType: 'application/feed+json', url: 'https://example.com/feed' };
const shown = (...given: Parameters<typeof pageOf>): string[] =>
  pageOf(...given).segments.map(({ kind, text }) => `${kind}: ${text}`);

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel>
  <title>Harbour &amp;amp; Sea</title><link>https://example.com/</link><description>News of the harbour</description>
  <atom:link rel="self" href="https://example.com/feed"/><language>en-gb</language>
  <image><title>Logo</title></image><pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate>
  <item><title>Ferry late</title><link>/ferry</link><media:title>no</media:title>
    <description>Short.</description>
    <content:encoded><![CDATA[<p>The ferry was late. It <a href="more">sank</a>.</p><ul><li>No one was hurt</li></ul>]]></content:encoded>
    <pubDate>Mon, 02 Mar 2026 07:00:00 GMT</pubDate></item>
  <item><guid>https://example.com/2</guid><description>&lt;b&gt;Fog&lt;/b&gt; again.</description></item>
</channel></rss>`;

describe('RSS', () => {
  test('an entry is a heading, its whole text, and a link under the heading', () => {
    const page = pageOf(RSS, rss);
    expect(shown(RSS, rss)).toEqual([
      'heading: Ferry late',
      'sentence: The ferry was late.',
      'sentence: It sank.',
      'item: No one was hurt',
      'sentence: Fog again.',
    ]);
    expect(page.anchors).toEqual([
      { href: 'https://example.com/ferry', text: 'Ferry late', zone: 'main' },
      { href: 'https://example.com/more', text: 'sank', zone: 'main' },
      { href: 'https://example.com/2', text: 'Fog again.', zone: 'main' },
    ]);
    expect(page.links).toEqual(['https://example.com/ferry', 'https://example.com/more', 'https://example.com/2']);
    expect(page.segments.every(({ zone }) => zone === 'main')).toBe(true);
  });

  test('the page has the title of the feed, and no date: entries have dates', () => {
    const page = pageOf(RSS, rss);
    expect(page).toMatchObject({
      title: 'Harbour & Sea',
      facts: { language: 'en-gb', description: 'News of the harbour' },
    });
    expect(page.publishTime).toBeUndefined();
  });

  test('an unclosed tag in one entry does not reach the next', () => {
    const item = (html: string): string =>
      `<item><title>x</title><description><![CDATA[${html}]]></description></item>`;
    const feed = `<rss><channel>${item('<div hidden><!-- ')}${item('Seen.')}</channel></rss>`;
    expect(shown(feed, rss)).toEqual(['heading: x', 'heading: x', 'sentence: Seen.']);
  });

  test('RSS 1.0 has its entries beside the channel', () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
      <channel><title>Notes</title></channel><item><title>One</title><link>/1</link></item></rdf:RDF>`;
    expect(pageOf(rdf, rss)).toMatchObject({
      title: 'Notes',
      segments: [{ text: 'One', kind: 'heading' }],
      anchors: [{ href: 'https://example.com/1', text: 'One' }],
    });
  });

  test('entries that each stay below the limit on elements do not pass it together', { timeout: 60_000 }, () => {
    const html = `<![CDATA[<p>${Array.from({ length: 900 }, (_, index) => `<b id=${index}>`).join('')}${'x<p>'.repeat(300)}]]>`;
    const feed = `<rss><channel>${`<item><description>${html}</description></item>`.repeat(50)}</channel></rss>`;
    expect(extraction(feed, rss)).toMatchObject({ ok: false, reason: 'too_large' });
  });
});

describe('Atom', () => {
  test('types of text, links by relation, and xml:base', () => {
    const feed = `<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="fr" xml:base="https://example.org/blog/">
      <a:title type="html">A &amp;lt; B</a:title><a:subtitle>under</a:subtitle>
      <a:entry><a:title>1 &lt;b&gt; 2</a:title><a:link rel="edit" href="/edit"/><a:link href="one"/>
        <a:source><a:title>elsewhere</a:title></a:source><a:summary>short</a:summary>
        <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Tea &amp; <a href="tea">cake</a><br/>1 &lt; 2</p></div></a:content>
      </a:entry></a:feed>`;
    expect(shown(feed, rss)).toEqual(['heading: 1 <b> 2', 'sentence: Tea & cake', 'sentence: 1 < 2']);
    expect(pageOf(feed, rss)).toMatchObject({
      title: 'A < B',
      facts: { language: 'fr', description: 'under' },
      links: ['https://example.org/blog/one', 'https://example.org/blog/tea'],
    });
  });

  test('a content that is no text is passed over', () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</title><summary>Seen.</summary>
      <content type="image/png">aGVsbG8=</content></entry></feed>`;
    expect(shown(feed, rss)).toEqual(['heading: x', 'sentence: Seen.']);
  });
});

describe('JSON Feed', () => {
  test('is a feed, not rows', () => {
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Notes',
      language: 'de',
      items: [{ id: 1, url: '/1', title: 'One', content_html: '<p>Hi. <b>There.</b>' }, { content_text: 'a < b' }, 3],
    };
    const text = JSON.stringify(feed);
    expect(shown(text, json)).toEqual(['heading: One', 'sentence: Hi.', 'sentence: There.', 'sentence: a < b']);
    expect(pageOf(text, json)).toMatchObject({
      title: 'Notes',
      facts: { language: 'de' },
      anchors: [{ href: 'https://example.com/1', text: 'One' }],
    });
  });

  test('JSON with items and another version is JSON', () => {
    expect(shown('{"version": "2", "items": [{"title": "x"}]}', json)).toEqual([
      'row: items.title: x',
      'row: version: 2',
    ]);
  });
});

describe('feeds that mean harm', { timeout: 60_000 }, () => {
  const channel = (items: string): string => `<rss><channel><title>Notes</title>${items}</channel></rss>`;

  test('a base of a megabyte is none', () => {
    const base = `xml:base="http://example.com/${'x'.repeat(1_000_000)}/"`;
    const entries = '<entry xml:base="y"><title>One</title><link href="z"/></entry>'.repeat(10_000);
    const page = pageOf(`<feed ${base}>${entries}</feed>`, rss);
    expect(page.segments).toHaveLength(10_000);
    expect(page.links).toEqual(['https://example.com/z']);
  });

  test('what 20,000 entries that say nothing stand before is read', () => {
    const said = channel('<item><title>&lt;p></title><link>/x</link></item>'.repeat(20_000));
    expect(pageOf(said, rss)).toMatchObject({ title: 'Notes', links: ['https://example.com/x'] });
    const late = channel(`${'<item><title>&lt;p></title></item>'.repeat(20_000)}<item><title>Late</title></item>`);
    expect(shown(late, rss)).toEqual(['heading: Late']);
  });

  test('entries share what is looked at of their links', () => {
    const links = (from: number): string =>
      Array.from({ length: 4_000 }, (_, index) => `&lt;a href="mailto:${from + index}">x&lt;/a>`).join('');
    const many = Array.from(
      { length: 6 },
      (_, item) => `<item><description>${links(item * 4_000)}</description></item>`,
    );
    const last = '<item><description>&lt;a href="/last">x&lt;/a></description></item>';
    expect(pageOf(channel(many.slice(0, 4).join('') + last), rss).links).toEqual(['https://example.com/last']);
    expect(pageOf(channel(many.join('') + last), rss).links).toEqual([]);
  });
});
