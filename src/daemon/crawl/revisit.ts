import type { RevisitHints } from '../analysis/findings.ts';
import type { DuePage, PageKind, Rate } from '../storage/frontier.ts';
import { aged, clamp, DAY_MS, learn, matchesIn, pullOf, sound, watchedMs, weightOf } from './rate.ts';
import { CONFIRM_MS, HOST_FETCHES_A_DAY } from '../../shared/limits.ts';

/**
 * When a page is visited next: in goes the page as it was due and what the visit saw, out come the next due time and
 * the page's rate. Pure: clock and randomness are the caller's.
 *
 * A page's interval is `factor / (w λ)^0.6`. What is kept short is the delay until a change is seen, not the age of the
 * copy: for that the best exponent is 1/2, and a bit more brings more changes within the hour. The factor is one
 * number for all pages and keeps them within the budget: see `scheduling-factor.ts`. docs/crawling.md has formulas and figures.
 */
export function revisit(due: DuePage, seen: Seen, factorMs: number, random: () => number): Next {
  const known = learned(due, seen);
  if (due.everyMs !== undefined) return { nextDue: nextSlot(due, seen, due.everyMs), rate: { ...known, pull: 0 } };
  const rate = { ...known, pull: pullNow(due, seen, known) };
  const ownMs = intervalOf(seen, rate, factorMs);
  if (seen.outcome !== 'failed') {
    const soonMs = Math.min(earlyMs(due, seen, ownMs), freshMs(due, seen, rate, factorMs));
    return { nextDue: seen.at + jittered(soonMs * stretchOf(due, seen.at), shortestOf(seen.kind, rate), random), rate };
  }
  const { nextDue, isLasting } = afterFailure(due, seen, ownMs);
  // What waits for weeks takes nothing of the budget.
  return { nextDue, rate: isLasting ? { ...rate, pull: 0 } : rate };
}

export interface Next {
  /** Milliseconds since 1970, after the visit. */
  readonly nextDue: number;
  readonly rate: Rate;
}

/** What a visit saw, as far as it decides when the next one is. Times in milliseconds. */
export interface Seen extends RevisitHints {
  readonly at: number;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Of a failure: a FetchFailureReason, or `doubtful`. */
  readonly reason?: string;
  readonly status?: number;
  readonly kind: PageKind;
  /** The main text is new or changed; for a feed or a sitemap: it has a new entry. */
  readonly isMainChange: boolean;
  /** Events that the visit made. */
  readonly matches: number;
}

/** After a failure nobody knows how long the page had to change: such a visit teaches nothing. */
function learned({ state, kind, urgency }: DuePage, seen: Seen): Rate {
  const rate = sound(state?.rate, kind);
  if (state === undefined && kind === 'article' && seen.publishedAt !== undefined)
    return aged(rate, seen.at - seen.publishedAt);
  const isSecondLook = state !== undefined && state.bodyHash !== undefined && state.failures === 0;
  if (!isSecondLook || seen.outcome === 'failed') return rate;
  return learn(rate, { ms: seen.at - state.visitedAt, isChange: seen.isMainChange, urgency });
}

function pullNow(due: DuePage, seen: Seen, rate: Rate): number {
  return pullOf(weightOf(seen.kind, seen.dr, matchesBefore(due, seen) + seen.matches), paceOf(due, seen, rate));
}

function matchesBefore(due: DuePage, seen: Seen): number {
  const { state, kind } = due;
  if (state === undefined) return 0;
  const rate = sound(state.rate, kind);
  const theta = paceOf(due, seen, rate);
  return matchesIn({ ...rate, theta }, kind, seen.dr, seen.at - state.visitedAt);
}

/**
 * The rate that the budget is shared by. A page that has just come is given what one with some changes a day is: it takes
 * that of the budget, so that a thousand pages that come at once have no more than there is.
 */
function paceOf(due: DuePage, seen: Seen, rate: Rate): number {
  return isFresh(due, seen, rate) ? Math.max(rate.theta, FRESH_THETA) : rate.theta;
}

/** What the page's rate asks for, and what the server asks for, within the bounds of its kind. */
function intervalOf(seen: Seen, rate: Rate, factorMs: number): number {
  return clamp(Math.max(factorMs / rate.pull, wishedMs(seen)), shortestOf(seen.kind, rate), LONGEST_MS);
}

/** For how long the server, or what it sent, wants the page to be left alone. */
function wishedMs({ kind, restMs = 0, maxAgeMs = 0 }: Seen): number {
  const longest = kind === 'sitemap' ? LONGEST_SITEMAP_REST_MS : LONGEST_REST_MS;
  return Math.max(Math.min(restMs, longest), Math.min(maxAgeMs, LONGEST_REST_MS));
}

