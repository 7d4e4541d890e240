import { expect, test } from 'vitest';
import { KeepTime } from '../../../src/daemon/analysis/keep-time.ts';

test('a thread that was ended too early is kept for longer the next time, up to ten minutes', () => {
  const keep = new KeepTime(15_000);
  keep.started(0);
  const kept = [keep.ms];
  for (let now = 0; kept.length < 6; now += 100_000) {
    keep.ended(now);
    keep.started(now + 60_000);
    kept.push(keep.ms);
  }
  expect(kept).toEqual([15_000, 45_000, 135_000, 405_000, 600_000, 600_000]);
});

test('one that nobody missed for long is not', () => {
  const keep = new KeepTime(15_000);
  keep.ended(0);
  keep.started(149_000);
  expect(keep.ms).toBe(45_000);
  keep.ended(1_000_000);
  keep.started(1_450_001);
  expect(keep.ms).toBe(15_000);
});

test('without a time threads are kept', () => {
  const keep = new KeepTime(Number.POSITIVE_INFINITY);
  keep.ended(0);
  keep.started(1);
  expect(keep.ms).toBeUndefined();
});
