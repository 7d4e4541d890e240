import type {
  CrawlStatus,
  UrlHost,
  UrlPage,
  UrlReport,
  UrlRobots,
  UrlSource,
  VisitOrder,
} from '../../shared/api/crawl.ts';
import type { Source, SourceBatchReport, SourceVisit } from '../../shared/api/source.ts';
import { counts, flag, isUnhealthyHost, listOf, number, oneOf, optional, orNull, shaped, text } from './shape.ts';

/** What the answers of the crawl's endpoints must look like: see `shape.ts`. */
const answer = {
  at: text,
  outcome: oneOf('changed', 'unchanged', 'failed'),
  reason: optional(text),
  detail: optional(text),
  status: optional(number),
};

export const isSource = shaped<Source>({
  id: text,
  url: text,
  scope: oneOf('page', 'prefix', 'host', 'domain', 'any'),
  depth: orNull(number),
  every_seconds: orNull(number),
  max_pages: number,
  baseline: flag,
  paused: flag,
  created_at: text,
  pages: number,
  visits: number,
  last_visit: orNull(shaped<SourceVisit>({ url: text, ...answer })),
  next_visit_at: orNull(text),
});

export const isBatchReport = shaped<SourceBatchReport>({
  added: listOf(isSource),
  known: listOf(shaped<SourceBatchReport['known'][number]>({ index: number, id: text, url: text })),
  refused: listOf(shaped<SourceBatchReport['refused'][number]>({ index: number, url: text, message: text })),
});

export const isCrawlStatus = shaped<CrawlStatus>({
  at: text,
  sources: shaped<CrawlStatus['sources']>({ active: number, paused: number }),
  pages: shaped<CrawlStatus['pages']>({ known: number, unvisited: number, oldest_due_ms: orNull(number) }),
  visits: shaped<CrawlStatus['visits']>({ made: number, changed: number, failed: number }),
  pages_per_second: number,
  due_lag_ms: shaped<CrawlStatus['due_lag_ms']>({ p50: orNull(number), p95: orNull(number) }),
  in_flight: shaped<CrawlStatus['in_flight']>({
    visits: number,
    oldest_ms: orNull(number),
    slowest: listOf(shaped<CrawlStatus['in_flight']['slowest'][number]>({ host: text, ms: number })),
  }),
  hosts: shaped<CrawlStatus['hosts']>({ known: number, leased: number, backing_off: number }),
  outcomes: counts,
  put_off: number,
  faults: number,
  network_doubted_since: orNull(text),
  unhealthy: optional(listOf(isUnhealthyHost)),
  robots: shaped<CrawlStatus['robots']>({ copies: number, unreachable: number, refused: number }),
  dropped: shaped<CrawlStatus['dropped']>({ max_pages: number, host_budget: number, pattern_budget: number }),
  threads: shaped<CrawlStatus['threads']>({ running: number, waiting: number }),
});

const isUrlSource = shaped<UrlSource>({
  id: text,
  url: text,
  scope: text,
  paused: flag,
  holds: flag,
  because: orNull(text),
});

const isUrlHost = shaped<UrlHost>({
  leased: flag,
  rests_until: orNull(text),
  backing_off: orNull(shaped<NonNullable<UrlHost['backing_off']>>({ since: text, times: number, reason: text })),
  failures: number,
  response_ms: orNull(number),
  today: shaped<UrlHost['today']>({ fetches: number, bytes: number }),
});

const isUrlPage = shaped<UrlPage>({
  kind: text,
  due_at: text,
  urgency: text,
  ahead: number,
  host: isUrlHost,
  every_seconds: orNull(number),
  changes_every_seconds: orNull(number),
  failures: number,
  doubted_since: orNull(text),
  conditional: flag,
  full_at: orNull(text),
  same_as: orNull(text),
  last_visit_ms: orNull(number),
  answers: listOf(shaped<UrlPage['answers'][number]>(answer)),
});

export const isUrlReport = shaped<UrlReport>({
  url: text,
  host: text,
  trap: orNull(text),
  sources: listOf(isUrlSource),
  robots: shaped<UrlRobots>({ verdict: oneOf('allowed', 'refused', 'unknown'), detail: orNull(text) }),
  page: orNull(isUrlPage),
});

export const isVisitOrder = shaped<VisitOrder>({ url: text, last_visit_ms: orNull(number), paused: flag });
