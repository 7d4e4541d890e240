import { describe, expect, test } from 'vitest';
import { withHeaders } from '../../../../src/shared/page/structure/facts.ts';
import { NO_FACTS, type Facts } from '../../../../src/shared/page/page.ts';
import { bytesOf, pageOf } from '../reading.ts';
import { extract } from '../../../../src/shared/page/read/extract.ts';

const factsOf = (html: string): Facts => pageOf(`<title>t</title>${html}`).facts;

describe('the title', () => {
  test('is the headline of JSON-LD where neither <title> nor og:title is, before the h1', () => {
    const ld = '<script type="application/ld+json">{"@type": "Article", "headline": "From JSON-LD"}</script>';
    expect(pageOf(`${ld}<h1>From h1</h1>`).title).toBe('From JSON-LD');
    expect(pageOf(`<meta property="og:title" content="From og">${ld}`).title).toBe('From og');
  });

  test('of an h1 with a line break keeps its words apart', () => {
    expect(pageOf('<h1>Big<br>news</h1>').title).toBe('Big news');
  });
});

describe('facts', () => {
  test('a page that says nothing has none', () => {
    expect(factsOf('<p>x')).toMatchObject({ alternates: [], robots: [], sections: [], schemaTypes: [], ratings: [] });
    expect(Object.keys(factsOf('<p>x')).sort()).toEqual(Object.keys(NO_FACTS).sort());
  });

  test('the canonical address is absolute, by the base, without fragment; og:url stands in', () => {
    const og = '<meta property="og:url" content="/og">';
    expect(factsOf(`<base href="/deep/"><link rel="Canonical" href="a#b">${og}`).canonical).toBe(
      'https://example.com/deep/a',
    );
    expect(factsOf(`<link rel=canonical href="javascript:x()">${og}`).canonical).toBe('https://example.com/og');
    expect(factsOf(`<link rel=canonical href="/${'x'.repeat(3_000)}">`).canonical).toBeUndefined();
  });

  test('alternates are feeds and other languages, not style sheets and apps', () => {
    const html = `<link rel=alternate type="application/rss+xml" href="/feed"><link rel=alternate hreflang="de-AT" href="/de">
      <link rel="alternate stylesheet" type="text/css" hreflang=de href="/s"><link rel=alternate href="android-app://x">
      <link rel=alternate media=handheld href="/m"><link rel=alternate hreflang=fr>`;
    expect(factsOf(html).alternates).toEqual([
      { href: 'https://example.com/feed', type: 'application/rss+xml' },
      { href: 'https://example.com/de', hreflang: 'de-AT' },
    ]);
  });

  test('robots: what is said to all and to us', () => {
    const html = `<meta name=ROBOTS content="NoIndex, max-snippet: 20"><meta name=hydrant content=nofollow>
      <meta name=otherbot content=noarchive>`;
    expect(factsOf(html).robots).toEqual(['noindex', 'max-snippet:20', 'nofollow']);
    expect(factsOf('<meta name=robots content="none">').robots).toEqual(['noindex', 'nofollow']);
  });

  test('the language of <html>, else the declared one, else that of og:locale', () => {
    const declared = '<meta http-equiv="Content-Language" content="fr">';
    const locale = '<meta property="og:locale" content="zh_TW">';
    expect(factsOf(`<html lang="en-GB"><head>${declared}${locale}`).language).toBe('en-GB');
    expect(factsOf(declared + locale).language).toBe('fr');
    expect(factsOf(`<meta http-equiv="content-language" content="de, en">${locale}`).language).toBe('zh_TW');
    expect(factsOf('<html lang="{{ lang }}">').language).toBeUndefined();
  });

  test('names, description, generator, type and rating', () => {
    const html = `<meta property="og:site_name" content=" Harbour \n Press"><meta property="og:type" content="Article">
      <meta name="description" content=""><meta property="og:description" content="Tides and ferries">
      <meta name="generator" content="Printer 2"><meta name="rating" content="RTA-5042-1996-1400-1577-RTA">`;
    expect(factsOf(html)).toMatchObject({
      siteName: 'Harbour Press',
      ogType: 'article',
      description: 'Tides and ferries',
      generator: 'Printer 2',
      ratings: ['rta-5042-1996-1400-1577-rta'],
    });
  });

  test('sections: what the page files itself under first, keywords last, each once', () => {
    const html = `<meta name=keywords content="ferry, Coast ,, tide"><meta property="article:section" content="Travel">
      <ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop=itemListElement itemscope
      itemtype="https://schema.org/ListItem"><a itemprop=item itemscope itemtype="https://schema.org/WebPage" href="/c">
      <span itemprop=name><b>Coast</b></span></a></ol>
      <div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Rope</b></div>`;
    expect(factsOf(html).sections).toEqual(['Travel', 'Coast', 'ferry', 'tide']);
  });

  test('types of microdata and RDFa, without those of authors and of other vocabularies', () => {
    const html = `<article itemscope itemtype="http://schema.org/BlogPosting"><p itemprop=author itemscope
      itemtype="http://schema.org/Person">x</article><div typeof="schema:Event sioc:Item"></div>
      <div vocab="https://schema.org/" typeof="Recipe"><p property="offers" typeof="Offer">y</div>
      <p itemscope itemtype="https://other.example/Thing">`;
    expect(factsOf(html).schemaTypes).toEqual(['BlogPosting', 'Event', 'Recipe', 'Offer']);
  });

  test('one no is enough not to be for families', () => {
    const yes = '<meta itemprop=isFamilyFriendly content=true>';
    const no = '<script type="application/ld+json">{"@type": "VideoObject", "isFamilyFriendly": "False"}</script>';
    expect(factsOf(yes).isFamilyFriendly).toBe(true);
    expect(factsOf(yes + no).isFamilyFriendly).toBe(false);
  });

  test('lists and texts are short, whatever the page says', () => {
    const keywords = Array.from({ length: 500 }, (_, index) => `k${index}`).join(',');
    const feeds = '<link rel=alternate hreflang=de href="/x">'.repeat(1_000);
    const types = Array.from(
      { length: 500 },
      (_, index) => `<p itemscope itemtype="https://schema.org/T${index}">`,
    ).join('');
    const long = `<meta name=description content="${'x '.repeat(5_000)}"><meta name=generator content="${'y'.repeat(500_000)}">`;
    const facts = factsOf(`<meta name=keywords content="${keywords}">${feeds}${long}${types}`);
    expect(facts.sections).toHaveLength(32);
    expect(facts.alternates).toHaveLength(64);
    expect(facts.schemaTypes.length).toBeLessThanOrEqual(32);
    expect(facts.description?.length).toBeLessThanOrEqual(300);
    expect(facts.generator).toBeUndefined();
  });

  test('names of Object.prototype are neither facts nor errors', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const html = names
      .map((name) => `<meta name="${name}" content="x"><p itemprop="${name}" typeof="${name}">`)
      .join('');
    expect(factsOf(html)).toMatchObject({ sections: [], robots: [] });
  });
});

