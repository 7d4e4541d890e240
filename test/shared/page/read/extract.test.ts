import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../../src/shared/page/structure/content.ts';
import { EXTRACTOR, NO_FACTS, type Segment } from '../../../../src/shared/page/page.ts';
import { bytesOf, extraction, pageOf, textsOf } from '../reading.ts';

const segmentsOf = (...given: Parameters<typeof pageOf>): Pick<Segment, 'text' | 'kind'>[] =>
  contentOf(pageOf(...given)).map(({ text, kind }) => ({ text, kind }));

describe('segments', () => {
  test('are sentences, headings, items, rows and captions in reading order', () => {
    const html = `<h1>Tides. A guide</h1><p>One here. Two here.</p><ul><li>First<li>Second</ul>
      <table><caption>Times</caption><tr><th>Day<th>High<tr><td>Mon<td><p>08:12</p></table>
      <figure><img><figcaption>The harbour.</figcaption></figure>`;
    expect(segmentsOf(html)).toEqual([
      { text: 'Tides. A guide', kind: 'heading' },
      { text: 'One here.', kind: 'sentence' },
      { text: 'Two here.', kind: 'sentence' },
      { text: 'First', kind: 'item' },
      { text: 'Second', kind: 'item' },
      { text: 'Times', kind: 'caption' },
      { text: 'Day | High', kind: 'row' },
      { text: 'Mon | 08:12', kind: 'row' },
      { text: 'The harbour.', kind: 'caption' },
    ]);
  });

  test('white space is folded, what cannot be seen is gone, letters are composed', () => {
    expect(textsOf('<p> a\n\t b&nbsp;c  <b> d</b>e </p>')).toEqual(['a b c de']);
    expect(textsOf('<p>so&shy;ft ze\u200Bro \u202Eturned\u202C \uFEFFmark</p>')).toEqual(['soft zero turned mark']);
    expect(textsOf('<p>Cafe\u0301</p>')).toEqual(['Caf\u00E9']);
    expect(textsOf('<p>می\u200Cخواهم 👨\u200D👩\u200D👧</p>')).toEqual(['می\u200Cخواهم 👨\u200D👩\u200D👧']);
    expect(textsOf('<p>a</p><p>&#8203;&nbsp;</p><p>b</p>')).toEqual(['a', 'b']);
  });

  test('inline markup parts no words and no sentences', () => {
    expect(textsOf('<p>One<b>word</b> <i>here.</i> <a href="/x">Two</a>.</p>')).toEqual(['Oneword here.', 'Two.']);
    const bold = '<p>The <b>ferry</b> left.</p>';
    expect(textsOf(bold)).toEqual(textsOf('<p>The <strong class="x">ferry</strong> left.</p>'));
  });

  test('a line break ends a segment in running text, and none in a heading', () => {
    expect(textsOf('<p>Mon 9-5<br>Tue 9-6</p><h2>Big<br>news</h2>')).toEqual(['Mon 9-5', 'Tue 9-6', 'Big news']);
    expect(textsOf('<pre>one\n  two three\n</pre>')).toEqual(['one', 'two three']);
  });

  test('an item ends where a whole text begins inside it', () => {
    expect(segmentsOf('<ul><li>Head<p>Body</p><article><p>Text</p></article></ul>')).toEqual([
      { text: 'Head', kind: 'item' },
      { text: 'Body', kind: 'item' },
      { text: 'Text', kind: 'sentence' },
    ]);
  });

  test('rows: an empty cell between two others counts, cells of a layout are no row', () => {
    expect(textsOf('<table><tr><td>a<td><td>x<td> </table>')).toEqual(['a | | x']);
    expect(textsOf('<table><tr><td><h2>Head</h2><p>One. Two.</p><td>side</table>')).toEqual([
      'Head',
      'One.',
      'Two.',
      'side',
    ]);
    expect(textsOf('<table><tr><td>Only one. Cell here.</table>')).toEqual(['Only one.', 'Cell here.']);
    expect(textsOf('<table><tr><td><table><tr><td>a<td>b</table><td>c</table>')).toEqual(['a | b', 'c']);
    const long = `<table><tr><td>menu<td>${'This goes on. '.repeat(200)}</table>`;
    expect(textsOf(long)).toHaveLength(201);
  });

  test.each(
    [
      ['<div hidden>x</div>', '<div aria-hidden="true">x</div>', '<div style="color:red; display : none">x</div>'],
      ['<div style="visibility:hidden">x</div>', '<script>x</script>', '<style>x</style>'],
      ['<svg><text>x</text></svg>', '<dialog>x</dialog>', '<button>x</button>', '<iframe>x</iframe>'],
      [
        '<select><option>x</select>',
        '<textarea>x</textarea>',
        '<input value=x>',
        '<video>x</video>',
        '<object>x</object>',
      ],
      ['<nav>x</nav>', '<aside>x</aside>', '<header>x</header>', '<footer>x</footer>', '<search>x</search>'],
      ['<div role="navigation">x</div>', '<div role="banner">x</div>', '<div role="contentinfo">x</div>'],
      [
        '<div role="complementary">x</div>',
        '<ul role="menu"><li>x</ul>',
        '<div role="search">x</div>',
        '<div role="Dialog x">x</div>',
      ],
      ['<main><nav>x</nav></main>', '<!-- x -->'],
    ].flat(),
  )('%s is left out', (html) => {
    expect(textsOf(`<p>a</p>${html}<p>b</p>`)).toEqual(['a', 'b']);
  });

  test.each(
    [
      [
        '<article><header>x</header></article>',
        '<main><footer>x</footer></main>',
        '<div role="main"><header>x</header></div>',
      ],
      ['<section><header>x</header></section>', '<dialog open>x</dialog>', '<div hidden="until-found">x</div>'],
      ['<details><summary>x</summary></details>', '<form><label>x</label></form>', '<h3><button>x</button></h3>'],
      ['<div aria-hidden="false">x</div>', '<header role="main">x</header>', '<math><mi>x</mi></math>'],
    ].flat(),
  )('%s is content', (html) => {
    expect(textsOf(`<p>a</p>${html}<p>b</p>`)).toEqual(['a', 'x', 'b']);
  });

  test('a page that is all boilerplate, or hidden until its scripts ran, is read as a whole', () => {
    expect(textsOf('<header><h1>Shop</h1><p>Open.</p></header>')).toEqual(['Shop', 'Open.']);
    expect(pageOf('<nav><a href="/a">Tides</a></nav>').anchors).toMatchObject([
      { href: 'https://example.com/a', text: 'Tides' },
    ]);
    expect(textsOf('<body style="visibility:hidden"><p>Here.</body>')).toEqual(['Here.']);
  });

  test('beyond the limits the rest is left out', () => {
    expect(textsOf(`<p>${'x'.repeat(20_000)}`)[0]).toHaveLength(10_000);
    expect(textsOf(`<p>${'x'.repeat(9_999)}😀`)[0]).toHaveLength(9_999);
    expect(textsOf(`<pre>${'x\n'.repeat(160_000)}`)).toHaveLength(150_000);
  });

  test('what is left out is counted', () => {
    expect(pageOf('<p>A.')).not.toHaveProperty('cut');
    expect(pageOf(`<p>${'x'.repeat(20_000)}<p>y`).cut).toEqual({ lines: 0, shortened: 1 });
    // What is left of a paragraph is one line: nobody looks for its sentences.
    expect(pageOf(`<pre>${'x\n'.repeat(150_000)}</pre><p>One. Two.<p>Three.`).cut).toEqual({ lines: 2, shortened: 0 });
    // JSON repeats its names, so that its text is longer than its bytes.
    const json = `{"${'n'.repeat(400)}":[${'1,'.repeat(100_000)}1]}`;
    const { segments, cut } = pageOf(json, { contentType: 'application/json' });
    expect(segments.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8 * 1_024 * 1_024);
    expect(segments.length + (cut?.lines ?? 0)).toBe(100_001);
  });
});

