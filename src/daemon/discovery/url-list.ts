import { QUALITY_AGE_SECONDS } from '../../shared/limits.ts';
import { type Trust, type Urgency, URGENT } from '../storage/frontier.ts';
import { type Target, targetOf } from './discover.ts';
import type { Origin } from './discover.ts';

/** A feed or a sitemap, once their differences are gone. */
export interface UrlList {
  readonly kind: 'feed' | 'sitemap';
  readonly entries: readonly Entry[];
  /** Of a sitemap index. */
  readonly sitemaps: readonly Entry[];
  /** A feed's wish: not sooner than this after the visit; at most a day. */
  readonly restMs?: number;
  /** Hours of the day (UTC) at which a feed wants not to be read. */
  readonly skipHours?: readonly number[];
  /** Where it is a news sitemap, whose dates are when articles came out. */
  readonly isNews?: boolean;
  /** A sentence: why what was read is not all of it. */
  readonly problem?: string;
}

export interface Entry {
  /** Absolute http(s). */
  readonly url: string;
  /** When it is said to have changed or come out, ms since 1970; it may lie in the future. */
  readonly changedAt?: number;
}

export interface ListOrigin extends Origin {
  /** How often what this sitemap said had changed had. */
  readonly trust?: Trust | undefined;
}

/** What a list says of one URL, as far as it is believed. */
export interface Hint {
  readonly target: Target;
  readonly changedAt: number | undefined;
  readonly urgency: Urgency;
}

/**
 * Entries with what may be believed of their dates. A date that has not come is none yet, and without one only a page
 * that is new is visited: else it would be due at each reading. At the first visit all is new, and only what came out
 * lately is urgent.
 */
export function hintsOf(entries: readonly Entry[], { kind, isNews }: UrlList, from: ListOrigin): Hint[] {
  const { at, isFirstVisit, trust } = from;
  const isBelieved = kind === 'feed' || (isTrusted(trust) && (isNews === true || !areOfOneRun(entries)));
  const isUrgentSince = isFirstVisit ? at - QUALITY_AGE_SECONDS * 1_000 : Number.NEGATIVE_INFINITY;
  const urgency = kind === 'feed' ? URGENT.feed : URGENT.sitemap;
  const hints: Hint[] = [];
  for (const entry of entries) {
    const target = targetOf(entry.url);
    if (!target) continue;
    const changedAt = isBelieved ? come(entry, at) : undefined;
    hints.push({ target, changedAt, urgency: isBelieved && (changedAt ?? 0) > isUrgentSince ? urgency : URGENT.none });
  }
  return hints.sort((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0));
}

function come({ changedAt = Number.POSITIVE_INFINITY }: Entry, at: number): number | undefined {
  return changedAt <= at ? changedAt : undefined;
}

/** The mean of Beta(1, 1) after these trials; too few say nothing. */
function isTrusted(trust: Trust | undefined): boolean {
  if (!trust || trust.right + trust.wrong < TRIALS) return true;
  return (trust.right + 1) / (trust.right + trust.wrong + 2) >= LEAST_TRUST;
}

const TRIALS = 10;
const LEAST_TRUST = 0.3;

/**
 * A generator that dates all entries of the day or the minutes it ran says nothing of any. The sitemap of one day has
 * its articles all over the day; one of news may have them all of this hour.
 */
function areOfOneRun(entries: readonly Entry[]): boolean {
  const dates = entries.map(({ changedAt }) => changedAt).filter((date) => date !== undefined);
  if (dates.length < ENTRIES_OF_A_RUN) return false;
  const first = dates.reduce((low, date) => Math.min(low, date));
  return dates.every((date) => date - first < HOUR_MS);
}

/** Fewer may well be news. */
const ENTRIES_OF_A_RUN = 10;

/** Until the hour that comes next and is not left out, or what the feed says of its pace, whichever is longer. */
export function restOf({ restMs = 0, skipHours = [] }: UrlList, at: number): number {
  const hour = Math.floor(at / HOUR_MS);
  let ahead = 0;
  while (ahead < 24 && skipHours.includes((hour + ahead) % 24)) ahead += 1;
  if (ahead === 0 || ahead === 24) return restMs;
  return Math.max(restMs, (hour + ahead) * HOUR_MS - at);
}

const HOUR_MS = 3_600_000;

/** The newest date that has come. */
export function newestOf(entries: readonly Entry[], at: number): number | undefined {
  let newest: number | undefined;
  for (const { changedAt } of entries) {
    if (changedAt !== undefined && changedAt <= at && changedAt > (newest ?? 0)) newest = changedAt;
  }
  return newest;
}
