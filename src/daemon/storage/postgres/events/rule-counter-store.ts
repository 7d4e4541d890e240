import { type Withheld, WITHHELD_REASONS } from '../../../../shared/api/rule-report.ts';
import type { RuleCount, RuleCounters, RuleFigures } from '../../rule-counters.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';

/** What became of each rule, by the hour, on PostgreSQL. The columns of an hour are the reasons, by their names. */
export class RuleCounterStore implements RuleCounters {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async addRuleCounts(counts: readonly RuleCount[]): Promise<void> {
    if (counts.length === 0) return;
    const last = counts.filter(({ lastMatchAt }) => lastMatchAt !== undefined);
    await this.#database.transaction(async (transaction) => {
      const columns = columnsOf(
        counts,
        ({ ruleId }) => ruleId,
        ({ hour }) => hour,
        ({ matches }) => matches,
        ...WITHHELD_REASONS.map((reason) => (count: RuleCount) => count.withheld[reason] ?? 0),
      );
      await transaction.query(ADD, columns);
      if (last.length === 0) return;
      await transaction.query(
        SET_LAST,
        columnsOf(
          last,
          ({ ruleId }) => ruleId,
          ({ lastMatchAt }) => lastMatchAt,
        ),
      );
    });
  }

  async ruleFigures(ruleIds: readonly string[], since: number): Promise<RuleFigures[]> {
    const rows = await this.#database.query<FiguresRow>(FIGURES, [ruleIds, since]);
    return rows.map(({ ruleId, matches, lastMatchAt, ...withheld }) => ({ ruleId, matches, lastMatchAt, withheld }));
  }

  async trimRuleCounts(before: number, living: readonly string[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.query(TRIM, [living, before]);
      await transaction.query(FORGET, [living]);
    });
  }
}

type FiguresRow = Record<Withheld, number> & Omit<RuleFigures, 'withheld'>;

const COLUMNS = ['matches', ...WITHHELD_REASONS];

/** In one order whoever adds, so that two wait for one another and not each for the other. */
const ADD = `INSERT INTO rule_hours (rule, hour, ${COLUMNS.join(', ')})
  SELECT rule, hour, ${COLUMNS.map((name) => `sum(${name})`).join(', ')}
  FROM unnest($1::text[], $2::integer[]${COLUMNS.map((_, index) => `, $${index + 3}::bigint[]`).join('')})
    AS counted (rule, hour, ${COLUMNS.join(', ')})
  GROUP BY rule, hour ORDER BY rule COLLATE "C", hour
  ON CONFLICT (rule, hour) DO UPDATE SET ${COLUMNS.map((name) => `${name} = rule_hours.${name} + excluded.${name}`).join(', ')}`;

const SET_LAST = `INSERT INTO rule_last (rule, at)
  SELECT rule, max(at) FROM unnest($1::text[], $2::bigint[]) AS matched (rule, at) GROUP BY rule ORDER BY rule COLLATE "C"
  ON CONFLICT (rule) DO UPDATE SET at = greatest(rule_last.at, excluded.at)`;

const FIGURES = `SELECT asked.rule AS "ruleId", at AS "lastMatchAt", sums.*
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (rule, place) LEFT JOIN rule_last ON rule_last.rule = asked.rule,
    LATERAL (
      SELECT ${COLUMNS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')}
      FROM rule_hours WHERE rule_hours.rule = asked.rule AND hour >= $2
    ) AS sums
  ORDER BY place`;

const IS_DEAD = 'NOT EXISTS (SELECT FROM unnest($1::text[]) AS living (id) WHERE living.id = rule)';

const TRIM = `DELETE FROM rule_hours WHERE hour < $2 OR ${IS_DEAD}`;

const FORGET = `DELETE FROM rule_last WHERE ${IS_DEAD}`;
