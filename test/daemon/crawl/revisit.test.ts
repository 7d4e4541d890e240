import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { revisit, type Seen } from '../../../src/daemon/crawl/revisit.ts';
import { type DuePage, NEW_HOST, type PageKind, URGENT } from '../../../src/daemon/storage/frontier.ts';
import { changedAt, DAY, duePage, even, HOUR, MINUTE, NOW, seenAt, stateOf } from './revisit-page.ts';

const SPREAD = DAY / 2;

function wait(due: DuePage, seen: Seen, spreadMs = SPREAD, random = even): number {
  return revisit(due, seen, spreadMs, random).nextDue - seen.at;
}

describe('how long a page waits', () => {
  test('is the scheduling factor, divided by the pull that is kept with it', () => {
    const { nextDue, rate } = revisit(duePage(), changedAt(NOW), SPREAD, even);
    expect(rate.pull).toBeCloseTo((0.5 * Math.exp(rate.theta)) ** 0.6, 10);
    expect(nextDue - NOW).toBeCloseTo(SPREAD / rate.pull, -1);
  });

  /** After a failure nothing is learned: the rate is as given. */
  const shortest = (kind: PageKind, perDay: number, die: number): number => {
    const state = stateOf({ failures: 1, rate: { theta: Math.log(perDay), info: 10, pull: 0 } });
    return wait(duePage({ kind, state }), seenAt(NOW, { kind }), 0, () => die);
  };

  test.each<[PageKind, lively: number, quiet: number]>([
    ['feed', MINUTE, 5 * MINUTE],
    ['hub', MINUTE, 5 * MINUTE],
    ['sitemap', 10 * MINUTE, 10 * MINUTE],
    ['article', MINUTE, 30 * MINUTE],
    ['minor', 30 * MINUTE, 30 * MINUTE],
  ])(
    'of a %s is never less than %i ms, nor than %i ms if it seldom changes, however idle the budget',
    (kind, ...least) => {
      for (const [perDay, ms] of [
        [24, least[0]],
        [0.1, least[1]],
      ] as const) {
        expect(shortest(kind, perDay, 0)).toBe(ms);
        expect(shortest(kind, perDay, 0.999)).toBeLessThanOrEqual(ms * 1.05);
      }
    },
  );

  test('of an article is not so short that it had 240 visits for each of its changes', () => {
    expect(shortest('article', 1, 0)).toBe(DAY / 240);
  });

  test('grows where the day’s requests of its host are used up faster than the day passes', () => {
    const noon = Math.floor(NOW / DAY) * DAY + DAY / 2;
    const used = (fetches: number, day = Math.floor(noon / DAY)): number =>
      wait(duePage({ due: noon, hostState: { ...NEW_HOST, day, fetches } }), seenAt(noon), 0);
    const plain = used(0);
    expect(used(43_200 * 0.6)).toBe(plain);
    expect(used(43_200 * 0.7)).toBeGreaterThan(1.9 * plain);
    expect(used(43_200 * 0.9)).toBeGreaterThan(7 * plain);
    expect(used(43_200, Math.floor(noon / DAY) - 1)).toBe(plain);
  });

  test('is 30 days at most', () => {
    expect(wait(duePage(), seenAt(NOW), 1e15, () => 0.999)).toBeLessThanOrEqual(30 * DAY);
    expect(wait(duePage(), seenAt(NOW), 1e15, () => 0)).toBeGreaterThan(28 * DAY);
  });

  test('differs by a twentieth, so that pages found together part', () => {
    const [first, last] = [0, 1].map((die) => wait(duePage(), seenAt(NOW), SPREAD, () => die));
    expect(last! / first!).toBeCloseTo(1.05, 6);
  });

  test('is as long as a feed asks for, up to an hour', () => {
    const due = duePage({ kind: 'feed' });
    const resting = (restMs: number): number => wait(due, seenAt(NOW, { kind: 'feed', restMs }), 0, () => 0);
    expect(resting(20 * MINUTE)).toBeCloseTo((20 * MINUTE) / 1.025, -1);
    expect(resting(DAY)).toBeCloseTo(HOUR / 1.025, -1);
  });

  test('is up to six hours for the list of a site’s sitemaps', () => {
    const seen = seenAt(NOW, { kind: 'sitemap', restMs: DAY });
    expect(wait(duePage({ kind: 'sitemap' }), seen, 0)).toBeCloseTo(6 * HOUR, -1);
  });

  test('is as long as the answer may be kept, up to an hour', () => {
    expect(wait(duePage(), seenAt(NOW, { maxAgeMs: 50 * MINUTE }), 0)).toBeCloseTo(50 * MINUTE, -1);
    expect(wait(duePage(), seenAt(NOW, { maxAgeMs: DAY }), 0)).toBeCloseTo(HOUR, -1);
  });

  test('is shorter for a page that matched, and less so a month later', () => {
    const plain = wait(duePage(), seenAt(NOW));
    const matched = revisit(duePage(), changedAt(NOW, { matches: 2 }), SPREAD, even);
    expect(matched.nextDue - NOW).toBeLessThan(wait(duePage(), changedAt(NOW)));
    const after = (ms: number): number => {
      const at = NOW + ms;
      const state = stateOf({ visitedAt: NOW, rate: { ...matched.rate, theta: Math.log(0.3) } });
      return wait(duePage({ due: at, state }), seenAt(at));
    };
    expect(after(DAY)).toBeLessThan(plain);
    expect(after(DAY)).toBeLessThan(after(30 * DAY));
  });

  test('is shorter on a domain of standing', () => {
    expect(wait(duePage(), seenAt(NOW, { dr: 90 }))).toBeLessThan(wait(duePage(), seenAt(NOW, { dr: 10 })));
  });
});

