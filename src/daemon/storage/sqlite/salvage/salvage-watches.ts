import { partitionOf } from '../crawl/frontier-rows.ts';
import type { Mending } from './salvage-mending.ts';

/** Watches, each with a state and a host; their histories, and nothing that belongs to none. */
export function mendWatches(mending: Mending): void {
  mending.drop('watch_states', 'watch NOT IN (SELECT key FROM watches WHERE id IS NOT NULL)');
  for (const table of ['watch_checks', 'watch_versions', 'watch_changes', 'watch_baselines', 'watch_explanations']) {
    mending.drop(table, 'watch NOT IN (SELECT key FROM watches)');
  }
  giveStates(mending);
  mendTexts(mending);
  mendFailures(mending);
  mending.run(`UPDATE watch_states SET checks = max(checks,
    (SELECT coalesce(max(n), 0) FROM watch_checks WHERE watch = watch_states.watch),
    (SELECT coalesce(max(n), 0) FROM watch_changes WHERE watch = watch_states.watch),
    (SELECT coalesce(max(n), 0) FROM watch_versions WHERE watch = watch_states.watch))`);
  countOrganizations(mending);
}

interface Homeless {
  readonly watch: number;
  readonly target: string;
  readonly host: number | null;
}

/** A watch whose state is lost is due now; one whose host is gets it again by its address. */
function giveStates(mending: Mending): void {
  const rows = mending.all<Homeless>(`SELECT key AS watch, target, state.host
    FROM watches LEFT JOIN watch_states AS state ON state.watch = key
    WHERE id IS NOT NULL AND (state.host IS NULL OR state.host NOT IN (SELECT key FROM hosts))`);
  for (const { watch, target, host } of rows) {
    const key = hostKey(mending, URL.parse(target)?.host ?? target);
    if (host !== null) mending.run('UPDATE watch_states SET host = ? WHERE watch = ?', key, watch);
    else mending.run('INSERT INTO watch_states (watch, host, due) VALUES (?, ?, ?)', watch, key, mending.now);
  }
}

function hostKey(mending: Mending, name: string): number {
  mending.run('INSERT OR IGNORE INTO hosts (name, partition) VALUES (?, ?)', name, partitionOf(name));
  return mending.all<{ key: number }>('SELECT key FROM hosts WHERE name = ?', name)[0]?.key ?? 0;
}

/**
 * A check shows the newest text up to it. Where one is lost, older texts would be shown as those of later checks, so they go,
 * too; and a watch that has none left begins with a first reading.
 */
function mendTexts(mending: Mending): void {
  const holes = mending.all<{ watch: number; n: number }>(`SELECT watch, max(n) AS n FROM (
      SELECT watch, n FROM watch_versions WHERE text NOT IN (SELECT key FROM watch_texts)
      UNION ALL SELECT watch, n FROM watch_checks AS entry WHERE code % 4 IN (1, 2)
        AND NOT EXISTS (SELECT 1 FROM watch_versions WHERE watch = entry.watch AND n = entry.n)
    ) GROUP BY watch`);
  for (const { watch, n } of holes) mending.drop('watch_versions', `watch = ${watch} AND n <= ${n}`);
  mending.drop('watch_texts', 'key NOT IN (SELECT text FROM watch_versions)');
  mending.drop('watch_baselines', 'watch NOT IN (SELECT watch FROM watch_versions)');
  // A page that says it has not changed would be believed, and there is nothing to compare with.
  mending.run(`UPDATE watch_states SET body_hash = NULL, etag = NULL, last_modified = NULL
    WHERE watch NOT IN (SELECT watch FROM watch_baselines)`);
}

/** The words of failures, with the number of entries that have them. */
function mendFailures(mending: Mending): void {
  mending.run(`UPDATE watch_checks SET more = NULL
    WHERE code % 4 = 3 AND more NOT IN (SELECT key FROM watch_failures)`);
  mending.run('UPDATE watch_failures SET refs = 0');
  mending.run(`UPDATE watch_failures SET refs = counted.refs FROM
    (SELECT more, count(*) AS refs FROM watch_checks WHERE code % 4 = 3 GROUP BY more) AS counted
    WHERE counted.more = watch_failures.key`);
  mending.drop('watch_failures', 'refs = 0');
}

/** Whether they are held is looked at anew by the daemon. */
function countOrganizations(mending: Mending): void {
  mending.run('UPDATE watch_organizations SET watches = 0, todo = 1');
  mending.run(`INSERT INTO watch_organizations (id, watches, todo)
    SELECT organization, count(*), 1 FROM watches WHERE id IS NOT NULL GROUP BY organization
    ON CONFLICT (id) DO UPDATE SET watches = excluded.watches`);
}
