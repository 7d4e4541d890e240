import type { Seen } from '../../../src/daemon/crawl/revisit.ts';
import { type DuePage, NEW_HOST, type PageState, type Rate } from '../../../src/daemon/storage/frontier.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A time in 2026. */
export const NOW = 1_767_225_600_000;
/** Random numbers that change nothing: in the middle of their jitter. */
export const even = (): number => 0.5;

export function duePage(different: Partial<DuePage> = {}): DuePage {
  const source = { holders: [{ sourceId: 'src_1', depth: 1 }], hostState: NEW_HOST, trust: undefined };
  const plain = { id: 1, url: 'https://a.example/', host: 'a.example', kind: 'article', urgency: 0 } as const;
  return { ...plain, due: NOW, isBaseline: false, everyMs: undefined, state: stateOf(), ...source, ...different };
}

/** A page that was visited a day ago. */
export function stateOf(different: Partial<PageState> = {}): PageState {
  const visitedAt = NOW - DAY;
  const rate: Rate = { theta: Math.log(0.3), info: 1, pull: 0 };
  const quiet = { validators: undefined, fullAt: visitedAt, failures: 0, doubtedAt: undefined };
  return { visitedAt, bodyHash: 'ab'.repeat(16), ...quiet, rate, ...different };
}

export function seenAt(at: number, different: Partial<Seen> = {}): Seen {
  return { at, outcome: 'unchanged', kind: 'article', isMainChange: false, matches: 0, ...different };
}

export function changedAt(at: number, different: Partial<Seen> = {}): Seen {
  return seenAt(at, { outcome: 'changed', isMainChange: true, ...different });
}

export function failedAt(at: number, reason: string, different: Partial<Seen> = {}): Seen {
  return seenAt(at, { outcome: 'failed', reason, ...different });
}
