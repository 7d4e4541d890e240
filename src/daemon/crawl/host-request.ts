import { KEEP_MS } from '../fetch/connection.ts';
import type { Fetched, Fetcher, FetchFailureReason, PageRequest } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import type { Met, Refused, Robots } from '../robots/robots.ts';
import type { DuePage, HostState } from '../storage/frontier.ts';
import type { Asked } from './host-word.ts';

/**
 * The one request that a turn of a host is: its robots.txt, or what is due there. Pages and watches go through here, so
 * that no host can tell which of the two has asked it.
 */
export interface HostDoor {
  readonly robots: Pick<Robots, 'ask'>;
  readonly fetcher: Pick<Fetcher, 'fetch' | 'rest'>;
  readonly outside: Pick<Outside, 'now'>;
  /** What the host can bear after this request (`politeness.ts`). */
  readonly host: (due: Guest, asked: Asked) => HostState;
}

export type Guest = Pick<DuePage, 'url' | 'host' | 'hostState'>;

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
  due: Guest,
  requestOf: () => PageRequest,
  door: HostDoor,
  signal: AbortSignal,
): Promise<HostReply> {
  const permission = await door.robots.ask(due.url, signal);
  if (permission.kind === 'fetched') {
    const { crawlDelayMs, answer, failure } = permission;
    const asked: Asked = { at: door.outside.now(), crawlDelayMs, answer, failure };
    return { kind: 'robots', met: permission, asked, host: rested(due, asked, door) };
  }
  if (signal.aborted) return { kind: 'called_off', host: due.hostState };
  if (permission.kind === 'refused') return { kind: 'refused', refusal: permission };
  const fetched = await door.fetcher.fetch(requestOf(), signal);
  const said = fetched.outcome === 'failed' ? { failure: fetched } : { answer: fetched.answer };
  const asked: Asked = { at: door.outside.now(), crawlDelayMs: permission.crawlDelayMs, ...said };
  const host = rested(due, asked, door);
  // Nothing was learnt of the page, but the host was asked.
  if (signal.aborted || isNothing(fetched)) return { kind: 'called_off', host };
  return { kind: 'fetched', fetched, asked, host };
}

/** What the host can bear from now on. One that is left alone for longer than a connection is kept need not keep it at all. */
function rested(due: Guest, asked: Asked, { host, fetcher }: HostDoor): HostState {
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
