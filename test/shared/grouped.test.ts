import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grouped } from '../../src/shared/grouped.ts';

test('a whole number has its digits in groups, as English writes them', () => {
  expect([0, 999, 1_204, -12_400, 1e9].map(grouped)).toEqual(['0', '999', '1,204', '-12,400', '1,000,000,000']);
  fc.assert(fc.property(fc.maxSafeInteger(), (number) => grouped(number) === number.toLocaleString('en')));
});
