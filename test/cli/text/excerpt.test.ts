import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { excerptAround } from '../../../src/cli/text/excerpt.ts';

/** What the carets would stand below. */
function marked(source: string, word: string, room = 76): { text: string; above: string } {
  const start = source.indexOf(word);
  const { text, from, columns } = excerptAround(source, { start, end: start + word.length }, room);
  const cells: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    cells.push(segment);
    while (cells.length < stringWidth(cells.join(''))) cells.push('');
  }
  return { text, above: cells.slice(from, from + columns).join('') };
}

describe('an excerpt', () => {
  test.each(['日本 titel:x', 'cafe\u0301 titel', '👨‍👩‍👧 titel', 'a\tb titel', '\u0000\u001b titel', 'titel'])(
    'of %j marks its word',
    (source) => {
      expect(marked(source, 'titel').above).toBe('titel');
    },
  );

  test('of a long text in wide characters fits, and marks its word', () => {
    const { text, above } = marked(`${'東京の新聞'.repeat(40)} titel ${'大阪'.repeat(40)}`, 'titel');
    expect(above).toBe('titel');
    expect(stringWidth(text)).toBeLessThanOrEqual(76);
    expect(text).toMatch(/^….*新聞 titel 大阪.*…$/);
  });

  test('begins and ends with an ellipsis only where something is missing', () => {
    expect(marked(`titel ${'a '.repeat(99)}`, 'titel').text).toMatch(/^titel .*…$/);
    expect(marked(`${'a '.repeat(99)}titel`, 'titel').text).toMatch(/^….* titel$/);
    expect(marked('a titel b', 'titel').text).toBe('a titel b');
  });

  test('of a span that is longer than the line marks what is seen of it', () => {
    const { text, from, columns } = excerptAround('x'.repeat(200), { start: 100, end: 200 }, 40);
    expect([text.length, from + columns]).toEqual([40, 39]);
  });

  test('never is wider than its room, nor its mark outside of it', () => {
    const part = fc.constantFrom('a', ' ', '東', '👨‍👩‍👧', 'e\u0301', '\u0000', '\t', '\ud83d', '\u200d', '🇩🇪');
    const source = fc.array(part, { maxLength: 300 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), fc.integer({ min: 20, max: 90 }), (text, one, other, room) => {
        const [start = 0, end = 0] = [one, other].map((at) => at % (text.length + 1)).toSorted((a, b) => a - b);
        const shown = excerptAround(text, { start, end }, room);
        expect(stringWidth(shown.text)).toBeLessThanOrEqual(room);
        expect(shown.from + shown.columns).toBeLessThanOrEqual(room + 1);
      }),
    );
  });
});
