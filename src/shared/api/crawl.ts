import { RequestChange, type RequestReport } from './own-request.ts';
import { RenderOptions } from './render.ts';
import { type Static, Type } from 'typebox';
import {
  ARCHIVE_QUESTIONS,
  QUERY_LENGTH,
  SOURCE_DEPTH,
  SOURCE_EVERY_SECONDS,
  SOURCE_PAGES,
  SOURCES_A_REQUEST,
  URL_LENGTH,
} from '../limits.ts';
import type { ReadingAccount } from '../page/account.ts';
import type { DiffChunk } from './match.ts';
import type { Withheld } from './rule-report.ts';
import type { UnhealthyHost } from './status.ts';

/** `GET /admin/crawl`: the crawl on one screen. Rates and shares are of the last minute, counts since the database began. */
export interface CrawlStatus {
  /** An instant: when the figures were taken. */
  readonly at: string;
  readonly sources: { readonly active: number; readonly paused: number };
  readonly pages: {
    readonly known: number;
    readonly unvisited: number;
    /** Milliseconds by which the page that waits longest on a host that could be asked is late; null: none is due. */
    readonly oldest_due_ms: number | null;
  };
  readonly visits: { readonly made: number; readonly changed: number; readonly failed: number };
  readonly pages_per_second: number;
  /** Milliseconds from a page's due time to the begin of its visit, of the newest visits; null before the first. */
  readonly due_lag_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly in_flight: {
    readonly visits: number;
    readonly oldest_ms: number | null;
    /** Those that have been under way longest, five at most. */
    readonly slowest: readonly { readonly host: string; readonly ms: number }[];
  };
  readonly hosts: { readonly known: number; readonly leased: number; readonly backing_off: number };
  /**
   * Visits since the daemon's start by how they ended: `changed`, `unchanged`, `none` (only robots.txt was fetched), or
   * the reason they failed for: a word, `http_4xx`, `http_5xx`.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Since the daemon's start: put off because the address of their host had enough to do; ended in a fault of our own. */
  readonly put_off: number;
  readonly faults: number;
  /** Since when no host at all has answered: it may be our own network. */
  readonly network_doubted_since: string | null;
  /** Hosts that fail, back off or are slow; 250 at most, those first that are asked again first. */
  readonly unhealthy?: readonly UnhealthyHost[];
  readonly robots: { readonly copies: number; readonly unreachable: number; readonly refused: number };
  /** URLs that were found and left out, by the budget that was used up. */
  readonly dropped: { readonly max_pages: number; readonly host_budget: number; readonly pattern_budget: number };
  /** Threads that read and judge pages, and pages that wait for one. */
  readonly threads: { readonly running: number; readonly waiting: number };
  /** The newest visits since the daemon's start, newest first, at most 50. Absent from older daemons. */
  readonly recent_visits?: readonly SourceVisit[];
  /** Pages whose last visit failed, of those visited since the daemon's start, newest first, at most 50. */
  readonly recent_failures?: readonly SourceVisit[];
}

/**
 * `GET /admin/crawl/history`: what the crawl did since the daemon's start, as far as a day and a week go back: oldest first, the
 * last span has begun. Null: before the start.
 */
export interface CrawlHistory {
  /** Seconds of one span of `day`, and of one of `week`. */
  readonly day_seconds: number;
  readonly week_seconds: number;
  readonly day: readonly (CrawlSpan | null)[];
  readonly week: readonly (CrawlSpan | null)[];
}

export interface CrawlSpan {
  /** When it begins. */
  readonly at: string;
  readonly visits: number;
  readonly changed: number;
  readonly failed: number;
  /** Milliseconds by which visits began late, on average; null where none began. */
  readonly late_ms: number | null;
}

export const UrlQuestion = Type.Object({ url: Type.String({ minLength: 1, maxLength: URL_LENGTH }) });
export type UrlQuestion = Static<typeof UrlQuestion>;

/** `GET /admin/urls?url=`: what the crawl knows of one URL, and why it does with it what it does. */
export interface UrlReport {
  /** As it is fetched. */
  readonly url: string;
  readonly host: string;
  /** Why it looks like a URL that a site makes without end, as a sentence's rest; null for an ordinary one. */
  readonly trap: string | null;
  /** Those that hold it first, then those that could; 20 at most. */
  readonly sources: readonly UrlSource[];
  readonly robots: UrlRobots;
  /** Null: no source holds it, so it is not visited. */
  readonly page: UrlPage | null;
}

export interface UrlSource {
  readonly id: string;
  readonly url: string;
  readonly scope: string;
  readonly paused: boolean;
  readonly holds: boolean;
  /**
   * Why it does not hold it. `scope`: it does not reach there. `depth`: it follows no links. `trap`: it leaves such URLs
   * out. `budget`: it is full, and lets few pages in each day. `not_found`: no page it has visited leads there, within its depth.
   */
  readonly because: 'scope' | 'depth' | 'trap' | 'budget' | 'not_found' | null;
}

export interface UrlRobots {
  readonly verdict: 'allowed' | 'refused' | 'unknown';
  /** A sentence, with the line that decided; null where there is nothing to say. */
  readonly detail: string | null;
}

