import type { DatabaseSync } from 'node:sqlite';
import type { HostState, TakeQuestion } from '../../frontier.ts';
import { dueAgain } from '../../watch-slots.ts';
import type { DueWatch, TakenWatches, WatchTotals } from '../../watches.ts';
import { hostState } from '../crawl/frontier-rows.ts';
import { HostQueue } from '../crawl/host-queue.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { WatchOrganizationStore, WatchStore } from './watch-store.ts';
import { PARKED, STATE, type StateRow, toOptions, toState } from './watch-rows.ts';

interface Stores {
  readonly hosts: HostStore;
  readonly organizations: WatchOrganizationStore;
  readonly watches: WatchStore;
}

/** A walk that gives watches another due time, in the order of their keys. */
export interface RescheduleWalk {
  after: number;
  moved: number;
}

/** Watches as what is due. */
export class WatchQueue {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #queue: HostQueue;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#queue = new HostQueue(database, 'watch_ready', stores.hosts);
    this.#stores = stores;
  }

  /** As the frontier's: the host first, then its watch, each by an index; nothing is written. */
  take(question: TakeQuestion): TakenWatches {
    const { hosts, watches } = this.#stores;
    const { taken, nextAt } = this.#queue.take(question, ({ key, name }) => {
      const host = hosts.get(key);
      const row = this.#sql.firstOf.get(key, question.now) as unknown as DueRow | undefined;
      if (!host || !row) return undefined;
      watches.taken(row.watch);
      return { due: dueWatch(row, name, hostState(host)), owner: row.id, isContest: false };
    });
    return { watches: taken, nextAt };
  }

  release(id: string, state: HostState): void {
    const watch = this.#stores.watches.find(id);
    const row = watch && (this.#sql.hostOf.get(watch.key) as { host: number });
    this.#stores.hosts.rest(id, row?.host, state);
  }

  /** Goes on with the walk by at most `atMost` watches; whether there may be more. */
  rescheduleSome(walk: RescheduleWalk, now: number, withinMs: number, atMost: number): boolean {
    const rows = this.#sql.after.all(walk.after, atMost) as unknown as SlotRow[];
    const moved = new Set<number>();
    for (const row of rows) {
      const due = dueAgain(row, now, withinMs);
      if (due === row.due) continue;
      this.#sql.setDue.run(due, row.key);
      moved.add(row.host);
      walk.moved += 1;
    }
    for (const host of moved) this.#stores.hosts.refresh(host);
    walk.after = rows.at(-1)?.key ?? walk.after;
    return rows.length === atMost;
  }

  totals(now: number): WatchTotals {
    const { watches } = this.#stores.organizations.totals();
    const counts = this.#sql.totals.get() as unknown as Omit<WatchTotals, 'watches' | 'oldestDue'>;
    return { ...counts, watches, oldestDue: this.#queue.longestWait(now) };
  }
}

interface DueRow
  extends StateRow, Pick<DueWatch, 'id' | 'organizationId' | 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly watch: number;
  readonly target: string;
  readonly options: string;
}

interface SlotRow extends Pick<DueWatch, 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly key: number;
  readonly host: number;
}

function dueWatch(row: DueRow, host: string, state: HostState): DueWatch {
  const { id, organizationId, everyMs, jitterMs, createdAt, due, target } = row;
  const terms = { everyMs, jitterMs, createdAt, options: toOptions(row.options) };
  return { kind: 'watch', id, organizationId, host, ...terms, url: target, due, hostState: state, state: toState(row) };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    firstOf: sql(`SELECT state.watch, watches.id, watches.organization AS organizationId, watches.target,
        watches.every_ms AS everyMs, watches.jitter_ms AS jitterMs, watches.created_at AS createdAt, watches.options,
        state.due, ${STATE}
      FROM watch_states AS state JOIN watches ON watches.key = state.watch
      WHERE state.host = ? AND state.parked = 0 AND state.due <= ? ORDER BY state.due, state.watch LIMIT 1`),
    hostOf: sql('SELECT host FROM watch_states WHERE watch = ?'),
    after: sql(`SELECT state.watch AS key, state.host, state.due, watches.every_ms AS everyMs,
        watches.jitter_ms AS jitterMs, watches.created_at AS createdAt
      FROM watch_states AS state JOIN watches ON watches.key = state.watch
      WHERE state.watch > ? ORDER BY state.watch LIMIT +?`),
    setDue: sql('UPDATE watch_states SET due = ? WHERE watch = ?'),
    totals: sql(`SELECT (SELECT count(*) FROM watch_states WHERE parked = 0) AS active,
      (SELECT count(*) FROM watch_states WHERE failures > 0) AS failing,
      (SELECT count(*) FROM watch_states WHERE parked >= ${PARKED.held}) AS held,
      watch_checks AS checks, watch_changes AS changes, watch_texts AS texts, watch_text_bytes AS textBytes
      FROM counters`),
  };
}
