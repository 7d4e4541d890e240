import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ratingOf, ratingOfRank, ratingOfReferring } from '../../../src/shared/rating/rating.ts';

describe('the rating of a rank', () => {
  test.each([
    [1, 100],
    [10, 86],
    [1_000, 57],
    [100_000, 29],
    [1_000_000, 14],
    [10_000_000, 0],
    [10_000_001, undefined],
  ])('%d is %s', (rank, rating) => {
    expect(ratingOfRank(rank)).toBe(rating);
  });

  test('never rises along the list', () => {
    const rank = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(rank, rank, (one, other) => {
        const [near, far] = [Math.min(one, other), Math.max(one, other)];
        expect(ratingOfRank(near)).toBeGreaterThanOrEqual(ratingOfRank(far) ?? -1);
      }),
    );
  });
});

describe('the rating of referring domains', () => {
  test.each([
    [0, undefined],
    [1, 5],
    [10, 17],
    [100, 33],
    [1_000, 50],
    [1_000_000, 100],
    [50_000_000, 100],
  ])('of %d is %s', (domains, rating) => {
    expect(ratingOfReferring(domains)).toBe(rating);
  });
});

describe('the rating of a domain', () => {
  test('is the better of the imported and the own one', () => {
    expect(ratingOf({ imported: 20, referring: 1_000 })).toBe(50);
    expect(ratingOf({ imported: 60, referring: 1_000 })).toBe(60);
  });

  test('is the one that there is, and a rating of 0 is one', () => {
    expect(ratingOf({ referring: 1 })).toBe(5);
    expect(ratingOf({ imported: 0, referring: 0 })).toBe(0);
  });

  test('is absent where nothing is known', () => {
    expect(ratingOf({ referring: 0 })).toBeUndefined();
  });
});