export interface UrlPage {
  readonly kind: 'article' | 'hub' | 'feed' | 'sitemap' | 'minor';
  readonly due_at: string;
  /** By which it goes before other pages of its host. */
  readonly urgency: 'none' | 'sitemap' | 'feed' | 'asked';
  /** Pages of its host that are taken before it; counted up to 1,000. */
  readonly ahead: number;
  readonly host: UrlHost;
  /** Fixed by a source; null: by how often it changes. */
  readonly every_seconds: number | null;
  /** About how long it stays as it is; null before there is anything to judge by. */
  readonly changes_every_seconds: number | null;
  readonly failures: number;
  /** Since when a change waits to be confirmed, being hard to believe. */
  readonly doubted_since: string | null;
  /** The server tells versions apart: the page is asked for only if it has changed, but once a day. */
  readonly conditional: boolean;
  /** When it was last had in full. */
  readonly full_at: string | null;
  /** The URL it is a copy or an alias of. */
  readonly same_as: string | null;
  /** What its last version says of its reading; null before the first one, and of a list of other pages. */
  readonly account: ReadingAccount | null;
  /** Milliseconds since 1970 of the last visit: tells two visits of one second apart. */
  readonly last_visit_ms: number | null;
  /** Newest first. */
  readonly answers: readonly Omit<SourceVisit, 'url'>[];
}

export interface UrlHost {
  /** A visit of one of its pages is under way. */
  readonly leased: boolean;
  /** It rests until then; null when it may be asked. */
  readonly rests_until: string | null;
  readonly backing_off: { readonly since: string; readonly times: number; readonly reason: string } | null;
  readonly failures: number;
  /** Smoothed time to a complete answer; null before the first. */
  readonly response_ms: number | null;
  readonly today: { readonly fetches: number; readonly bytes: number };
}

/** `value`: a query, to be asked of the change as a new rule would be. */
export const PageChangeQuestion = Type.Object({
  ...UrlQuestion.properties,
  value: Type.Optional(Type.String({ minLength: 1, maxLength: QUERY_LENGTH })),
});
export type PageChangeQuestion = Static<typeof PageChangeQuestion>;

/** `GET /admin/urls/change?url=&value=`: the last change of a page, as far as it is kept, and what each rule makes of it now. */
export interface PageChangeReport {
  /** As it is fetched. */
  readonly url: string;
  /** Whether the daemon keeps changes at all (setting `recent-bytes`). */
  readonly kept: boolean;
  /** Older changes are not kept. */
  readonly since: string;
  /** The newest of the last five visits that found a change; null where none of them did. */
  readonly changed_at: string | null;
  /** False: the time for looking was up, and older changes were not looked at. */
  readonly complete: boolean;
  /** Null: it is not kept. */
  readonly change: KeptChange | null;
  /** The rules of the organization; empty without a change. */
  readonly rules: readonly RuleSight[];
  /** What the query that was sent makes of it; absent without one, or without a change. */
  readonly query?: Pick<RuleSight, 'outcome' | 'reason'>;
}

/** A change as rules saw it. */
export interface KeptChange {
  readonly at: string;
  readonly url: string;
  readonly title?: string;
  readonly title_changed: boolean;
  readonly chunks: readonly DiffChunk[];
  readonly added_anchors: readonly string[];
  readonly removed_anchors: readonly string[];
  /** Links that lead elsewhere under the same text. */
  readonly links: readonly { readonly text: string; readonly before: string; readonly after: string }[];
}

/** What a rule, as it is now, makes of a change. */
export interface RuleSight {
  readonly rule_id: string;
  readonly tap_id: string;
  /** Its name. */
  readonly tap: string;
  readonly tag?: string;
  readonly value: string;
  /** `filtered`: the query fits, and `reason` keeps the page from it. `refused`: this version does not accept the query. */
  readonly outcome: 'matched' | 'filtered' | 'no_match' | 'paused' | 'refused' | 'failed';
  readonly reason?: Withheld;
  /** Of what matched: its event, if the log still has it, and whether someone has read it, which is when it is charged. */
  readonly event?: string;
  readonly delivered?: boolean;
}

/** `POST /admin/urls/visit`. */
export interface VisitOrder {
  readonly url: string;
  /** As `UrlPage.last_visit_ms`, before the visit that was asked for. */
  readonly last_visit_ms: number | null;
  /** All sources that hold it are paused: it is visited when one of them goes on. */
  readonly paused: boolean;
}

const Every = Type.Integer({ minimum: 1, maximum: SOURCE_EVERY_SECONDS });
const Depth = Type.Integer({ minimum: 0, maximum: SOURCE_DEPTH });
const MaxPages = Type.Integer({ minimum: 1, maximum: SOURCE_PAGES });

