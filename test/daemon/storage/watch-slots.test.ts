import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WATCH_FREQUENCIES } from '../../../src/shared/limits.ts';
import { dueAgain, slotAfter, type Slots } from '../../../src/daemon/storage/watches.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WITHIN_MS = 2 * MINUTE_MS;

const everyMs = fc.constantFrom(...WATCH_FREQUENCIES).map((minutes) => minutes * MINUTE_MS);
/** Years around a change of the clocks, and any other time. */
const createdAt = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
const slots: fc.Arbitrary<Slots> = fc
  .tuple(everyMs, fc.double({ min: 0, max: 0.1, noNaN: true }), createdAt)
  .map(([every, share, created]) => ({
    everyMs: every,
    jitterMs: Math.floor(share * every),
    createdAt: created,
  }));
/** How late each check is: mostly little, at times for longer than a slot. */
const lateness = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(5_000) },
    { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 3 * DAY_MS }) },
  ),
  { minLength: 1, maxLength: 30 },
);
const plain: Slots = { createdAt: Date.UTC(2026, 0, 1), jitterMs: 30_000, everyMs: HOUR_MS };

/** Whether `at` is one of the watch's slots. */
function isSlot({ createdAt: created, jitterMs, everyMs: every }: Slots, at: number): boolean {
  return (at - created - jitterMs) % every === 0;
}

afterEach(() => vi.unstubAllEnvs());

describe('the slots of a watch', () => {
  test('begin with the check of its creation, and go on one interval and the jitter later', () => {
    expect(slotAfter(plain, plain.createdAt)).toBe(plain.createdAt + 30_000 + HOUR_MS);
    fc.assert(
      fc.property(slots, fc.nat(60_000), (watch, late) => {
        const next = slotAfter(watch, watch.createdAt + Math.min(late, watch.everyMs / 10));
        expect(next).toBe(watch.createdAt + watch.jitterMs + watch.everyMs);
      }),
    );
  });

  test('do not drift, however late the checks are', () => {
    fc.assert(
      fc.property(slots, lateness, (watch, late) => {
        let due = watch.createdAt;
        for (const ms of late) {
          due = slotAfter(watch, due + ms);
          expect(isSlot(watch, due)).toBe(true);
        }
      }),
    );
  });

  test('come once an interval when checks are on time', () => {
    fc.assert(
      fc.property(slots, fc.array(fc.nat(5_000), { minLength: 1, maxLength: 30 }), (watch, late) => {
        let due = slotAfter(watch, watch.createdAt);
        for (const ms of late) {
          const next = slotAfter(watch, due + ms);
          expect(next - due).toBe(watch.everyMs);
          due = next;
        }
      }),
    );
  });

  test('are at least a quarter and at most five quarters of the interval after the check', () => {
    fc.assert(
      fc.property(slots, fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }), (watch, after) => {
        const checkedAt = watch.createdAt + after;
        const wait = slotAfter(watch, checkedAt) - checkedAt;
        expect(wait).toBeGreaterThanOrEqual(watch.everyMs / 4);
        expect(wait).toBeLessThan((watch.everyMs * 5) / 4);
      }),
    );
  });

  test('are as many as the intervals that have passed: a day of hourly checks is 24', () => {
    let checks = 0;
    for (let due = plain.createdAt; due < plain.createdAt + DAY_MS; due = slotAfter(plain, due + 900)) checks += 1;
    expect(checks).toBe(24);
  });

  test('one that a make-up check has nearly reached is passed over, one further off is not', () => {
    const slot = plain.createdAt + 30_000 + 5 * HOUR_MS;
    expect(slotAfter(plain, slot - 15 * MINUTE_MS + 1)).toBe(slot + HOUR_MS);
    expect(slotAfter(plain, slot - 15 * MINUTE_MS)).toBe(slot);
  });

  test('missed ones are made up for by one check, whatever their number', () => {
    fc.assert(
      fc.property(slots, fc.integer({ min: 1, max: 5_000 }), fc.nat(60_000), (watch, missed, late) => {
        const madeUpAt = watch.createdAt + watch.jitterMs + missed * watch.everyMs + late;
        expect(slotAfter(watch, madeUpAt)).toBeGreaterThan(madeUpAt);
        expect(slotAfter(watch, madeUpAt)).toBeGreaterThanOrEqual(madeUpAt + watch.everyMs / 4);
      }),
    );
  });

  test('are where they were after a change to daylight saving, in any time zone', () => {
    // 27 October 2024, 01:00 UTC: an hour of the clocks on the wall comes twice in Berlin.
    const before: Slots = { createdAt: Date.UTC(2024, 9, 26, 23, 10), jitterMs: 0, everyMs: HOUR_MS };
    const inZone = (zone: string): number[] => {
      vi.stubEnv('TZ', zone);
      const dues = [before.createdAt];
      for (let n = 0; n < 6; n += 1) dues.push(slotAfter(before, dues.at(-1) ?? 0));
      return dues;
    };
    const even = [0, 1, 2, 3, 4, 5, 6].map((n) => before.createdAt + n * HOUR_MS);
    expect(inZone('Europe/Berlin')).toEqual(even);
    expect(inZone('America/New_York')).toEqual(even);
    expect(inZone('Asia/Kathmandu')).toEqual(even);
  });

  test('are reached again within five quarters of the interval when the clock jumps an hour either way', () => {
    const jump = fc.constantFrom(-HOUR_MS, HOUR_MS);
    fc.assert(
      fc.property(slots, fc.nat(200), jump, (watch, n, ms) => {
        const due = watch.createdAt + watch.jitterMs + n * watch.everyMs;
        const checkedAt = due + ms;
        const next = slotAfter(watch, checkedAt);
        expect(isSlot(watch, next)).toBe(true);
        expect(next - checkedAt).toBeLessThan((watch.everyMs * 5) / 4);
      }),
    );
  });

  test('a watch that was added while the clock was a year ahead is not asleep for a year', () => {
    const now = plain.createdAt - 365 * DAY_MS;
    expect(slotAfter(plain, now)).toBeLessThan(now + 2 * HOUR_MS);
  });
});

