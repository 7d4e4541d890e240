import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, textsOf } from '../reading.ts';

const type = { contentType: 'text/csv; charset=utf-8' };
const tabs = { contentType: 'text/tab-separated-values' };

describe('CSV', () => {
  test('a row is a line, with its cells as those of a table', () => {
    expect(pageOf('name,price\r\nKite,12.50\r\nRope,9\r\n', type).segments).toEqual([
      { text: 'name | price', kind: 'row', zone: 'main' },
      { text: 'Kite | 12.50', kind: 'row', zone: 'main' },
      { text: 'Rope | 9', kind: 'row', zone: 'main' },
    ]);
  });

  test.each([
    ['"Kite, red","12,50"\nRope,9', ['Kite, red | 12,50', 'Rope | 9']],
    ['"a ""big"" kite",1', ['a "big" kite | 1']],
    ['"two\nlines",1\nRope,9', ['two lines | 1', 'Rope | 9']],
    ['5" pipe,1\n7" pipe,2', ['5" pipe | 1', '7" pipe | 2']],
    ['"Kite" red,1', ['Kite red | 1']],
    ['"never closed,1\nRope,9', ['"never closed | 1', 'Rope | 9']],
    ['a,b\rc,d', ['a | b', 'c | d']],
    ['a,,c\n,b,\n,,\n\n', ['a | | c', '| b |']],
    ['a,b,', ['a | b']],
    ['\uFEFFa,"b"', ['a | b']],
    ['Name;Preis\nDrachen;12,50\nSeil, lang;9', ['Name | Preis', 'Drachen | 12,50', 'Seil, lang | 9']],
    ['a\tb\n1\t2', ['a | b', '1 | 2']],
    ['alone\nsecond', ['alone', 'second']],
  ])('%j is %j', (text, expected) => {
    expect(textsOf(text, type).map((line) => line.replaceAll(/ +/g, ' '))).toEqual(expected);
  });

  test('tab-separated values have no quotes', () => {
    expect(textsOf('a\t"b\n"c,d\te"', tabs)).toEqual(['a | "b', '"c,d | e"']);
  });

  test('is read under the name of plain text where its address says so', () => {
    const plain = { contentType: 'text/plain' };
    expect(textsOf('a,b. C', { ...plain, url: 'https://example.com/rates.csv?day=1' })).toEqual(['a | b. C']);
    expect(textsOf('a\tb', { ...plain, url: 'https://example.com/rates.TSV' })).toEqual(['a | b']);
    expect(textsOf('a,b. C', { ...plain, url: 'https://example.com/rates' })).toEqual(['a,b.', 'C']);
  });

  test('150,000 rows are read whole, and what is beyond that is counted', () => {
    const rows = Array.from({ length: 150_000 }, (_, row) => `${row},${row % 97}`);
    const page = pageOf(rows.join('\n'), type);
    expect([page.segments.length, page.cut, page.segments.at(-1)?.text]).toEqual([150_000, undefined, '149999 | 37']);
    expect(pageOf([...rows, 'a,b', '', 'c,d'].join('\n'), type).cut).toEqual({ lines: 2, shortened: 0 });
  });

  test.each([
    ['quotes that nothing closes', '"a\n"b,'.repeat(400_000)],
    ['one quote at the front', `"${'a,b\n'.repeat(1_000_000)}`],
    ['cells alone', ','.repeat(5_000_000)],
    ['rows alone', '\n'.repeat(5_000_000)],
    ['quotes alone', '"'.repeat(4_999_999)],
  ])('reads as much as it may of %s', (_, text) => {
    const { segments } = pageOf(`name,price\n${text}`, type);
    expect(segments[0]?.text).toBe('name | price');
    for (const { text } of segments) expect(text.length).toBeLessThanOrEqual(10_000);
  });

  test('gives back what a writer of RFC 4180 has written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', ';', '\n', '|'), minLength: 1, maxLength: 8 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(table, (rows) => {
        const written = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
        const folded = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
        const expected = rows.map((row) => folded(row.map(folded).join(' | '))).filter((row) => /[^ |]/.test(row));
        expect(textsOf(`"x","y"\n${written.join('\n')}`, type).slice(1)).toEqual(expected);
      }),
    );
  });
});
