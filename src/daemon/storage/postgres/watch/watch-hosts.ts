import type { Transaction } from '../connection/database.ts';
import { WorkingSet } from '../crawl/working-set.ts';

/**
 * Hosts as their watches see them. A host is locked before any of its watches, and hosts in the order of their keys: so two
 * nodes never wait for one another in a circle.
 */

export async function lockedHosts(transaction: Transaction, keys: readonly number[]): Promise<WorkingSet> {
  const set = new WorkingSet();
  await set.lockHosts(transaction, keys);
  return set;
}

/** To be called when due times of watches of the hosts have changed, or which of them can be taken; before `flush`. */
export async function refreshHosts(transaction: Transaction, keys: readonly number[]): Promise<void> {
  await transaction.query(REFRESH, [keys]);
}

const REFRESH = `UPDATE hosts SET watch_due = earliest.due,
    watch_ready = CASE WHEN earliest.due IS NOT NULL THEN greatest(earliest.due, not_before, lease_until) END
  FROM (SELECT host, (SELECT min(due) FROM watch_states WHERE watch_states.host = wanted.host AND parked = 0) AS due
    FROM unnest($1::bigint[]) AS wanted (host)) AS earliest
  WHERE hosts.key = earliest.host`;

export async function countWatches(transaction: Transaction, host: number, more: number): Promise<void> {
  await transaction.query('UPDATE hosts SET watches = watches + $2 WHERE key = $1', [host, more]);
}
