import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, dayName, monthOf, shareOf, type UsageQuestion, type UsageRow } from '../../ledger.ts';

/** What was delivered, by day, tap and rule; and the checks of watches, by month. */
export class UsageStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  /** `price`: what was taken for each event. `ids`: of each event the rules that matched. */
  add(of: { organizationId: string; tapId: string; day: number; price: number }, ids: readonly string[][]): void {
    const { organizationId, tapId, day, price } = of;
    const sums = new Map<string, { matches: number; spent: number }>();
    const count = (rule: string, spent: number): void => {
      const sum = sums.get(rule) ?? { matches: 0, spent: 0 };
      sums.set(rule, { matches: sum.matches + 1, spent: sum.spent + spent });
    };
    for (const rules of ids) {
      count(WHOLE_TAP, price);
      for (const [index, rule] of rules.entries()) count(rule, shareOf(price, index, rules.length));
    }
    for (const [rule, { matches, spent }] of sums) {
      this.#sql.add.run(day, organizationId, tapId, rule, matches, spent);
    }
  }

  usage({ organizationId, by, since, atMost }: UsageQuestion): UsageRow[] {
    const day = Math.floor(since / DAY_MS);
    if (by === 'day') {
      const rows = this.#sql.byDay.all(day, organizationId, atMost) as unknown as (Sums & { day: number })[];
      return rows.map(({ day: number, matches, spent }) => ({ key: dayName(number), matches, spent }));
    }
    return this.#sql[by === 'tap' ? 'byTap' : 'byRule'].all(day, organizationId, atMost) as unknown as UsageRow[];
  }

  trim(before: number): void {
    this.#sql.trim.run(Math.floor(before / DAY_MS));
    this.#sql.trimChecks.run(monthOf(before));
  }

  checks(organizationId: string, month: string): number {
    const row = this.#sql.checks.get(month, organizationId) as { checks: number } | undefined;
    return row?.checks ?? 0;
  }

  countCheck(organizationId: string, month: string): number {
    return (this.#sql.countCheck.get(month, organizationId) as { checks: number }).checks;
  }
}

/** In place of a rule: all deliveries of the tap. */
const WHOLE_TAP = '';

type Sums = Pick<UsageRow, 'matches' | 'spent'>;

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const sums = 'sum(matches) AS matches, sum(spent) AS spent';
  const since = 'FROM usage WHERE day >= ? AND organization = ?';
  return {
    add: sql(`INSERT INTO usage (day, organization, tap, rule, matches, spent) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (day, organization, tap, rule) DO UPDATE
      SET matches = matches + excluded.matches, spent = spent + excluded.spent`),
    byDay: sql(`SELECT day, ${sums} ${since} AND rule = '' GROUP BY day ORDER BY day DESC LIMIT ?`),
    byTap: sql(`SELECT tap AS key, ${sums} ${since} AND rule = ''
      GROUP BY tap ORDER BY matches DESC, tap LIMIT ?`),
    byRule: sql(`SELECT rule AS key, tap AS tapId, ${sums} ${since} AND rule <> ''
      GROUP BY tap, rule ORDER BY matches DESC, rule, tap LIMIT ?`),
    trim: sql('DELETE FROM usage WHERE day < ?'),
    trimChecks: sql('DELETE FROM checks WHERE month < ?'),
    checks: sql('SELECT checks FROM checks WHERE month = ? AND organization = ?'),
    countCheck: sql(`INSERT INTO checks (month, organization, checks) VALUES (?, ?, 1)
      ON CONFLICT (month, organization) DO UPDATE SET checks = checks + 1 RETURNING checks`),
  };
}
