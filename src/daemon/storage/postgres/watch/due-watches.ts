import type { DueWatch } from '../../watches.ts';
import { STATE, type StateRow, toOptions, toState } from '../../watch-rows.ts';
import type { Transaction } from '../connection/database.ts';
import type { Chosen, FreeHost } from '../crawl/host-queue.ts';
import { hostState } from '../crawl/rows.ts';
import { lockedHosts } from './watch-hosts.ts';

interface DueRow
  extends StateRow, Pick<DueWatch, 'id' | 'organizationId' | 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly watch: number;
  readonly host: number;
  readonly target: string;
  readonly options: string;
}

/** The watch that is due longest of each of these hosts, which are locked. What was changed before it is taken, its check knows. */
export async function longestDue(
  transaction: Transaction,
  hosts: readonly FreeHost[],
  now: number,
): Promise<Map<number, Chosen<DueWatch>>> {
  const keys = hosts.map(({ key }) => key);
  const rows = await transaction.query<DueRow>(FIRSTS, [keys, now]);
  await transaction.query(
    'UPDATE watch_states SET asked_due = NULL, is_superseded = false WHERE watch = ANY ($1::bigint[])',
    [rows.map(({ watch }) => watch)],
  );
  const set = await lockedHosts(transaction, keys);
  return new Map(
    rows.flatMap((row) => {
      const host = set.hosts.get(row.host);
      if (!host) return [];
      const { id, organizationId, everyMs, jitterMs, createdAt, due, target } = row;
      const terms = { everyMs, jitterMs, createdAt, options: toOptions(row.options) };
      const place = { kind: 'watch', id, organizationId, host: host.name, url: target, due } as const;
      const found = { ...place, ...terms, hostState: hostState(host), state: toState(row) };
      return [[row.host, { due: found, owner: id, isContest: false }] as const];
    }),
  );
}

const FIRSTS = `SELECT first.* FROM unnest($1::bigint[]) AS wanted (host) CROSS JOIN LATERAL (
    SELECT state.watch, state.host, watches.id, watches.organization AS "organizationId", watches.target,
      watches.every_ms AS "everyMs", watches.jitter_ms AS "jitterMs", watches.created_at AS "createdAt", watches.options,
      state.due, ${STATE}
    FROM watch_states AS state JOIN watches ON watches.key = state.watch
    WHERE state.host = wanted.host AND state.parked = 0 AND state.due <= $2 ORDER BY state.due, state.watch LIMIT 1) AS first`;
