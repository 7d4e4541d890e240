import type { DatabaseSync } from 'node:sqlite';
import {
  bytesOfChange,
  CHANGE_OVERHEAD_BYTES,
  type RecentChange,
  type RecentChanges,
  type RecentQuestion,
} from '../../recent-changes.ts';
import { oldestToDelete } from '../../oldest-to-delete.ts';
import { LogTimes, repairingTimes } from './event-log-store.ts';
import { type Operations, ROWS_A_STEP, type Step } from '../worker/operation.ts';

/** The changes of the last day in SQL: written at one end, cut off at the other. */
export class RecentChangeStore {
  readonly times: LogTimes;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.times = new LogTimes(database, 'changes', 'change_totals');
    this.#sql = prepare(database);
  }

  changes({ since, until, before = Number.MAX_SAFE_INTEGER, atMost }: RecentQuestion): RecentChange[] {
    const found: RecentChange[] = [];
    let bytes = 0;
    const end = until === undefined ? before : Math.min(before, this.#firstAfter(until));
    for (const row of this.#sql.newest.iterate(end, atMost.changes)) {
      const one = { ...row } as unknown as RecentChange;
      bytes += one.change.length + one.page.length;
      if (one.at < since || (found.length > 0 && bytes > atMost.bytes)) break;
      found.push(one);
    }
    return found;
  }

  /** The first `seq` whose time is later, or one that no change has. Times never decrease, so no index of them is needed. */
  #firstAfter(until: number): number {
    const { first, last } = this.#sql.ends.get() as unknown as { first: number | null; last: number | null };
    if (first === null || last === null) return 0;
    let [low, high] = [first, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { at } = this.#sql.atOrBehind.get(middle) as unknown as { at: number };
      if (at > until) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Within the transaction of the visit. */
  add(change: Uint8Array, page: Uint8Array, toldAt: number): void {
    const { at } = this.#sql.advance.get(toldAt, bytesOfChange({ change, page })) as { at: number };
    this.#sql.add.run(at, change, page);
  }

  /** At most `atMost` of the oldest, if they are older than `before` or there are too many. How many went. */
  trimSome(before: number, mostBytes: number, atMost: number): number {
    const oldest = this.#sql.oldest.all(atMost) as unknown as OldRow[];
    const { bytes } = this.#sql.totals.get() as unknown as { bytes: number };
    const { old, bytes: gone } = oldestToDelete(oldest, bytes, before, mostBytes);
    const last = old.at(-1);
    if (last === undefined) return 0;
    this.#sql.deleteUpTo.run(last.seq);
    this.#sql.shrink.run(gone);
    return old.length;
  }
}

export function recentChangeOperations(store: RecentChangeStore): Operations<RecentChanges> {
  return {
    recentChanges: { read: (question) => store.changes(question) },
    trimRecentChanges: { longWrite: (before, mostBytes) => trimming(store, before, mostBytes) },
    repairChangeTimes: { longWrite: (now) => repairingTimes(store.times, now) },
  };
}

/** The space that they leave is given back by the trimming of the log. */
function trimming(recent: RecentChangeStore, before: number, mostBytes: number): () => Step<number> {
  let gone = 0;
  return () => {
    const some = recent.trimSome(before, mostBytes, ROWS_A_STEP);
    gone += some;
    return { done: some === 0, answer: gone };
  };
}

interface OldRow {
  readonly seq: number;
  readonly at: number;
  readonly bytes: number;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    add: sql('INSERT INTO changes (at, change, page) VALUES (?, ?, ?)'),
    advance: sql('UPDATE change_totals SET last_at = max(last_at, ?), bytes = bytes + ? RETURNING last_at AS at'),
    newest: sql('SELECT seq, at, change, page FROM changes WHERE seq < ? ORDER BY seq DESC LIMIT +?'),
    ends: sql('SELECT min(seq) AS first, max(seq) AS last FROM changes'),
    atOrBehind: sql('SELECT at FROM changes WHERE seq >= ? ORDER BY seq LIMIT 1'),
    totals: sql('SELECT bytes FROM change_totals'),
    oldest: sql(`SELECT seq, at, length(change) + length(page) + ${CHANGE_OVERHEAD_BYTES} AS bytes
      FROM changes ORDER BY seq LIMIT ?`),
    deleteUpTo: sql('DELETE FROM changes WHERE seq <= ?'),
    shrink: sql('UPDATE change_totals SET bytes = bytes - ?'),
  };
}
