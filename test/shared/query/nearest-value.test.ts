import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestValue } from '../../../src/shared/query/nearest-value.ts';
import { distance, nearest } from '../../../src/shared/query/suggest.ts';

describe('the label that was meant', () => {
  it.each([
    ['page_category', '/news', '/News'],
    ['page_category', 'News/', '/News'],
    ['page_category', '/News/Tecnology_News', '/News/Technology_News'],
    ['page_category', '/Nwes/Technology News', '/News/Technology_News'],
    ['page_category', 'Technology_News', '/News/Technology_News'],
    ['page_category', '/Sports/Skiing_and_Snowboarding', '/Sports/Winter_Sports/Skiing_and_Snowboarding'],
    ['page_type', 'Recipe', '/Article/Recipe'],
    ['page_type', '/Video/Receipe', '/Video/Recipe'],
    ['page_type', '/Article/Reciepes', '/Article/Recipe'],
    ['page_type', '/Core/Homepage', '/Core_Page/Homepage'],
    ['page_type', '/Job Posting', '/Listing/Job'],
    ['page_category', 'Technology news of Sweden', '/News/Technology_News'],
    ['page_type', '', undefined],
    ['page_type', '///', undefined],
    ['page_type', 'qqqqqqqq', undefined],
  ] as const)('%s %s is %s', (vocabulary, written, label) => {
    expect(nearestValue(vocabulary, written)).toBe(label);
  });
});

describe('the nearest word', () => {
  it.each([
    ['tilte', ['title', 'url'], 'title'],
    ['TITLE', ['title', 'url'], 'title'],
    ['ab', ['ba', 'abc'], 'ba'],
    ['', ['abc', 'de'], 'de'],
  ])('to %s among %j is %s', (word, candidates, wanted) => {
    expect(nearest(word, candidates)).toBe(wanted);
  });
});

/** The whole table, cell by cell. */
function plainDistance(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const cell = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const replaced = cell(row - 1, column - 1) + Number(left[row - 1] !== right[column - 1]);
      const isSwap =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1] && row > 1 && column > 1;
      const swapped = isSwap ? cell(row - 2, column - 2) + 1 : Infinity;
      table[row]![column] = Math.min(cell(row - 1, column) + 1, cell(row, column - 1) + 1, replaced, swapped);
    }
  }
  return cell(left.length, right.length);
}

describe('the number of edits between two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });

  it('is that of the whole table, or the limit where it is not less', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 14 }), (left, right, limit) => {
        expect(distance(left, right)).toBe(plainDistance(left, right));
        expect(distance(left, right, limit)).toBe(Math.min(plainDistance(left, right), limit));
      }),
    );
  });
});
