import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode } from '../../../../src/shared/page/read/decode.ts';
import { bytesOf } from '../reading.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const html = { contentType: 'text/html' };

describe('decode', () => {
  test('a byte order mark wins over the header and the document', () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf('<meta charset="windows-1252">ü')]);
    expect(decode(bytes, { contentType: 'text/html; charset=koi8-r' })).toBe('<meta charset="windows-1252">ü');
    const wide = Uint8Array.from([0xff, 0xfe, 0x3c, 0, 0xfc, 0]);
    expect(decode(wide, html)).toBe('<ü');
    expect(decode(Uint8Array.from([0xfe, 0xff, 0, 0x3c, 0, 0xfc]), html)).toBe('<ü');
  });

  test.each(['text/html; charset=koi8-r', 'text/html;charset="KOI8-R"', "text/html; x=y; Charset='koi8-r'; z"])(
    'the header %s wins over the document',
    (contentType) => {
      expect(decode(latin('<meta charset="utf-8">\u00D4\u00C5\u00D3\u00D4'), { contentType })).toContain('тест');
    },
  );

  test('a header that names no known encoding says nothing', () => {
    expect(decode(latin('<meta charset="koi8-r">\u00D4'), { contentType: 'text/html; charset=nonsense' })).toContain(
      'т',
    );
  });

  test('the document declares its encoding, also behind a long head', () => {
    const late = `<head>${'<!-- a comment -->'.repeat(200)}<meta charset="iso-8859-2">\u00B1`;
    expect(decode(latin(late), html).at(-1)).toBe('ą');
  });

  test('in XHTML the XML declaration counts', () => {
    const bytes = latin('<?xml version="1.0" encoding="iso-8859-2"?><html>\u00B1</html>');
    expect(decode(bytes, { contentType: 'application/xhtml+xml', xml: true })).toContain('ą');
  });

  test('undeclared bytes are UTF-8 where they can be, else windows-1252', () => {
    expect(decode(bytesOf('naïve “quotes”'), html)).toBe('naïve “quotes”');
    expect(decode(latin('na\u00EFve \u0093quotes\u0094 \u0080'), html)).toBe('naïve “quotes” €');
  });

  test.each([
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gb18030', [0xd6, 0xd0, 0xb9, 0xfa], '中国'],
    ['gb2312', [0xd6, 0xd0, 0xb9, 0xfa], '中国'],
    ['big5', [0xa4, 0xa4, 0xb0, 0xea], '中國'],
    // ICU lacks this part of the standard's euc-kr (cp949).
    ['euc-kr', [0x81, 0x41], '갂'],
    ['windows-1251', [0xd2, 0xe5, 0xf1, 0xf2], 'Тест'],
    ['iso-8859-1', [0x80, 0xe9], '€é'],
  ])('%s is the encoding of the standard', (label, bytes, text) => {
    expect(decode(Uint8Array.from(bytes), { contentType: `text/html; charset=${label}` })).toBe(text);
  });

  test('bytes that mean nothing become U+FFFD', () => {
    const declared = { contentType: 'text/html; charset=utf-8' };
    expect(decode(Uint8Array.from([0x61, 0xff, 0xc3, 0x62]), declared)).toBe('a\uFFFD\uFFFDb');
    expect(decode(Uint8Array.from([0x61]), { contentType: 'text/html; charset=hz-gb-2312' })).toBe('\uFFFD');
  });

  test('no bytes and no label make it throw', () => {
    const labels = [
      '',
      'utf-8',
      'utf-16',
      'utf-16be',
      'gbk',
      'big5',
      'euc-jp',
      'iso-2022-jp',
      'iso-2022-kr',
      'x-user-defined',
      ')(',
    ];
    const contentType = fc.constantFrom(...labels.map((label) => `text/html; charset=${label}`));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), contentType, fc.boolean(), (bytes, type, xml) => {
        expect(typeof decode(bytes, { contentType: type, xml })).toBe('string');
      }),
    );
  });
});
