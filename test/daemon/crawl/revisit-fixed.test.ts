import { describe, expect, test } from 'vitest';
import { revisit } from '../../../src/daemon/crawl/revisit.ts';
import type { DuePage } from '../../../src/daemon/storage/frontier.ts';
import { changedAt, DAY, duePage, even, failedAt, MINUTE, NOW, seenAt, stateOf } from './revisit-page.ts';

const SPREAD = DAY / 2;

describe('a fixed interval', () => {
  const every = 10 * MINUTE;
  const fixed = (different: Partial<DuePage> = {}): DuePage => duePage({ everyMs: every, ...different });

  test('goes by slots from the due time, whenever the visit was, and takes nothing of the budget', () => {
    const { nextDue, rate } = revisit(fixed(), seenAt(NOW + 7_311), SPREAD, even);
    expect(nextDue).toBe(NOW + every);
    expect(rate.pull).toBe(0);
  });

  test('leaves out the slots that were missed', () => {
    expect(revisit(fixed(), seenAt(NOW + 35 * MINUTE), SPREAD, even).nextDue).toBe(NOW + 40 * MINUTE);
    expect(revisit(fixed(), seenAt(NOW + every), SPREAD, even).nextDue).toBe(NOW + 2 * every);
  });

  test.each(['timeout', 'dns', 'tls', 'too_large'])('is kept after a failure by %s', (reason) => {
    expect(revisit(fixed(), failedAt(NOW, reason), SPREAD, even).nextDue).toBe(NOW + every);
  });

  test('skips the slots in which robots.txt would say the same', () => {
    const seen = failedAt(NOW, 'robots', { until: NOW + 61 * MINUTE });
    expect(revisit(fixed(), seen, SPREAD, even).nextDue).toBe(NOW + 70 * MINUTE);
  });

  test('looks again after a minute at what is hard to believe, and keeps its slots', () => {
    const doubt = revisit(fixed(), failedAt(NOW, 'doubtful'), SPREAD, even);
    expect(doubt.nextDue).toBe(NOW + MINUTE);
    const state = stateOf({ visitedAt: NOW, failures: 1, doubtedAt: NOW });
    const confirmed = revisit(fixed({ due: doubt.nextDue, state }), changedAt(NOW + MINUTE), SPREAD, even);
    expect(confirmed.nextDue).toBe(NOW + every);
  });

  test('does not wait for a clock that was set back', () => {
    const at = NOW - 365 * DAY;
    expect(revisit(fixed(), seenAt(at), SPREAD, even).nextDue).toBe(at + every);
  });

  test('goes on learning the rate, for the day that it is not fixed any more', () => {
    const { theta } = revisit(fixed(), changedAt(NOW), SPREAD, even).rate;
    expect(theta).toBeGreaterThan(stateOf().rate.theta);
  });
});
