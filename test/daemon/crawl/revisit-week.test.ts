import { expect, test } from 'vitest';
import { openMemory } from '../../reference/storage/memory.ts';
import { crawlByRule, RULES, seededRandom, type Tally, webOf } from '../../report/revisit-web.ts';
import { crawl } from '../../report/revisit-week.ts';

/** The short form of `npm run report -- revisit`: the same web and the same random numbers each time. */
const DAYS = 8;
const web = webOf({ pages: 600, days: DAYS, seed: 4 });

function run(hasHints: boolean, isNews = false): Promise<Tally> {
  return crawl({ web, storage: openMemory(), perDay: web.pages, hasHints, isNews, random: seededRandom(1) });
}

const hinted = await run(true);
const bare = await run(false);
const news = await run(true, true);

test('changes are seen in at most 0.6 of the time that Nutch’s rule needs with as many visits', () => {
  const nutch = crawlByRule(web, RULES.nutch, hinted.perMinute, false);
  expect(nutch.figures().perDay).toBe(hinted.figures().perDay);
  expect(hinted.figures().delayHours / nutch.figures().delayHours).toBeLessThan(0.6);
});

test('without any hint they are seen sooner than by the rules of others', () => {
  for (const rule of Object.values(RULES)) {
    const other = crawlByRule(web, rule, bare.perMinute, false).figures();
    expect(bare.figures().delayHours / other.delayHours).toBeLessThan(0.9);
  }
});

test('the revisits are those that were planned, with hints and without, once each page was visited', () => {
  for (const { perMinute } of [hinted, bare, news]) {
    const lastThree = perMinute.subarray((DAYS - 3) * 1_440).reduce((sum, visits) => sum + visits, 0) / 3;
    expect(lastThree / web.pages).toBeGreaterThan(0.9);
    expect(lastThree / web.pages).toBeLessThan(1.1);
  }
});

test('six hundred pages that come as news in one day take the budget of that day, and not of the days after', () => {
  const [asNews, asKnown] = [news.figures(), hinted.figures()];
  expect(asNews.delayHours / asKnown.delayHours).toBeLessThan(1.1);
  expect(asNews.perDay / web.pages).toBeGreaterThan(0.9);
  const firstDay = news.perMinute.subarray(0, 1_440).reduce((sum, visits) => sum + visits, 0);
  // First visits are not counted in the budget.
  expect(firstDay - web.pages).toBeLessThan(1.5 * web.pages);
});
