import { KEEP_MS } from '../fetch/connection.ts';
import type { Fetched, Fetcher, FetchFailure, FetchFailureReason, HttpAnswer, PageRequest } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import type { Met, Refused, Robots } from '../robots/robots.ts';
import type { DuePage, HostState } from '../storage/frontier.ts';

/**
 * The one request that a turn of a host is: its robots.txt, or what is due there. Pages and watches go through here, so
 * that no host can tell which of the two has asked it.
 */
export interface HostAccess {
  readonly robots: Pick<Robots, 'ask'>;
  readonly fetcher: Pick<Fetcher, 'fetch' | 'rest'>;
  readonly outside: Pick<Outside, 'now'>;
  /** What the host can bear after this request (`politeness.ts`). */
  readonly host: (due: RequestTarget, asked: Asked) => HostState;
}

type RequestTarget = Pick<DuePage, 'url' | 'host' | 'hostState'>;

/** `host`: what the host can bear from now on. */
export type HostReply =
  /** By our own doing, or by nobody's: nothing was learnt of what is due. */
  | { readonly kind: 'called_off'; readonly host: HostState }
  /** By the robots.txt that is known: the host was asked for nothing. */
  | { readonly kind: 'refused'; readonly refusal: Refused }
  /** The host was asked for its robots.txt, and for nothing else. */
  | { readonly kind: 'robots'; readonly met: Met; readonly asked: Asked; readonly host: HostState }
  | { readonly kind: 'fetched'; readonly fetched: Fetched; readonly asked: Asked; readonly host: HostState };

/** `requestOf` is asked once the robots.txt allows it. */
export async function requestOfHost(
  due: RequestTarget,
  requestOf: () => PageRequest,
  access: HostAccess,
  signal: AbortSignal,
): Promise<HostReply> {
  const permission = await access.robots.ask(due.url, signal);
  if (permission.kind === 'fetched') {
    const { crawlDelayMs, answer, failure } = permission;
    const asked: Asked = { at: access.outside.now(), crawlDelayMs, answer, failure };
    return { kind: 'robots', met: permission, asked, host: hostAfter(due, asked, access) };
  }
  if (signal.aborted) return { kind: 'called_off', host: due.hostState };
  if (permission.kind === 'refused') return { kind: 'refused', refusal: permission };
  const fetched = await access.fetcher.fetch(requestOf(), signal);
  const said = fetched.outcome === 'failed' ? { failure: fetched } : { answer: fetched.answer };
  const asked: Asked = { at: access.outside.now(), crawlDelayMs: permission.crawlDelayMs, ...said };
  const host = hostAfter(due, asked, access);
  // Nothing was learnt of the page, but the host was asked.
  if (signal.aborted || isNothing(fetched)) return { kind: 'called_off', host };
  return { kind: 'fetched', fetched, asked, host };
}

/** What the host can bear from now on. One that is left alone for longer than a connection is kept need not keep it at all. */
function hostAfter(due: RequestTarget, asked: Asked, { host, fetcher }: HostAccess): HostState {
  const state = host(due, asked);
  if (state.notBefore - asked.at > KEEP_MS) fetcher.rest(due.host);
  return state;
}

function isNothing(fetched: Fetched): boolean {
  return fetched.outcome === 'failed' && NOTHING.has(fetched.reason);
}

const NOTHING: ReadonlySet<FetchFailureReason> = new Set(['aborted', 'stale']);

/** Once a day a URL is fetched whatever its server thinks of it: some give the old tag to a new page. */
export function isFullTurn(fullAt: number | undefined, now: number): boolean {
  return fullAt === undefined || now < fullAt || now >= fullAt + FULL_MS;
}

const FULL_MS = 24 * 3_600_000;

/** What a request says of the host that it was made to, which is not always the host that answered. */
export type ResponseSignal =
  /** Without `ms` where it sent us on: whose time it was is not known. */
  | { readonly kind: 'well'; readonly ms?: number }
  /** Nothing is known of how it is: it sent us on to where nobody answered, or closed a kept connection. */
  | { readonly kind: 'unknown' }
  /** It asks to be left alone: a status, and for how long, where it says so. */
  | {
      readonly kind: 'throttled';
      readonly reason: string;
      readonly ms: number;
      readonly retryAfterMs: number | undefined;
    }
  /** A word of FetchFailureReason, or a status; and the time to the answer, 0 where there was none. */
  | { readonly kind: 'failed'; readonly reason: string; readonly ms: number }
  /** Called off by us: nothing was learnt of the host. `isDoubt`: nobody answers, so it may be our own network. */
  | { readonly kind: 'aborted'; readonly isDoubt: boolean };

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

export function signalOf(host: string, { answer: given, failure }: Asked): ResponseSignal {
  if (failure?.reason === 'aborted') return { kind: 'aborted', isDoubt: failure.isNetworkDoubt === true };
  const fault = failure && HOSTS_OWN.has(failure.reason) ? failure.reason : undefined;
  const answer = given ?? failure?.answer;
  if (!answer) return fault === undefined ? { kind: 'unknown' } : { kind: 'failed', reason: fault, ms: 0 };
  // After a redirect it is another host's answer: this one has sent us on, and is well.
  if (answer.host !== host) return { kind: 'well' };
  // Sent on, and nobody answered there: it may have been this host, or another one.
  if (isRedirect(answer.status)) return { kind: fault === undefined ? 'well' : 'unknown' };
  return signalOfAnswer(answer, fault);
}

function signalOfAnswer(
  { status, ms, retryAfterMs }: HttpAnswer,
  fault: FetchFailureReason | undefined,
): ResponseSignal {
  const reason = String(status);
  if (THROTTLED.has(status) || (status >= 400 && retryAfterMs !== undefined)) {
    return { kind: 'throttled', reason, ms, retryAfterMs };
  }
  if (status >= 500) return { kind: 'failed', reason, ms };
  return fault === undefined ? { kind: 'well', ms } : { kind: 'failed', reason: fault, ms };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Too many requests; service unavailable. */
const THROTTLED: ReadonlySet<number> = new Set([429, 503]);
/** Failures that are a host's own. A page too large or a name that is forbidden says nothing of how it is. */
const HOSTS_OWN: ReadonlySet<FetchFailureReason> = new Set(['dns', 'tls', 'connect', 'timeout', 'reset']);
