import { expect, test } from 'vitest';
import { crawlStatus } from '../../../src/daemon/crawl/crawl-status.ts';
import type { CrawlFigures } from '../../../src/daemon/crawl/figures.ts';
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
