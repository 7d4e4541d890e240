import { describe, expect, test } from 'vitest';
import { CrawlMeter } from '../../../src/daemon/crawl/crawl-status.ts';
import { watchStatus } from '../../../src/daemon/watch/watch-wire.ts';

const NOW = Date.UTC(2026, 1, 13, 12);
const totals = {
  watches: 3,
  active: 2,
  failing: 1,
  held: 0,
  oldestDue: undefined,
  checks: 40,
  changes: 5,
  texts: 4,
  textBytes: 400,
};

describe('the status of watches', () => {
  test('has how late checks began, and how they ended by their word', () => {
    const meter = new CrawlMeter(NOW);
    for (let lag = 0; lag < 1_000; lag += 1) meter.began(lag);
    for (const outcome of ['baseline', 'unchanged', 'unchanged'] as const) meter.ended({ outcome }, NOW);
    meter.ended({ outcome: 'failed', reason: 'http_5xx', status: 503 }, NOW);
    meter.ended(undefined, NOW);
    meter.fault();
    expect(watchStatus({ ...totals, oldestDue: NOW - 1_500 }, meter, { now: () => NOW })).toEqual({
      watches: 3,
      active: 2,
      failing: 1,
      held: 0,
      checks: 40,
      changes: 5,
      oldest_due_ms: 1_500,
      late_ms: { p50: 500, p99: 990 },
      outcomes: { baseline: 1, unchanged: 2, http_5xx: 1, none: 1 },
      faults: 1,
    });
  });

  test('leaves open what is not known, and knows no watch that is due ahead of time', () => {
    const meter = new CrawlMeter(NOW);
    const none = watchStatus(totals, meter, { now: () => NOW });
    expect(none).toMatchObject({ oldest_due_ms: null, late_ms: { p50: null, p99: null }, outcomes: {} });
    expect(watchStatus({ ...totals, oldestDue: NOW + 5 }, meter, { now: () => NOW }).oldest_due_ms).toBe(0);
  });
});
