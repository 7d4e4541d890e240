import { describe, expect, test } from 'vitest';
import { Spread } from '../../../src/daemon/crawl/spread.ts';
import { DAY, MINUTE, NOW } from './revisit-page.ts';

/** Lets a minute pass at a time, with so many visits in each. */
function run(spread: Spread, minutes: number, visits: number, pull = 1_000, intervalMs = MINUTE): void {
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (let visit = 0; visit < visits; visit += 1) spread.revisited(intervalMs);
    spread.steer(NOW + minute * MINUTE, pull);
  }
}

function spreadOf(rate: number, pull = 1_000): Spread {
  const spread = new Spread(rate);
  spread.steer(NOW, pull);
  return spread;
}

describe('the spread', () => {
  test('is what plans the budget: the sum of pulls over the rate', () => {
    expect(spreadOf(5, 1_000).ms).toBeCloseTo(200_000);
    expect(spreadOf(0.5, 1_000).ms).toBeCloseTo(2_000_000);
  });

  test('follows new pages at once', () => {
    const spread = spreadOf(5, 1_000);
    spread.steer(NOW + 1, 2_000);
    expect(spread.ms).toBeCloseTo(400_000);
  });

  test('stays where the visits made are those planned', () => {
    const spread = spreadOf(1);
    run(spread, 600, 60);
    expect(spread.ms).toBeCloseTo(1_000_000);
  });

  test('grows with visits beyond the plan, by 5 %% a minute at most, to four times at most', () => {
    const spread = spreadOf(1);
    run(spread, 1, 6_000);
    expect(spread.ms / 1_000_000).toBeCloseTo(1.05, 6);
    run(spread, 600, 6_000);
    expect(spread.ms / 1_000_000).toBeCloseTo(4, 6);
  });

  test('shrinks where fewer are made than planned, to a quarter at most', () => {
    const spread = spreadOf(1);
    run(spread, 5, 30);
    expect(spread.ms).toBeLessThan(1_000_000);
    run(spread, 600, 0);
    expect(spread.ms / 1_000_000).toBeCloseTo(0.25, 6);
  });

  test('moves the more slowly, the longer a page waits for its next turn', () => {
    const [quick, slow] = [spreadOf(1), spreadOf(1)];
    run(quick, 10, 90, 1_000, 10 * MINUTE);
    run(slow, 10, 90, 1_000, DAY);
    expect(Math.log(slow.ms / 1_000_000)).toBeCloseTo(Math.log(quick.ms / 1_000_000) / 144, 3);
  });

  test('leaves out what was counted over a sleep of the machine or a clock set back', () => {
    for (const then of [NOW + DAY, NOW - DAY]) {
      const spread = spreadOf(1);
      spread.steer(then, 1_000);
      expect(spread.ms).toBeCloseTo(1_000_000);
      // And goes on from there.
      spread.steer(then + MINUTE, 1_000);
      expect(spread.ms).toBeLessThan(1_000_000);
    }
  });

  test('is a number whatever it is told', () => {
    const spread = spreadOf(1, NaN);
    expect(spread.ms).toBe(0);
    for (const interval of [NaN, Infinity, 0, -1]) spread.revisited(interval);
    for (const pull of [-1e-9, Infinity, 10]) {
      spread.steer(NOW + MINUTE, pull);
      expect(Number.isFinite(spread.ms)).toBe(true);
    }
    expect(spread.ms).toBeGreaterThan(0);
  });
});
