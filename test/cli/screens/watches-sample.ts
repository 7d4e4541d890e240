import type { CheckReport, WatchReport } from '../../../src/shared/api/watch.ts';
import { CHANGE } from '../../shared/documents/change-sample.ts';
import { checkOf, PRICES } from '../changes/watch-sample.ts';

export const NOW = Date.parse('2026-02-27T17:02:00Z');

export function watchOf(name: string, given: Partial<WatchReport> = {}): WatchReport {
  return {
    ...PRICES,
    id: `${name}-0000-4000-8000-000000000001`,
    url: `https://${name}.example/`,
    last_change: null,
    unseen: 0,
    ...given,
  };
}

/** In the order of the daemon: the newest watch first. */
export const WATCHES: readonly WatchReport[] = [
  watchOf('never'),
  watchOf('old', { last_change: { n: 3, at: '2026-02-20T14:02:00Z' } }),
  watchOf('broken', {
    problem: { reason: 'dns', detail: 'no such host', since: '2026-02-26T17:02:00Z', failures: 4 },
  }),
  watchOf('fresh', { last_change: { n: 12, at: CHANGE.at }, unseen: 2 }),
];

export const CHECKS: readonly CheckReport[] = [
  checkOf(13),
  checkOf(12, { outcome: 'changed', lines: { inserted: 2, deleted: 1 } }),
  checkOf(11, { outcome: 'failed', reason: 'timeout', detail: 'no answer' }),
];