describe('an article that is new', () => {
  const SLOW = 100 * DAY;
  const steps = (
    publishedAt: (at: number) => number | undefined,
    urgency: DuePage['urgency'] = URGENT.none,
  ): number[] => {
    const waits: number[] = [];
    let at = NOW;
    let due = duePage({ state: undefined, urgency });
    while (waits.length < 10) {
      const published = publishedAt(at);
      const seen = seenAt(at, { ...(published !== undefined && { publishedAt: published }) });
      const { nextDue, rate } = revisit(due, seen, SLOW, even);
      waits.push(nextDue - at);
      due = duePage({ due: nextDue, state: stateOf({ visitedAt: at, rate }) });
      at = nextDue;
    }
    return waits.filter((ms) => ms <= DAY * 1.03);
  };

  test('is seen again an hour, six hours and a day after it came out', () => {
    const hours = steps(() => NOW).map((ms) => Math.round(ms / HOUR));
    expect(hours).toStrictEqual([1, 5, 18]);
  });

  test('is visited by its rate once it is older than that', () => {
    expect(steps(() => NOW - 2 * DAY)).toStrictEqual([]);
  });

  test('gains no more than a few visits by calling itself new each time', () => {
    expect(steps((at) => at)).toHaveLength(5);
    expect(steps((at) => at + 365 * DAY)).toHaveLength(5);
  });

  test('without a date is seen again after an hour if a feed announced it', () => {
    expect(steps(() => undefined, URGENT.feed)).toHaveLength(1);
    expect(steps(() => undefined)).toStrictEqual([]);
  });
});

describe('a page that has just come', () => {
  /** The waits of a page that shows a change at the visits that are given, until its own rate decides. */
  const waits = (different: Partial<DuePage>, spreadMs: number, changes: readonly number[] = []): number[] => {
    const minutes: number[] = [];
    let at = NOW;
    let due = duePage({ state: undefined, ...different });
    for (let visit = 0; visit < 8; visit += 1) {
      const isFirst = visit === 0;
      const seen = isFirst || changes.includes(visit) ? changedAt(at) : seenAt(at);
      const { nextDue, rate } = revisit(due, seen, spreadMs, even);
      minutes.push((nextDue - at) / MINUTE);
      due = duePage({ ...different, due: nextDue, state: stateOf({ visitedAt: at, rate }) });
      at = nextDue;
    }
    return minutes;
  };

  test('is looked at again within two minutes, then each time after twice as long, while the budget is idle', () => {
    const [first, second, third] = waits({}, 0);
    expect(first).toBeGreaterThanOrEqual(1.5);
    expect(first).toBeLessThan(1.6);
    expect(second).toBeGreaterThanOrEqual(2 * first!);
    expect(second).toBeLessThan(2.2 * first!);
    expect(third).toBeLessThan(7);
  });

  test('is soon left alone if it stays as it is', () => {
    const all = waits({}, 0);
    expect(all.at(-1)).toBeGreaterThan(5);
    expect(all.toSorted((one, other) => one - other)).toStrictEqual(all);
  });

  test('is visited each minute or two for as long as it changes', () => {
    for (const minutes of waits({}, 0, [1, 2, 3, 4, 5, 6, 7])) expect(minutes).toBeLessThan(2);
  });

  test('has no visit more than others where the budget is short', () => {
    const first = (isBaseline: boolean): number => waits({ isBaseline }, 400 * DAY)[0]!;
    expect(first(false)).toBe(first(true));
  });

  test('and was there before is no news, unless the operator gave it', () => {
    const given = { holders: [{ sourceId: 'src_1', depth: 0 }] };
    const factor = 2 * HOUR;
    const [news, found, own] = [{}, { isBaseline: true }, { isBaseline: true, ...given }].map(
      (page) => waits(page, factor)[0]!,
    );
    expect(found).toBeGreaterThan(1.5 * news!);
    expect(own).toBe(news);
  });

  test('and is years old is taken for quiet at once', () => {
    const first = (publishedAt: number): number =>
      wait(duePage({ state: undefined }), changedAt(NOW, { publishedAt }), 0);
    expect(first(NOW - 1_000 * DAY)).toBeGreaterThan(20 * MINUTE);
    expect(first(NOW - HOUR / 2)).toBeLessThan(2 * MINUTE);
  });
});