describe('links', () => {
  test('every http(s) target of the page, absolute, without fragment, each once', () => {
    const html = `<nav><a href="/menu">m</a></nav><p>x <a href="sub#part">s</a> <a href="sub">s</a> <a href="?q=1"><img></a>
      <a href="//other.example/x">o</a> <a href="mailto:a@example.com">m</a> <a href="javascript:x()">j</a>
      <a href="http://[bad">b</a> <div hidden><a href="/hidden">h</a></div> <map><area href="/area"></map>
      <a href="/${'x'.repeat(3_000)}">long</a>`;
    expect(pageOf(html).links).toEqual([
      'https://example.com/menu',
      'https://example.com/notes/sub',
      'https://example.com/notes/today?q=1',
      'https://other.example/x',
      'https://example.com/hidden',
      'https://example.com/area',
    ]);
  });

  test('a base counts for the links before it too, and only if it is http(s)', () => {
    expect(pageOf('<p>a <a href="b">b</a><base href="/deep/"><base href="/late/">').links).toEqual([
      'https://example.com/deep/b',
    ]);
    expect(pageOf('<base href="data:text/html,x"><p>a <a href="b">b</a>').links).toEqual([
      'https://example.com/notes/b',
    ]);
  });

  test('anchors are the links of the content that have a text', () => {
    const html = `<nav><a href="/menu">m</a></nav><main><p>See <a href="/a#x"> the <b>ferry</b>\nplan </a>, <a href="/img"><img></a>
      <a href="#note">1</a> <span hidden><a href="/h">h</a></span></p><a href="/card"><h3>Head</h3><p>Text</p></a>
      <a href="/a">the ferry plan</a></main>`;
    expect(pageOf(html).anchors.filter(({ zone }) => zone !== 'chrome')).toMatchObject([
      { href: 'https://example.com/a', text: 'the ferry plan' },
      { href: 'https://example.com/card', text: 'Head Text' },
      { href: 'https://example.com/a', text: 'the ferry plan' },
    ]);
  });

  test('there are at most 5,000 of each', () => {
    const html = Array.from({ length: 6_000 }, (_, index) => `<a href="/${index}">${index}</a>`).join(' ');
    expect(pageOf(html).links).toHaveLength(5_000);
    expect(pageOf(html).anchors).toHaveLength(5_000);
  });
});

