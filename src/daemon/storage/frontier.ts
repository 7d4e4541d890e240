/**
 * The frontier: which URLs there are, who holds them, when each is due, and what its host can bear. The host is chosen
 * first, then its most urgent page; whoever takes a page has its whole host until the visit is committed, the page is
 * released, or the lease runs out. So no host has two requests at a time, whatever happens to who asked.
 */
export interface Frontier {
  /**
   * Makes the source known and its seeds due at once. Again, it changes the source's terms: an interval that got
   * shorter brings its pages forward, a paused source's pages (unless another source holds them) are not taken.
   */
  putSource(source: FrontierSource, seeds: readonly Lead[], at: number): Promise<void>;
  /** Removes the source, and the pages that no other source holds. */
  removeSource(sourceId: string): Promise<void>;
  sources(): Promise<SourceSummary[]>;
  /**
   * Leases the most urgent due page of each host that may be asked, longest-waiting host first; of the hosts of a class at
   * most as many as `most` allows. Hosts of `except` are left alone.
   */
  take(question: TakeQuestion): Promise<Taken>;
  /**
   * Ends the lease of the page's host without a visit; the page is as due as it was. With the token of a lease that is over
   * (`DuePage.lease`) nothing is written.
   */
  release(pageId: number, host: HostState, lease?: number): Promise<void>;
  /** URLs found outside a visit (an archive, a list). Resolved when all are durable; how many were new. */
  offer(found: readonly Discovered[], at: number): Promise<number>;
  /** Makes the page due at once, ahead of everything (`URGENT.asked`). False: no source holds it. */
  prioritize(identity: Identity, at: number): Promise<boolean>;
  /** All that is known of one URL; undefined when no source holds it. */
  look(identity: Identity): Promise<PageReport | undefined>;
  /**
   * Puts right what a clock that was ahead has scheduled: pages due later than their longest interval from now, hosts
   * that rest longer than any rest, or than a minute without having been left alone for longer. What it says was visited,
   * full or let go of later than now was so now, and a page visited then is due as long from now as it was from its visit. In
   * short transactions. How many pages were due too late.
   */
  bringForward(now: number): Promise<number>;
  /**
   * Forgets hosts that have neither pages nor watches any more, and do not rest, and finishes removals that could not be. To
   * be called from time to time; in short transactions.
   */
  tidy(now: number): Promise<void>;
  frontierTotals(now: number): Promise<FrontierTotals>;
  /** Hosts with pages or watches that fail, are slow, or back off: those first that are asked again first. */
  unhealthyHosts(atMost: number): Promise<readonly UnhealthyHost[]>;
  /**
   * URLs of sources and watches that are not paused whose last visit failed: those of sources first, in the order in
   * which they were added.
   */
  failingPages(atMost: number): Promise<readonly FailingPage[]>;
  /** URLs of sources that are not paused whose last visit was led elsewhere by permanent redirects, in the same order. */
  movedPages(atMost: number): Promise<readonly MovedPage[]>;
}

export interface UnhealthyHost extends Pick<HostState, 'backoff' | 'backoffReason' | 'failures' | 'responseMs'> {
  readonly name: string;
  /** When a page or watch of it can be taken next; undefined where all are paused. */
  readonly readyAt: number | undefined;
}

/** `id`: of its source or watch. `at`: when its last visit was; `detail` of that one, a sentence. */
export interface FailingPage extends Pick<Answer, 'at'> {
  readonly kind: 'source' | 'watch';
  readonly id: string;
  readonly url: string;
  readonly reason: string;
  readonly status: number | undefined;
  /** Visits in a row that failed. */
  readonly failures: number;
  /** When the first of these was; undefined where so old a visit is not kept. */
  readonly since: number | undefined;
  readonly detail: string | undefined;
}

/** Since when visits have failed, of as many as are kept, newest first. */
export function failingSince(answers: readonly Pick<Answer, 'at' | 'outcome'>[], failures: number): number | undefined {
  const ended = answers.findIndex(({ outcome }) => outcome !== 'failed');
  const run = ended === -1 ? answers : answers.slice(0, ended);
  return run.length >= failures ? run.at(-1)?.at : undefined;
}

/** `id`: of its source. `at`: when its last visit was. */
export interface MovedPage extends Required<Pick<Answer, 'at' | 'movedTo'>> {
  readonly id: string;
  readonly url: string;
}

/** The source of what came from archives: none of the operator's, always paused, so that nothing is visited for it. */
export const ARCHIVE_SOURCE = 'archive';

