import type { FetchFailure, FetchFailureReason, HttpAnswer } from '../fetch/fetched.ts';

/** What a request says of the host that it was made to, which is not always the host that answered. */
export type HostWord =
  /** Without `ms` where it sent us on: whose time it was is not known. */
  | { readonly kind: 'well'; readonly ms?: number }
  /** Nothing is known of how it is: it sent us on to where nobody answered, or closed a kept connection. */
  | { readonly kind: 'neither' }
  /** It asks to be left alone: a status, and for how long, where it says so. */
  | { readonly kind: 'told'; readonly reason: string; readonly ms: number; readonly retryAfterMs: number | undefined }
  /** A word of FetchFailureReason, or a status; and the time to the answer, 0 where there was none. */
  | { readonly kind: 'failed'; readonly reason: string; readonly ms: number }
  /** Called off by us: nothing was learnt of the host. `isDoubt`: nobody answers, so it may be our own network. */
  | { readonly kind: 'ours'; readonly isDoubt: boolean };

/** One request, robots.txt included. */
export interface Asked {
  /** When its answer was complete, or nothing more was waited for. */
  readonly at: number;
  readonly answer?: HttpAnswer | undefined;
  readonly failure?:
    | (Pick<FetchFailure, 'reason' | 'isNetworkDoubt'> & { readonly answer?: HttpAnswer | undefined })
    | undefined;
  /** Milliseconds that our own threads have spent on what came back. */
  readonly readMs?: number | undefined;
  /** As the host's robots.txt has it; at most a minute. */
  readonly crawlDelayMs: number;
}

export function wordOf(host: string, { answer: given, failure }: Asked): HostWord {
  if (failure?.reason === 'aborted') return { kind: 'ours', isDoubt: failure.isNetworkDoubt === true };
  const fault = failure && HOSTS_OWN.has(failure.reason) ? failure.reason : undefined;
  const answer = given ?? failure?.answer;
  if (!answer) return fault === undefined ? { kind: 'neither' } : { kind: 'failed', reason: fault, ms: 0 };
  // After a redirect it is another host's answer: this one has sent us on, and is well.
  if (answer.host !== host) return { kind: 'well' };
  // Sent on, and nobody answered there: it may have been this host, or another one.
  if (isRedirect(answer.status)) return { kind: fault === undefined ? 'well' : 'neither' };
  return wordOfAnswer(answer, fault);
}

function wordOfAnswer({ status, ms, retryAfterMs }: HttpAnswer, fault: FetchFailureReason | undefined): HostWord {
  const reason = String(status);
  if (TOLD.has(status) || (status >= 400 && retryAfterMs !== undefined)) {
    return { kind: 'told', reason, ms, retryAfterMs };
  }
  if (status >= 500) return { kind: 'failed', reason, ms };
  return fault === undefined ? { kind: 'well', ms } : { kind: 'failed', reason: fault, ms };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Too many requests; service unavailable. */
const TOLD: ReadonlySet<number> = new Set([429, 503]);
/** Failures that are a host's own. A page too large or a name that is forbidden says nothing of how it is. */
const HOSTS_OWN: ReadonlySet<FetchFailureReason> = new Set(['dns', 'tls', 'connect', 'timeout', 'reset']);
