import { describe, expect, test } from 'vitest';
import { SchedulingFactor } from '../../../src/daemon/crawl/revisit.ts';
import { DAY, MINUTE, NOW } from './revisit-page.ts';

/** Lets a minute pass at a time, with so many visits in each. */
function run(
  schedulingFactor: SchedulingFactor,
  minutes: number,
  visits: number,
  pull = 1_000,
  intervalMs = MINUTE,
): void {
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (let visit = 0; visit < visits; visit += 1) schedulingFactor.revisited(intervalMs);
    schedulingFactor.steer(NOW + minute * MINUTE, pull);
  }
}

function factorOf(rate: number, pull = 1_000): SchedulingFactor {
  const schedulingFactor = new SchedulingFactor(rate);
  schedulingFactor.steer(NOW, pull);
  return schedulingFactor;
}

describe('the spread', () => {
  test('is what plans the budget: the sum of pulls over the rate', () => {
    expect(factorOf(5, 1_000).ms).toBeCloseTo(200_000);
    expect(factorOf(0.5, 1_000).ms).toBeCloseTo(2_000_000);
  });

  test('follows new pages at once', () => {
    const schedulingFactor = factorOf(5, 1_000);
    schedulingFactor.steer(NOW + 1, 2_000);
    expect(schedulingFactor.ms).toBeCloseTo(400_000);
  });

  test('stays where the visits made are those planned', () => {
    const schedulingFactor = factorOf(1);
    run(schedulingFactor, 600, 60);
    expect(schedulingFactor.ms).toBeCloseTo(1_000_000);
  });

  test('each of several nodes makes its part of them', () => {
    const schedulingFactor = new SchedulingFactor(1, () => 3);
    schedulingFactor.steer(NOW, 1_000);
    run(schedulingFactor, 600, 20);
    expect(schedulingFactor.ms).toBeCloseTo(1_000_000);
  });

  test('grows with visits beyond the plan, by 5 %% a minute at most, to four times at most', () => {
    const schedulingFactor = factorOf(1);
    run(schedulingFactor, 1, 6_000);
    expect(schedulingFactor.ms / 1_000_000).toBeCloseTo(1.05, 6);
    run(schedulingFactor, 600, 6_000);
    expect(schedulingFactor.ms / 1_000_000).toBeCloseTo(4, 6);
  });

  test('shrinks where fewer are made than planned, to a quarter at most', () => {
    const schedulingFactor = factorOf(1);
    run(schedulingFactor, 5, 30);
    expect(schedulingFactor.ms).toBeLessThan(1_000_000);
    run(schedulingFactor, 600, 0);
    expect(schedulingFactor.ms / 1_000_000).toBeCloseTo(0.25, 6);
  });

  test('moves the more slowly, the longer a page waits for its next turn', () => {
    const [quick, slow] = [factorOf(1), factorOf(1)];
    run(quick, 10, 90, 1_000, 10 * MINUTE);
    run(slow, 10, 90, 1_000, DAY);
    expect(Math.log(slow.ms / 1_000_000)).toBeCloseTo(Math.log(quick.ms / 1_000_000) / 144, 3);
  });

  test('leaves out what was counted over a sleep of the machine or a clock set back', () => {
    for (const then of [NOW + DAY, NOW - DAY]) {
      const schedulingFactor = factorOf(1);
      schedulingFactor.steer(then, 1_000);
      expect(schedulingFactor.ms).toBeCloseTo(1_000_000);
      // And goes on from there.
      schedulingFactor.steer(then + MINUTE, 1_000);
      expect(schedulingFactor.ms).toBeLessThan(1_000_000);
    }
  });

  test('is a number whatever it is told', () => {
    const schedulingFactor = factorOf(1, NaN);
    expect(schedulingFactor.ms).toBe(0);
    for (const interval of [NaN, Infinity, 0, -1]) schedulingFactor.revisited(interval);
    for (const pull of [-1e-9, Infinity, 10]) {
      schedulingFactor.steer(NOW + MINUTE, pull);
      expect(Number.isFinite(schedulingFactor.ms)).toBe(true);
    }
    expect(schedulingFactor.ms).toBeGreaterThan(0);
  });
});
