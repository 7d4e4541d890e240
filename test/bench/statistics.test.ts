import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, quantile, slope } from './statistics.ts';

describe('a slope', () => {
  it('of a power law is its exponent, whatever its factor', () => {
    const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 6 });
    const exponents = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(sizes, exponents, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (all, exponent, factor) => {
        const points = all.map((size) => ({ size, value: factor * size ** exponent }));
        expect(slope(points)).toBeCloseTo(exponent, 6);
      }),
    );
  });

  it.each([
    ['of one size', [{ size: 10, value: 1 }]],
    [
      'of a value that is not positive',
      [
        { size: 10, value: 0 },
        { size: 100, value: 1 },
      ],
    ],
  ])('%s is no number', (_, points) => {
    expect(Number.isFinite(slope(points))).toBe(false);
  });
});

describe('a quantile', () => {
  it('is one of the values, with as many below it as the share says', () => {
    const values = fc.array(fc.integer(), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const found = quantile(all, share);
        expect(all).toContain(found);
        expect(all.filter((value) => value < found).length).toBeLessThanOrEqual(share * all.length);
        expect(all.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * all.length);
      }),
    );
  });

  it('does not depend on the order, nor change it', () => {
    const values = [9, 1, 100];
    expect(median(values)).toBe(9);
    expect(values).toEqual([9, 1, 100]);
  });
});
