import { timestamp } from '../outside.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { FailingPage, FrontierTotals, MovedPage, UnhealthyHost } from '../storage/frontier.ts';
import type { CrawlFigures } from './figures.ts';
import type { CrawlStatus } from '../../shared/api/crawl.ts';
import type { FailingUrl, MovedUrl, UnhealthyHost as Wire } from '../../shared/api/status.ts';

/** The crawl on one screen, from those who know: the catalog, the frontier, the loop, robots.txt and the threads. */
export function crawlStatus(from: CrawlFacts): CrawlStatus {
  const { now, sources, totals, figures, robots, analysisPool, unhealthy } = from;
  const paused = sources.filter((source) => source.paused).length;
  const slowest = figures.inFlight.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  return {
    at: timestamp(now),
    sources: { active: sources.length - paused, paused },
    pages: {
      known: totals.pages,
      unvisited: totals.unvisited,
      oldest_due_ms: totals.oldestDue === undefined ? null : Math.max(0, now - totals.oldestDue),
    },
    visits: { made: totals.visits, changed: totals.changes, failed: totals.failures },
    pages_per_second: Math.round(figures.pagesPerSecond * 100) / 100,
    due_lag_ms: { p50: rounded(figures.dueLag?.p50), p95: rounded(figures.dueLag?.p95) },
    in_flight: {
      visits: figures.inFlight.length,
      oldest_ms: rounded(figures.oldestMs),
      slowest: slowest.map(({ host, ms }) => ({ host, ms: Math.round(ms) })),
    },
    hosts: { known: totals.hosts, leased: totals.hostsLeased, backing_off: totals.hostsBackingOff },
    outcomes: Object.fromEntries(figures.outcomes),
    put_off: figures.putOff,
    faults: figures.faults,
    network_doubted_since: figures.networkDoubtedSince === undefined ? null : timestamp(figures.networkDoubtedSince),
    unhealthy: unhealthy.map(unhealthyToWire),
    robots: { copies: robots.copies, unreachable: robots.unreachable, refused: robots.refused },
    dropped: {
      max_pages: totals.dropped.maxPages,
      host_budget: totals.dropped.hostBudget,
      pattern_budget: totals.dropped.patternBudget,
    },
    threads: { running: analysisPool.threads, waiting: analysisPool.waiting },
  };
}

interface CrawlFacts {
  readonly now: number;
  readonly sources: CatalogData['sources'];
  readonly totals: FrontierTotals;
  readonly unhealthy: readonly UnhealthyHost[];
  readonly figures: CrawlFigures;
  readonly robots: { readonly copies: number; readonly unreachable: number; readonly refused: number };
  readonly analysisPool: { readonly threads: number; readonly waiting: number };
}

const SLOWEST = 5;

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

/** Named in one answer. */
export const MOST_NAMED = 250;

/** A host that fails, backs off or is slow, as the API tells it. */
export function unhealthyToWire({ name, backoffReason, failures, backoff, readyAt }: UnhealthyHost): Wire {
  const isSlow = failures === 0 && backoff === 0;
  const reason = isSlow ? 'slow' : (backoffReason ?? 'failed');
  return { host: name, reason, failures, next_try: readyAt === undefined ? null : timestamp(readyAt) };
}

/** A URL that cannot be had from a host that answers. */
export function failingToWire({ kind, id, url, reason, status, failures, at }: FailingPage): FailingUrl {
  // A visit says `status`, a check `http_4xx`.
  const isStatus = (reason === 'status' || reason.startsWith('http_')) && status !== undefined;
  return { kind, id, url, reason: isStatus ? String(status) : reason, failures, last_visit_at: timestamp(at) };
}

/** A URL whose page is at another address for good. */
export function movedToWire({ id, url, movedTo, at }: MovedPage): MovedUrl {
  return { id, url, to: movedTo, last_visit_at: timestamp(at) };
}
