import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFuzzy } from '../../../src/shared/automaton/fuzzy.ts';

/** The definition: optimal string alignment, the whole table. */
function distance(one: readonly string[], other: readonly string[]): number {
  const table = one.map(() => [] as number[]);
  table.push([]);
  const cell = (y: number, x: number): number => (y < 0 || x < 0 ? Infinity : (table[y]?.[x] ?? Infinity));
  for (let y = 0; y <= one.length; y++) {
    for (let x = 0; x <= other.length; x++) {
      const same = one[y - 1] === other[x - 1];
      const isSwap = y > 1 && x > 1 && one[y - 1] === other[x - 2] && one[y - 2] === other[x - 1];
      table[y]![x] =
        y === 0 && x === 0
          ? 0
          : Math.min(
              cell(y - 1, x) + 1,
              cell(y, x - 1) + 1,
              cell(y - 1, x - 1) + (same ? 0 : 1),
              isSwap ? cell(y - 2, x - 2) + 1 : Infinity,
            );
    }
  }
  return cell(one.length, other.length);
}

const words = fc.array(fc.constantFrom<string>('a', 'b', 'c', '😀'), { maxLength: 9 });

describe('a fuzzy word', () => {
  it.each([
    ['ferry', 0, 'ferry', true],
    ['ferry', 0, 'fery', false],
    ['ferry', 1, 'fery', true],
    ['ferry', 1, 'fe', false],
    ['colour', 1, 'color', true],
    ['clour', 1, 'lcour', true],
    // A swap whose letters are edited again is two swaps' worth: no part is edited twice.
    ['ca', 2, 'abc', false],
    ['ab', 2, 'abcd', true],
    ['ab', 2, '', true],
    ['本', 1, '日', true],
    ['😀', 1, '😁', true],
    ['😀😀', 1, '😀', true],
    ['example.com', 1, 'Example.com', true],
    ['', 1, 'a', true],
    ['', 1, 'ab', false],
  ] as const)('%s~%i and %s: %s', (term, edits, text, expected) => {
    expect(compileFuzzy(term, edits).matches(text)).toBe(expected);
  });

  it('is as far from a text as the definition says', () => {
    const near = fc
      .tuple(
        words,
        fc.array(fc.tuple(fc.nat(9), fc.constantFrom([], ['a'], ['😀'], ['a', 'b'], ['b', 'a'])), { maxLength: 3 }),
      )
      .map(([word, edits]): [string[], string[]] => {
        const edited = [...word];
        for (const [at, put] of edits) edited.splice(at, put.length === 1 ? 0 : 1, ...put);
        return [word, edited];
      });
    fc.assert(
      fc.property(
        fc.oneof(near, fc.tuple(words, words)),
        fc.constantFrom<0 | 1 | 2>(0, 1, 2),
        ([one, other], edits) => {
          expect(compileFuzzy(one.join(''), edits).matches(other.join(''))).toBe(distance(one, other) <= edits);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('knows a piece of its matches only without edits', () => {
    expect(compileFuzzy('ferry', 0)).toMatchObject({ required: ['ferry'], prefix: 'ferry', suffix: 'ferry' });
    expect(compileFuzzy('ferry', 1)).toMatchObject({ required: [], prefix: '', suffix: '' });
  });

  it('takes words of any length', () => {
    const long = 'a'.repeat(5_000);
    expect(compileFuzzy(long, 2).matches(`b${long}b`)).toBe(true);
    expect(compileFuzzy(long, 2).matches(`b${long}bb`)).toBe(false);
    expect(compileFuzzy('a', 2).matches(long)).toBe(false);
  });
});
