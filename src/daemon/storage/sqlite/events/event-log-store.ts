import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type { ChargeStore } from './ledger-store.ts';
import { forgetting, type Operations, ROWS_A_STEP, type Step, sweeping } from '../worker/operation.ts';
import {
  type AppendedEvent,
  bytesOf,
  EVENT_OVERHEAD_BYTES,
  type EventLog,
  type LogBounds,
  type LogExtent,
  type LoggedEvent,
  type NewEvent,
  type TapBounds,
} from '../../event-log.ts';
import { CLOCK_SLACK_MS } from '../../frontier-rules.ts';
import { oldestToDelete } from '../../oldest-to-delete.ts';

/** The event log in SQL. Offsets are dense, so an offset is a position: nothing is ever searched by scanning. */
export class LogStore {
  readonly times: LogTimes;
  readonly #sql: ReturnType<typeof prepareLog>;
  /** The taps that were dropped last. */
  readonly #dropped = new Set<string>();

  constructor(database: DatabaseSync) {
    this.times = new LogTimes(database, 'events', 'log');
    this.#sql = prepareLog(database);
  }

  bounds(tapId: string): LogBounds {
    const { partition } = this.#sql.log.get() as unknown as LogRow;
    const { floor, head } = this.#tap(tapId) ?? { floor: 0, head: 0 };
    return { partition, floor, head };
  }

  allBounds(): { partition: number; taps: TapBounds[] } {
    const { partition } = this.#sql.log.get() as unknown as LogRow;
    const taps = this.#sql.allTaps.all().map((row) => boundsOf(row as unknown as TapBounds));
    return { partition, taps };
  }

  read(tapId: string, from: number, atMost: { events: number; bytes: number }): LoggedEvent[] {
    const tap = this.#tap(tapId);
    if (!tap || from >= tap.head) return [];
    const found: LoggedEvent[] = [];
    let bytes = 0;
    for (const row of this.#sql.read.iterate(tap.key, from, atMost.events)) {
      const event = { ...row } as unknown as LoggedEvent;
      bytes += event.queryIds.length + event.document.length;
      if (found.length > 0 && bytes > atMost.bytes) break;
      found.push(event);
    }
    return found;
  }