export interface FrontierSource {
  readonly id: string;
  /** The fixed interval of its pages; undefined: each page has its own, by how often it changes. */
  readonly everyMs: number | undefined;
  /** Held at once. In a full source one that it knows well goes for each that comes, within a share of them a day. */
  readonly maxPages: number;
  readonly isPaused: boolean;
  /**
   * It goes further than it did: each of its pages is read at its next visit whatever its bytes are, for links that
   * were not followed before.
   */
  readonly isWider?: boolean;
}

/**
 * What a URL is for the crawl. `minor`: a copy, an alias, one more page of a list; worth a rare look. `hub`: a page
 * that leads to others (a seed, a front page).
 */
export type PageKind = 'article' | 'hub' | 'feed' | 'sitemap' | 'minor';

/**
 * How a due page stands among those of its host: by this, then by due time. Of the pages taken from a host that also
 * has others waiting, at most three in ten are of `sitemap`: a site that mints sitemap entries does not starve itself.
 */
export const URGENT = { none: 0, sitemap: 1, feed: 2, asked: 3 } as const;
export type Urgency = (typeof URGENT)[keyof typeof URGENT];

/** What makes two URLs one page: see `discovery/canonical.ts`. */
export interface Identity {
  /** `hostname[:port]`: what politeness counts by. */
  readonly host: string;
  /** 52 bits of a SHA-256 over the identity form of the URL. */
  readonly hash: number;
}

/**
 * A URL to visit. For a page that was visited it is a hint: with `urgency` and `changedAt` after that, it is due sooner, as a
 * rule now (`dueByHint`).
 */
export interface Lead extends Identity {
  /** As it is fetched. */
  readonly url: string;
  /** Links from the seed of its source; the seed has 0. */
  readonly depth: number;
  readonly kind: PageKind;
  readonly urgency: Urgency;
  /** When the page is said to have changed or appeared, ms since 1970. */
  readonly changedAt?: number;
  /** 32-bit hash of the host and of the path with its digits folded: URLs that one template makes share a budget. */
  readonly pattern: number;
  /** On another host than the seed: such hosts have a budget of new URLs a day. */
  readonly isForeign: boolean;
  /** Its first version is a baseline and no news. */
  readonly isBaseline: boolean;
}

/** URLs found for one source; new ones that it can make no room for, or beyond a budget, are left out and counted. */
export interface Discovered {
  readonly sourceId: string;
  readonly leads: readonly Lead[];
}

export interface TakeQuestion {
  readonly now: number;
  readonly atMost: number;
  /** How long the hosts are leased. */
  readonly leaseMs: number;
  /** Hosts that the asker still holds, although their lease may have run out. */
  readonly except: readonly string[];
  /** Of each class; absent: as many as `atMost`. */
  readonly most?: HostLimits;
}

/**
 * What a visit of the host is likely to hold up, by its last answers: `well` answers quickly, `new` was never heard of,
 * `slow` takes seconds, `failing` gave no answer to the last request. See `hostClass` in `frontier-rules.ts`.
 */
export const HOST_CLASSES = ['well', 'new', 'slow', 'failing'] as const;
export type HostClass = (typeof HOST_CLASSES)[number];
export type HostLimits = Readonly<Record<HostClass, number>>;
export const UNLIMITED: HostLimits = { well: Infinity, new: Infinity, slow: Infinity, failing: Infinity };

export interface Taken {
  readonly pages: readonly DuePage[];
  /**
   * When the next host may be asked for something that is due then; undefined: never, or more can be taken now. `now`:
   * there were more hosts to look at than one look may, and the next one goes on there. Hosts of a class of which none was
   * wanted do not count.
   */
  readonly nextAt: number | undefined;
  /** Sum of `Rate.pull` over all pages: what a budget is shared by. */
  readonly pull: number;
}

export interface DuePage {
  readonly id: number;
  /**
   * Of a page that was taken: the token of its host's lease, which never comes back. The commit or release that shows it writes
   * nothing once somebody else has the host. Absent where nobody has taken it (`look`).
   */
  readonly lease?: number;
  readonly url: string;
  readonly host: string;
  readonly due: number;
  readonly kind: PageKind;
  readonly urgency: Urgency;
  readonly isBaseline: boolean;
  /** The shortest fixed interval of the sources that hold the page; undefined when none has one. */
  readonly everyMs: number | undefined;
  /** Its sources that are not paused, with the page's depth in each. */
  readonly holders: readonly Holder[];
  /** What visits have left; undefined before the first. */
  readonly state: PageState | undefined;
  readonly hostState: HostState;
  /** For a sitemap: how often a change that it announced was real, and how often not. */
  readonly trust: Trust | undefined;
}

