import { simhashDistance } from '../../shared/page/diff/simhash.ts';
import {
  FOREIGN_URLS_A_DAY,
  LONGEST_HOST_REST_MS,
  PATTERN_PAGES,
  PATTERN_PAGES_A_FRUITFUL,
  TOMBSTONES_A_PAGE,
  TOMBSTONES_A_SOURCE,
} from '../../shared/limits.ts';
import {
  type Answer,
  type HostClass,
  type HostState,
  type Lead,
  type PageKind,
  type Rate,
  type Trust,
  type Urgency,
  URGENT,
} from './frontier.ts';
import type { Visit } from './pages.ts';

/**
 * What both implementations of the frontier decide alike: budgets, whose turn it is, when two texts are the same. Pure
 * functions, so that the two differ in how they keep things and in nothing else.
 */

export const DAY_MS = 86_400_000;
/** The longest that a page is left alone: one that is gone for good. */
export const LONGEST_INTERVAL_MS = 90 * DAY_MS;
/** A clock that is behind the last commit by less was only corrected. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * Until when a host rests by a clock that was set back to `now`; undefined: as long as it did. One that was left alone for
 * longer (`backoffAt`) was asked to by a response, and an hour more does no harm. Any other rests for seconds: had it to
 * wait until the clock is where it was, a watch of it would be late by as much.
 */
export function restAfterClock(
  { notBefore, backoffAt }: Pick<HostState, 'notBefore' | 'backoffAt'>,
  now: number,
): number | undefined {
  if (notBefore > now + LONGEST_HOST_REST_MS) return now;
  return backoffAt < notBefore && notBefore > now + PLAIN_REST_MS ? now + PLAIN_REST_MS : undefined;
}

/** When a page is due by a clock that was set back to `now`, if it was visited later than that: it waits as long as it was to. */
export function dueFrom(now: number, due: number, visitedAt: number | undefined): number {
  return visitedAt === undefined || due <= visitedAt ? due : Math.min(due, now + due - visitedAt);
}

/** The longest crawl-delay that is heeded. */
const PLAIN_REST_MS = 60_000;

/**
 * The class of a host. An answer that is an error is an answer: only who gave none at all, or broke off, is `failing`. The
 * embedded storage has an index over the same in SQL (`crawl-migrations.ts`).
 */
export function hostClass({
  failures,
  backoffReason,
  responseMs,
}: Pick<HostState, 'failures' | 'backoffReason' | 'responseMs'>): HostClass {
  if (failures > 0 && backoffReason !== undefined && backoffReason >= 'a') return 'failing';
  if (responseMs >= SLOW_MS) return 'slow';
  return responseMs === 0 ? 'new' : 'well';
}

/** Smoothed milliseconds to a complete answer from which a host counts as slow: twenty times what is usual. */
const SLOW_MS = 2_000;

/** Whether the next page is one of `sitemap`, where one of `none` waits, too: the turns of a host go round from 0 to 9. */
function isSitemapTurn(turn: number): boolean {
  return turn % 10 === 0 || turn % 10 === 3 || turn % 10 === 6;
}

/**
 * The class that a host's next page is of, among those that have a page due; undefined when none has. `isContest`:
 * sitemap entries and others both wait, so it counts as a turn.
 */
export function nextClass(
  isDue: (urgency: Urgency) => boolean,
  turn: number,
): { readonly urgency: Urgency; readonly isContest: boolean } | undefined {
  for (const urgency of [URGENT.asked, URGENT.feed] as const) if (isDue(urgency)) return { urgency, isContest: false };
  const [hints, others] = [isDue(URGENT.sitemap), isDue(URGENT.none)];
  if (!hints && !others) return undefined;
  const isContest = hints && others;
  const isHint = isContest ? isSitemapTurn(turn) : hints;
  return { urgency: isHint ? URGENT.sitemap : URGENT.none, isContest };
}