const terms = {
  /**
   * `page`: this URL alone, and the entries of a feed or sitemap. `prefix`: what lies below its directory. `host`,
   * `domain`: every page that links lead to there. `any`: anywhere.
   */
  scope: Type.Optional(
    Type.Union([
      Type.Literal('page'),
      Type.Literal('prefix'),
      Type.Literal('host'),
      Type.Literal('domain'),
      Type.Literal('any'),
    ]),
  ),
  /** Links from the URL at most; absent: as far as the scope goes, with `any` 2. */
  depth: Type.Optional(Depth),
  /** Seconds between two visits of a page; absent: each page by how often it changes. */
  every_seconds: Type.Optional(Every),
  /** Pages held at once: in a full source one goes for each that comes. Absent: 1,000, with `any` 100. */
  max_pages: Type.Optional(MaxPages),
  /** What is there at first is no news. */
  baseline: Type.Optional(Type.Boolean()),
  /** Of scope `page` alone, as is `render`. */
  request: Type.Optional(RequestChange),
  /** Its page is read as a browser shows it; what it leads to is not. Absent or null: as its server sends it. */
  render: Type.Optional(Type.Union([RenderOptions, Type.Null()])),
};

/** Where a crawl starts, how far it goes from there, and how often it comes back. */
export const SourceCreation = Type.Object({ url: Type.String({ minLength: 1, maxLength: URL_LENGTH }), ...terms });
export type SourceCreation = Static<typeof SourceCreation>;

/** Many at once. A URL that cannot be crawled is told in the answer and keeps none of the others out. */
export const SourceBatch = Type.Object({
  sources: Type.Array(Type.Object({ url: Type.String(), ...terms }), { minItems: 1, maxItems: SOURCES_A_REQUEST }),
});
export type SourceBatch = Static<typeof SourceBatch>;

/** What became of each: `index` counts from 0 in the order of the request. */
export interface SourceBatchReport {
  readonly added: readonly Source[];
  /** There was one with this URL and scope already, or the request names it twice; it stays as it is. */
  readonly known: readonly { readonly index: number; readonly id: string; readonly url: string }[];
  readonly refused: readonly { readonly index: number; readonly url: string; readonly message: string }[];
}

/** What is absent stays as it is. */
export const SourceChange = Type.Object({
  depth: Type.Optional(Type.Union([Depth, Type.Null()])),
  every_seconds: Type.Optional(Type.Union([Every, Type.Null()])),
  max_pages: Type.Optional(MaxPages),
  paused: Type.Optional(Type.Boolean()),
  request: Type.Optional(RequestChange),
  render: Type.Optional(Type.Union([RenderOptions, Type.Null()])),
});
export type SourceChange = Static<typeof SourceChange>;

export interface Source {
  readonly id: string;
  readonly url: string;
  readonly scope: NonNullable<SourceCreation['scope']>;
  /** Null: as far as the scope goes. */
  readonly depth: number | null;
  /** Null: each page by how often it changes. */
  readonly every_seconds: number | null;
  readonly max_pages: number;
  readonly baseline: boolean;
  readonly paused: boolean;
  readonly created_at: string;
  /** Pages known so far, and visits made. */
  readonly pages: number;
  readonly visits: number;
  /** The newest visit of any of its pages; null before the first. */
  readonly last_visit: SourceVisit | null;
  /** The next visit of its URL; null when it is paused or not known yet. */
  readonly next_visit_at: string | null;
  /** Why the last visit of its URL failed; absent where it did not. */
  readonly problem?: SourceProblem;
  /** How its page is asked for; absent: as the crawl asks. */
  readonly request?: RequestReport;
  /** Absent: it is read as its server sends it. */
  readonly render?: RenderOptions;
}

export interface SourceProblem {
  /** A word, or the HTTP status that it failed for. */
  readonly reason: string;
  readonly detail?: string;
  /** Visits in a row that failed, and when the first of them was; absent where so old a visit is not kept. */
  readonly failures: number;
  readonly since?: string;
}

export interface SourceVisit {
  readonly url: string;
  readonly at: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only when it failed: the reason in a word. */
  readonly reason?: string;
  /** In a sentence, why it failed, or why what was read of a feed or sitemap is not all of it. */
  readonly detail?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
}

/**
 * `POST /admin/ingest` takes one `response` record of a web archive, as it stands in an unpacked WARC file, from its
 * `WARC/` line to the end of its block, and answers what became of the page in it.
 */
export interface Ingested {
  /** `skipped`: nothing was recorded. The others are how the visit ended. */
  readonly outcome: 'changed' | 'unchanged' | 'failed' | 'skipped';
  /** Matches, over all taps. */
  readonly events: number;
  /**
   * Of what was skipped or failed. `known`: the page was visited then, or later. `future`: the record is of a time that
   * is yet to come. `url`: its URL is none that the crawl would visit. Others: what is wrong with the page.
   */
  readonly reason?: string;
  readonly detail?: string;
}

/** `POST /admin/ingest/known`: which of these records need not be sent, since their pages were visited then or later. */
export const ArchiveQuestion = Type.Object({
  records: Type.Array(Type.Object({ url: Type.String({ maxLength: URL_LENGTH }), at: Type.Number({ minimum: 0 }) }), {
    maxItems: ARCHIVE_QUESTIONS,
  }),
});
export type ArchiveQuestion = Static<typeof ArchiveQuestion>;

/** One answer a record, in their order. */
export interface ArchiveAnswer {
  readonly known: readonly boolean[];
}
