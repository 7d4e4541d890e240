import type { HostState, UnhealthyHost } from '../../frontier.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { type HostRow, type LeaseOwner, ownerCode } from './rows.ts';
import type { WorkingSet } from './working-set.ts';

/** Whose lease it is, and its token, where it was taken with one. */
export interface Lessee {
  readonly owner: LeaseOwner;
  readonly token: number | undefined;
}

/**
 * Hosts and their leases. A lease is the host's own row: whoever takes it writes a token there that never comes back, and
 * whoever ends it shows that token. So what a process does that was paused for longer than its lease, and whose host another
 * one has taken meanwhile, is refused by the very statement that would write it.
 */
export class HostStore {
  /** The host that was leased for a page or a watch, which may be gone. */
  async leasedFor(from: Queryable, owner: LeaseOwner): Promise<number | undefined> {
    const [row] = await from.query<{ key: number }>('SELECT key FROM hosts WHERE lease_owner = $1', [ownerCode(owner)]);
    return row?.key;
  }

  /**
   * Ends the lease, if it is this lessee's, and keeps what the host can bear. The host is locked, and in the set. Without a token
   * the state of a host that somebody else has leased is kept, too, as of a visit that nobody took.
   */
  rest(set: WorkingSet, host: HostRow, lessee: Lessee, state: HostState | undefined): void {
    const { backoffReason = null, ...figures } = state ?? { backoffReason: host.backoffReason };
    const isOwn = host.leaseOwner === ownerCode(lessee.owner);
    const turn = isOwn && host.leaseContest ? (host.turn + 1) % 10 : host.turn;
    const ended = { leaseOwner: null, leaseSince: 0, leaseUntil: 0, leaseContest: false };
    set.changeHost(host.key, { ...figures, backoffReason, turn, ...(isOwn && ended) });
  }

  async boilerplate(from: Queryable, name: string): Promise<Uint8Array | undefined> {
    const [row] = await from.query<{ seen: Uint8Array }>(
      'SELECT seen FROM boilerplate WHERE host = (SELECT key FROM hosts WHERE name = $1)',
      [name],
    );
    return row?.seen;
  }

  /**
   * Forgets at most `atMost` hosts without pages and watches; how many. One that still rests stays: a source that is removed and
   * added again is no way around a Retry-After. What somebody else has locked stays for the next time.
   */
  async forgetEmpty(transaction: Transaction, set: WorkingSet, atMost: number, now: number): Promise<number> {
    const rows = await transaction.query<{ key: number }>(
      `DELETE FROM hosts WHERE key IN (
        SELECT key FROM hosts WHERE pages = 0 AND watches = 0 AND not_before <= $1 AND lease_until <= $1
        ORDER BY not_before LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING key`,
      [now, atMost],
    );
    const keys = rows.map(({ key }) => key);
    if (keys.length === 0) return 0;
    await transaction.query('DELETE FROM patterns WHERE host = ANY ($1::bigint[])', [keys]);
    await transaction.query('DELETE FROM boilerplate WHERE host = ANY ($1::bigint[])', [keys]);
    set.counts.hosts -= keys.length;
    return keys.length;
  }

  /** When the last visit was made, by the clock that made it. */
  async clock(from: Queryable): Promise<number> {
    const [row] = await from.query<{ clock: number }>('SELECT coalesce(max(clock), 0) AS clock FROM crawl_counters');
    return row?.clock ?? 0;
  }

  async unhealthy(from: Queryable, atMost: number): Promise<UnhealthyHost[]> {
    const rows = await from.query<UnhealthyRow>(
      `SELECT name, backoff, backoff_reason AS "backoffReason", failures, response_ms AS "responseMs",
        least(ready, watch_ready) AS "readyAt"
      FROM hosts WHERE pages + watches > 0 AND key IN (
        SELECT key FROM hosts WHERE class IN (2, 3) AND ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE class IN (2, 3) AND watch_ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE backoff > 0)
      ORDER BY "readyAt" NULLS LAST, key LIMIT $1`,
      [atMost],
    );
    return rows.map(({ backoffReason, readyAt, ...row }) =>
      Object.assign(row, { backoffReason: backoffReason ?? undefined, readyAt: readyAt ?? undefined }),
    );
  }
}

/** Whether the lease that was given with this token is over, or somebody else's. */
export function isFenced(
  host: Pick<HostRow, 'leaseToken' | 'leaseOwner'> | undefined,
  { owner, token }: Lessee,
): boolean {
  if (token === undefined) return false;
  return host === undefined || host.leaseToken !== token || host.leaseOwner !== ownerCode(owner);
}

type UnhealthyRow = Omit<UnhealthyHost, 'backoffReason' | 'readyAt'> & {
  readonly backoffReason: string | null;
  readonly readyAt: number | null;
};
