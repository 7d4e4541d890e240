import { describe, expect, test } from 'vitest';
import { identityOf } from '../../../src/daemon/discovery/canonical.ts';
import { discover, type Discovery, type Origin } from '../../../src/daemon/discovery/discover.ts';
import { URGENT } from '../../../src/daemon/storage/frontier.ts';
import { extract } from '../../../src/shared/page/read/extract.ts';
import type { Page } from '../../../src/shared/page/page.ts';
import { terms } from './terms.ts';

const origin: Origin = {
  url: 'https://example.com/news/today',
  kind: 'article',
  at: Date.UTC(2026, 1, 1),
  isFirstVisit: false,
  isBaseline: false,
  holders: [terms({ depth: 1 })],
};

function pageOf(html: string, url = origin.url, robots?: string): Page {
  const bytes = new TextEncoder().encode(`<title>Today</title>${html}`);
  const extraction = extract({ url, contentType: 'text/html', bytes, ...(robots && { headers: { robots } }) });
  if (!extraction.ok) throw new Error(extraction.detail);
  return extraction.page;
}

function found(html: string, from: Partial<Origin> = {}): Discovery {
  return discover(pageOf(html, from.url), { ...origin, ...from });
}

function urls({ discovered }: Discovery): string[] {
  return discovered.flatMap(({ leads }) => leads.map(({ url }) => url));
}

describe('links', () => {
  test('those of the content come before those of the boilerplate, each page once', () => {
    const html = `<nav><a href="/nav">Navigation</a><a href="/a">A</a></nav>
      <main><p>A long enough sentence about something with <a href="/a#x">a link</a>.</p><a href="/b?utm_source=x">B</a>
      <a href="/b">B again</a><a href="/news/today#top">This page</a><a href="mailto:a@example.com">Mail</a></main>`;
    expect(urls(found(html))).toEqual(['https://example.com/a', 'https://example.com/b', 'https://example.com/nav']);
  });

  test('those that the frontier has are not told again, until something that they depend on is another', () => {
    const html = '<p>One.</p><a href="/a">A</a>';
    const alternate = '<link rel="alternate" hreflang="de" href="/de">';
    const { leadsKey } = found(html);
    const told = (text: string, from: Partial<Origin> = {}): string[] =>
      urls(found(text, { knownLeads: leadsKey, ...from }));
    expect(told('<p>Two.</p><a href="/a">Another word</a>')).toEqual([]);
    expect(told(`${html}<a href="/b">B</a>`)).toEqual(['https://example.com/a', 'https://example.com/b']);
    expect(told(alternate + html)).toEqual(['https://example.com/a', 'https://example.com/de']);
    expect(told('<link rel="canonical" href="/c"><a href="/a">A</a>')).toHaveLength(2);
    expect(told(html, { holders: [terms({ depth: 0 })] })).toHaveLength(1);
    expect(told(html, { holders: [...origin.holders, terms({ id: 'other', depth: 1 })] })).toHaveLength(2);
    expect(told(html, { url: 'https://example.com/news/' })).toHaveLength(1);
    expect(told(html, { knownLeads: undefined })).toHaveLength(1);
  });

  test('they are one step further than the page, and no news of a source that begins', () => {
    const first = found('<a href="/a">A</a>', { isFirstVisit: true, isBaseline: true });
    expect(first.discovered).toMatchObject([{ sourceId: 'src_1', leads: [{ depth: 2, isBaseline: true }] }]);
    const later = found('<a href="/a">A</a>', { isBaseline: true });
    expect(later.discovered[0]?.leads[0]?.isBaseline).toBe(false);
  });

  test('each source has those that its scope and depth reach', () => {
    const holders = [
      terms({ id: 'host', depth: 1 }),
      terms({ id: 'any', scope: 'any', depth: 3, maxDepth: 4 }),
      terms({ id: 'deep', scope: 'any', depth: 4, maxDepth: 4 }),
      terms({ id: 'page', scope: 'page', url: origin.url, depth: 0 }),
    ];
    const { discovered } = found('<a href="/a">A</a> <a href="https://other.example/">O</a>', { holders });
    expect(
      discovered.map(({ sourceId, leads }) => [sourceId, leads.map(({ url, depth }) => `${depth} ${url}`)]),
    ).toEqual([
      ['host', ['2 https://example.com/a']],
      ['any', ['4 https://example.com/a', '4 https://other.example/']],
    ]);
  });

  test('pictures and archives are no pages, but what a wiki calls so is', () => {
    const html = '<a href="/a.jpg">1</a><a href="/b.zip">2</a><a href="/wiki/File:c.jpg">3</a><a href="/d.pdf">4</a>';
    expect(urls(found(html))).toEqual(['https://example.com/wiki/File:c.jpg', 'https://example.com/d.pdf']);
  });

  test('traps are left out', () => {
    expect(urls(found('<a href="/x/x/x/x">X</a><a href="/?a&b&c&d&e&f&g&h&i">Y</a>'))).toEqual([]);
  });

  test('nofollow of a page, in a tag or a header, leads nowhere', () => {
    const html = '<link rel="canonical" href="/other"><a href="/a">A</a>';
    expect(found(`<meta name="robots" content="nofollow">${html}`)).toMatchObject({ discovered: [] });
    const page = pageOf(html, origin.url, 'nofollow');
    expect(discover(page, origin)).toEqual({ discovered: [], kind: 'article', leadsKey: expect.any(String) });
  });

  test('a page in other languages is a link', () => {
    const html = '<link rel="alternate" hreflang="de" href="/de/heute"><link rel="alternate" media="print" href="/p">';
    expect(urls(found(html))).toEqual(['https://example.com/de/heute']);
  });
});