describe('after a time without checks', () => {
  test('what is late has a place within the given time, what is due is as due as it was', () => {
    fc.assert(
      fc.property(
        slots,
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 30 * DAY_MS }),
        (watch, key, ms) => {
          const now = watch.createdAt + ms;
          const again = dueAgain({ ...watch, key, due: watch.createdAt }, now, WITHIN_MS);
          expect(again).toBeGreaterThanOrEqual(now);
          expect(again).toBeLessThan(now + WITHIN_MS);
          expect(dueAgain({ ...watch, key, due: now }, now, WITHIN_MS)).toBe(now);
        },
      ),
    );
  });

  test('no second has more than twice its share of the late ones', () => {
    const seconds = WITHIN_MS / 1_000;
    const counts = new Map<number, number>();
    for (let key = 4_001; key <= 14_000; key += 1) {
      const second = Math.floor(dueAgain({ ...plain, key, due: -1 }, 0, WITHIN_MS) / 1_000);
      counts.set(second, (counts.get(second) ?? 0) + 1);
    }
    expect(counts.size).toBe(seconds);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual((2 * 10_000) / seconds);
  });

  test('what its last check has left ahead stays, without a jump of the clock', () => {
    fc.assert(
      fc.property(slots, fc.nat(30 * DAY_MS), fc.double({ min: 0, max: 1, noNaN: true }), (watch, after, share) => {
        const checkedAt = watch.createdAt + after;
        const due = slotAfter(watch, checkedAt);
        const now = Math.floor(checkedAt + share * (due - checkedAt));
        expect(dueAgain({ ...watch, key: 1, due }, now, WITHIN_MS)).toBe(due);
      }),
    );
  });

  test('what a clock set back has left far ahead is due at its next slot', () => {
    fc.assert(
      fc.property(slots, fc.integer({ min: 1, max: 30 * DAY_MS }), (watch, ms) => {
        const due = slotAfter(watch, watch.createdAt);
        const now = watch.createdAt - ms;
        const again = dueAgain({ ...watch, key: 1, due }, now, WITHIN_MS);
        expect(isSlot(watch, again)).toBe(true);
        expect(again - now).toBeLessThan((watch.everyMs * 5) / 4);
      }),
    );
  });
});
