import { type Asked, type ResponseSignal, signalOf } from './host-request.ts';
import type { DuePage, HostState } from '../storage/frontier.ts';
import { HOST_BYTES_A_DAY, HOST_FETCHES_A_DAY } from '../../shared/limits.ts';

/**
 * What one request leaves of a host's patience. In go the host's state before and what came of the request, out comes its
 * state after: when it may be asked again, how often in a row it was left alone for longer, and what was had of it today.
 * The frontier keeps the state in the commit of the visit, so a restart is no amnesty.
 *
 * A host rests for the operator's delay, its own crawl-delay, or five times what it takes to answer, or us to read what
 * it answered, whichever is longest.
 * An error makes every rest longer and never shorter, however fast it came. Told to slow down (429, 503, Retry-After), or
 * failing five times in a row, it is left alone for a minute, then for twice as long each time, up to a day; half an hour
 * without such a signal after the last one's end and that is forgiven.
 *
 * Decided against: a host that is given up for good (who comes back after a month is asked once a day, and found), and a
 * rest that grows for 4xx (a page that is not there says nothing of the machine).
 */
export function afterRequest(
  due: Pick<DuePage, 'host' | 'hostState'>,
  asked: Asked,
  terms: PolitenessTerms,
  random: () => number,
): HostState {
  const signal = signalOf(due.host, asked);
  const host = { ...due.hostState, responseMs: responseMs(due.hostState.responseMs, signal) };
  const restMs = restOf(host, asked, terms);
  const after = { ...host, ...standing(host, signal, { at: asked.at, restMs }, random) };
  return signal.kind === 'aborted' ? after : withinBudget(after, asked, random);
}

interface PolitenessTerms {
  /**
   * The setting `crawl-host-delay`. 0 is for tests and for networks of one's own: then the response times count for
   * nothing, too, and only crawl-delay, Retry-After and the back-off make a host rest.
   */
  readonly delayMs: number;
}

/** The smoothed time to an answer. That of an error is of no use but to make it longer: they come fast. */
function responseMs(before: number, signal: ResponseSignal): number {
  if (!('ms' in signal) || signal.ms === undefined) return before;
  // There was no answer.
  if (signal.kind === 'failed' && signal.ms === 0) return before;
  // Less than a millisecond is an answer, too, and 0 is none.
  const ms = Math.min(Math.max(1, signal.ms), LONGEST_ANSWER_MS);
  const smoothed = before === 0 ? ms : before + SMOOTHING * (ms - before);
  return Math.round(signal.kind === 'well' ? smoothed : Math.max(before, smoothed));
}

/** Our reading time counts like the host's response time, so hosts with expensive pages are asked less often. */
function restOf(host: HostState, { crawlDelayMs, readMs = 0 }: Asked, { delayMs }: PolitenessTerms): number {
  const longest = Math.max(host.responseMs, readMs);
  const adaptive = delayMs === 0 ? 0 : Math.min(ANSWERS_OF_REST * longest, MOST_ADAPTIVE_MS);
  return Math.ceil(Math.max(delayMs, crawlDelayMs, adaptive));
}

type Standing = Partial<HostState> & Pick<HostState, 'notBefore'>;

