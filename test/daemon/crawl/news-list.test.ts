import { expect, test } from 'vitest';
import { openMemory } from '../../reference/storage/memory.ts';
import { quantile, readNews } from '../../report/news-list.ts';
import { seededRandom } from '../../report/revisit-web.ts';

/** The short form of the second table of `npm run report -- revisit`: the same sites and the same random numbers each time. */
const MINUTE = 60_000;
const figures = await readNews({
  storage: openMemory(),
  sites: 50,
  articles: 10,
  hours: 3,
  rate: 5,
  random: seededRandom(3),
});

test('of fifty news sites a new article is seen within three minutes, nine times of ten', () => {
  expect(figures.found.length).toBeGreaterThan(80);
  expect(quantile(figures.found, 0.5)).toBeLessThanOrEqual(1.5 * MINUTE);
  expect(quantile(figures.found, 0.9)).toBeLessThanOrEqual(3 * MINUTE);
});

test('an edit of an article that has just come is seen within minutes', () => {
  expect(figures.edits.length).toBeGreaterThan(10);
  expect(quantile(figures.edits, 0.9)).toBeLessThanOrEqual(15 * MINUTE);
});

test('the budget is kept, and no site is asked more than it would be read in a day', () => {
  expect(figures.perSecond).toBeLessThan(5);
  expect(figures.mostOfASite).toBeLessThan(20_000);
});
