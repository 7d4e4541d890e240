import { describe, expect, test } from 'vitest';
import { revisit, type Seen } from '../../../src/daemon/crawl/revisit.ts';
import type { PageState } from '../../../src/daemon/storage/frontier.ts';
import { DAY, duePage, even, failedAt, HOUR, MINUTE, NOW, stateOf } from './revisit-page.ts';

/** A factor with which the page's own interval is two hours. */
const SPREAD = 2 * HOUR * (0.5 * 0.3) ** 0.6;

function next(seen: Seen, state: PageState | undefined): { wait: number; pull: number } {
  const { nextDue, rate } = revisit(duePage({ state }), seen, SPREAD, even);
  return { wait: nextDue - seen.at, pull: rate.pull };
}

/** The waits after the first failure, the second and so on. */
function waits(seen: Seen, count: number): number[] {
  return Array.from({ length: count }, (_, failures) => next(seen, stateOf({ failures })).wait);
}

describe('a page that cannot be had', () => {
  const passing = [5 * MINUTE, 30 * MINUTE, 3 * HOUR, DAY, 2 * DAY, 4 * DAY, 8 * DAY, 16 * DAY, 30 * DAY, 30 * DAY];

  test.each(['timeout', 'reset', 'connect'])('for %s is tried soon, then less and less', (reason) => {
    expect(waits(failedAt(NOW, reason), 10)).toStrictEqual(passing);
  });

  test.each([500, 502, 503, 504, 429, 408])('for status %i, the same', (status) => {
    expect(waits(failedAt(NOW, 'status', { status }), 10)).toStrictEqual(passing);
  });

  test('for its name waits 10 minutes, an hour, six, a day', () => {
    expect(waits(failedAt(NOW, 'dns'), 4)).toStrictEqual([10 * MINUTE, HOUR, 6 * HOUR, DAY]);
  });

  test('for its certificate waits six hours, then a day', () => {
    expect(waits(failedAt(NOW, 'tls'), 3)).toStrictEqual([6 * HOUR, DAY, 2 * DAY]);
  });

  test('for 404 is looked for a week, then monthly, then it is gone', () => {
    const steps = [HOUR, DAY, 7 * DAY, 30 * DAY, 30 * DAY, 30 * DAY, 90 * DAY, 90 * DAY];
    expect(waits(failedAt(NOW, 'status', { status: 404 }), 8)).toStrictEqual(steps);
  });

  test.each([410, 451])('for %i is gone at once', (status) => {
    expect(waits(failedAt(NOW, 'status', { status }), 2)).toStrictEqual([90 * DAY, 90 * DAY]);
  });

  test.each([
    [410, [3 * DAY, 3 * DAY]],
    [451, [3 * DAY, 3 * DAY]],
    [404, [HOUR, DAY, 3 * DAY, 3 * DAY]],
  ])('for %i, and given by the operator, is looked for within days', (status, steps) => {
    const seen = failedAt(NOW, 'status', { status });
    const own = (failures: number): number =>
      revisit(duePage({ state: stateOf({ failures }), holders: [{ sourceId: 'src_1', depth: 0 }] }), seen, SPREAD, even)
        .nextDue - NOW;
    expect(steps.map((_, failures) => own(failures))).toStrictEqual(steps);
  });

  test('by its own words is looked for as for 404, and one whose site is being worked on as for a time-out', () => {
    expect(waits(failedAt(NOW, 'not_found', { status: 200 }), 4)).toStrictEqual([HOUR, DAY, 7 * DAY, 30 * DAY]);
    expect(waits(failedAt(NOW, 'maintenance', { status: 200 }), 10)).toStrictEqual(passing);
  });

  test.each([401, 403])('for %i waits four times its own interval, and so on up to 30 days', (status) => {
    const hours = waits(failedAt(NOW, 'status', { status }), 6).map((ms) => Math.round(ms / HOUR));
    expect(hours).toStrictEqual([8, 32, 128, 512, 720, 720]);
  });

  test.each(['too_large', 'content_type', 'undecodable', 'redirects', 'a word of tomorrow'])(
    'for %s waits a day, four, sixteen, thirty',
    (reason) => {
      expect(waits(failedAt(NOW, reason), 5)).toStrictEqual([DAY, 4 * DAY, 16 * DAY, 30 * DAY, 30 * DAY]);
    },
  );

  test('waits as long as another host asks for that it redirects to, within reason', () => {
    const wait = (ms: number): number =>
      next(failedAt(NOW, 'status', { status: 429, until: NOW + ms }), stateOf({ failures: 0 })).wait;
    expect([1, HOUR, 400 * DAY].map(wait)).toStrictEqual([5 * MINUTE, HOUR, 30 * DAY]);
  });

  test('for robots.txt waits until that is read again, within reason', () => {
    const until = (at: number): number => next(failedAt(NOW, 'robots', { until: at }), stateOf()).wait;
    expect(until(NOW + 5 * HOUR)).toBe(5 * HOUR);
    expect(until(NOW - HOUR)).toBe(MINUTE);
    expect(until(NOW + 400 * DAY)).toBe(30 * DAY);
    expect(next(failedAt(NOW, 'robots'), stateOf()).wait).toBe(DAY);
  });

  test('that never was waits the same', () => {
    expect(next(failedAt(NOW, 'timeout'), undefined).wait).toBe(5 * MINUTE);
  });

  test('takes nothing of the budget while it waits longer than its rate would have it', () => {
    expect(next(failedAt(NOW, 'timeout'), stateOf()).pull).toBeGreaterThan(0);
    expect(next(failedAt(NOW, 'timeout'), stateOf({ failures: 5 })).pull).toBe(0);
    expect(next(failedAt(NOW, 'status', { status: 410 }), stateOf()).pull).toBe(0);
  });

  test('teaches nothing of its rate, and neither does the visit after it', () => {
    const before = stateOf({ failures: 1 });
    expect(revisit(duePage(), failedAt(NOW, 'dns'), SPREAD, even).rate.theta).toBe(before.rate.theta);
    const back: Seen = { at: NOW, outcome: 'changed', kind: 'article', isMainChange: true, matches: 0 };
    expect(revisit(duePage({ state: before }), back, SPREAD, even).rate.theta).toBe(before.rate.theta);
  });
});

describe('a page that is hard to believe', () => {
  test('is looked at again a minute after it was first doubted', () => {
    expect(next(failedAt(NOW, 'doubtful'), stateOf()).wait).toBe(MINUTE);
    const doubted = stateOf({ doubtedAt: NOW - 20_000, failures: 1 });
    expect(next(failedAt(NOW, 'doubtful'), doubted).wait).toBe(40_000);
  });

  test('is no sooner or later for a clock that was set', () => {
    for (const doubtedAt of [NOW - DAY, NOW + DAY]) {
      expect(next(failedAt(NOW, 'doubtful'), stateOf({ doubtedAt, failures: 1 })).wait).toBe(MINUTE);
    }
  });
});
