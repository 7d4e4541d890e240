import { type Static, Type } from 'typebox';
import { URL_LENGTH } from '../limits.ts';
import type { SourceVisit } from './source.ts';
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

/** `POST /admin/urls/visit`. */
export interface VisitOrder {
  readonly url: string;
  /** As `UrlPage.last_visit_ms`, before the visit that was asked for. */
  readonly last_visit_ms: number | null;
  /** All sources that hold it are paused: it is visited when one of them goes on. */
  readonly paused: boolean;
}