describe('whatever comes', () => {
  const time = fc.oneof(fc.integer({ min: NOW - 800 * DAY, max: NOW + 800 * DAY }), fc.constant(NOW));
  const number = fc.oneof(fc.double({ min: 0, max: 1e12 }), fc.constantFrom(0, NaN, Infinity, -Infinity, -5, 1e300));
  const kind = fc.constantFrom<PageKind>('feed', 'hub', 'sitemap', 'article', 'minor');
  const rate = fc.record({ theta: number, info: number, pull: number });
  const state = fc.option(
    fc
      .record({ visitedAt: time, failures: fc.nat(1_000), rate, doubtedAt: fc.option(time, { nil: undefined }) })
      .map((different) => stateOf(different)),
    { nil: undefined },
  );
  const due = fc
    .record({
      due: time,
      kind,
      state,
      urgency: fc.constantFrom(0, 1, 2, 3),
      everyMs: fc.option(fc.integer({ min: MINUTE, max: 30 * DAY }), { nil: undefined }),
    })
    .map((different) => duePage(different));
  const reason = fc.constantFrom(
    'dns',
    'tls',
    'timeout',
    'status',
    'robots',
    'doubtful',
    'too_large',
    'redirects',
    'constructor',
  );
  const seen = fc
    .record({
      seen: fc.record({
        at: time,
        kind,
        isMainChange: fc.boolean(),
        matches: fc.nat(),
        outcome: fc.constantFrom<Seen['outcome']>('changed', 'unchanged', 'failed'),
      }),
      hints: fc.record(
        {
          reason,
          status: fc.integer({ min: 100, max: 599 }),
          dr: number,
          restMs: fc.nat(),
          maxAgeMs: fc.nat(),
          publishedAt: time,
          until: time,
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ seen: plain, hints }): Seen => Object.assign(plain, hints));

  test('the next visit is after this one, within 90 days, and the rate is a number within its bounds', () => {
    fc.assert(
      fc.property(due, seen, number, fc.double({ min: 0, max: 0.999, noNaN: true }), (page, saw, spreadMs, die) => {
        const next = revisit(page, saw, spreadMs, () => die);
        const ms = next.nextDue - saw.at;
        expect(Number.isSafeInteger(next.nextDue)).toBe(true);
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThanOrEqual(90 * DAY);
        expect(next.rate.theta).toBeGreaterThanOrEqual(Math.log(0.002));
        expect(next.rate.theta).toBeLessThanOrEqual(Math.log(200));
        expect(next.rate.info).toBeGreaterThanOrEqual(0);
        expect(next.rate.pull).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(next.rate.info + next.rate.pull)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a page that changes more often never waits longer, nor does one that is worth more', () => {
    const level = fc.double({ min: -6, max: 5, noNaN: true });
    const dr = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(level, level, dr, dr, fc.integer({ min: 1, max: 100 * DAY }), (one, other, low, high, spreadMs) => {
        const [slow, fast] = [one, other].toSorted((a, b) => a - b);
        const [poor, rich] = [low, high].toSorted((a, b) => a - b);
        // After a failure nothing is learned, so theta is as given: here only the interval is looked at.
        const at = (theta: number, rating: number): number =>
          wait(
            duePage({ state: stateOf({ failures: 1, rate: { theta, info: 1, pull: 0 } }) }),
            seenAt(NOW, { dr: rating }),
            spreadMs,
          );
        expect(at(fast!, poor!)).toBeLessThanOrEqual(at(slow!, poor!));
        expect(at(slow!, rich!)).toBeLessThanOrEqual(at(slow!, poor!));
      }),
    );
  });
});
