import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extraction, pageOf, textsOf } from '../reading.ts';

const type = { contentType: 'application/json' };

describe('JSON', () => {
  test('each value is a row under the names that lead to it', () => {
    const value = { shop: { name: 'Kite & Co', open: true }, prices: [{ eur: 12.5 }, { eur: 9 }], note: null };
    expect(pageOf(JSON.stringify(value), type).segments).toEqual([
      { text: 'note: null', kind: 'row', zone: 'main' },
      { text: 'prices.eur: 12.5', kind: 'row', zone: 'main' },
      { text: 'prices.eur: 9', kind: 'row', zone: 'main' },
      { text: 'shop.name: Kite & Co', kind: 'row', zone: 'main' },
      { text: 'shop.open: true', kind: 'row', zone: 'main' },
    ]);
  });

  test('the order of names is no change', () => {
    expect(textsOf('{"b": 1, "a": {"d": 2, "c": 3}}', type)).toEqual(textsOf('{"a": {"c": 3, "d": 2}, "b": 1}', type));
  });

  test('one more item at the top changes no other row', () => {
    const rows = textsOf('[{"id": 1}, {"id": 2}]', type);
    expect(textsOf('[{"id": 0}, {"id": 1}, {"id": 2}]', type).slice(1)).toEqual(rows);
  });

  test('a value alone is a row, and white space is folded', () => {
    expect(textsOf('"a\\n  b"', type)).toEqual(['a b']);
    expect(textsOf('{"a": "<b>x</b>"}', type)).toEqual(['a: <b>x</b>']);
  });

  test('a title on top is the title of the page', () => {
    expect(pageOf('{"title": "Tides", "x": {"title": "no"}}', type).title).toBe('Tides');
    expect(Object.hasOwn(pageOf('{"title": 3}', type), 'title')).toBe(false);
  });

  test('what is no JSON is refused, and so is what nests without end', () => {
    expect(extraction('{"a": ', type)).toMatchObject({ ok: false, reason: 'malformed' });
    expect(extraction(`${'['.repeat(300)}1${']'.repeat(300)}`, type)).toMatchObject({ ok: false, reason: 'malformed' });
    expect(extraction('['.repeat(1_000_000), type)).toMatchObject({ ok: false, reason: 'malformed' });
    expect(extraction('{}', type)).toMatchObject({ ok: false, reason: 'empty' });
  });

  test('half a surrogate pair, which storage could not give back, is U+FFFD', () => {
    expect(textsOf('["a\\ud800", "\\ude00b", "\\ud83d\\u200b\\ude00"]', type)).toEqual(['a\uFFFD', '\uFFFDb', '😀']);
    const linked = '<script type="application/ld+json">{"headline": "a \\ud800 b"}</script><p>x';
    expect(pageOf(linked).title).toBe('a \uFFFD b');
  });

  test('beyond the limits the rest is left out', () => {
    expect(textsOf(JSON.stringify(Array.from({ length: 160_000 }, () => 1)), type)).toHaveLength(150_000);
    expect(textsOf(JSON.stringify({ ['n'.repeat(5_000)]: 'x'.repeat(20_000) }), type)[0]).toHaveLength(10_000);
  });

  test('no JSON makes it throw', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const read = extraction(json, type);
        const segments = read.ok ? read.page.segments : [];
        expect(segments.every(({ text }) => text === text.trim() && text !== '')).toBe(true);
      }),
    );
  });
});
