import { timestamp } from '../outside.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { FailingPage, FrontierTotals, MovedPage, UnhealthyHost } from '../storage/frontier.ts';
import type { CrawlStatus, SourceVisit } from '../../shared/api/crawl.ts';
import type { FailingUrl, MovedUrl, UnhealthyHost as Wire } from '../../shared/api/status.ts';

/**
 * What the crawl does, in figures that cost nothing to keep: rings and counters of a fixed size. Read when someone asks,
 * for `hydrant crawl status` and for metrics.
 */
export interface CrawlFigures {
  /** Visits that ended, a second, over the last minute. */
  readonly pagesPerSecond: number;
  /** How late the last thousand visits began, in milliseconds; undefined before the first. */
  readonly dueLag: { readonly p50: number; readonly p95: number; readonly p99: number } | undefined;
  /**
   * Visits since the start by how they ended: `changed`, `unchanged`, `none` (robots.txt was fetched, or the visit was called
   * off), else why it failed: a word, `http_4xx`, `http_5xx`.
   */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Visits put off since the start because the address of their host had enough to do. */
  readonly putOff: number;
  /** Visits that ended in an error of our own. */
  readonly faults: number;
  /** Under way: at most as many as the setting `crawl-concurrency`, and those that only wait for a connection or a commit. */
  readonly inFlight: readonly { readonly host: string; readonly url: string; readonly ms: number }[];
  /** How long the oldest of them is under way, milliseconds. */
  readonly oldestMs: number | undefined;
  /** Since when no host has answered, not even those that did lately; ms since 1970. */
  readonly networkDoubtedSince: number | undefined;
}

/** How a visit ended, as far as figures go. */
export interface Ended {
  readonly outcome: 'baseline' | 'changed' | 'unchanged' | 'failed';
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
}

export class CrawlMeter {
  readonly #startedAt: number;
  readonly #lags = new Float64Array(LAGS);
  #lagCount = 0;
  /** Visits that ended in each of the last 60 seconds, and which second that was. */
  readonly #seconds = new Float64Array(SECONDS);
  readonly #ends = new Uint32Array(SECONDS);
  readonly #outcomes = new Map<string, number>();
  #putOff = 0;
  #faults = 0;

  constructor(now: number) {
    this.#startedAt = now;
  }

  began(lagMs: number): void {
    this.#lags[this.#lagCount % LAGS] = Math.max(0, lagMs);
    this.#lagCount += 1;
  }

  ended(ended: Ended | undefined, now: number): void {
    const name = nameOf(ended);
    const key = this.#outcomes.has(name) || this.#outcomes.size < MOST_NAMES ? name : 'other';
    this.#outcomes.set(key, (this.#outcomes.get(key) ?? 0) + 1);
    if (ended) this.#tick(Math.floor(now / 1_000));
  }

  putOff(): void {
    this.#putOff += 1;
  }

  fault(): void {
    this.#faults += 1;
  }

  read(now: number): Pick<CrawlFigures, 'pagesPerSecond' | 'dueLag' | 'outcomes' | 'putOff' | 'faults'> {
    const outcomes = new Map(this.#outcomes);
    return {
      pagesPerSecond: this.#rate(now),
      dueLag: this.#dueLag(),
      outcomes,
      putOff: this.#putOff,
      faults: this.#faults,
    };
  }

  #tick(second: number): void {
    const place = second % SECONDS;
    if (this.#seconds[place] !== second) this.#ends[place] = 0;
    this.#seconds[place] = second;
    this.#ends[place] = (this.#ends[place] ?? 0) + 1;
  }

  #rate(now: number): number {
    const last = Math.floor(now / 1_000);
    const ends = this.#ends.reduce((sum, count, place) => {
      const second = this.#seconds[place] ?? 0;
      return second > last - SECONDS && second <= last ? sum + count : sum;
    }, 0);
    return ends / Math.min(SECONDS, Math.max(1, (now - this.#startedAt) / 1_000));
  }

  #dueLag(): CrawlFigures['dueLag'] {
    const lags = this.#lags.slice(0, Math.min(this.#lagCount, LAGS)).sort();
    const at = (share: number): number => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? 0;
    return lags.length === 0 ? undefined : { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}

function nameOf(ended: Ended | undefined): string {
  if (!ended) return 'none';
  if (ended.outcome !== 'failed') return ended.outcome;
  const isStatus = ended.reason === 'status' && ended.status !== undefined;
  return isStatus ? `http_${Math.floor((ended.status ?? 0) / 100)}xx` : (ended.reason ?? 'failed');
}

const LAGS = 1_000;
const SECONDS = 60;
/** Reasons are a handful of words of our own; what goes wrong with them must not make a metric without end. */
const MOST_NAMES = 40;

/** The newest visits, and the pages that could not be had at their last one, for who looks at the crawl. */
export class RecentVisits {
  #visits: SourceVisit[] = [];
  /** By their URLs, the newest last. */
  readonly #failures = new Map<string, SourceVisit>();

  note(visit: SourceVisit): void {
    this.#visits.push(visit);
    if (this.#visits.length >= 2 * RECENT) this.#visits = this.#visits.slice(-RECENT);
    this.#failures.delete(visit.url);
    if (visit.outcome !== 'failed') return;
    this.#failures.set(visit.url, visit);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > RECENT && oldest !== undefined) this.#failures.delete(oldest);
  }

  /** Newest first. */
  get visits(): readonly SourceVisit[] {
    return this.#visits.slice(-RECENT).toReversed();
  }

  /** Newest first; those of pages that are no longer visited are forgotten. */
  async failures(isVisited: (url: string) => Promise<boolean>): Promise<readonly SourceVisit[]> {
    for (const url of this.#failures.keys()) if (!(await isVisited(url))) this.#failures.delete(url);
    return [...this.#failures.values()].toReversed();
  }
}

const RECENT = 50;

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
    recent_visits: from.visits,
    recent_failures: from.failures,
  };
}

interface CrawlFacts {
  readonly now: number;
  readonly sources: CatalogData['sources'];
  readonly totals: FrontierTotals;
  readonly unhealthy: readonly UnhealthyHost[];
  /** Newest first. */
  readonly visits: readonly SourceVisit[];
  readonly failures: readonly SourceVisit[];
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

/** A URL that cannot be had. */
export function failingToWire({ kind, id, url, reason, status, failures, at, since, detail }: FailingPage): FailingUrl {
  // A visit says `status`, a check `http_4xx`.
  const isStatus = (reason === 'status' || reason.startsWith('http_')) && status !== undefined;
  return {
    kind,
    id,
    url,
    reason: isStatus ? String(status) : reason,
    failures,
    ...(since !== undefined && { since: timestamp(since) }),
    ...(detail !== undefined && { detail }),
    last_visit_at: timestamp(at),
  };
}

/** A URL whose page is at another address for good. */
export function movedToWire({ id, url, movedTo, at }: MovedPage): MovedUrl {
  return { id, url, to: movedTo, last_visit_at: timestamp(at) };
}
