import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learn, startRate } from '../../../src/daemon/crawl/rate.ts';
import { type Rate, URGENT, type Urgency } from '../../../src/daemon/storage/frontier.ts';
import { poisson, seededRandom } from '../../report/revisit-web.ts';
import { DAY } from './revisit-page.ts';

interface Watched {
  /** Changes a day that nobody tells of, and those that hints tell of, with as many false hints for each. */
  readonly missed: number;
  readonly told?: number;
  readonly falsePerTold?: number;
}

/** Mean of theta over the second half of its visits, over forty pages of the same kind. */
function settled(page: Watched, share: number): number {
  const random = seededRandom(11);
  let sum = 0;
  for (let copy = 0; copy < PAGES; copy += 1) sum += watch(page, share, random);
  return sum / PAGES;
}

/** 400 visits of one page, each `share` of the true interval after the last one, or when a hint comes. */
function watch({ missed, told = 0, falsePerTold = 0 }: Watched, share: number, random: () => number): number {
  const until = ((2 * VISITS) / missed) * DAY;
  const times = (perDay: number): number[] => (perDay > 0 ? poisson(perDay, until, random) : []);
  const real = times(told);
  const changes = inOrder([...times(missed), ...real]);
  const hints = inOrder([...real, ...times(told * falsePerTold)]);
  let rate = startRate('article');
  let sum = 0;
  for (let at = 0, visit = 0; visit < VISITS; visit += 1) {
    dropUntil(hints, at);
    const own = at + (share / missed) * DAY;
    const next = Math.min(own, hints[0] ?? Infinity);
    const isChange = dropUntil(changes, next);
    rate = learn(rate, { ms: next - at, isChange, urgency: next < own ? URGENT.feed : URGENT.none });
    if (visit >= VISITS / 2) sum += rate.theta;
    at = next;
  }
  return sum / (VISITS / 2);
}

/** Whether there was any. */
function dropUntil(times: number[], until: number): boolean {
  const before = times.length;
  while ((times[0] ?? Infinity) <= until) times.shift();
  return times.length < before;
}

function inOrder(times: number[]): number[] {
  return times.toSorted((one, other) => one - other);
}

const PAGES = 40;
const VISITS = 400;

describe('the rate of a page', () => {
  test.each([0.01, 0.1, 1, 10, 50])('with %f changes a day is learned to within a fifth', (perDay) => {
    for (const share of [0.3, 1, 1.5]) {
      expect(Math.abs(settled({ missed: perDay }, share) - Math.log(perDay))).toBeLessThan(0.2);
    }
  });

  test('is that of the changes which no hint announced', () => {
    // Four of five are told, one hint in four is false: as `FALSE_HINTS` takes a feed to be.
    const theta = settled({ missed: 1, told: 4, falsePerTold: 1 / 3 }, 0.3);
    expect(Math.abs(theta)).toBeLessThan(0.4);
    // All changes together are five a day.
    expect(theta).toBeLessThan(Math.log(2.5));
  });

  test('does not go up for what a hint had told', () => {
    const rate = startRate('article');
    const look = { ms: DAY, isChange: true };
    const rise = (urgency: Urgency): number => learn(rate, { ...look, urgency }).theta - rate.theta;
    expect(rise(URGENT.none)).toBeGreaterThan(1);
    expect(rise(URGENT.feed)).toBeLessThan(rise(URGENT.none) / 2);
    expect(rise(URGENT.asked)).toBe(rise(URGENT.none));
  });

  test('learns nothing from no time at all, or from less', () => {
    const rate = startRate('hub');
    for (const ms of [0, -DAY, NaN]) {
      expect(learn(rate, { ms, isChange: true, urgency: URGENT.none })).toStrictEqual(rate);
    }
  });

  test('goes up with a change and down without, whatever the time between', () => {
    const rates = fc.record({
      theta: fc.double({ min: Math.log(0.002), max: Math.log(200), noNaN: true }),
      info: fc.double({ min: 0, max: 100, noNaN: true }),
      pull: fc.constant(1),
    });
    const ms = fc.oneof(fc.double({ min: 1, max: 1e15, noNaN: true }), fc.constantFrom(0, 5e-324, 1e300, Infinity));
    fc.assert(
      fc.property(rates, ms, fc.constantFrom<Urgency>(0, 1, 2, 3), (rate: Rate, time, urgency) => {
        const up = learn(rate, { ms: time, isChange: true, urgency });
        const down = learn(rate, { ms: time, isChange: false, urgency });
        expect(up.theta).toBeGreaterThanOrEqual(rate.theta - 1e-12);
        expect(down.theta).toBeLessThanOrEqual(rate.theta + 1e-12);
        expect(Math.abs(up.theta - rate.theta)).toBeLessThanOrEqual(2 + 1e-9);
        expect(Number.isFinite(up.info + down.info + up.theta + down.theta)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