function standing(
  host: HostState,
  signal: ResponseSignal,
  { at, restMs }: { readonly at: number; readonly restMs: number },
  random: () => number,
): Standing {
  // It was asked, so its back-off is over, whatever a clock that was ahead has left here.
  const backoffAt = Math.min(host.backoffAt, at);
  const isForgiven = at >= backoffAt + QUIET_MS;
  const forgiven = isForgiven ? { backoff: 0, backoffAt: 0, backoffReason: undefined } : { backoffAt };
  const backoff = isForgiven ? 0 : host.backoff;
  const leftAlone = (leastMs: number, reason: string): Standing => {
    const aloneMs = Math.max(restMs, leastMs);
    const until = Math.ceil(at + aloneMs + Math.min(JITTER * aloneMs, MOST_JITTER_MS) * random());
    return { notBefore: until, backoff: backoff + 1, backoffAt: until, backoffReason: reason };
  };
  switch (signal.kind) {
    case 'aborted':
      return { notBefore: Math.max(host.notBefore, at + (signal.isDoubt ? doubtedMs(host, restMs, random) : restMs)) };
    case 'unknown':
      return { ...forgiven, notBefore: at + restMs };
    case 'well': {
      // Why it failed is over with its failures; why it was left alone, only when that is forgiven.
      const reason = backoff === 0 ? { backoffReason: undefined } : {};
      return { ...forgiven, ...reason, failures: 0, notBefore: at + restMs };
    }
    case 'throttled':
      return leftAlone(throttledMs(signal.retryAfterMs, restMs, backoff), signal.reason);
    case 'failed': {
      const failures = host.failures + 1;
      if (failures >= FAILURES_TO_PROBE) return { ...leftAlone(stepMs(backoff), signal.reason), failures };
      return { ...forgiven, backoffReason: signal.reason, failures, notBefore: at + slowed(restMs, failures) };
    }
  }
}

/** `Retry-After: 0` is no leave to come back faster than before. */
function throttledMs(retryAfterMs: number | undefined, restMs: number, backoff: number): number {
  if (retryAfterMs === undefined) return stepMs(backoff);
  return Math.max(Math.min(retryAfterMs, DAY_MS), slowed(restMs, backoff + 1));
}

/** A minute, then twice as long each time. */
function stepMs(backoff: number): number {
  return Math.min(FIRST_STEP_MS * 2 ** backoff, DAY_MS);
}

/**
 * As long as nobody answers a host is tried every twenty seconds or so, so that the first visit follows soon when the network is
 * back; one that gave no answer before, after a rest of its own, a minute at most: it was not heard, and waited long for this.
 * The doubt settles for all who wait at one moment. They are not to come back at one, or there would be nobody in between
 * to see that it is over.
 */
function doubtedMs({ failures }: HostState, restMs: number, random: () => number): number {
  const own = failures >= FAILURES_TO_PROBE ? FIRST_STEP_MS : slowed(restMs, failures);
  return Math.max(restMs, Math.ceil(DOUBT_MS * (0.5 + random())), failures === 0 ? 0 : own);
}

/** Twice the rest for each time in a row, as long as that is less than the first step of the back-off. */
function slowed(restMs: number, times: number): number {
  return Math.max(restMs, Math.min(restMs * 2 ** times, FIRST_STEP_MS));
}

/** The daily budget of a host. Once it is used up, the host rests until the next day (UTC) plus a random delay. */
function withinBudget(host: HostState, asked: Asked, random: () => number): HostState {
  const day = Math.floor(asked.at / DAY_MS);
  const had = host.day === day ? host : { fetches: 0, bytes: 0 };
  const fetches = had.fetches + 1;
  const bytes = had.bytes + ((asked.answer ?? asked.failure?.answer)?.bytes ?? 0);
  const counted = { ...host, day, fetches, bytes };
  if (fetches < HOST_FETCHES_A_DAY && bytes < HOST_BYTES_A_DAY) return counted;
  const tomorrow = Math.ceil((day + 1) * DAY_MS + MOST_JITTER_MS * random());
  if (counted.notBefore >= tomorrow) return counted;
  const backoff = Math.max(1, counted.backoff);
  return { ...counted, notBefore: tomorrow, backoff, backoffAt: tomorrow, backoffReason: 'budget' };
}

/** In a row; from then on a host is only looked at, once a step of the back-off. */
const FAILURES_TO_PROBE = 5;
const DOUBT_MS = 20_000;
const ANSWERS_OF_REST = 5;
/** A host that needs six seconds to answer is slow; one that needs a minute is not to cost it its crawl. */
const MOST_ADAPTIVE_MS = 30_000;
const LONGEST_ANSWER_MS = 60_000;
/** Some ten answers are remembered: one that was slow by chance is soon forgotten. */
const SMOOTHING = 0.25;
const FIRST_STEP_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const QUIET_MS = 30 * 60_000;
/** Upwards only: nobody is asked before the time that he named. */
const JITTER = 0.1;
const MOST_JITTER_MS = 3_600_000;
