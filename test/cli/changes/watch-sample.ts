import type { CheckReport, WatchReport } from '../../../src/shared/api/watch.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { CHANGE } from '../../shared/documents/change-sample.ts';

export const PRICES: WatchReport = {
  id: 'aaaa1111-0000-4000-8000-000000000001',
  url: 'https://example.org/prices',
  frequency_minutes: 360,
  status: 'active',
  change_count: 3,
  last_checked_at: '2026-02-27T20:02:00+00:00',
  created_at: '2026-02-01T00:00:00+00:00',
  member: 'admin',
  options: NO_OPTIONS,
  effective_minutes: 360,
  next_check_at: '2026-02-28T02:02:00+00:00',
  held: null,
  checks: 13,
  last_success_at: '2026-02-27T20:02:00+00:00',
  last_change: { n: CHANGE.n, at: CHANGE.at },
  unseen: 1,
  problem: null,
};

export const QUIET: WatchReport = {
  ...PRICES,
  id: 'bbbb2222-0000-4000-8000-000000000002',
  url: 'https://example.net/',
  change_count: 0,
  checks: 2,
  last_change: null,
  unseen: 0,
};

/** `at` counts hours back from the evening of 27 February. */
export function checkOf(n: number, report: Partial<CheckReport> = {}): CheckReport {
  const at = new Date(Date.parse('2026-02-27T20:02:00Z') - (13 - n) * 6 * 3_600_000).toISOString();
  return { n, at, outcome: 'unchanged', note: 'not_modified', ...report };
}
