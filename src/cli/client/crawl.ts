import type {
  CrawlHistory,
  CrawlSpan,
  CrawlStatus,
  KeptChange,
  PageChangeReport,
  RuleSight,
  Source,
  SourceBatch,
  SourceBatchReport,
  SourceChange,
  SourceCreation,
  SourceProblem,
  SourceVisit,
  UrlHost,
  UrlPage,
  UrlReport,
  UrlRobots,
  UrlSource,
  VisitOrder,
} from '../../shared/api/crawl.ts';
import {
  type Asking,
  counts,
  flag,
  isAccount,
  isDomainRating,
  isRatingImport,
  isRatingStatus,
  isUnhealthyHost,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  shaped,
  text,
  isRender,
  isRequestReport,
} from './shape.ts';
import type { DomainRating, RatingImport, RatingStatus } from '../../shared/api/rating.ts';
import { RATINGS_A_REQUEST, REQUEST_BYTES } from '../../shared/limits.ts';

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
    return this.#asking.ask(isSource, 'PATCH', sourcePath(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', sourcePath(id));
  }

  async status(): Promise<CrawlStatus> {
    return this.#asking.ask(isCrawlStatus, 'GET', '/admin/crawl');
  }

  async why(url: string): Promise<UrlReport> {
    return this.#asking.ask(isUrlReport, 'GET', `/admin/urls?url=${encodeURIComponent(url)}`);
  }

  /** The last change of a page that is kept, and what rules make of it; and what a query does. */
  async lastChange(url: string, query?: string): Promise<PageChangeReport> {
    const asked = query === undefined ? '' : `&value=${encodeURIComponent(query)}`;
    return this.#asking.ask(isChangeReport, 'GET', `/admin/urls/change?url=${encodeURIComponent(url)}${asked}`);
  }

  /** What it did in the last day and the last week. */
  async history(): Promise<CrawlHistory> {
    return this.#asking.ask(isHistory, 'GET', '/admin/crawl/history');
  }

  async visit(url: string): Promise<VisitOrder> {
    return this.#asking.ask(isVisitOrder, 'POST', '/admin/urls/visit', { url });
  }
}

