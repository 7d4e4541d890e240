import type { DatabaseSync } from 'node:sqlite';
import type { HostStore } from '../crawl/host-store.ts';
import { PARKED } from './watch-rows.ts';

/** How far the watches of an organization have come to be held, or let go. */
export interface HoldWalk {
  readonly organizationId: string;
  readonly isHeld: boolean;
  after: number;
}

/** How many watches an organization has, and whether they are held. */
export class WatchOrganizationStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #hosts: HostStore;

  constructor(database: DatabaseSync, hosts: HostStore) {
    this.#sql = prepare(database);
    this.#hosts = hosts;
  }

  get(id: string): { readonly watches: number; readonly isHeld: boolean } {
    const row = this.#sql.get.get(id) as { watches: number; isHeld: number } | undefined;
    return { watches: row?.watches ?? 0, isHeld: row?.isHeld === 1 };
  }

  count(id: string, more: number): void {
    this.#sql.count.run(id, more);
    if (more < 0) this.#sql.clean.run(id);
  }

  held(): string[] {
    return this.#sql.held.all().map((row) => (row as { id: string }).id);
  }

  /** Those whose watches are not all as they should be, because the process ended. */
  unfinished(): string[] {
    return this.#sql.unfinished.all().map((row) => (row as { id: string }).id);
  }

  /** Holds for watches that are added from now on; those that are there follow in steps. */
  hold(id: string, isHeld: boolean): void {
    this.#sql.hold.run(id, Number(isHeld));
  }

  walk(organizationId: string): HoldWalk {
    return { organizationId, isHeld: this.get(organizationId).isHeld, after: 0 };
  }

  /** Goes on with the walk by at most `atMost` watches; whether there may be more. Another one that came later goes on for it. */
  settleSome(walk: HoldWalk, atMost: number): boolean {
    const { organizationId, isHeld } = walk;
    if (this.get(organizationId).isHeld !== isHeld) return false;
    const parked = isHeld ? PARKED.held : 0;
    const rows = this.#sql.unsettled.all(organizationId, walk.after, parked, atMost) as unknown as Unsettled[];
    for (const { watch } of rows) this.#sql.park.run(parked, watch);
    for (const host of new Set(rows.map((row) => row.host))) this.#hosts.refresh(host);
    walk.after = rows.at(-1)?.watch ?? walk.after;
    if (rows.length === atMost) return true;
    this.#sql.settled.run(organizationId);
    this.#sql.clean.run(organizationId);
    return false;
  }

  totals(): { readonly watches: number } {
    return this.#sql.totals.get() as { watches: number };
  }
}

interface Unsettled {
  readonly watch: number;
  readonly host: number;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    get: sql('SELECT watches, is_held AS isHeld FROM watch_organizations WHERE id = ?'),
    count: sql(`INSERT INTO watch_organizations (id, watches) VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE SET watches = watches + excluded.watches`),
    hold: sql(`INSERT INTO watch_organizations (id, is_held, todo) VALUES (?, ?, 1)
      ON CONFLICT (id) DO UPDATE SET is_held = excluded.is_held, todo = 1`),
    settled: sql('UPDATE watch_organizations SET todo = 0 WHERE id = ?'),
    clean: sql('DELETE FROM watch_organizations WHERE id = ? AND watches = 0 AND is_held = 0 AND todo = 0'),
    held: sql('SELECT id FROM watch_organizations WHERE is_held = 1 ORDER BY id'),
    unfinished: sql('SELECT id FROM watch_organizations WHERE todo = 1'),
    totals: sql('SELECT coalesce(sum(watches), 0) AS watches FROM watch_organizations'),
    unsettled: sql(`SELECT state.watch, state.host FROM watches JOIN watch_states AS state ON state.watch = watches.key
      WHERE watches.organization = ? AND watches.id IS NOT NULL AND watches.key > ?
        AND state.parked & ${PARKED.held} <> ? ORDER BY watches.key LIMIT +?`),
    park: sql(`UPDATE watch_states SET parked = (parked & ~${PARKED.held}) | ? WHERE watch = ?`),
  };
}
