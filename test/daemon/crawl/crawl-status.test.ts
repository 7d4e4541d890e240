import { describe, expect, test } from 'vitest';
import { CrawlMeter, crawlStatus, type CrawlFigures } from '../../../src/daemon/crawl/crawl-status.ts';
import type { SourceRecord } from '../../../src/daemon/storage/catalog.ts';
import type { FrontierTotals } from '../../../src/daemon/storage/frontier.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

const source: SourceRecord = {
  id: 's1',
  url: 'https://a.example/',
  scope: 'page',
  depth: null,
  everySeconds: null,
  maxPages: 1,
  baseline: false,
  paused: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const totals: FrontierTotals = {
  pages: 9,
  unvisited: 4,
  visits: 30,
  changes: 5,
  failures: 2,
  hosts: 3,
  hostsBackingOff: 1,
  hostsLeased: 2,
  oldestLease: undefined,
  oldestDue: undefined,
  dropped: { maxPages: 7, hostBudget: 6, patternBudget: 5 },
};
const idle: CrawlFigures = {
  pagesPerSecond: 0,
  dueLag: undefined,
  outcomes: new Map(),
  putOff: 0,
  faults: 0,
  inFlight: [],
  oldestMs: undefined,
  networkDoubtedSince: undefined,
};
const others = {
  now: NOW,
  robots: { copies: 1, unreachable: 0, refused: 0 },
  analysisPool: { threads: 1, waiting: 0 },
  unhealthy: [],
  visits: [],
  failures: [],
};

test('before anything happened says so with nulls', () => {
  expect(crawlStatus({ ...others, sources: [], totals, figures: idle })).toEqual({
    at: '2026-01-02T03:04:05+00:00',
    sources: { active: 0, paused: 0 },
    pages: { known: 9, unvisited: 4, oldest_due_ms: null },
    visits: { made: 30, changed: 5, failed: 2 },
    pages_per_second: 0,
    due_lag_ms: { p50: null, p95: null },
    in_flight: { visits: 0, oldest_ms: null, slowest: [] },
    hosts: { known: 3, leased: 2, backing_off: 1 },
    outcomes: {},
    put_off: 0,
    faults: 0,
    network_doubted_since: null,
    unhealthy: [],
    robots: { copies: 1, unreachable: 0, refused: 0 },
    dropped: { max_pages: 7, host_budget: 6, pattern_budget: 5 },
    threads: { running: 1, waiting: 0 },
    recent_visits: [],
    recent_failures: [],
  });
});

test('names the five visits that take longest, and rounds', () => {
  const inFlight = [5, 900, 30, 7_000.4, 60, 1].map((ms) => ({ host: `${ms}.example`, url: 'https://x/', ms }));
  const status = crawlStatus({
    ...others,
    unhealthy: [{ name: 'dead.example', backoff: 0, backoffReason: 'dns', failures: 2, responseMs: 0, readyAt: NOW }],
    sources: [source, { ...source, id: 's2', paused: true }],
    totals: { ...totals, oldestDue: NOW - 1_500 },
    figures: {
      ...idle,
      pagesPerSecond: 1.23456,
      dueLag: { p50: 0.4, p95: 10.6, p99: 20 },
      outcomes: new Map([['dns', 3]]),
      inFlight,
      oldestMs: 7_000.4,
      networkDoubtedSince: NOW - 60_000,
    },
  });
  expect(status).toMatchObject({
    sources: { active: 1, paused: 1 },
    pages: { oldest_due_ms: 1_500 },
    pages_per_second: 1.23,
    due_lag_ms: { p50: 0, p95: 11 },
    outcomes: { dns: 3 },
    unhealthy: [{ host: 'dead.example', reason: 'dns', failures: 2, next_try: '2026-01-02T03:04:05+00:00' }],
    network_doubted_since: '2026-01-02T03:03:05+00:00',
  });
  expect(status.in_flight.visits).toBe(6);
  expect(status.in_flight.slowest.map(({ ms }) => ms)).toEqual([7_000, 900, 60, 30, 5]);
});

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
