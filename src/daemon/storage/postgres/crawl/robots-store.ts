import { ROBOTS_COPIES, ROBOTS_COPIES_BYTES } from '../../../../shared/limits.ts';
import { unzstd, zstd } from '../../../compression.ts';
import type { RobotsCopies, RobotsCopy, RobotsLimits, RobotsTotals } from '../../robots-copies.ts';
import { storable } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** Copies that one transaction drops at most. */
const COPIES_A_STEP = 500;

/** Copies of robots.txt on PostgreSQL. Their number and bytes are counted along, by each node on a row of its own. */
export class RobotsStore implements RobotsCopies {
  readonly #database: Database;
  readonly #node: string;
  readonly #limits: RobotsLimits;

  constructor(
    database: Database,
    node: string,
    limits: RobotsLimits = { copies: ROBOTS_COPIES, bytes: ROBOTS_COPIES_BYTES },
  ) {
    this.#database = database;
    this.#node = node;
    this.#limits = limits;
  }

  async robotsCopy(origin: string): Promise<RobotsCopy | undefined> {
    const [row] = await this.#database.query<CopyRow>(COPY, [origin]);
    if (!row) return undefined;
    const { askedAt, expiresAt, file, since, reason, detail } = row;
    const unreachable = since === null ? undefined : { since, reason: reason ?? '', detail: detail ?? '' };
    const bytes = file === null ? undefined : new Uint8Array(unzstd(file));
    return { origin, askedAt, expiresAt, file: bytes, unreachable };
  }

  async saveRobotsCopy({ origin, askedAt, expiresAt, file, unreachable }: RobotsCopy): Promise<void> {
    const { since = null, reason = null, detail = null } = unreachable ?? {};
    const kept = file === undefined ? null : zstd(file);
    const about = [origin, askedAt, expiresAt, file?.length ?? 0, kept, since, storable(reason), storable(detail)];
    await this.#database.transaction(async (transaction) => {
      // Two that save the same new copy would both count it.
      await transaction.query(LOCK, [`robots ${origin}`]);
      await transaction.query(SAVE, [...about, this.#node]);
    });
    while (this.#isTooMuch(await this.robotsTotals()) && (await this.#dropSome(origin))) {
      // As many as it takes.
    }
  }

  async robotsTotals(): Promise<RobotsTotals> {
    const [totals] = await this.#database.query<RobotsTotals>(TOTALS);
    return totals ?? { copies: 0, bytes: 0, unreachable: 0 };
  }

  async answeredLast(atMost: number): Promise<string[]> {
    const rows = await this.#database.query<{ origin: string }>(ANSWERED_LAST, [atMost]);
    return rows.map(({ origin }) => origin);
  }

  #isTooMuch({ copies, bytes }: Omit<RobotsTotals, 'unreachable'>): boolean {
    return copies > this.#limits.copies || bytes > this.#limits.bytes;
  }

  /** Drops the oldest copies that are beyond the limits, but not the one just saved; whether there may be more. */
  #dropSome(saved: string): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query(LOCK, ['robots']);
      const gone = await this.#beyond(transaction, saved);
      await transaction.query(DROP, [gone, this.#node]);
      return gone.length > 0;
    });
  }

  async #beyond(transaction: Transaction, saved: string): Promise<string[]> {
    const [totals] = await transaction.query<RobotsTotals>(TOTALS);
    const oldest = await transaction.query<{ origin: string; bytes: number }>(OLDEST, [saved, COPIES_A_STEP]);
    let { copies = 0, bytes = 0 } = totals ?? {};
    const gone: string[] = [];
    for (const copy of oldest) {
      if (!this.#isTooMuch({ copies, bytes })) break;
      copies -= 1;
      bytes -= copy.bytes;
      gone.push(copy.origin);
    }
    return gone;
  }
}

interface CopyRow {
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly file: Uint8Array | null;
  readonly since: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

const COPY = `SELECT asked_at AS "askedAt", expires_at AS "expiresAt", file, since, reason, detail
  FROM robots WHERE origin = $1`;

const COUNT = `ON CONFLICT (node) DO UPDATE
  SET copies = robots_totals.copies + excluded.copies, bytes = robots_totals.bytes + excluded.bytes`;

/** With a new key: of copies that were asked for at the same moment the one that was saved first is the oldest. */
const SAVE = `WITH former AS (
    SELECT bytes FROM robots WHERE origin = $1
  ), saved AS (
    INSERT INTO robots (origin, asked_at, expires_at, bytes, file, since, reason, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (origin) DO UPDATE SET key = DEFAULT, asked_at = excluded.asked_at, expires_at = excluded.expires_at,
      bytes = excluded.bytes, file = excluded.file, since = excluded.since, reason = excluded.reason, detail = excluded.detail
  )
  INSERT INTO robots_totals (node, copies, bytes)
  SELECT $9, 1 - count(*), $4 - coalesce(sum(bytes), 0) FROM former ${COUNT}`;

const TOTALS = `SELECT coalesce(sum(copies), 0) AS copies, coalesce(sum(bytes), 0) AS bytes,
  (SELECT count(*) FROM robots WHERE since IS NOT NULL) AS unreachable FROM robots_totals`;

const OLDEST = 'SELECT origin, bytes FROM robots WHERE origin <> $1 ORDER BY asked_at, key LIMIT $2';

const DROP = `WITH gone AS (
    DELETE FROM robots WHERE origin = ANY($1::text[]) RETURNING bytes
  )
  INSERT INTO robots_totals (node, copies, bytes) SELECT $2, -count(*), -coalesce(sum(bytes), 0) FROM gone ${COUNT}`;

const ANSWERED_LAST = 'SELECT origin FROM robots WHERE since IS NULL ORDER BY asked_at DESC, key DESC LIMIT $1';
