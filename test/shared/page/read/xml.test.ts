import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extraction, pageOf, textsOf } from '../reading.ts';

const PIECES =
  '<a> </a> <a/b="c"> <![CDATA[ ]]> <!-- --> & &#x0; &a; <? ?> text <rss> <item> </item> <title> </title> <!DOCTYPE/a[ ' +
  '<link/href="x"/> <content/type="xhtml"> <b/>';
const type = { contentType: 'application/xml' };

describe('XML', () => {
  test('an element with a text or attributes is a row', () => {
    const xml = `<?xml version="1.0"?><s:rates xmlns:s="urn:rates" date="2026-03-01">
      <rate currency="USD">1.0876</rate><rate currency="JPY" value="161.2"/><empty/><![CDATA[ a < b ]]></s:rates>`;
    expect(pageOf(xml, type).segments).toEqual([
      { text: 'rates | date: 2026-03-01', kind: 'row', zone: 'main' },
      { text: 'rate: 1.0876 | currency: USD', kind: 'row', zone: 'main' },
      { text: 'rate | currency: JPY | value: 161.2', kind: 'row', zone: 'main' },
      { text: 'rates: a < b', kind: 'row', zone: 'main' },
    ]);
  });

  test('text around an inner element stays in order', () => {
    expect(textsOf('<p>One <b>two</b> three</p>', type)).toEqual(['p: One', 'b: two', 'p: three']);
  });

  test('an ampersand in a link swallows no tag', () => {
    expect(textsOf('<a><b>/x?a=1&b=2</b><c>&nbsp;y; <![CDATA[&amp; z]]></c></a>', type)).toEqual([
      'b: /x?a=1&b=2',
      'c: &nbsp;y; &amp; z',
    ]);
  });

  test('the encoding of the declaration counts', () => {
    const xml = '<?xml version="1.0" encoding="iso-8859-1"?><a>caf\u00E9</a>';
    expect(
      textsOf(
        Uint8Array.from(xml, (character) => character.charCodeAt(0)),
        type,
      ),
    ).toEqual(['a: café']);
  });

  test('no entity is expanded but those of XML, and nothing outside is fetched', () => {
    const lol = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const xml = `<!DOCTYPE a [<!ENTITY l0 "lol"><!ENTITY file SYSTEM "file:///etc/hostname">${lol}]>`;
    expect(textsOf(`${xml}<a>&l20; &file; &lt;&#65;&amp;</a>`, type)).toEqual(['a: &l20; &file; <A&']);
  });

  test('mistakes are passed over: bare ampersands, wrong and missing ends, space before the declaration', () => {
    expect(textsOf('\n<?xml version="1.0"?><a><b>R & D</c></b><d>x', type)).toEqual(['b: R & D', 'd: x']);
  });

  test.each<[string, string, string]>([
    ['nests without end', '<a>'.repeat(300), 'malformed'],
    ['is full of mistakes', `<a>${'</b>'.repeat(20_000)}</a>`, 'malformed'],
    ['is nothing but ampersands', `<a>${'&'.repeat(300_000)}</a>`, 'malformed'],
    ['has too many elements', `<a>${'<b/>'.repeat(600_000)}</a>`, 'too_large'],
    ['is no XML', 'Hello', 'empty'],
  ])('what %s is refused', (_, xml, reason) => {
    expect(extraction(xml, type)).toMatchObject({ ok: false, reason });
  });

  test('no bytes make it throw', () => {
    const pieces = fc.constantFrom(...PIECES.split(' ').map((piece) => piece.replace(/(?<=\w)\/(?=\w)/, ' ')));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        expect(extraction(parts.join(''), type)).toHaveProperty('ok');
        expect(extraction(`<rss><channel>${parts.join('')}`, type)).toHaveProperty('ok');
      }),
      { numRuns: 300 },
    );
  });
});
