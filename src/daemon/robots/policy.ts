import type { FetchFailure, RobotsAnswer } from '../fetch/fetched.ts';
import type { RobotsCopy, Unreachable } from '../storage/robots-copies.ts';
import { type RobotsRules, type Rule, wholeLines } from './parse.ts';
import { comparablePath, matches } from './pattern.ts';

/**
 * What an answer means (RFC 9309, 2.3.1). Found: its rules hold for a day. Not there (4xx, or too many redirects):
 * everything is allowed. Anything else – 5xx, 429, no answer at all – is no permission: the last file that came goes on
 * holding, and where there was none, nothing is fetched. After 30 days of that the host is taken for one without a file.
 */
export function copyOf(
  origin: string,
  answer: RobotsAnswer | FetchFailure,
  former: RobotsCopy | undefined,
  now: number,
): RobotsCopy {
  const meaning = meaningOf(answer);
  if (meaning.kind !== 'unreachable') {
    const file = meaning.kind === 'found' ? wholeLines(meaning.file) : undefined;
    return { origin, askedAt: now, expiresAt: now + FRESH_MS, file, unreachable: undefined };
  }
  const { reason, detail } = meaning;
  const since = sinceWhen(former, now);
  // What we refuse ourselves costs nobody a request, and the operator may open it at the next start.
  const waitMs = OURS.has(reason) ? LEAST_RETRY_MS : waitOf(now - since, meaning.retryAfterMs);
  return { origin, askedAt: now, expiresAt: now + waitMs, file: former?.file, unreachable: { since, reason, detail } };
}

/** Not before it was asked for, either: a clock that was ahead would make it last for a year. */
export function isFresh({ askedAt, expiresAt }: RobotsCopy, now: number): boolean {
  return askedAt <= now && now < expiresAt;
}

/** Why nothing of the host may be fetched; undefined when its rules decide. */
export function closedBy({ file, unreachable }: RobotsCopy, now: number): Unreachable | undefined {
  if (file !== undefined || unreachable === undefined) return undefined;
  return now - unreachable.since >= GIVEN_UP_MS ? undefined : unreachable;
}

type Meaning =
  | { readonly kind: 'found'; readonly file: Uint8Array }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly detail: string; readonly retryAfterMs: number };

function meaningOf(answer: RobotsAnswer | FetchFailure): Meaning {
  if (answer.outcome === 'failed') {
    const { reason, detail } = answer;
    return reason === 'redirects' ? { kind: 'none' } : { kind: 'unreachable', reason, detail, retryAfterMs: 0 };
  }
  const { bytes } = answer;
  const { status, retryAfterMs = 0 } = answer.answer;
  // A part, which nobody asked for, may lack the rule that matters.
  if (status >= 200 && status < 300 && status !== 206) return { kind: 'found', file: bytes };
  if (status >= 400 && status < 500 && status !== 429) return { kind: 'none' };
  return { kind: 'unreachable', reason: 'robots', detail: `the server answered ${status}`, retryAfterMs };
}

/** A daemon that was off, or asked for no page of the host, does not know that it could not be reached all the time. */
function sinceWhen(former: RobotsCopy | undefined, now: number): number {
  if (!former?.unreachable || now < former.askedAt || now - former.askedAt > UNKNOWN_MS) return now;
  return former.unreachable.since;
}

/** As long as it has lasted, so each wait is about twice the one before; a server that names a time is given it. */
function waitOf(lastedMs: number, retryAfterMs: number): number {
  const wait = Math.min(Math.max(lastedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
  return Math.min(Math.max(wait, retryAfterMs), FRESH_MS);
}

const OURS: ReadonlySet<string> = new Set(['private_address', 'bad_url']);
const HOUR_MS = 3_600_000;
/** The longest that RFC 9309, 2.4, lets a copy be used without asking again. */
const FRESH_MS = 24 * HOUR_MS;
const LEAST_RETRY_MS = 60_000;
const MOST_RETRY_MS = 6 * HOUR_MS;
const GIVEN_UP_MS = 30 * FRESH_MS;
const UNKNOWN_MS = 7 * FRESH_MS;

/** Whether the rules let a page be fetched, and the rule that says so; none when no rule is about it. */
interface Decision {
  readonly isAllowed: boolean;
  readonly rule: Rule | undefined;
}

/** The most specific rule that matches decides (RFC 9309, 2.2.2); robots.txt itself is always allowed. */
export function decide({ rules }: Pick<RobotsRules, 'rules'>, url: URL): Decision {
  const path = comparablePath(url);
  if (path === '/robots.txt') return { isAllowed: true, rule: undefined };
  const rule = rules.find(({ pattern }) => matches(pattern, path));
  return { isAllowed: rule?.allows ?? true, rule };
}
