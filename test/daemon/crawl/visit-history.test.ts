import { expect, test } from 'vitest';
import { VisitHistory } from '../../../src/daemon/crawl/visit-history.ts';

const START = Date.parse('2026-02-27T10:05:00Z');
const MINUTE = 60_000;

test('is a day of quarters and a week of hours, oldest first; before the start there is nothing', () => {
  const history = new VisitHistory(START);
  const { day, week, day_seconds, week_seconds } = history.read(START);
  expect([day.length, day_seconds, week.length, week_seconds]).toEqual([96, 900, 168, 3_600]);
  expect(day.slice(0, -1).every((span) => span === null)).toBe(true);
  expect(day.at(-1)).toEqual({ at: '2026-02-27T10:00:00+00:00', visits: 0, changed: 0, failed: 0, late_ms: null });
});

test('counts each visit where it belongs, and how late they began on average', () => {
  const history = new VisitHistory(START);
  for (const [late, outcome] of [
    [100, 'changed'],
    [300, 'failed'],
    [-50, 'unchanged'],
  ] as const) {
    history.began(late, START);
    history.ended({ outcome }, START);
  }
  const later = START + 20 * MINUTE;
  history.began(1_000, later);
  history.ended({ outcome: 'changed' }, later);
  const { day, week } = history.read(later);
  expect(day.slice(-2)).toEqual([
    { at: '2026-02-27T10:00:00+00:00', visits: 3, changed: 1, failed: 1, late_ms: 133 },
    { at: '2026-02-27T10:15:00+00:00', visits: 1, changed: 1, failed: 0, late_ms: 1_000 },
  ]);
  expect(week.at(-1)).toMatchObject({ at: '2026-02-27T10:00:00+00:00', visits: 4, changed: 2, failed: 1 });
});

test('forgets what is older than a day, and than a week, whatever happened between', () => {
  const history = new VisitHistory(START);
  history.ended({ outcome: 'changed' }, START);
  const sums = (now: number) => {
    const { day, week } = history.read(now);
    return [day, week].map((spans) => spans.reduce((sum, span) => sum + (span?.visits ?? 0), 0));
  };
  expect(sums(START + 23 * 60 * MINUTE)).toEqual([1, 1]);
  expect(sums(START + 25 * 60 * MINUTE)).toEqual([0, 1]);
  expect(sums(START + 8 * 24 * 60 * MINUTE)).toEqual([0, 0]);
});
