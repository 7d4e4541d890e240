import { setTimeout as pause } from 'node:timers/promises';
import type { WatchNewsItem } from '../../shared/api/watch.ts';
import { Refused, Unreachable } from './transport.ts';
import { retryDelay } from './follow.ts';
import type { WatchEndpoints } from './watches.ts';

type Changes = Pick<WatchEndpoints, 'changes'>;

/** How the changes of watches are followed. */
export interface ChangesOptions {
  /** Of a client that `signal` aborts, too. */
  readonly watches: Changes;
  /** The cursor of the last change that is not wanted any more. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  /** The daemon is away, and is asked again after so many milliseconds; undefined: it is there again. */
  readonly onOutage: (outage: Outage | undefined) => void;
  /** Resolves after so many milliseconds, or when it is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Outage {
  readonly reason: string;
  readonly delayMs: number;
}

/** Seconds that the daemon waits for a change before it answers that there is none. */
const WAIT_SECONDS = 25;
/** Longest wait for a daemon that is away: it is our own, on this machine. */
const LONGEST_MS = 5_000;
/** Changes of one answer: each may hold a page's worth of text. */
const A_PAGE = 50;

/**
 * Changes of all watches in their order, each once, until `signal` is aborted. The cursor is ours, so a daemon that goes
 * away and comes back loses and doubles nothing. @throws what is no outage: a refusal, another server
 */
export async function* followedChanges(options: ChangesOptions): AsyncGenerator<WatchNewsItem> {
  const { watches, signal, onOutage, wait = slept } = options;
  let { after } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const news = await watches.changes({ after, limit: A_PAGE, wait: WAIT_SECONDS });
      if (failures > 0) onOutage(undefined);
      failures = 0;
      for (const item of news.changes) {
        if (item.cursor <= after) continue;
        after = item.cursor;
        yield item;
      }
      after = Math.max(after, news.cursor);
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) throw error;
      failures += 1;
      const facts = { failures, resumable: true, now: options.now(), random: options.random() };
      const delayMs = Math.min(LONGEST_MS, retryDelay(facts));
      onOutage({ reason: error.message, delayMs });
      await wait(delayMs, signal);
    }
  }
}

async function slept(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/** A daemon that starts or stops is away, or says so. */
function isOutage(error: unknown): error is Error {
  return error instanceof Unreachable || (error instanceof Refused && (error.status === 503 || error.status === 429));
}

/** The changes after a cursor that there are by now, in their order. @throws as `Client` */
export async function* pastChanges(watches: Changes, start: number): AsyncGenerator<WatchNewsItem> {
  for (let after = start; ;) {
    const { changes } = await watches.changes({ after, limit: A_PAGE });
    const later = changes.filter(({ cursor }) => cursor > after);
    if (later.length === 0) return;
    for (const item of later) {
      after = item.cursor;
      yield item;
    }
  }
}

/** The cursor of the newest change; 0 where there is none. */
export async function newestCursor(watches: Changes): Promise<number> {
  const { changes, cursor } = await watches.changes({ newest: true, limit: 1 });
  return Math.max(cursor, ...changes.map((item) => item.cursor));
}

/** The cursor behind which all changes since an instant are: found by halves, a change an answer. @param instant ms */
export async function cursorBefore(watches: Changes, instant: number): Promise<number> {
  let low = 0;
  let high = await newestCursor(watches);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = (await watches.changes({ after: middle, limit: 1 })).changes;
    if (next && Date.parse(next.check.at) < instant) low = next.cursor;
    else high = middle;
  }
  return low;
}
