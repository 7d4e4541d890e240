import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../connection/database.ts';

/** A node that has not renewed its row for so long is not waited for: it knows itself that it is behind, and does nothing. */
export const BEHIND_MS = 10_000;
/** Whoever changes something waits for the other nodes to have it, but no longer than this. */
const WAIT_MS = 1_000;
const LOOK_MS = 10;

/** The processes that share the database: each has a row, which it renews. The clock is that of the database. */
export class Nodes {
  readonly #database: Queryable;
  readonly #id: string;
  #epoch: number | undefined;

  constructor(database: Queryable, id: string) {
    this.#database = database;
    this.#id = id;
  }

  /**
   * Says that this process lives, and which version of the catalog it has; answers the newest that there is.
   * @throws where another process has the same name
   */
  async renew(version: number): Promise<number> {
    if (this.#epoch === undefined) await this.#join(version);
    const [row] = await this.#database.query<{ newest: number }>(
      `UPDATE nodes SET seen_at = clock_timestamp(), catalog_version = $3 WHERE id = $1 AND epoch = $2
       RETURNING (SELECT version FROM catalog_state) AS newest`,
      [this.#id, this.#epoch, version],
    );
    if (row) return row.newest;
    const [other] = await this.#database.query('SELECT 1 FROM nodes WHERE id = $1', [this.#id]);
    if (other)
      throw new Error(`another daemon of this database is called ${this.#id}, too: give each a name of its own`);
    // It was away for longer than rows are kept.
    this.#epoch = undefined;
    return this.renew(version);
  }

  /** Resolved when all other processes that live have this version, or after a second. */
  async haveVersion(version: number): Promise<void> {
    const until = performance.now() + WAIT_MS;
    while (await this.#isMissing(version)) {
      if (performance.now() >= until) return;
      await sleep(LOOK_MS);
    }
  }

  async leave(): Promise<void> {
    if (this.#epoch === undefined) return;
    await this.#database.query('DELETE FROM nodes WHERE id = $1 AND epoch = $2', [this.#id, this.#epoch]);
  }

  async #isMissing(version: number): Promise<boolean> {
    const rows = await this.#database.query(
      `SELECT 1 FROM nodes WHERE id <> $1 AND catalog_version < $2
         AND seen_at > clock_timestamp() - interval '${BEHIND_MS} milliseconds' LIMIT 1`,
      [this.#id, version],
    );
    return rows.length > 0;
  }

  async #join(version: number): Promise<void> {
    const [row] = await this.#database.query<{ epoch: number }>(
      `INSERT INTO nodes (id, epoch, seen_at, catalog_version)
         VALUES ($1, nextval('node_epochs'), clock_timestamp(), $2)
       ON CONFLICT (id) DO UPDATE
         SET epoch = excluded.epoch, seen_at = excluded.seen_at, catalog_version = excluded.catalog_version
       RETURNING epoch`,
      [this.#id, version],
    );
    this.#epoch = row?.epoch;
    // Killed long ago; a process that comes back after that joins anew.
    await this.#database.query(`DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '1 day'`);
  }
}
