import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { type Column, cut, layTable, layTsv, widthOf } from '../../../src/cli/text/table.ts';

interface Row {
  readonly id: string;
  readonly url: string;
  readonly count: number;
}
const columns: readonly Column<Row>[] = [
  { title: 'id', show: ({ id }) => id.slice(0, 4), plain: ({ id }) => id },
  { title: 'url', show: ({ url }) => url },
  { title: 'visits', show: ({ count }) => String(count), align: 'right' },
];

describe('a table', () => {
  test('has a heading, aligned columns and no borders', () => {
    const rows = [
      { id: 'abcdefgh', url: 'https://example.org/', count: 7 },
      { id: '12345678', url: 'https://a.example/', count: 1_200 },
    ];
    expect(layTable(columns, rows, 80)).toEqual([
      'ID    URL                   VISITS',
      'abcd  https://example.org/       7',
      '1234  https://a.example/      1200',
    ]);
  });

  test('cuts its widest column until it fits', () => {
    const lines = layTable(columns, [{ id: 'abcdefgh', url: `https://example.org/${'x'.repeat(90)}`, count: 7 }], 40);
    expect(lines[1]).toBe('abcd  https://example.org/xxxxx…       7');
  });

  test('on a narrow terminal leaves spare columns out before the address says nothing', () => {
    const sparing: readonly Column<Row>[] = [
      { title: 'id', show: ({ id }) => id },
      { title: 'url', show: ({ url }) => url, least: 20 },
      { title: 'visits', show: ({ count }) => String(count), align: 'right', spare: 1 },
      { title: 'errors', show: ({ count }) => String(count), align: 'right', spare: 2 },
    ];
    const rows = [{ id: 'abcd', url: 'https://example.org/some/where', count: 7 }];
    const headings = (width: number): string[] => (layTable(sparing, rows, width)[0] ?? '').split(/ +/);
    expect(headings(60)).toEqual(['ID', 'URL', 'VISITS', 'ERRORS']);
    expect(headings(40)).toEqual(['ID', 'URL', 'VISITS']);
    expect(layTable(sparing, rows, 26)[1]).toBe('abcd  https://example.org…');
  });

  test('leaves a column out that says nothing', () => {
    expect(layTable(columns, [{ id: 'abcd', url: '', count: 1 }], 80)).toEqual(['ID    VISITS', 'abcd       1']);
  });

  test('never exceeds the width that three narrow columns allow, whatever is in it', () => {
    const rows = fc.array(fc.record({ id: fc.string(), url: fc.string({ unit: 'grapheme' }), count: fc.nat() }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 24, max: 120 }), (some, width) => {
        for (const line of layTable(columns, some, width)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('in a pipe is tab-separated, whole, and a row is a line', () => {
    const rows = [{ id: 'abcdefgh', url: 'https://example.org/a\tb\nc', count: 7 }];
    expect(layTsv(columns, rows)).toEqual(['abcdefgh\thttps://example.org/a b c\t7']);
  });
});

describe('a text that is cut', () => {
  test('fits, wide characters counted as two', () => {
    expect(cut('日本語のページ', 7)).toBe('日本語…');
    expect(cut('short', 5)).toBe('short');
    expect(cut('longer', 5)).toBe('long…');
  });

  test('keeps as many whole characters as fit, before an ellipsis', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('狐狸在', 4)).toBe('狐…');
    expect(cut('cafe\u0301s', 4)).toBe('caf…');
    expect(cut('cafe\u0301', 4)).toBe('cafe\u0301');
    expect([cut('abc', 0), cut('abc', -1), cut('', 0)]).toEqual(['…', '…', '']);
  });

  test('makes no difference between plain text and other text', () => {
    const unit = fc.constantFrom('a', ' ', '~', '\u0301', 'é', '狐', '🦊', '…', '\u200d');
    fc.assert(
      fc.property(fc.array(unit), fc.integer({ min: 1, max: 12 }), (units, width) => {
        const text = units.join('');
        const shown = cut(text, width);
        expect(stringWidth(shown)).toBeLessThanOrEqual(width);
        if (shown === text) return;
        const kept = shown.slice(0, -1);
        const rest = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(kept.length))];
        expect(text.startsWith(kept) && shown.endsWith('…')).toBe(true);
        // Not one more would have fitted.
        expect(stringWidth(kept) + stringWidth(rest[0]?.segment ?? '')).toBeGreaterThan(width - 1);
      }),
    );
  });
});

test('a text is as wide as string-width says, whether it was asked or not', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  fc.assert(fc.property(text, (one) => widthOf(one) === stringWidth(one)));
});

test('control characters take no column, wide ones two', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
  for (const one of all) expect([one, widthOf(one)]).toEqual([one, stringWidth(one)]);
  expect(['ferry', 'a\tb', '渡船', 'e\u0301', '\u{1f6a2}'].map(widthOf)).toEqual([5, 2, 4, 1, 2]);
});