function sourcePath(id: string): string {
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

const isVisit = shaped<SourceVisit>({ url: text, ...answer });

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
  problem: optional(
    shaped<SourceProblem>({ reason: text, detail: optional(text), failures: number, since: optional(text) }),
  ),
  pages: number,
  visits: number,
  last_visit: orNull(isVisit),
  next_visit_at: orNull(text),
  request: optional(isRequestReport),
  render: optional(isRender),
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
  recent_visits: optional(listOf(isVisit)),
  recent_failures: optional(listOf(isVisit)),
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
  account: optional(orNull(isAccount)),
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

const texts = listOf((value: unknown): value is string => text(value));
const isChange = shaped<KeptChange>({
  at: text,
  url: text,
  title: optional(text),
  title_changed: flag,
  chunks: listOf(shaped<KeptChange['chunks'][number]>({ typ: oneOf('ins', 'del'), text })),
  added_anchors: texts,
  removed_anchors: texts,
  links: listOf(shaped<KeptChange['links'][number]>({ text, before: text, after: text })),
});
const OUTCOMES = ['matched', 'filtered', 'no_match', 'paused', 'refused', 'failed'] as const;
const isChangeReport = shaped<PageChangeReport>({
  url: text,
  kept: flag,
  since: text,
  changed_at: orNull(text),
  complete: flag,
  change: orNull(isChange),
  rules: listOf(
    shaped<RuleSight>({
      rule_id: text,
      tap_id: text,
      tap: text,
      tag: optional(text),
      value: text,
      outcome: oneOf(...OUTCOMES),
      reason: optional(text),
      event: optional(text),
      delivered: optional(flag),
    }),
  ),
  query: optional(
    shaped<NonNullable<PageChangeReport['query']>>({ outcome: oneOf(...OUTCOMES), reason: optional(text) }),
  ),
});

const isSpan = shaped<CrawlSpan>({
  at: text,
  visits: number,
  changed: number,
  failed: number,
  late_ms: orNull(number),
});
const isSpanOrNull = (value: unknown): value is CrawlSpan | null => value === null || isSpan(value);
const isHistory = shaped<CrawlHistory>({
  day_seconds: number,
  week_seconds: number,
  day: listOf(isSpanOrNull),
  week: listOf(isSpanOrNull),
});

const isVisitOrder = shaped<VisitOrder>({ url: text, last_visit_ms: orNull(number), paused: flag });

/** The endpoints below `/admin/ratings`, one method each. @throws as `Client` */
export class RatingEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async status(): Promise<RatingStatus> {
    return this.#asking.ask(isRatingStatus, 'GET', '/admin/ratings');
  }

  async show(domain: string): Promise<DomainRating> {
    return this.#asking.ask(isDomainRating, 'GET', `/admin/ratings/domains/${encodeURIComponent(domain)}`);
  }

  async clear(): Promise<void> {
    await this.#asking.tell('DELETE', '/admin/ratings');
  }

  async begin(name: string): Promise<RatingImport> {
    return this.#asking.ask(isRatingImport, 'POST', '/admin/ratings/imports', { name });
  }

  async add(id: string, domains: readonly RatedName[]): Promise<RatingImport> {
    return this.#asking.ask(isRatingImport, 'POST', `${importPath(id)}/domains`, { domains });
  }

  async publish(id: string): Promise<RatingStatus> {
    return this.#asking.ask(isRatingStatus, 'POST', `${importPath(id)}/publish`, {});
  }

  async giveUp(id: string): Promise<void> {
    await this.#asking.tell('DELETE', importPath(id));
  }
}

function importPath(id: string): string {
  return `/admin/ratings/imports/${encodeURIComponent(id)}`;
}

/** A domain, and its rating from 0 to 100. */
type RatedName = readonly [domain: string, rating: number];

/**
 * An import, in requests of as many domains as one may have. It is begun with the first of them, so that a file that
 * cannot be read disturbs nobody, and nothing holds before `publish`.
 */
export class RatingUpload {
  readonly #endpoints: RatingEndpoints;
  readonly #name: string;
  #id: string | undefined;
  #waiting: RatedName[] = [];
  #bytes = 0;
  #underWay: Promise<unknown> = Promise.resolve();

  /** @param name where the list comes from, for people */
  constructor(endpoints: RatingEndpoints, name: string) {
    this.#endpoints = endpoints;
    this.#name = name;
  }

  /** Throws also what became of the domains before. */
  async add(rated: RatedName): Promise<void> {
    this.#waiting.push(rated);
    this.#bytes += rated[0].length + AROUND_BYTES;
    if (this.#waiting.length >= RATINGS_A_REQUEST || this.#bytes >= REQUEST_BYTES / 2) await this.#send();
  }

  async publish(): Promise<RatingStatus> {
    await this.#send();
    await this.#underWay;
    return this.#endpoints.publish(await this.#begun());
  }

  /** As if it had not been begun. */
  async giveUp(): Promise<void> {
    await this.#underWay.catch(() => {});
    if (this.#id !== undefined) await this.#endpoints.giveUp(this.#id);
  }

  async #send(): Promise<void> {
    const part = this.#waiting;
    if (part.length === 0) return;
    this.#waiting = [];
    this.#bytes = 0;
    const id = await this.#begun();
    await this.#underWay;
    // One is under way while the next one is read.
    this.#underWay = this.#endpoints.add(id, part);
    // Whoever waits for it next is told; until then nobody listens.
    this.#underWay.catch(() => {});
  }

  async #begun(): Promise<string> {
    this.#id ??= (await this.#endpoints.begin(this.#name)).id;
    return this.#id;
  }
}

/** `["",100],` */
const AROUND_BYTES = 9;
