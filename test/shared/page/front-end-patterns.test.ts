import { expect, test } from 'vitest';
import { compare } from '../../../src/shared/page/compare.ts';
import { FRONT_END_PATTERNS } from '../../fixtures/front-end-patterns.ts';
import { pageOf } from './reading.ts';

test.each(FRONT_END_PATTERNS)('a change is seen in: $name', ({ before, after }) => {
  expect(before).not.toBe(after);
  const { change } = compare(pageOf(before), pageOf(after));
  expect(change?.chunks.map(({ typ }) => typ)).toEqual(['del', 'ins']);
  expect(compare(pageOf(before), pageOf(before)).change).toBeUndefined();
});

test('there are forty of them', () => {
  expect(FRONT_END_PATTERNS.length).toBeGreaterThanOrEqual(40);
});
