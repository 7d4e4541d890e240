import type { DuePage } from '../storage/frontier.ts';
import { DAY_MS } from './rate.ts';
import type { Seen } from './revisit.ts';
import { CONFIRM_MS } from '../../shared/limits.ts';

/**
 * When a page is tried again that could not be had. What passes by itself (a server error, a name that does not
 * resolve) is tried soon and then ever less often; what is somebody's decision (a refusal, a type that we cannot read)
 * rarely; what is gone, almost never. How long the host is left alone is another matter: see `politeness.ts`.
 */
export interface Setback {
  readonly nextDue: number;
  /** The page waits longer than by its own rate it would. */
  readonly isLasting: boolean;
}

/** `ownMs`: the page's interval if it had not failed. */
export function afterFailure({ state, holders }: DuePage, seen: Seen, ownMs: number): Setback {
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
  return Math.min(LONGEST_MS, firstMs * 4 ** Math.min(failures, MOST_DOUBLINGS));
}

/** The steps, and then twice as long each time, up to 30 days: about as long as it has been away. */
function passing(steps: readonly number[], failures: number): number {
  const last = steps.length - 1;
  const step = steps[Math.min(failures, last)] ?? DAY_MS;
  return Math.min(LONGEST_MS, step * 2 ** Math.min(Math.max(0, failures - last), MOST_DOUBLINGS));
}

/** Nothing that may come back waits longer. */
export const LONGEST_MS = 30 * DAY_MS;
const GONE_MS = 90 * DAY_MS;
/** Whoever gave a URL is to hear within days that it is back. */
const LONGEST_OWN_MS = 3 * DAY_MS;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
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
const MOST_DOUBLINGS = 20;