/**
 * However much of the budget is idle: a page that changes a few times a day is visited some hundred times for each of its
 * changes and no more, unless that is seldom anyway.
 */
function shortestOf(kind: PageKind, { theta }: Rate): number {
  const [least, quiet] = SHORTEST_MS[kind];
  return clamp(DAY_MS / (MOST_VISITS_A_CHANGE * Math.exp(theta)), least, quiet);
}

/**
 * A page that has just come is looked at again soon, and after each look that finds nothing in twice the time, until it was
 * watched for some hours: then its rate is known. So a page that stays as it is gains half a dozen visits. One that
 * changes begins anew. As long as the budget has room for it: none of these looks is sooner than the page's share of it.
 */
function freshMs(due: DuePage, seen: Seen, rate: Rate, factorMs: number): number {
  if (!isFresh(due, seen, rate)) return Infinity;
  const waitedMs = due.state === undefined || seen.isMainChange ? 0 : seen.at - due.state.visitedAt;
  return clamp(Math.max(2 * waitedMs, factorMs / rate.pull, wishedMs(seen)), FIRST_LOOK_MS, LONGEST_MS);
}

function isFresh(due: DuePage, { kind, at, publishedAt }: Seen, rate: Rate): boolean {
  if ((kind !== 'article' && kind !== 'hub') || !isNews(due) || at - (publishedAt ?? at) > DAY_MS) return false;
  return watchedMs(rate, kind) <= FRESH_MS;
}

/** It was not there before, or the operator gave it. */
function isNews({ isBaseline, holders }: DuePage): boolean {
  return !isBaseline || holders.some(({ depth }) => depth === 0);
}

/**
 * A host may be asked so often in a day. Where that is used up faster than the day passes, its pages wait longer, the
 * more so the less is left: else a site of thousands of pages would be watched in the morning and not at all after noon.
 */
function stretchOf({ hostState: { day, fetches } }: DuePage, at: number): number {
  const isToday = day === Math.floor(at / DAY_MS);
  const ahead = isToday ? fetches / HOST_FETCHES_A_DAY - (at % DAY_MS) / DAY_MS : 0;
  return 2 ** clamp(ahead / AHEAD_OF_DAY - 1, 0, MOST_DOUBLINGS);
}

/**
 * Most edits of an article come in its first day: it is seen again an hour, six hours and a day after it came out,
 * if its rate does not want it sooner. Each of these waits is twice as long as the last one at least, so that a page
 * that calls itself new each time gains five visits by it and not one an hour.
 */
function earlyMs({ state, urgency }: DuePage, { kind, at, publishedAt }: Seen, ownMs: number): number {
  if (kind !== 'article') return ownMs;
  if (publishedAt === undefined) {
    const isTold = state === undefined && urgency > 0;
    return isTold ? Math.min(ownMs, EARLY_AGES_MS[0]) : ownMs;
  }
  const ageMs = Math.max(0, at - publishedAt);
  const step = EARLY_AGES_MS.find((age) => age > ageMs + SHORTEST_MS.article[1]);
  if (step === undefined) return ownMs;
  const waitedMs = state === undefined ? 0 : Math.max(0, at - state.visitedAt);
  const wait = Math.max(step - ageMs, 2 * waitedMs);
  return wait > DAY_MS ? ownMs : Math.min(ownMs, wait);
}

/** Pages that were found together would otherwise come due together permanently. ±2.5 %, within the bounds. */
function jittered(ms: number, shortestMs: number, random: () => number): number {
  const least = clamp(ms / (1 + JITTER / 2), Math.min(ms, shortestMs), LONGEST_MS / (1 + JITTER));
  return Math.round(least * (1 + JITTER * random()));
}

/**
 * A fixed interval is kept to the millisecond, by slots from the page's own due time: no drift, missed slots are left
 * out, and a failure changes nothing. What is hard to believe is looked at again within the slot, and robots.txt is
 * not asked before it can say something else; how long the host is left alone is the host's state to say.
 */
