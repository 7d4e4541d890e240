import type { DatabaseSync } from 'node:sqlite';
import { unzstd, zstd } from '../../../compression.ts';
import { ROBOTS_COPIES, ROBOTS_COPIES_BYTES } from '../../../../shared/limits.ts';
import type { RobotsCopies, RobotsCopy, RobotsLimits, RobotsTotals } from '../../robots-copies.ts';
import { type Operations, ROWS_A_STEP, type Step } from '../worker/operation.ts';

/** Copies of robots.txt in SQL. Their number and bytes are counted along, since adding them up would take a scan. */
export class RobotsStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #limits: RobotsLimits;

  constructor(database: DatabaseSync, limits: RobotsLimits = { copies: ROBOTS_COPIES, bytes: ROBOTS_COPIES_BYTES }) {
    this.#sql = prepare(database);
    this.#limits = limits;
  }

  copy(origin: string): RobotsCopy | undefined {
    const row = this.#sql.copy.get(origin) as unknown as CopyRow | undefined;
    if (!row) return undefined;
    const { askedAt, expiresAt, file, since, reason, detail } = row;
    const unreachable = since === null ? undefined : { since, reason: reason ?? '', detail: detail ?? '' };
    const bytes = file === null ? undefined : new Uint8Array(unzstd(file));
    return { origin, askedAt, expiresAt, file: bytes, unreachable };
  }

  /** Answers its key, by which `dropSome` leaves it. */
  save({ origin, askedAt, expiresAt, file, unreachable }: RobotsCopy): number {
    const { since = null, reason = null, detail = null } = unreachable ?? {};
    const former = this.#sql.drop.get(origin) as { bytes: number } | undefined;
    if (former) this.#sql.count.run(-1, -former.bytes);
    const kept = file === undefined ? null : zstd(file);
    const bytes = file?.length ?? 0;
    const { lastInsertRowid } = this.#sql.save.run(origin, askedAt, expiresAt, bytes, kept, since, reason, detail);
    this.#sql.count.run(1, bytes);
    return Number(lastInsertRowid);
  }

  /** Drops at most `atMost` of the oldest copies that are beyond the limits; whether there may be more. */
  dropSome(saved: number, atMost: number): boolean {
    for (let dropped = 0; dropped < atMost; dropped += 1) {
      const { copies, bytes } = this.#sql.counts.get() as { copies: number; bytes: number };
      if (copies <= this.#limits.copies && bytes <= this.#limits.bytes) return false;
      const oldest = this.#sql.dropOldest.get(saved) as { bytes: number } | undefined;
      if (!oldest) return false;
      this.#sql.count.run(-1, -oldest.bytes);
    }
    return true;
  }

  totals(): RobotsTotals {
    const row = this.#sql.totals.get() as unknown as RobotsTotals;
    return { ...row };
  }

  answeredLast(atMost: number): string[] {
    const rows = this.#sql.answeredLast.all(atMost) as unknown as { readonly origin: string }[];
    return rows.map(({ origin }) => origin);
  }
}

export function robotsOperations(store: RobotsStore): Operations<RobotsCopies> {
  return {
    robotsCopy: { read: (origin) => store.copy(origin) },
    saveRobotsCopy: { longWrite: (copy) => saving(store, copy) },
    robotsTotals: { read: () => store.totals() },
    answeredLast: { read: (atMost) => store.answeredLast(atMost) },
  };
}

/** A large file may take the place of many small ones. */
function saving(robots: RobotsStore, copy: RobotsCopy): () => Step<void> {
  let saved: number | undefined;
  return () => {
    saved ??= robots.save(copy);
    return { done: !robots.dropSome(saved, ROWS_A_STEP), answer: undefined };
  };
}

interface CopyRow {
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly file: Uint8Array | null;
  readonly since: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    copy: sql(`SELECT asked_at AS askedAt, expires_at AS expiresAt, file, since, reason, detail
      FROM robots WHERE origin = ?`),
    drop: sql('DELETE FROM robots WHERE origin = ? RETURNING bytes'),
    save: sql(`INSERT INTO robots (origin, asked_at, expires_at, bytes, file, since, reason, detail)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    dropOldest: sql(`DELETE FROM robots
      WHERE key = (SELECT key FROM robots WHERE key <> ? ORDER BY asked_at, key LIMIT 1) RETURNING bytes`),
    count: sql('UPDATE robots_totals SET copies = copies + ?, bytes = bytes + ?'),
    counts: sql('SELECT copies, bytes FROM robots_totals'),
    answeredLast: sql('SELECT origin FROM robots WHERE since IS NULL ORDER BY asked_at DESC, key DESC LIMIT +?'),
    totals: sql(`SELECT copies, bytes, (SELECT count(*) FROM robots WHERE since IS NOT NULL) AS unreachable
      FROM robots_totals`),
  };
}
