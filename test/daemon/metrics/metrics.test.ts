import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createMetricsServer, metricsAddress } from '../../../src/daemon/admin/server.ts';
import { figures, Metrics } from '../../../src/daemon/metrics/metrics.ts';
import type { CrawlStatus } from '../../../src/shared/api/crawl.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import { crawlFigures } from '../../fixtures/crawl-figures.ts';
import { idleStatus } from '../../fixtures/status.ts';
import { watchFigures } from '../../fixtures/watch-figures.ts';
import { RecordingLog } from '../http/api.ts';

const NODE = { name: 'a', is_live: true, is_this: true, silent_ms: 12 };

const status: Status = {
  ...idleStatus,
  crawl: {
    ...idleStatus.crawl,
    sources: 12,
    pages: 18_204,
    visits: 91_000,
    changes: 4_100,
    failures: 310,
    in_flight: 2,
  },
  watch: watchFigures,
  match: { taps: 2, rules: 25, events: 1_841 },
  stream: { open: 3, buffered_bytes: 1_500 },
  problems: [{ at: '2026-02-27T10:00:00+00:00', message: 'https://secret.example/: dns' }],
};

/** Samples by name and labels; of our own metrics alone. */
function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith('hydrant_'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value] = /^(.*) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

async function read(crawl: CrawlStatus): Promise<Map<string, number>> {
  return samples(await new Metrics(async () => ({ status, crawl })).text());
}

describe('metrics', () => {
  test('tell the figures of the crawl, of the rules and of the streams', async () => {
    const told = await read(crawlFigures);
    expect(Object.fromEntries(told)).toMatchObject({
      'hydrant_sources{state="active"}': 11,
      'hydrant_sources{state="paused"}': 1,
      'hydrant_pages{state="visited"}': 17_000,
      'hydrant_pages{state="unvisited"}': 1_204,
      hydrant_visits_total: 91_000,
      'hydrant_visit_outcomes_total{outcome="http_5xx"}': 12,
      'hydrant_due_lag_seconds{quantile="0.5"}': 1.4,
      'hydrant_due_lag_seconds{quantile="0.95"}': 61,
      hydrant_oldest_due_seconds: 245,
      'hydrant_hosts{state="backing_off"}': 3,
      'hydrant_urls_dropped_total{budget="max_pages"}': 900,
      hydrant_network_in_doubt: 0,
      hydrant_judging_waiting: 3,
      'hydrant_watches{state="active"}': 97,
      'hydrant_watches{state="failing"}': 4,
      'hydrant_watches{state="held"}': 3,
      hydrant_watch_checks_total: 18_204,
      hydrant_watch_changes_total: 311,
      'hydrant_watch_outcomes_total{outcome="http_5xx"}': 31,
      'hydrant_watch_late_seconds{quantile="0.99"}': 1.9,
      hydrant_watch_oldest_due_seconds: 4,
      hydrant_rules: 25,
      hydrant_stream_buffered_bytes: 1_500,
    });
  });

  test('tell how many daemons share the database, where several may', async () => {
    const of = async (some: Status) =>
      [...samples(await new Metrics(async () => ({ status: some, crawl: crawlFigures })).text())].filter(([name]) =>
        name.startsWith('hydrant_nodes'),
      );
    const nodes = [NODE, { ...NODE, name: 'b', is_this: false }, { ...NODE, name: 'c', is_live: false }];
    expect(await of({ ...status, nodes })).toEqual([
      ['hydrant_nodes{state="live"}', 2],
      ['hydrant_nodes{state="silent"}', 1],
    ]);
    expect(await of(status)).toEqual([]);
  });

  test('leave out what is not known', async () => {
    const told = await read({
      ...crawlFigures,
      pages: { ...crawlFigures.pages, oldest_due_ms: null },
      due_lag_ms: { p50: null, p95: null },
    });
    expect([...told.keys()].filter((name) => /hydrant_(?:oldest_due|due_lag)/.test(name))).toEqual([]);
  });

  test('are read anew each time: what is gone is told no longer, and no counter adds up', async () => {
    let crawl = crawlFigures;
    const metrics = new Metrics(async () => ({ status, crawl }));
    await metrics.text();
    crawl = { ...crawl, outcomes: { dns: 1 } };
    const told = samples(await metrics.text());
    expect([...told].filter(([name]) => name.includes('visit_outcome'))).toEqual([
      ['hydrant_visit_outcomes_total{outcome="dns"}', 1],
    ]);
    expect(told.get('hydrant_visits_total')).toBe(91_000);
  });

  test('name no host, no URL and no directory', async () => {
    const text = await new Metrics(async () => ({ status, crawl: crawlFigures })).text();
    expect(text).not.toMatch(/example|127\.0\.0\.1|\/data|home/);
  });

  test('of the process are told, too', async () => {
    const text = await new Metrics(async () => ({ status, crawl: crawlFigures })).text();
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });
});

test('docs/metrics.md has each of them, as it is told', () => {
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `hydrant_(\w+)` \| (\w+) \| (?:`(\w+)`)? ?\| (all|node) \| (.*) \|$/gm)];
  expect(rows.map(([, name, type, label, of, help]) => ({ name, type, label, of, help }))).toEqual(
    figures.map(({ name, type, label, isTotal = false, help }) => {
      return { name, type, label, of: isTotal ? 'all' : 'node', help };
    }),
  );
});

describe('the metrics server', () => {
  let server: FastifyInstance | undefined;
  afterEach(() => server?.close());

  test('has this one route', async () => {
    const metrics = new Metrics(async () => ({ status, crawl: crawlFigures }));
    server = createMetricsServer(async () => metrics, new RecordingLog());
    const told = await server.inject({ method: 'GET', url: '/metrics' });
    expect(told.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(told.body).toContain('# TYPE hydrant_visits_total counter\nhydrant_visits_total 91000\n');
    expect((await server.inject({ method: 'GET', url: '/admin/status' })).statusCode).toBe(404);
  });

  test.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9_464 }],
    ['metrics.lan:80', { host: 'metrics.lan', port: 80 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    [':9464', { host: '::', port: 9_464 }],
  ])('listens where %s says', (text, address) => expect(metricsAddress(text)).toEqual(address));

  test.each(['9464', 'localhost', 'localhost:', 'localhost:99999', '::1:9464', 'http://localhost:9464', 'a b:1'])(
    'refuses %s as an address, and shows a good one',
    (text) => expect(() => metricsAddress(text)).toThrow('127.0.0.1:9464'),
  );
});
