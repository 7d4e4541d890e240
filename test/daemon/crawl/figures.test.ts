import { describe, expect, test } from 'vitest';
import { CrawlMeter } from '../../../src/daemon/crawl/figures.ts';

const BEGIN = 1_000_000_000;

describe('the figures of the crawl', () => {
  test('pages a second are those of the last minute, or of the time since the start', () => {
    const meter = new CrawlMeter(BEGIN);
    for (let ms = 0; ms < 10_000; ms += 100) meter.ended({ outcome: 'changed' }, BEGIN + ms);
    expect(meter.read(BEGIN + 10_000).pagesPerSecond).toBeCloseTo(10);
    expect(meter.read(BEGIN + 60_000 - 1).pagesPerSecond).toBeCloseTo(100 / 60, 1);
    expect(meter.read(BEGIN + 70_000).pagesPerSecond).toBe(0);
  });

  test('a second that comes round again begins anew', () => {
    const meter = new CrawlMeter(BEGIN - 3_600_000);
    for (let turn = 0; turn < 3; turn += 1) meter.ended({ outcome: 'changed' }, BEGIN + turn * 60_000);
    expect(meter.read(BEGIN + 120_000).pagesPerSecond).toBeCloseTo(1 / 60);
  });

  test('visits of a clock that was ahead are not those of the last minute', () => {
    const meter = new CrawlMeter(BEGIN);
    meter.ended({ outcome: 'changed' }, BEGIN + 3_600_000);
    expect(meter.read(BEGIN + 1_000).pagesPerSecond).toBe(0);
  });

  test('lateness is that of the last thousand visits', () => {
    const meter = new CrawlMeter(BEGIN);
    expect(meter.read(BEGIN).dueLag).toBeUndefined();
    meter.began(500);
    expect(meter.read(BEGIN).dueLag).toEqual({ p50: 500, p95: 500, p99: 500 });
    for (let lag = 0; lag < 1_000; lag += 1) meter.began(lag);
    expect(meter.read(BEGIN).dueLag).toEqual({ p50: 500, p95: 950, p99: 990 });
    for (let turn = 0; turn < 1_000; turn += 1) meter.began(-5);
    expect(meter.read(BEGIN).dueLag).toEqual({ p50: 0, p95: 0, p99: 0 });
  });

  test('outcomes are counted by class, and a turn without a visit is no page', () => {
    const meter = new CrawlMeter(BEGIN);
    const ends = [
      { outcome: 'changed' },
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
      { outcome: 'failed', reason: 'timeout' },
      { outcome: 'failed', reason: 'status', status: 404 },
      { outcome: 'failed', reason: 'status', status: 410 },
      { outcome: 'failed', reason: 'status', status: 503 },
      { outcome: 'failed', reason: 'status' },
      undefined,
    ] as const;
    for (const end of ends) meter.ended(end, BEGIN);
    const { outcomes, pagesPerSecond } = meter.read(BEGIN + 1_000);
    expect(Object.fromEntries(outcomes)).toEqual({
      changed: 1,
      unchanged: 2,
      timeout: 1,
      http_4xx: 2,
      http_5xx: 1,
      status: 1,
      none: 1,
    });
    expect(pagesPerSecond).toBe(8);
  });

  test('reasons without end do not make classes without end', () => {
    const meter = new CrawlMeter(BEGIN);
    for (let turn = 0; turn < 1_000; turn += 1) meter.ended({ outcome: 'failed', reason: `r${turn}` }, BEGIN);
    const { outcomes } = meter.read(BEGIN);
    expect(outcomes.size).toBeLessThan(50);
    expect(outcomes.get('other')).toBe(960);
  });
});
