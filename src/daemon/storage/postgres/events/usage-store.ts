import { DAY_MS, dayName, monthOf, sumUp, type UsageQuestion, type UsageRow } from '../../ledger.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';

/** What was delivered, by day, tap and rule; and the checks of watches, by month; on PostgreSQL. */
export class UsageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `price`: what was taken for each event. `ids`: of each event the rules that matched. */
  async add(
    transaction: Transaction,
    of: { organizationId: string; tapId: string; day: number; price: number },
    ids: readonly (readonly string[])[],
  ): Promise<void> {
    const { organizationId, tapId, day, price } = of;
    const columns = columnsOf(
      [...sumUp(ids, price)],
      ([rule]) => rule,
      ([, { matches }]) => matches,
      ([, { spent }]) => spent,
    );
    await transaction.query(ADD, [day, organizationId, tapId, ...columns]);
  }

  async usage({ organizationId, by, since, atMost }: UsageQuestion): Promise<UsageRow[]> {
    const values = [Math.floor(since / DAY_MS), organizationId, atMost];
    if (by !== 'day') return this.#database.query<UsageRow>(by === 'tap' ? BY_TAP : BY_RULE, values);
    const rows = await this.#database.query<Omit<UsageRow, 'key'> & { day: number }>(BY_DAY, values);
    return rows.map(({ day, matches, spent }) => ({ key: dayName(day), matches, spent }));
  }

  async checks(organizationId: string, month: string): Promise<number> {
    const [row] = await this.#database.query<{ checks: number }>(CHECKS, [month, organizationId]);
    return row?.checks ?? 0;
  }

  /** So many more; how many there are with them. Undefined, and none is counted: there would be more than `most`. */
  async countChecks(
    to: Queryable,
    { organizationId, month, most, checks }: CountedChecks,
  ): Promise<number | undefined> {
    const [row] = await to.query<{ checks: number }>(COUNT_CHECKS, [month, organizationId, most, checks]);
    return row?.checks;
  }

  async trim(before: number): Promise<void> {
    await this.#database.query('DELETE FROM usage WHERE day < $1', [Math.floor(before / DAY_MS)]);
    await this.#database.query('DELETE FROM checks WHERE month < $1', [monthOf(before)]);
  }
}

const ADD = `INSERT INTO usage (day, organization, tap, rule, matches, spent)
  SELECT $1, $2, $3, rule, matches, spent FROM unnest($4::text[], $5::bigint[], $6::bigint[]) AS one (rule, matches, spent)
  ON CONFLICT (day, organization, tap, rule) DO UPDATE
  SET matches = usage.matches + excluded.matches, spent = usage.spent + excluded.spent`;

const SUMS = 'sum(matches) AS matches, sum(spent) AS spent FROM usage WHERE day >= $1 AND organization = $2';

const BY_DAY = `SELECT day, ${SUMS} AND rule = '' GROUP BY day ORDER BY day DESC LIMIT $3`;

const BY_TAP = `SELECT tap AS key, ${SUMS} AND rule = '' GROUP BY tap ORDER BY matches DESC, tap LIMIT $3`;

const BY_RULE = `SELECT rule AS key, tap AS "tapId", ${SUMS} AND rule <> ''
  GROUP BY tap, rule ORDER BY matches DESC, rule, tap LIMIT $3`;

const CHECKS = 'SELECT checks FROM checks WHERE month = $1 AND organization = $2';

interface CountedChecks {
  readonly organizationId: string;
  readonly month: string;
  /** There may be in the month, these included. */
  readonly most: number;
  readonly checks: number;
}

const COUNT_CHECKS = `INSERT INTO checks (month, organization, checks) SELECT $1, $2, $4::bigint WHERE $3::bigint >= $4
  ON CONFLICT (month, organization) DO UPDATE SET checks = checks.checks + excluded.checks
    WHERE checks.checks + excluded.checks <= $3 RETURNING checks`;