describe('the title', () => {
  test('is <title>, else og:title, else the first h1', () => {
    const h1 = '<h1>From <i>h1</i></h1>';
    const og = '<meta property="og:title" content="From og">';
    expect(pageOf(`${h1}<h1>Later</h1>`).title).toBe('From h1');
    expect(pageOf(og + h1).title).toBe('From og');
    expect(pageOf(`<title> From\n title </title>${og}${h1}`).title).toBe('From title');
    expect(pageOf(`<title> </title>${og}${h1}`).title).toBe('From og');
    expect(pageOf('<svg><title>Icon</title></svg><p>x').title).toBeUndefined();
    // Whatever is no part of a head ends it, also where a <title> follows.
    const late = pageOf('<head><div></div><title>Late</title></head><p>x');
    expect([late.title, late.segments.map(({ text }) => text)]).toEqual(['Late', ['x']]);
  });

  test('has at most 300 characters and never half of one', () => {
    expect(pageOf(`<title>${'x'.repeat(299)}😀`).title).toBe('x'.repeat(299));
  });
});

describe('bodies', () => {
  test.each([
    ['text/html; charset=utf-8', '<p>Hello.'],
    ['TEXT/HTML', '<p>Hello.'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Hello.</p></body></html>'],
    ['text/xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>Hello.</p></html>'],
    ['', '\uFEFF \n<!DOCTYPE html><p>Hello.'],
    ['', '<p>Hello.'],
    ['', 'Hello.'],
    ['unknown/unknown', 'Hello.'],
    ['text/plain', 'Hello.'],
  ])('%j %j is read', (contentType, content) => {
    expect(textsOf(content, { contentType })).toEqual(['Hello.']);
  });

  test.each([
    ['text/css', 'p {}'],
    ['application/pdf', '%PDF-1.7'],
    ['text/html', '%PDF-1.7 not a page'],
    ['text/html', '\u001F\u008B\u0008'],
    ['', 'a\u0000b'],
    ['image/png', 'x'],
  ])('%j %j is not', (contentType, content) => {
    const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
    const read = extraction(bytes, { contentType });
    expect(read).toMatchObject({ ok: false, reason: 'content_type' });
  });

  test('the refusal names the type', () => {
    expect(extraction('p {}', { contentType: 'text/css' })).toEqual({
      ok: false,
      reason: 'content_type',
      detail: 'The body is not of a supported type (Content-Type: text/css).',
    });
  });

  test.each(['', ' \n ', '<html><body></body></html>', '<div hidden>x</div>', '<script>x</script><nav> </nav>'])(
    '%j is empty',
    (html) => {
      expect(extraction(html)).toMatchObject({ ok: false, reason: 'empty' });
    },
  );

  test('a title alone is a page', () => {
    const { unread, ...page } = pageOf('<title>Hello</title>');
    expect(unread).toMatchObject({ hidden: 0, isScripted: false });
    expect(page).toEqual({
      url: 'https://example.com/notes/today',
      title: 'Hello',
      segments: [],
      anchors: [],
      links: [],
      facts: NO_FACTS,
    });
  });

  test('plain text is lines and sentences; its markup is text', () => {
    const text = 'One. Two.\r\n\r\n  <b>three</b>\nfour\u0000!\n';
    expect(textsOf(text, { contentType: 'text/plain' })).toEqual(['One.', 'Two.', '<b>three</b>', 'four!']);
  });

  test.each(['<div/>', '<canvas id="c"/>', '<nav />', '<noscript/>', '<select name="s"\n/>', '<h2/>', '<i/>', '<br/>'])(
    'what XHTML closes at once swallows nothing: %s',
    (closed) => {
      const html = `<html><head><title>t</title><script src="x.js"/></head><body>${closed}<p>Here.</p></body></html>`;
      expect(segmentsOf(html, { contentType: 'application/xhtml+xml' })).toEqual([{ text: 'Here.', kind: 'sentence' }]);
    },
  );

  test('a page is plain data: written out and read back it is the same', () => {
    const page = pageOf('<title>t</title><meta name="date" content="2026-01-01"><p>A “b” \u2028 c. <a href="/x">d</a>');
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
    expect(page.publishTime).toBeDefined();
    expect(Object.hasOwn(pageOf('<p>x'), 'title')).toBe(false);
  });

  test('the same bytes give the same page', () => {
    const html = bytesOf('<title>t</title><p>One. Two. <a href="x">three</a>');
    expect(pageOf(html)).toEqual(pageOf(html));
    expect(Number.isInteger(EXTRACTOR)).toBe(true);
  });
});