describe('feeds', () => {
  const feed = (href: string, type = 'application/rss+xml'): string =>
    `<link rel="alternate" type="${type}" href="${href}">`;

  test.each(['application/rss+xml', 'application/atom+xml', 'application/feed+json'])('%s is announced', (type) => {
    const { discovered } = found(feed('/feed', type));
    expect(discovered[0]?.leads).toMatchObject([{ url: 'https://example.com/feed', kind: 'feed', depth: 1 }]);
  });

  test('one outside of a prefix is followed, its entries are for the scope', () => {
    const holders = [terms({ scope: 'prefix', url: 'https://example.com/news/', depth: 1 })];
    expect(urls(found(feed('/feed'), { holders }))).toEqual(['https://example.com/feed']);
  });

  test('comments of a page, and the word of an inner page for another site, are not', () => {
    expect(urls(found(feed('/news/today/feed/') + feed('/comments/feed/') + feed('https://feeds.example/x')))).toEqual(
      [],
    );
  });

  test('a seed may have its feed at another site', () => {
    expect(urls(found(feed('https://feeds.example/x'), { holders: [terms()] }))).toEqual(['https://feeds.example/x']);
  });

  test('a page may announce eight', () => {
    const many = Array.from({ length: 20 }, (_, index) => feed(`/tag/${index}/feed`)).join('');
    expect(urls(found(many))).toHaveLength(8);
  });

  test('a source of one page has none, nor one whose depth has been reached', () => {
    const holders = [terms({ scope: 'page', url: origin.url }), terms({ maxDepth: 1, depth: 1 })];
    expect(found(feed('/feed'), { holders }).discovered).toEqual([]);
  });
});

describe('rel=canonical', () => {
  const canonical = (href: string): Discovery => found(`<link rel="canonical" href="${href}">`);

  test('on the same site it is visited soon, and the page is that one', () => {
    const url = 'https://www.example.com/news/today';
    const holders = [terms({ scope: 'domain', depth: 1 })];
    const { discovered, sameAs } = found(`<link rel="canonical" href="${url}">`, { holders });
    expect(sameAs).toEqual(identityOf(url));
    expect(discovered[0]?.leads).toMatchObject([{ url, depth: 1, urgency: URGENT.feed, isForeign: false }]);
  });

  test.each([
    ['itself', '/news/today?utm_source=x#a'],
    ['itself under the other scheme', 'http://example.com/news/today'],
    ['another site', 'https://other.example/news/today'],
    ['the front page', '/'],
    ['no URL', 'javascript:void(0)'],
  ])('to %s it says nothing', (_, href) => {
    expect(canonical(href)).toEqual({ discovered: [], kind: 'article', leadsKey: expect.any(String) });
  });

  test('from http: to https: it is believed, so that the twins are one', () => {
    const { sameAs } = found('<link rel="canonical" href="https://example.com/a">', { url: 'http://example.com/a' });
    expect(sameAs).toEqual(identityOf('https://example.com/a'));
  });

  test('a page is not given up for one that its source does not go to', () => {
    const { sameAs, discovered } = canonical('https://m.example.com/news/today');
    expect(sameAs).toBeUndefined();
    expect(discovered).toEqual([]);
  });
});