/** New URLs a day of a host that no seed is on: the better its domain is known, the more. `dr` from 0 to 100. */
export function foreignBudget(dr: number): number {
  return FOREIGN_URLS_A_DAY * (1 + dr / 5);
}

/** Pages of one pattern: the more of them had something of their own to say, the more. */
export function patternBudget(fruitful: number): number {
  return PATTERN_PAGES + PATTERN_PAGES_A_FRUITFUL * fruitful;
}

/**
 * Pages that a full source lets go of in a day (UTC) until it has no more room for such a lead. Entries of feeds are news
 * and have half of the stock; a sitemap's a tenth, what nobody dates a twentieth: links of a site without end would
 * turn the whole stock over.
 */
export function evictionsADay(maxPages: number, { urgency, changedAt }: Pick<Lead, 'urgency' | 'changedAt'>): number {
  if (urgency >= URGENT.feed) return Math.ceil(maxPages / 2);
  return Math.ceil(maxPages / (urgency === URGENT.sitemap && changedAt !== undefined ? 10 : 20));
}

/** How many of the URLs that it has let go of a source remembers. */
export function mostTombstones(maxPages: number): number {
  return Math.min(TOMBSTONES_A_SOURCE, TOMBSTONES_A_PAGE * maxPages);
}

/** A page that a full source may let go of: it leads to nothing, and is known well enough to say how seldom it changes. */
export function isExpendable(kind: PageKind, isKnownWell: boolean): boolean {
  return isKnownWell && (kind === 'article' || kind === 'minor');
}

/**
 * When a page is due that is said to have changed since its last visit. At once, as a rule. A page that changes many times
 * between two visits, because the budget has no more of them, is visited sooner by the time in which it would have changed half
 * a time: if each word of a feed were a visit, such pages would have half of the budget, and changes of others would be seen later by more
 * than theirs are seen sooner. One with a fixed interval, or that could not be had, is due at once.
 */
export function dueByHint(
  { due, state }: { readonly due: number; readonly state: HintedState | undefined },
  at: number,
): number {
  if (!state || state.failures > 0 || !(state.pull > 0)) return Math.min(due, at);
  const sooner = due - (HINT_WORTH * DAY_MS) / Math.exp(state.theta);
  return Math.min(due, sooner > at ? Math.round(sooner) : at);
}

interface HintedState extends Pick<Rate, 'theta' | 'pull'> {
  readonly failures: number;
}

const HINT_WORTH = 0.5;

/** Whether a lead says nothing new of a page that was let go of at `evictedAt`. */
export function isOld({ changedAt = 0 }: Lead, evictedAt: number | undefined): boolean {
  return evictedAt !== undefined && changedAt <= evictedAt;
}

/** Pages that a source evicted have been reported: they are no news when they come back. */
export function asReported(lead: Lead, sources: number): Lead {
  return sources === 0 ? lead : { ...lead, isBaseline: true };
}

/** Days since 1970 (UTC). */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Patterns are counted in 4,096 buckets a host: so the counts of a host that makes up patterns have a bound, too. */
export function bucketOf(pattern: number): number {
  return pattern & 0xfff;
}

/** Whether two simhashes (16 hex digits) differ in at most 3 bits. */
export function isNear(one: string, other: string): boolean {
  return simhashDistance(one, other) <= NEAR_BITS;
}

/**
 * Whether a page that says it is another one can be: a template that names one page on all of its site would silence
 * them. Texts that share half of what they say differ in 21 bits, others in 32. What is too short for a simhash is like
 * another one that is.
 */
export function isLike(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined ? one === other : simhashDistance(one, other) <= LIKE_BITS;
}

/**
 * A first visit whose page says that it is one which nobody has visited yet. It is left as if it had not been read, and
 * that one is visited first: if it answers alike, its address is the one that is reported, and else this page is read again.
 */