  firstAt(tapId: string, at: number): number {
    const tap = this.#tap(tapId);
    if (!tap) return 0;
    let low = tap.floor;
    let high = tap.head;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const event = this.#sql.timeOf.get(tap.key, middle) as { at: number } | undefined;
      if (event === undefined) throw new Error(`the event log has a hole: tap ${tapId}, offset ${middle}`);
      if (event.at >= at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  count(): number {
    return (this.#sql.count.get() as { events: number }).events;
  }

  extent(): LogExtent {
    const { bytes, droppedUpTo } = this.#sql.log.get() as unknown as LogRow;
    return { bytes, droppedUpTo };
  }

  /** Within the transaction of the visit. Those of dropped taps are left out. */
  append(given: readonly NewEvent[], visitedAt: number): AppendedEvent[] {
    const events = given.filter(({ tapId }) => !this.#dropped.has(tapId));
    if (events.length === 0) return [];
    const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0);
    const { at } = this.#sql.advance.get(visitedAt, bytes) as { at: number };
    return events.map(({ tapId, queryIds, document }) => {
      const { key, offset } = this.#sql.nextOffset.get(tapId) as { key: number; offset: number };
      this.#sql.append.run(key, offset, at, queryIds, document);
      return { tapId, offset, at, queryIds, document };
    });
  }

  /** At most `atMost` of the oldest events, if they are older than `before` or the log is too large. How many went. */
  trimSome(before: number, mostBytes: number, atMost: number): number {
    const oldest = this.#sql.oldest.all(atMost) as unknown as OldRow[];
    const { bytes } = this.#sql.log.get() as unknown as LogRow;
    const { old, bytes: gone } = oldestToDelete(oldest, bytes, before, mostBytes);
    const last = old.at(-1);
    if (last === undefined) return 0;
    this.#sql.deleteUpTo.run(last.seq);
    this.#sql.shrink.run(gone);
    this.#sql.noteDropped.run(last.at);
    const floors = new Map(old.map((event) => [event.tap, event.offset + 1]));
    for (const [tap, floor] of floors) this.#sql.raiseFloor.run(floor, tap);
    return old.length;
  }

  /** From now on nobody finds the tap; its events are left to `sweepSome`. */
  forget(tapId: string): void {
    this.#sql.forget.run(tapId);
    this.#dropped.add(tapId);
    const [oldest] = this.#dropped;
    if (this.#dropped.size > MOST_DROPPED && oldest !== undefined) this.#dropped.delete(oldest);
  }

  /** All that have a log. */
  taps(): string[] {
    return (this.#sql.taps.all() as unknown as { id: string }[]).map(({ id }) => id);
  }

  hasForgotten(): boolean {
    return this.#sql.forgotten.get() !== undefined;
  }

  /** Removes at most `atMost` events of forgotten taps; whether there may be more. */
  sweepSome(atMost: number): boolean {
    const tap = this.#sql.forgotten.get() as { key: number } | undefined;
    if (tap === undefined) return false;
    const gone = this.#sql.deleteSome.all(tap.key, atMost) as { bytes: number }[];
    if (gone.length === 0) this.#sql.deleteTap.run(tap.key);
    else this.#sql.shrink.run(gone.reduce((sum, event) => sum + event.bytes, 0));
    return true;
  }

  #tap(tapId: string): TapRow | undefined {
    return this.#sql.tap.get(tapId) as TapRow | undefined;
  }
}

/** Rows of SQLite have no prototype. */
function boundsOf({ tapId, floor, head }: TapBounds): TapBounds {
  return { tapId, floor, head };
}

interface LogRow {
  readonly partition: number;
  readonly bytes: number;
  readonly droppedUpTo: number;
}

interface TapRow {
  readonly key: number;
  readonly floor: number;
  readonly head: number;
}

interface OldRow {
  readonly seq: number;
  readonly tap: number;
  readonly offset: number;
  readonly at: number;
  readonly bytes: number;
}

/** Dropped taps that are remembered: more than are while a visit is written. After a start there is no visit that knows them. */
const MOST_DROPPED = 1_000;

const BYTES = `octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES} AS bytes`;

function prepareLog(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    // A clock that was ahead may have dropped events of its own time; that of the log is put right.
    log: sql('SELECT partition, bytes, min(dropped_up_to, last_at) AS droppedUpTo FROM log'),
    tap: sql('SELECT key, floor, head FROM taps WHERE id = ?'),
    read: sql(`SELECT offset, at, query_ids AS queryIds, document FROM events
      WHERE tap = ? AND offset >= ? ORDER BY offset LIMIT +?`),
    timeOf: sql('SELECT at FROM events WHERE tap = ? AND offset = ?'),
    count: sql('SELECT coalesce(sum(head - floor), 0) AS events FROM taps WHERE id IS NOT NULL'),
    advance: sql('UPDATE log SET last_at = max(last_at, ?), bytes = bytes + ? RETURNING last_at AS at'),
    shrink: sql('UPDATE log SET bytes = bytes - ?'),
    noteDropped: sql('UPDATE log SET dropped_up_to = ?'),
    nextOffset: sql(`INSERT INTO taps (id, head) VALUES (?, 1)
      ON CONFLICT (id) DO UPDATE SET head = head + 1 RETURNING key, head - 1 AS offset`),
    append: sql('INSERT INTO events (tap, offset, at, query_ids, document) VALUES (?, ?, ?, ?, ?)'),
    oldest: sql(`SELECT seq, tap, offset, at, ${BYTES} FROM events ORDER BY seq LIMIT ?`),
    deleteUpTo: sql('DELETE FROM events WHERE seq <= ?'),
    raiseFloor: sql('UPDATE taps SET floor = ? WHERE key = ?'),
    forget: sql('UPDATE taps SET id = NULL WHERE id = ?'),
    allTaps: sql('SELECT id AS tapId, floor, head FROM taps WHERE id IS NOT NULL ORDER BY id'),
    taps: sql('SELECT id FROM taps WHERE id IS NOT NULL'),
    forgotten: sql('SELECT key FROM taps WHERE id IS NULL LIMIT 1'),
    deleteSome: sql(
      `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE tap = ? LIMIT ?) RETURNING ${BYTES}`,
    ),
    deleteTap: sql('DELETE FROM taps WHERE key = ?'),
  };
}

interface LogStores {
  readonly charges: ChargeStore;
  readonly log: LogStore;
}

export function eventLogOperations(database: DatabaseSync, stores: LogStores): Operations<EventLog> {
  const { charges, log } = stores;
  const forget = (tapId: string): void => {
    charges.forget(tapId);
    log.forget(tapId);
  };
  return {
    bounds: { read: (tapId) => log.bounds(tapId) },
    allBounds: { read: () => log.allBounds() },
    read: { read: (tapId, from, atMost) => log.read(tapId, from, atMost) },
    firstAt: { read: (tapId, at) => log.firstAt(tapId, at) },
    count: { read: () => log.count() },
    extent: { read: () => log.extent() },
    trim: { longWrite: (before, mostBytes) => trimming(database, log, before, mostBytes) },
    repairTimes: { longWrite: (now) => repairingTimes(log.times, now) },
    drop: { longWrite: (tapId) => forgetting(() => forget(tapId), log) },
    retain: { longWrite: (tapIds) => retaining(log, tapIds, forget) },
  };
}

/** Pages of 8 kB that one step gives back to the file system. */
const VACUUM_PAGES = 64;
/** Free pages that are kept: they will be needed again, and moving pages about is work. */
const SLACK_PAGES = 128;

/** First the old events, then the file's free space: also what removed sources and revoked taps have left. */
function trimming(database: DatabaseSync, log: LogStore, before: number, mostBytes = Infinity): () => Step<number> {
  const freePages = database.prepare('PRAGMA freelist_count');
  let gone = 0;
  let freeBefore = Infinity;
  return () => {
    const some = log.trimSome(before, mostBytes, ROWS_A_STEP);
    faultPoint('clean:trimmed');
    gone += some;
    if (some > 0) return { done: false, answer: gone };
    const { freelist_count: free } = freePages.get() as { freelist_count: number };
    // None is given back where somebody's VACUUM has made it a file that gives none back.
    if (free <= SLACK_PAGES || free >= freeBefore) return { done: true, answer: gone };
    freeBefore = free;
    database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    return { done: false, answer: gone };
  };
}

/** The taps are forgotten in the first step, and nobody waits for what they leave to be swept. */
function retaining(log: LogStore, tapIds: readonly string[], forget: (tapId: string) => void): () => Step<number> {
  const kept = new Set(tapIds);
  const sweep = sweeping(log);
  let gone: number | undefined;
  return () => {
    if (gone !== undefined) return { done: sweep().done, answer: gone, isAnswered: true };
    const others = log.taps().filter((id) => !kept.has(id));
    for (const id of others) forget(id);
    gone = others.length;
    return { done: gone === 0, answer: gone, isAnswered: true };
  };
}

/** A repair that is under way: `next` is the first row that it has not come to. */
interface TimesWalk {
  readonly now: number;
  next: number;
  repaired: number;
}

/** The times of a table that is written at one end, in the order of `seq`, as `last_at` of its totals makes them. */
export class LogTimes {
  readonly #sql: ReturnType<typeof prepareTimes>;

  constructor(database: DatabaseSync, table: 'events' | 'changes', totals: 'log' | 'change_totals') {
    this.#sql = prepareTimes(database, table, totals);
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

function prepareTimes(database: DatabaseSync, table: string, totals: string) {
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