export interface Holder {
  readonly sourceId: string;
  readonly depth: number;
}

export interface PageState {
  readonly visitedAt: number;
  /**
   * SHA-256 of the last version's bytes, cut to 16 bytes, hex; undefined when the page has to be read whatever its bytes
   * are: before the first successful visit, and when a source has come to hold it that does not know its links.
   */
  readonly bodyHash: string | undefined;
  /** Sent back as they came; undefined with `bodyHash`, and where the server gave none. */
  readonly validators: Validators | undefined;
  /** When the page was last fetched without validators and read or found the same. */
  readonly fullAt: number;
  /** Failed visits in a row. */
  readonly failures: number;
  /** When the last visit found what is hard to believe, and left it to the next one to confirm; else undefined. */
  readonly doubtedAt: number | undefined;
  readonly rate: Rate;
}

export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** How often a page changes, as its visits have shown: see `crawl/revisit.ts`. */
export interface Rate {
  /** ln of changes a day. */
  readonly theta: number;
  /** How much is known. */
  readonly info: number;
  /** Its share of the budget: `(w λ)^0.6`; 0 for a page with a fixed interval. */
  readonly pull: number;
}

export interface Trust {
  readonly right: number;
  readonly wrong: number;
}

/** What a host can bear, as its answers have shown. Durable: a restart is no amnesty. */
export interface HostState {
  /** Nothing is asked of it before. */
  readonly notBefore: number;
  /** 0: it is well. Else how many times in a row it was left alone for longer. */
  readonly backoff: number;
  /** Until when it was last left alone for longer: it is backing off as long as this is ahead; `backoff` stays for half an hour of answers more. */
  readonly backoffAt: number;
  /** Why it was left alone for longer, or failed last: a word of FetchFailureReason, a status (`429`), or `budget`. */
  readonly backoffReason: string | undefined;
  /** Failures in a row that were the host's own. */
  readonly failures: number;
  /** Smoothed time to a complete answer; 0 before the first. */
  readonly responseMs: number;
  /** Days since 1970 (UTC) that the three counts are of. */
  readonly day: number;
  readonly fetches: number;
  readonly bytes: number;
}

export const NEW_HOST: HostState = {
  notBefore: 0,
  backoff: 0,
  backoffAt: 0,
  backoffReason: undefined,
  failures: 0,
  responseMs: 0,
  day: 0,
  fetches: 0,
  bytes: 0,
};

export interface SourceSummary {
  readonly id: string;
  /** That take a place of `maxPages` (`Places`). */
  readonly pages: number;
  readonly visits: number;
  /** Of its seeds: when the next one is due. */
  readonly nextDue: number | undefined;
  readonly last: LastVisit | undefined;
}

export interface LastVisit extends Answer {
  readonly url: string;
}

/** How one visit ended. */
export interface Answer {
  readonly at: number;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only when failed: a word. */
  readonly reason?: string;
  /** A sentence: why it failed, or why what was read of a list is not all of it. */
  readonly detail?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** Of a URL that the operator gave: where each redirect on the way was permanent, the address that it has now. */
  readonly movedTo?: string;
}

/** What `hydrant crawl why` tells. */
export interface PageReport {
  readonly page: DuePage;
  /** Newest first, five at most; only the newest has a `detail` and `movedTo`. */
  readonly answers: readonly Answer[];
  /** Paused sources that hold it, too. */
  readonly pausedSourceIds: readonly string[];
  /** Whether its host is leased now, and pages of the host that would be taken before it (counted up to 1,000). */
  readonly isHostLeased: boolean;
  readonly ahead: number;
  /** The URL it is a copy or an alias of, if it is one. */
  readonly sameAs: string | undefined;
}

export interface FrontierTotals {
  /** Known pages, and those never visited yet. */
  readonly pages: number;
  readonly unvisited: number;
  readonly visits: number;
  readonly changes: number;
  readonly failures: number;
  /** With pages or watches; leased to either. */
  readonly hosts: number;
  readonly hostsBackingOff: number;
  readonly hostsLeased: number;
  /** Begin of the lease that is held longest. */
  readonly oldestLease: number | undefined;
  /**
   * Since when that page could have been visited that waits longest: it was due, and its host had rested. Undefined when none
   * is due. Hosts that are failing do not count: they wait for few places on purpose.
   */
  readonly oldestDue: number | undefined;
  /** URLs left out since the database began, by reason. */
  readonly dropped: { readonly maxPages: number; readonly hostBudget: number; readonly patternBudget: number };
}
