import type { Status } from '../../shared/api/status.ts';
import type { CrawlMeter } from '../crawl/figures.ts';
import type { Outside } from '../outside.ts';
import type { WatchTotals } from '../storage/watches.ts';

/** Watches on one screen: what the storage counts, and how checks have gone since the start. */
export function watchStatus(
  totals: WatchTotals,
  meter: Pick<CrawlMeter, 'read'>,
  outside: Pick<Outside, 'now'>,
): Status['watch'] {
  const now = outside.now();
  const { dueLag, outcomes, faults } = meter.read(now);
  const { watches, active, failing, held, oldestDue, checks, changes } = totals;
  return {
    watches,
    active,
    failing,
    held,
    checks,
    changes,
    oldest_due_ms: oldestDue === undefined ? null : Math.max(0, now - oldestDue),
    late_ms: { p50: rounded(dueLag?.p50), p99: rounded(dueLag?.p99) },
    outcomes: Object.fromEntries(outcomes),
    faults,
  };
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}