describe('kinds', () => {
  const kindOf = (url: string, html = '<p>Text.</p>', depth = 1): string =>
    found(html, { url, holders: [terms({ depth })] }).kind;

  test.each([
    ['https://example.com/a', 'article'],
    ['https://example.com/?p=12', 'article'],
    ['https://example.com/', 'hub'],
    ['https://example.com/tag/a/page/3/', 'minor'],
    ['https://example.com/shop?sort=price', 'minor'],
    ['https://example.com/shop?page=2', 'minor'],
    ['https://example.com/shop?page=about', 'article'],
    ['https://example.com/a?replytocom=12', 'minor'],
    ['https://example.com/shop?filter[colour]=red', 'minor'],
  ])('%s is of kind %s', (url, kind) => {
    expect(kindOf(url)).toBe(kind);
  });

  test('a seed is a hub, whatever its address', () => {
    expect(kindOf('https://example.com/shop?sort=price', '<p>Text.</p>', 0)).toBe('hub');
  });

  test('a page whose content is links is a hub, one with text beside them is not', () => {
    const links = Array.from(
      { length: 30 },
      (_, index) => `<li><a href="/n/${index}">A headline with words ${index}</a>`,
    );
    expect(kindOf('https://example.com/topics', `<main><ul>${links.join('')}</ul></main>`)).toBe('hub');
    const text = '<p>This is a sentence of the article that goes on for a while.</p>'.repeat(60);
    expect(kindOf('https://example.com/topics', `<main>${text}<ul>${links.join('')}</ul></main>`)).toBe('article');
  });

  test('links are guessed by their addresses', () => {
    const html =
      '<a href="/">1</a><a href="/feed/">2</a><a href="/sitemap_index.xml">3</a><a href="/a?page=2">4</a><a href="/b">5</a>';
    const [first] = found(html).discovered;
    expect(first?.leads.map(({ kind }) => kind)).toEqual(['hub', 'feed', 'sitemap', 'article', 'minor']);
  });
});

describe('the order of links', () => {
  const article = (n: number): string => `https://example.com/2026/story-${n}`;
  const titled = (n: number): string => `The harbour of town ${n} opens at nine`;
  const listed = (form: (n: number) => string): string => Array.from({ length: 20 }, (_, n) => form(n)).join('\n');

  test.each([
    ['headlines', (n: number) => `<article><h3><a href="${article(n)}">${titled(n)}</a></h3><p>Read it.</p></article>`],
    ['a list of articles', (n: number) => `<ul><li><a href="${article(n)}">${titled(n)}</a></li></ul>`],
    ['headlines of few letters', (n: number) => `<h2><a href="${article(n)}">港の朝${n}時に開く船</a></h2>`],
  ])('%s of a front page come before sections, tags and pages of lists', (_, form) => {
    const sections = (name: string): string =>
      Array.from({ length: 60 }, (_, n) => `<a href="/${name}/${n}">${name} ${n}</a>`).join(' ');
    const html = `<div>${sections('section')}</div><main>${sections('tag')} <a href="/page/2">Older articles of this site here</a>
      ${listed(form)}</main><footer>${sections('about')}</footer>`;
    const first = urls(found(html, { url: 'https://example.com/', holders: [terms()] })).slice(0, 20);
    expect(first).toEqual(Array.from({ length: 20 }, (_, n) => article(n)));
  });

  test('other views of a list come last', () => {
    const html = '<main><a href="/list?sort=date">All that we have, by their date</a> <a href="/a">A</a></main>';
    expect(urls(found(html))).toEqual(['https://example.com/a', 'https://example.com/list?sort=date']);
  });
});

describe('what is to be done and not to be read', () => {
  test.each([
    '/story?share=twitter&nb=1',
    '/story?replytocom=12',
    '/story?print=1',
    '/story?print',
    '/story/print/',
    '/story?format=print',
    '/login?next=/story',
    '/wp-login.php?redirect_to=x',
    '/sign-in',
    '/cart/',
    '/shop?add-to-cart=4',
    '/wiki/index.php?title=A&action=edit',
  ])('%s is not followed', (href) => {
    expect(urls(found(`<main><a href="${href}">Here is a link to it</a></main>`))).toEqual([]);
  });

  test.each(['/story?action=rescue', '/blueprint', '/market-share', '/printing', '/login-problems-solved', '/?p=12'])(
    '%s is',
    (href) => {
      expect(urls(found(`<main><a href="${href}">Here is a link to it</a></main>`))).toEqual([
        `https://example.com${href}`,
      ]);
    },
  );
});
