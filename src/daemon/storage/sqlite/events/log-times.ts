import type { DatabaseSync } from 'node:sqlite';
import { ROWS_A_STEP, type Step } from '../worker/operation.ts';
import { CLOCK_SLACK_MS } from '../../frontier-rules.ts';

interface Aged {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * What of a log has to go: of the oldest rows those from before a time, and as many more as it is too large by.
 * @param total bytes of the whole log
 */
export function oldestToDelete<Row extends Aged>(
  oldest: readonly Row[],
  total: number,
  before: number,
  mostBytes: number,
): { readonly old: readonly Row[]; readonly bytes: number } {
  let bytes = 0;
  // Times never decrease along a log, so what is old is a beginning of it.
  const kept = oldest.findIndex((row) => {
    if (row.at >= before && total - bytes <= mostBytes) return true;
    bytes += row.bytes;
    return false;
  });
  return { old: kept < 0 ? oldest : oldest.slice(0, kept), bytes };
}

/** A repair that is under way: `next` is the first row that it has not come to. */
interface TimesWalk {
  readonly now: number;
  next: number;
  repaired: number;
}

/** The times of a table that is written at one end, in the order of `seq`, as `last_at` of its totals makes them. */
export class LogTimes {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync, table: 'events' | 'changes', totals: 'log' | 'change_totals') {
    this.#sql = prepare(database, table, totals);
  }

  /** Undefined when the clock was not ahead. */
  walk(now: number): TimesWalk | undefined {
    const { at } = this.#sql.last.get() as { at: number };
    return at <= now + CLOCK_SLACK_MS ? undefined : { now, next: this.#firstAfter(now), repaired: 0 };
  }

  /**
   * Goes on with the repair by at most `atMost` rows; whether there may be more. From the oldest on, so that times never
   * decrease in between; what is appended meanwhile bears the wrong time still, and has its turn.
   */
  repairSome(walk: TimesWalk, atMost: number): boolean {
    const rows = this.#sql.some.all(walk.next, atMost) as unknown as { seq: number }[];
    const last = rows.at(-1);
    if (!last) {
      this.#sql.setLast.run(walk.now);
      return false;
    }
    walk.repaired += Number(this.#sql.repair.run(walk.now, walk.next, last.seq, walk.now).changes);
    walk.next = last.seq + 1;
    return true;
  }

  /** Where times begin to be later. They never decrease, so nothing is scanned. */
  #firstAfter(now: number): number {
    let { low, high } = this.#sql.ends.get() as { low: number; high: number };
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#sql.from.get(middle) as { seq: number; at: number } | undefined;
      if (!row || row.at > now) high = middle;
      else low = row.seq + 1;
    }
    return low;
  }
}

export function repairingTimes(times: LogTimes, now: number): () => Step<number> {
  let walk: TimesWalk | undefined;
  return () => {
    walk ??= times.walk(now);
    if (!walk) return { done: true, answer: 0 };
    const isMore = times.repairSome(walk, ROWS_A_STEP);
    return { done: !isMore, answer: walk.repaired };
  };
}

function prepare(database: DatabaseSync, table: string, totals: string) {
  const sql = (text: string) => database.prepare(text);
  return {
    last: sql(`SELECT last_at AS at FROM ${totals}`),
    setLast: sql(`UPDATE ${totals} SET last_at = ?`),
    ends: sql(`SELECT coalesce(min(seq), 0) AS low, coalesce(max(seq) + 1, 0) AS high FROM ${table}`),
    from: sql(`SELECT seq, at FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1`),
    some: sql(`SELECT seq FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT +?`),
    repair: sql(`UPDATE ${table} SET at = ? WHERE seq BETWEEN ? AND ? AND at > ?`),
  };
}
