import type {
  CrawlStatus,
  UrlHost,
  UrlPage,
  UrlReport,
  UrlRobots,
  UrlSource,
  VisitOrder,
} from '../../shared/api/crawl.ts';
import type {
  Source,
  SourceBatch,
  SourceBatchReport,
  SourceChange,
  SourceCreation,
  SourceVisit,
} from '../../shared/api/source.ts';
import type { Asking } from './ratings.ts';
import { counts, flag, isUnhealthyHost, listOf, number, oneOf, optional, orNull, shaped, text } from './shape.ts';

/** The endpoints of the crawl, one method each. @throws as `Client` */
export class CrawlEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async sources(): Promise<Source[]> {
    return this.#asking.ask(listOf(isSource), 'GET', '/admin/sources');
  }

  async add(source: SourceCreation): Promise<Source> {
    return this.#asking.ask(isSource, 'POST', '/admin/sources', source);
  }

  /** At most `SOURCES_A_REQUEST`. */
  async addAll(sources: SourceBatch['sources']): Promise<SourceBatchReport> {
    return this.#asking.ask(isBatchReport, 'POST', '/admin/sources/batch', { sources });
  }

  async change(id: string, change: SourceChange): Promise<Source> {
    return this.#asking.ask(isSource, 'PATCH', pathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  async status(): Promise<CrawlStatus> {
    return this.#asking.ask(isCrawlStatus, 'GET', '/admin/crawl');
  }

  async why(url: string): Promise<UrlReport> {
    return this.#asking.ask(isUrlReport, 'GET', `/admin/urls?url=${encodeURIComponent(url)}`);
  }

  async visit(url: string): Promise<VisitOrder> {
    return this.#asking.ask(isVisitOrder, 'POST', '/admin/urls/visit', { url });
  }
}

function pathOf(id: string): string {
  return `/admin/sources/${encodeURIComponent(id)}`;
}

/** What the answers of the crawl's endpoints must look like: see `shape.ts`. */
const answer = {
  at: text,
  outcome: oneOf('changed', 'unchanged', 'failed'),
  reason: optional(text),
  detail: optional(text),
  status: optional(number),
};

const isSource = shaped<Source>({
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

const isBatchReport = shaped<SourceBatchReport>({
  added: listOf(isSource),
  known: listOf(shaped<SourceBatchReport['known'][number]>({ index: number, id: text, url: text })),
  refused: listOf(shaped<SourceBatchReport['refused'][number]>({ index: number, url: text, message: text })),
});

const isCrawlStatus = shaped<CrawlStatus>({
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

const isUrlReport = shaped<UrlReport>({
  url: text,
  host: text,
  trap: orNull(text),
  sources: listOf(isUrlSource),
  robots: shaped<UrlRobots>({ verdict: oneOf('allowed', 'refused', 'unknown'), detail: orNull(text) }),
  page: orNull(isUrlPage),
});

const isVisitOrder = shaped<VisitOrder>({ url: text, last_visit_ms: orNull(number), paused: flag });
