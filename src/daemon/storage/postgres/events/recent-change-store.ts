import { CLOCK_SLACK_MS } from '../../frontier-rules.ts';
import { bytesOfChange, type RecentChange, type RecentChanges, type RecentQuestion } from '../../recent-changes.ts';
import { columnsOf, packedBytes } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** What a visit adds; `at` in milliseconds since 1970. */
export type NewChange = Omit<RecentChange, 'seq'>;

/** Changes that one transaction deletes at most. */
const CHANGES_A_STEP = 500;

/** The changes of the last day on PostgreSQL: written at one end, cut off at the other. */
export class RecentChangeStore implements RecentChanges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async recentChanges({ since, until, before, atMost }: RecentQuestion): Promise<RecentChange[]> {
    const far = Number.MAX_SAFE_INTEGER;
    return this.#database.query<RecentChange>(NEWEST, [
      before ?? far,
      since,
      until ?? far,
      atMost.changes,
      atMost.bytes,
    ]);
  }

  /** Within the transaction of a group of visits: one statement for all of them. */
  async add(transaction: Transaction, changes: readonly NewChange[]): Promise<void> {
    if (changes.length === 0) return;
    const change = packedBytes(changes.map((one) => one.change));
    const page = packedBytes(changes.map((one) => one.page));
    const about = columnsOf(changes, ({ at }) => at, bytesOfChange);
    const bytes = [change.blob, change.starts, change.lengths, page.blob, page.starts, page.lengths];
    await transaction.query(ADD, [...about, ...bytes]);
  }

  async trimRecentChanges(before: number, mostBytes: number): Promise<number> {
    // Found once, of one moment: nodes that trim at once find the same.
    const [last] = await this.#database.query<OldRow>(LAST_TO_DELETE, [before, mostBytes]);
    if (!last) return 0;
    let gone = 0;
    // What was deleted is in the index until the next vacuum: nobody has to go past it again.
    for (let from: OldRow = { at: 0, seq: 0 }; ;) {
      const deleted = await this.#database.query<OldRow>(DELETE, [
        from.at,
        from.seq,
        last.at,
        last.seq,
        CHANGES_A_STEP,
      ]);
      gone += deleted.length;
      if (deleted.length < CHANGES_A_STEP) return gone;
      from = deleted.reduce((one, other) => (isBehind(other, one) ? other : one), from);
    }
  }

  async repairChangeTimes(now: number): Promise<number> {
    const [ahead] = await this.#database.query('SELECT FROM changes WHERE at > $1 LIMIT 1', [now + CLOCK_SLACK_MS]);
    if (!ahead) return 0;
    let repaired = 0;
    for (let some = CHANGES_A_STEP; some === CHANGES_A_STEP;) {
      some = (await this.#database.query(REPAIR, [now, CHANGES_A_STEP])).length;
      repaired += some;
    }
    return repaired;
  }
}

interface OldRow {
  readonly at: number;
  readonly seq: number;
}

function isBehind(one: OldRow, other: OldRow): boolean {
  return one.at > other.at || (one.at === other.at && one.seq > other.seq);
}

/** The bytes are counted where the rows are, so that what is not wanted is not sent. */
const NEWEST = `SELECT seq, at, change, page FROM (
    SELECT seq, at, change, page, row_number() OVER newest AS n,
      sum(octet_length(change) + octet_length(page)) OVER newest AS bytes
    FROM (
      SELECT seq, at, change, page FROM changes
      WHERE seq < $1 AND at >= $2 AND at <= $3 ORDER BY seq DESC LIMIT $4
    ) AS portion
    WINDOW newest AS (ORDER BY seq DESC ROWS UNBOUNDED PRECEDING)
  ) AS counted WHERE n = 1 OR bytes <= $5 ORDER BY seq DESC`;

const ADD = `INSERT INTO changes (at, bytes, change, page)
  SELECT at, bytes, substring($3::bytea FROM change_start FOR change_length), substring($6::bytea FROM page_start FOR page_length)
  FROM unnest($1::bigint[], $2::integer[], $4::integer[], $5::integer[], $7::integer[], $8::integer[])
    WITH ORDINALITY AS one (at, bytes, change_start, change_length, page_start, page_length, n)
  ORDER BY n`;

const LAST_TO_DELETE = `SELECT at, seq FROM (
    SELECT at, seq, total - sum(bytes) OVER (ORDER BY at, seq ROWS UNBOUNDED PRECEDING) + bytes AS with_it
    FROM changes, (SELECT sum(bytes) AS total FROM changes) AS totals
  ) AS aged WHERE at < $1 OR with_it > $2 ORDER BY at DESC, seq DESC LIMIT 1`;

const DELETE = `DELETE FROM changes WHERE seq IN (
    SELECT seq FROM changes WHERE (at, seq) > ($1, $2) AND (at, seq) <= ($3, $4) ORDER BY at, seq LIMIT $5
  ) RETURNING at, seq`;

const REPAIR = `UPDATE changes SET at = $1
  WHERE seq IN (SELECT seq FROM changes WHERE at > $1 ORDER BY at, seq LIMIT $2) RETURNING seq`;
