import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAGE_SEGMENTS } from '../../../src/shared/limits.ts';
import { bytesOf, extraction, pageOf, textsOf } from './reading.ts';

/** Tags that move, nest or swallow others in the parser, in whatever order. */
const PIECES =
  '<p> </p> <table> <tr> <td> </table> <a/href=x> </a> <br> <pre> <title> <svg> </script> <h1> <base/href=":"> <template> ' +
  '<frameset> <select> &#xD800; &#0; <!-- --> <![CDATA[ <math><annotation-xml> <plaintext>';

// Slow machines may take their time: the subject is that nothing here is quadratic, overflows or throws.
describe('pages that mean harm', { timeout: 60_000 }, () => {
  test.each(['<div>', '<b>', '<ul><li>', '<table><tr><td>', '<a href="/x">', '<article><header>', '<font><p>'])(
    '20,000 times %s inside one another',
    (tag) => {
      expect(textsOf(`<p>first</p>${tag.repeat(20_000)}last`)).toEqual(['first', 'last']);
    },
  );

  test.each(['<div>', '<div class="comment share related" id="menu">', '<section id="cookies"><h1>'])(
    '100,000 nested elements: %s',
    (tag) => {
      const html = `<p>first</p>${tag.repeat(100_000 / tag.split('><').length)}last`;
      expect(textsOf(html)).toContain('first');
    },
  );

  test('30,000 rows inside one another, as only foreign content allows, each of them plain', () => {
    expect(pageOf(`<math>${'<tr><td>a</td><td>b</td>'.repeat(30_000)}`).segments).toHaveLength(59_999);
  });

  test('20,000 tables inside one another, each with something to say', () => {
    expect(textsOf('<table><tr><td>x<td>y'.repeat(20_000))).toHaveLength(39_999);
  });

  test('three hundred thousand attributes', () => {
    const attributes = Array.from({ length: 300_000 }, (_, index) => `a${index}=b`).join(' ');
    expect(textsOf(`<p ${attributes}>Here.</p>`)).toEqual(['Here.']);
  });

  test('names by the ten thousand, and one of five megabytes', () => {
    const named = Array.from({ length: 30_000 }, (_, index) => `<i class="c${index} menu" id="share${index}">x</i>`);
    expect(textsOf(`<p>y ${named.join('')}`)).toHaveLength(1);
    expect(textsOf(`<p class="${'share '.repeat(900_000)}">Here.</p>`)).toEqual(['Here.']);
  });

  // Patterns that took a whole text at once, or a whole run of marks, ended in a RangeError.
  test.each([
    ['one word', 5, 'x', 10_000],
    ['words', 5, 'word ', 10_000],
    ['marks', 5, '\u0301', 100],
    ['marks beyond the basic plane', 5, '\u{1D165}', 100],
  ])('one line of %s, %i megabytes', (_, megabytes, piece, length) => {
    const html = `<p>a${piece.repeat((megabytes * 1_000_000) / bytesOf(piece).length)}</p>`;
    expect(textsOf(html, { contentType: 'text/html; charset=utf-8' })[0]?.length).toBeLessThanOrEqual(length);
  });

  test('lone surrogates, and labels of charsets that are wrong, unknown or no charset at all', () => {
    expect(textsOf('<p>a\uD800b&#xD800;c\uDC00</p>')).toEqual(['a\uFFFDb\uFFFDc\uFFFD']);
    for (const charset of ['no-such', 'utf-7', '"', 'x-user-defined', 'replacement', ';;charset=']) {
      expect(textsOf('<p>Hello.</p>', { contentType: `text/html; charset=${charset}` })).toBeDefined();
    }
    expect(extraction('<p>Hello.</p>', { contentType: 'text/html; charset=utf-16' }).ok).toBe(true);
  });

  test.each(['<script><!--<script ', '<script><!--<script></script>', '<style></script>', '<svg><script>', '<script>'])(
    '50,000 times %s',
    (piece) => {
      expect(textsOf(`<p>Here.</p>${piece.repeat(50_000)}`)).toEqual(['Here.']);
    },
  );

  test('tags that are never closed, or were never opened', () => {
    expect(textsOf('<div><p>one <b>two<div title="x>y">three</b></p></table></p><li>four<!-- <p>five')).toEqual([
      'one two',
      'three',
      'four',
    ]);
    expect(textsOf('<title>t</title><p>one<scr<b>two')).toEqual(['onetwo']);
    expect(pageOf(`<title>${'x'.repeat(1_000_000)}`).title).toHaveLength(300);
  });

  test('null bytes and bytes that are no UTF-8', () => {
    const bytes = Uint8Array.from([...bytesOf('<p>a'), 0, 0xff, 0xc0, ...bytesOf('b</p>')]);
    expect(textsOf(bytes, { contentType: 'text/html; charset=utf-8' })).toEqual(['a\uFFFD\uFFFDb']);
  });

  test.each(['word ', '.', ' ', 'x', '. A', '\n', '\u00AD', '<br> ', '汉。'])('half a megabyte of %j', (piece) => {
    const html = `<h1>t</h1><p>${piece.repeat(500_000 / bytesOf(piece).length)}</p>`;
    expect(pageOf(html).segments.length).toBeLessThanOrEqual(PAGE_SEGMENTS);
  });

  test('a tower of 400,000 combining marks', () => {
    const [text] = textsOf(`<p>a${'\u0301\u0323'.repeat(200_000)}b</p>`);
    expect(text?.length).toBeLessThan(50);
    expect(text?.endsWith('b')).toBe(true);
  });

  test('hundreds of thousands of links, entities and empty elements', () => {
    expect(pageOf(`<p>x ${'<a href=/y>z</a>'.repeat(100_000)}`).links).toEqual(['https://example.com/y']);
    const each = Array.from({ length: 100_000 }, (_, index) => `<a href=/${index}>${index}</a>`).join(' ');
    expect(pageOf(`<p>x ${each}`).links).toHaveLength(5_000);
    expect(textsOf(`<p>${'&amp;'.repeat(200_000)}`)[0]).toHaveLength(10_000);
    expect(textsOf(`<p>x</p>${'<p></p>'.repeat(100_000)}`)).toEqual(['x']);
  });

  test('style and href attributes of a megabyte', () => {
    const long = ' ;'.repeat(500_000);
    expect(textsOf(`<p style="${long}">a <a href="${long}">b</a></p>`)).toEqual(['a b']);
  });

  test.each<[string, (index: number) => string]>([
    // The standard opens each unclosed <b> anew in every paragraph: 8,000 of both are 32 million elements.
    ['paragraphs that all open bold texts anew', (index) => `<b id=${index}>x<p>`],
    ['links after bold texts that were never closed', (index) => (index < 100_000 ? `<b a${index}>` : '<a>')],
    ['elements', () => '<i>x</i>'],
  ])('%s: too much for a tree', (_, piece) => {
    const html = Array.from({ length: 600_000 }, (_, index) => piece(index)).join('');
    expect(extraction(html)).toMatchObject({ ok: false, reason: 'too_large' });
  });

  test.each([' ', ']]> ', '<!-- ', '/* ', '//', '{', '[{'])('JSON-LD with 200,000 times %j in it', (piece) => {
    const script = `<script type="application/ld+json">{"a": 1,${piece.repeat(200_000)}x}</script>`;
    expect(textsOf(`<p>a</p>${script}<p>b</p>`)).toEqual(['a', 'b']);
  });

  test('XHTML full of what looks like closed tags', () => {
    for (const piece of ['<a b ', 'a', '<a/', ' /']) {
      const html = `<p>x</p><a${piece.repeat(200_000)}`;
      expect(textsOf(html, { contentType: 'application/xhtml+xml' })[0]).toBe('x');
    }
  });

  test('no bytes make it throw', () => {
    const tags = fc.constantFrom(...PIECES.split(' '), '<script type="application/ld+json">', 'text. More', '\u0000');
    const html = fc.array(tags, { maxLength: 60 }).map((parts) => bytesOf(parts.join('')));
    const type = fc.constantFrom(
      'text/html',
      'application/xhtml+xml',
      'text/plain',
      '',
      'text/html; charset=utf-16le',
      'text/xml',
    );
    fc.assert(
      fc.property(fc.oneof(html, fc.uint8Array({ maxLength: 300 })), type, (bytes, contentType) => {
        const read = extraction(bytes, { contentType });
        if (!read.ok) return;
        const { segments, anchors } = read.page;
        expect(
          [...segments, ...anchors].every(({ text }) => text !== '' && text === text.trim() && !/[\n\0]/.test(text)),
        ).toBe(true);
        expect(JSON.parse(JSON.stringify(read.page))).toEqual(read.page);
      }),
      { numRuns: 500 },
    );
  });
});

test('what is kept of a page does not keep the page alive', { timeout: 60_000 }, () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const kept: (string | undefined)[] = [];
  const filler = 'filler '.repeat(40_000);
  const before = heap();
  for (let index = 0; index < 30; index += 1) {
    kept.push(textsOf(`<p>A sentence that is long enough to be a slice of its paragraph, ${index}. The ${filler}`)[0]);
  }
  expect(heap() - before).toBeLessThan(3_000_000);
  expect(kept).toHaveLength(30);
});