describe('headers', () => {
  test('speak where the page does not, for text of any kind', () => {
    const headers = { rating: 'Adult', robots: 'noindex', contentLanguage: 'de' };
    const read = extract({
      url: 'https://example.com/x',
      contentType: 'text/plain',
      bytes: bytesOf('Hallo.'),
      headers,
    });
    expect(read.ok && read.page.facts).toMatchObject({ ratings: ['adult'], robots: ['noindex'], language: 'de' });
    expect(withHeaders({ ...NO_FACTS, language: 'fr' }, headers).language).toBe('fr');
    expect(withHeaders(NO_FACTS, { contentLanguage: 'de, en' }).language).toBeUndefined();
  });

  test.each([
    ['noindex, nofollow', ['noindex', 'nofollow']],
    ['otherbot: noindex, nofollow', []],
    ['otherbot: noindex, hydrant: nofollow, noarchive', ['nofollow', 'noarchive']],
    [
      'max-snippet: 5, unavailable_after: 25 Jun 2010 15:00:00 PST',
      ['max-snippet:5', 'unavailable_after:25jun201015:00:00pst'],
    ],
    ['', []],
  ])('X-Robots-Tag: %s', (robots, directives) => {
    expect(withHeaders(NO_FACTS, { robots }).robots).toEqual(directives);
  });
});