export function asDeferred({ pageId, sourceIds, isNamed, at, nextDue, rate, host, status }: Visit): Visit {
  return {
    pageId,
    sourceIds,
    isNamed,
    at,
    rate,
    nextDue: Math.min(nextDue, at + DEFERRED_MS),
    ...(host && { host }),
    ...(status !== undefined && { status }),
    outcome: 'unchanged',
    kind: 'minor',
    isMainChange: false,
    events: [],
    discovered: [],
  };
}

/** Time enough for a page that is urgent on its host. */
const DEFERRED_MS = 10 * 60_000;

const NEAR_BITS = 3;
const LIKE_BITS = 20;

/** The four parts of a simhash, each with its place: what is near has at least one of them in common. */
export function bandsOf(simhash: string): number[] {
  return [0, 1, 2, 3].map((band) => band * 0x10000 + Number.parseInt(simhash.slice(band * 4, band * 4 + 4), 16));
}

/** Trust after one more hint came true, or did not. Old ones fade, so that a sitemap that has become accurate is trusted again. */
export function trustAfter({ right, wrong }: Trust, isRight: boolean): Trust {
  const [rights, wrongs] = isRight ? [right + 1, wrong] : [right, wrong + 1];
  if (rights + wrongs < 64) return { right: rights, wrong: wrongs };
  return { right: Math.floor(rights / 2), wrong: Math.floor(wrongs / 2) };
}

const ANSWERS = 5;

/** The last answers with one more: newest first, and only the newest with its sentence. */
export function answersAfter(answers: readonly Answer[], newest: Answer): Answer[] {
  const { detail, movedTo } = newest;
  const more = { ...(detail !== undefined && { detail }), ...(movedTo !== undefined && { movedTo }) };
  return [{ ...withoutDetail(newest), ...more }, ...answers.slice(0, ANSWERS - 1).map(withoutDetail)];
}

function withoutDetail({ at, outcome, reason, status }: Answer): Answer {
  return { at, outcome, ...(reason !== undefined && { reason }), ...(status !== undefined && { status }) };
}

/**
 * The places that a source has: `--max-pages`. Feeds, sitemaps, and pages that nobody could read yet stand apart and take
 * none, as long as they are no more than the places themselves. Without that bound, a site of addresses that all fail would
 * have a source hold any number of them.
 */
export class Places {
  readonly #most: number;
  #pages: number;
  #apart: number;

  /** `pages`: all that the source holds. */
  constructor({
    maxPages,
    pages,
    apart,
  }: {
    readonly maxPages: number;
    readonly pages: number;
    readonly apart: number;
  }) {
    this.#most = maxPages;
    this.#pages = pages;
    this.#apart = apart;
  }

  get pages(): number {
    return this.#pages;
  }

  get apart(): number {
    return this.#apart;
  }

  get taken(): number {
    return this.#pages - Math.min(this.#apart, this.#most);
  }

  /** Whether one more may come without another one going. */
  isOpenTo(isApart: boolean): boolean {
    return this.taken < this.#most || (isApart && this.#apart < this.#most);
  }

  /** Whether a page that goes leaves a place behind. */
  isFreedBy(isApart: boolean): boolean {
    return !isApart || this.#apart > this.#most;
  }

  add(isApart: boolean): void {
    this.#pages += 1;
    if (isApart) this.#apart += 1;
  }

  remove(isApart: boolean): void {
    this.#pages -= 1;
    if (isApart) this.#apart -= 1;
  }
}

/** Such a page leads to others and has no text of its own: it is known by its kind before anybody has visited it. */
export function isListing(kind: PageKind): boolean {
  return kind === 'feed' || kind === 'sitemap';
}

/** Whether the page stands apart after a visit; `before`: whether it did, undefined if this is its first visit. */
export function isApartAfter(
  { outcome }: Pick<Visit, 'outcome'>,
  kind: PageKind,
  before: boolean | undefined,
): boolean {
  return isListing(kind) || (outcome === 'failed' && before !== false);
}