function nextSlot({ due, state }: DuePage, seen: Seen, everyMs: number): number {
  if (seen.reason === 'doubtful' && state?.doubtedAt === undefined) return seen.at + Math.min(CONFIRM_MS, everyMs);
  // The visit that confirms was due a minute after the slot; the one that doubted was made in it.
  const slot = state?.doubtedAt ?? due;
  // A clock that was set back is not waited for.
  if (slot - seen.at > everyMs) return seen.at + everyMs;
  const notBefore = Math.min(Math.max(seen.at, seen.until ?? 0), seen.at + LONGEST_MS);
  return slot + (Math.floor(Math.max(0, notBefore - slot) / everyMs) + 1) * everyMs;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Of a page that is lively, and of one that is not. */
const SHORTEST_MS: Readonly<Record<PageKind, readonly [lively: number, quiet: number]>> = {
  feed: [MINUTE_MS, 5 * MINUTE_MS],
  hub: [MINUTE_MS, 5 * MINUTE_MS],
  sitemap: [10 * MINUTE_MS, 10 * MINUTE_MS],
  article: [MINUTE_MS, 30 * MINUTE_MS],
  minor: [30 * MINUTE_MS, 30 * MINUTE_MS],
};
const MOST_VISITS_A_CHANGE = 240;
/** Of a page that has just come. */
const FIRST_LOOK_MS = 1.5 * MINUTE_MS;
const FRESH_MS = 2 * HOUR_MS;
/** Four changes a day. */
const FRESH_THETA = Math.log(4);
/** A tenth of the day's requests may be used before their time. */
const AHEAD_OF_DAY = 0.1;
const MOST_DOUBLINGS = 10;
const LONGEST_REST_MS = HOUR_MS;
/** The list of a site's sitemaps asks for this much: it names files, and they have the news. */
const LONGEST_SITEMAP_REST_MS = 6 * HOUR_MS;
const EARLY_AGES_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;
const JITTER = 0.05;

/**
 * When a page is retried that could not be fetched or read. What passes by itself (a server error, a name that does not
 * resolve) is tried soon and then ever less often; what is somebody's decision (a refusal, a type that we cannot read)
 * rarely; what is gone, almost never. How long the host is left alone is another matter: see `politeness.ts`.
 */
interface RetryBackoff {
  readonly nextDue: number;
  /** The page waits longer than by its own rate it would. */
  readonly isLasting: boolean;
}

/** `ownMs`: the page's interval if it had not failed. */
function afterFailure({ state, holders }: DuePage, seen: Seen, ownMs: number): RetryBackoff {
  const { at } = seen;
  if (seen.reason === 'doubtful') return { nextDue: confirmAt(state?.doubtedAt ?? at, at), isLasting: false };
  if (seen.reason === 'robots') {
    return { nextDue: Math.min(Math.max(seen.until ?? at + DAY_MS, at + MINUTE_MS), at + LONGEST_MS), isLasting: true };
  }
  const failures = state?.failures ?? 0;
  const isOwn = holders.some(({ depth }) => depth === 0);
  const wait = Math.min(waitOf(seen, failures, ownMs), isOwn && isGone(seen) ? LONGEST_OWN_MS : Infinity);
  const ms = Math.max(wait, Math.min((seen.until ?? at) - at, LONGEST_MS));
  return { nextDue: at + Math.round(ms), isLasting: ms > ownMs };
}

/** When to look again at what was hard to believe. */
export function confirmAt(doubtedAt: number, at: number): number {
  const confirm = doubtedAt + CONFIRM_MS;
  // Later than it should be: the clock was set back.
  return confirm > at && confirm <= at + CONFIRM_MS ? confirm : at + CONFIRM_MS;
}

/** `failures`: those before this one. */
function waitOf({ reason = '', status }: Seen, failures: number, ownMs: number): number {
  if (reason === 'not_found') return GONE_SLOWLY[failures] ?? GONE_MS;
  if (reason === 'status' && status !== undefined) return waitOfStatus(status, failures, ownMs);
  const steps = PASSING[reason];
  return steps === undefined ? growing(DAY_MS, failures) : passing(steps, failures);
}

function waitOfStatus(status: number, failures: number, ownMs: number): number {
  if (status === 404) return GONE_SLOWLY[failures] ?? GONE_MS;
  if (status === 410 || status === 451) return GONE_MS;
  if (status === 401 || status === 403) return growing(4 * ownMs, failures);
  if (status >= 500 || status === 408 || status === 429) return passing(TRANSIENT, failures);
  return growing(DAY_MS, failures);
}

/** The server says so, by its status or in words. */
function isGone({ reason, status }: Seen): boolean {
  return reason === 'not_found' || (reason === 'status' && (status === 404 || status === 410 || status === 451));
}

/** Four times as long each time, up to 30 days. */
function growing(firstMs: number, failures: number): number {
  return Math.min(LONGEST_MS, firstMs * 4 ** Math.min(failures, MOST_RETRY_DOUBLINGS));
}

/** The steps, and then twice as long each time, up to 30 days: about as long as it has been away. */
function passing(steps: readonly number[], failures: number): number {
  const last = steps.length - 1;
  const step = steps[Math.min(failures, last)] ?? DAY_MS;
  return Math.min(LONGEST_MS, step * 2 ** Math.min(Math.max(0, failures - last), MOST_RETRY_DOUBLINGS));
}

/** Nothing that may come back waits longer. */
const LONGEST_MS = 30 * DAY_MS;
const GONE_MS = 90 * DAY_MS;
/** Whoever gave a URL is to hear within days that it is back. */
const LONGEST_OWN_MS = 3 * DAY_MS;

const TRANSIENT = [5 * MINUTE_MS, 30 * MINUTE_MS, 3 * HOUR_MS, DAY_MS];
const PASSING: Readonly<Record<string, readonly number[] | undefined>> = {
  timeout: TRANSIENT,
  reset: TRANSIENT,
  connect: TRANSIENT,
  aborted: TRANSIENT,
  // Other pages had most of it.
  memory: TRANSIENT,
  maintenance: TRANSIENT,
  // As a rule it is being written.
  malformed: TRANSIENT,
  dns: [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS],
  tls: [6 * HOUR_MS, DAY_MS],
};
/** Many a 404 is a mistake of a deployment; a page that was missing for a week seldom comes back. */
const GONE_SLOWLY = [HOUR_MS, DAY_MS, 7 * DAY_MS, LONGEST_MS, LONGEST_MS, LONGEST_MS];
const MOST_RETRY_DOUBLINGS = 20;

/**
 * One number that all intervals are in proportion to, so that all pages together are visited as often as the budget
 * says. The sum of all pages' pulls, divided by the budget, is what it has to be if each page were visited when its
 * rate says: a new source makes itself felt at once. What that does not know of – bounds, hints, failures, hosts that
 * want to be left alone – a correction learns from the visits that were made.
 *
 * A page that has been given its due time keeps it: what the correction does shows after a typical interval, which
 * may be days. So it must be no faster than that, or it would swing between its bounds; it measures the typical interval
 * itself. First visits do not count: a new site is read as fast as its hosts bear, and what is known is visited no less
 * for it. So the budget is a plan, not a limit.
 */
export class SchedulingFactor {
  readonly #perMs: number;
  readonly #nodes: () => number;
  #pull = 0;
  /** ln of the factor. */
  #correction = 0;
  #visits = 0;
  #since: number | undefined;
  /** Mean of the intervals that visits were given. */
  #intervalMs = 0;
  #intervals = 0;

  /** `rate`: revisits a second (setting `crawl-rate`), of which `nodes` daemons do an equal part each. */
  constructor(rate: number, nodes: () => number = () => 1) {
    this.#perMs = rate / 1_000;
    this.#nodes = nodes;
  }

  /** What `revisit` wants: an interval is this divided by the page's pull. */
  get ms(): number {
    return (this.#pull / this.#perMs) * Math.exp(this.#correction);
  }

  /** A page that had been visited before was visited, and is due again after `intervalMs`. */
  revisited(intervalMs: number): void {
    this.#visits += 1;
    if (!(intervalMs > 0 && intervalMs < Infinity)) return;
    this.#intervals = Math.min(this.#intervals + 1, INTERVALS);
    this.#intervalMs += (intervalMs - this.#intervalMs) / this.#intervals;
  }

  /** To be told at each look at the frontier; `pull` as `Taken` has it. The correction moves once a minute. */
  steer(now: number, pull: number): void {
    // The frontier adds and subtracts: rounding may leave a bit less than nothing.
    this.#pull = clamp(pull, 0, Number.MAX_SAFE_INTEGER);
    const elapsed = now - (this.#since ?? -Infinity);
    if (elapsed >= 0 && elapsed < STEP_MS) return;
    // After a clock that was set, or a machine that slept, the count is of no use.
    if (elapsed >= STEP_MS && elapsed < STALE_MS) this.#correct(elapsed);
    this.#since = now;
    this.#visits = 0;
  }

  #correct(elapsed: number): void {
    const tooMany = (this.#visits * this.#nodes()) / (elapsed * this.#perMs) - 1;
    const inertia = Math.max(this.#intervalMs, LEAST_INERTIA_MS);
    const most = (MOST_A_STEP * elapsed) / STEP_MS;
    const step = clamp((tooMany * elapsed) / inertia, -most, most);
    this.#correction = clamp(this.#correction + step, -MOST, MOST);
  }
}

const STEP_MS = 60_000;
/** 5 % a minute. */
const MOST_A_STEP = Math.log(1.05);
/** A factor of four: a crawl that cannot spend its budget must not, when it grows, spend a hundred times too much. */
const MOST = Math.log(4);
const STALE_MS = 10 * STEP_MS;
const LEAST_INERTIA_MS = 10 * STEP_MS;
/** The mean is over about so many visits. */
const INTERVALS = 1_000;
