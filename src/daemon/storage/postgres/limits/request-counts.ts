import { COUNTED_CLIENTS } from '../../../../shared/limits.ts';
import type { RequestCounts } from '../../nodes.ts';
import { storable } from '../connection/columns.ts';
import type { Queryable } from '../connection/database.ts';

/** Counts between two of which this node deletes what is over, and what is too much. */
const COUNTS_A_SWEEP = 1_000;

/**
 * How often clients ask, counted by all nodes in a row a client. Bounded: beyond `COUNTED_CLIENTS`, those whose windows end first are
 * forgotten, which begin anew.
 */
export class RequestCountStore implements RequestCounts {
  readonly #database: Queryable;
  readonly #most: number;
  #counted = 0;

  constructor(database: Queryable, most = COUNTED_CLIENTS) {
    this.#database = database;
    this.#most = most;
  }

  async count(
    client: string,
    now: number,
    windowMs: number,
  ): Promise<{ readonly current: number; readonly ttl: number }> {
    this.#counted += 1;
    if (this.#counted % COUNTS_A_SWEEP === 0) await this.#database.query(SWEEP, [now, this.#most]);
    const [row] = await this.#database.query<{ current: number; ttl: number }>(COUNT, [
      storable(client),
      now,
      windowMs,
    ]);
    if (!row) throw new Error('a request was not counted');
    return row;
  }
}

/** The clocks of two nodes differ a little: what one of them counted is in the same window for the other. */
const IS_SAME = 'held.until > $2::bigint AND held.until <= $2::bigint + 2 * $3::bigint';

const COUNT = `INSERT INTO request_counts AS held (client, until, count) VALUES ($1, $2::bigint + $3::bigint, 1)
  ON CONFLICT (client) DO UPDATE SET count = CASE WHEN ${IS_SAME} THEN held.count + 1 ELSE 1 END,
    until = CASE WHEN ${IS_SAME} THEN held.until ELSE excluded.until END
  RETURNING count AS current, least(until - $2::bigint, $3::bigint) AS ttl`;

const SWEEP = `DELETE FROM request_counts WHERE until <= $1
  OR client IN (SELECT client FROM request_counts ORDER BY until DESC, client OFFSET $2)`;
