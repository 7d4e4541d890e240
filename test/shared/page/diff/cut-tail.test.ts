import { describe, expect, test } from 'vitest';
import { compare } from '../../../../src/shared/page/compare.ts';
import { NO_FACTS, type Page } from '../../../../src/shared/page/page.ts';

const LIMIT = 1_000;

/** A page of these lines, as if so many were the most that are read. */
function page(lines: readonly string[], limit = LIMIT): Page {
  const left = Math.max(0, lines.length - limit);
  return {
    url: 'https://example.com/list',
    segments: lines.slice(0, limit).map((text) => ({ text, kind: 'row', zone: 'main' })),
    ...(left > 0 && { cut: { lines: left, shortened: 0 } }),
    anchors: [],
    links: [],
    facts: NO_FACTS,
  };
}

function chunks(before: readonly string[], after: readonly string[]): string[] {
  return compare(page(before), page(after)).change?.chunks.map(({ typ, text }) => `${typ} ${text}`) ?? [];
}

const rows = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `row ${from + at}`);
/** As JSON has them: three lines each, of which one alone tells them apart. */
const items = (count: number, from = 0): string[] =>
  rows(count, from).flatMap((name, at) => [`items.name: ${name}`, `items.size: ${at % 3}`, 'items.state: open']);

describe('a list that goes on behind the limit', () => {
  test('a new row at the top is one new row, and none has gone at the cut', () => {
    const { change, ignored } = compare(page(rows(2_000)), page(['new', ...rows(2_000)]));
    expect(change?.chunks).toEqual([{ typ: 'ins', text: 'new' }]);
    expect(ignored).toEqual([{ before: 'row 999', after: '', reason: 'beyond the limit' }]);
  });

  test('a row that goes is one row, and none has come at the cut', () => {
    expect(chunks(rows(2_000), rows(2_000).toSpliced(10, 1))).toEqual(['del row 10']);
  });

  test('what came and went above is told, whatever that does to the cut', () => {
    const after = rows(2_000).toSpliced(10, 5, 'one').toSpliced(500, 0, 'two', 'three').toSpliced(900, 1, 'four');
    expect(chunks(rows(2_000), after)).toEqual([
      'del row 10\nrow 11\nrow 12\nrow 13\nrow 14',
      'ins one',
      'ins two\nthree',
      'del row 902',
      'ins four',
    ]);
  });

  test('lines that are equal by chance are not the end of what both have', () => {
    expect(chunks(items(700), [...items(1, 9_999), ...items(700)])).toEqual([
      'ins items.name: row 9999\nitems.size: 0\nitems.state: open',
    ]);
    expect(chunks([...items(1, 9_999), ...items(700)], items(700))).toEqual([
      'del items.name: row 9999\nitems.size: 0\nitems.state: open',
    ]);
  });

  test('a list that has grown beyond the limit has new rows, and lost none', () => {
    expect(chunks(rows(990), ['a', ...rows(990), ...rows(20, 5_000)])).toEqual([
      'ins a',
      `ins ${rows(9, 5_000).join('\n')}`,
    ]);
    expect(chunks(rows(LIMIT), ['a', 'b', ...rows(LIMIT)])).toEqual(['ins a\nb']);
  });

  test('a list that is whole again has lost rows, and those that were behind the limit are not new', () => {
    expect(chunks(rows(1_005), rows(1_005).slice(10))).toEqual([`del ${rows(10).join('\n')}`]);
  });

  test('the last rows are told when they are others', () => {
    expect(chunks(rows(2_000), [...rows(999), 'other', ...rows(1_000, 1_000)])).toEqual(['del row 999', 'ins other']);
    const gone = chunks(rows(2_000), rows(2_000, 5_000)).join('\n').split('\n');
    expect(gone).toEqual(expect.arrayContaining(['del row 0', 'row 999', 'ins row 5000', 'row 5999']));
  });

  test('a list of equal rows loses none', () => {
    expect(
      chunks(['head', ...Array<string>(2_000).fill('open')], ['new', 'head', ...Array<string>(2_000).fill('open')]),
    ).toEqual(['ins new']);
  });

  test('a page that was read whole has lost what is not there', () => {
    expect(chunks(rows(900), ['new', ...rows(890)])).toEqual(['ins new', `del ${rows(10, 890).join('\n')}`]);
  });
});
