import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../../../start-failure.ts';
import type { NodeFacts } from '../../nodes.ts';
import type { Queryable } from '../connection/database.ts';

/** A node that has not renewed its row for so long is not waited for: it knows itself that it is behind, and does nothing. */
export const BEHIND_MS = 10_000;
/** Whoever changes something waits for the other nodes to have it, but no longer than this. */
const WAIT_MS = 1_000;
const LOOK_MS = 10;

/** A clock is followed in steps of this: how long an answer is under way says no more. */
const CLOCK_STEP_MS = 100;

/** The processes that share the database: each has a row, which it renews. The clock is that of the database. */
export class NodeRows {
  readonly #database: Queryable;
  readonly #id: string;
  /** Of this machine, in milliseconds since 1970. */
  readonly #now: () => number;
  #epoch: number | undefined;
  #live = 1;
  #clockAheadMs = 0;

  constructor(database: Queryable, id: string, now: () => number) {
    this.#database = database;
    this.#id = id;
    this.#now = now;
  }

  /** Of the last answer: how many lived, this one among them. */
  get live(): number {
    return this.#live;
  }

  /** Milliseconds by which the clock of the database is ahead of that of this process. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** How many live now, this one among them, whether or not it has joined. */
  async count(): Promise<number> {
    const others = await this.#database.query('SELECT 1 FROM nodes WHERE id <> $1 AND ' + LIVES, [this.#id]);
    return others.length + 1;
  }

  async list(): Promise<NodeFacts[]> {
    const rows = await this.#database.query<{ id: string; silent: number; lives: boolean }>(
      `SELECT id, greatest(0, extract(epoch FROM clock_timestamp() - seen_at) * 1000)::bigint AS silent, ${LIVES} AS lives
       FROM nodes ORDER BY id`,
    );
    return rows.map(({ id, silent, lives }) => ({
      name: id,
      silentMs: silent,
      isLive: lives,
      isThis: id === this.#id,
    }));
  }

  /** By the clock of the database, before anything is written by another. */
  async readClock(): Promise<void> {
    const before = this.#now();
    const [row] = await this.#database.query<{ now: number }>(`SELECT ${NOW} AS now`);
    this.#setClock(row?.now, before);
  }

  /**
   * Says that this process lives, and which version of the catalog it has; answers the newest that there is.
   * @throws where another process has the same name
   */
  async renew(version: number): Promise<number> {
    if (this.#epoch === undefined) await this.#join(version);
    const before = this.#now();
    const [row] = await this.#database.query<{ newest: number; others: number; now: number }>(
      `UPDATE nodes SET seen_at = clock_timestamp(), catalog_version = $3 WHERE id = $1 AND epoch = $2
       RETURNING (SELECT version FROM catalog_state) AS newest, ${NOW} AS now,
         (SELECT count(*) FROM nodes AS other WHERE other.id <> $1 AND other.${LIVES}) AS others`,
      [this.#id, this.#epoch, version],
    );
    if (row) {
      this.#live = row.others + 1;
      this.#setClock(row.now, before);
      return row.newest;
    }
    const [other] = await this.#database.query('SELECT 1 FROM nodes WHERE id = $1', [this.#id]);
    if (other)
      throw new Error(
        `another daemon of this database is called ${this.#id}, too: give its machine a host name of its own, or it another --data-dir`,
      );
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
         AND ${LIVES} LIMIT 1`,
      [this.#id, version],
    );
    return rows.length > 0;
  }

  #setClock(now: number | undefined, before: number): void {
    if (now === undefined) return;
    const ahead = Math.round(now - (before + this.#now()) / 2);
    if (Math.abs(ahead - this.#clockAheadMs) >= CLOCK_STEP_MS) this.#clockAheadMs = ahead;
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

const LIVES = `seen_at > clock_timestamp() - interval '${BEHIND_MS} milliseconds'`;
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Tokens are sealed with one secret, which every node has in its data directory: that of the first one counts.
 * @throws {StartFailure} for a node that has another
 */
export async function refuseOtherSecret(database: Queryable, fingerprint: Uint8Array): Promise<void> {
  await database.query('INSERT INTO instance (id, secret_fingerprint) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
    fingerprint,
  ]);
  const same = await database.query('SELECT 1 FROM instance WHERE secret_fingerprint = $1', [fingerprint]);
  if (same.length > 0) return;
  throw new StartFailure(
    'configuration',
    'the data directory has another secret than the other daemons of this database, and could not read what they sealed; ' +
      'copy the file secret from the data directory of one of them over the one in this',
  );
}
