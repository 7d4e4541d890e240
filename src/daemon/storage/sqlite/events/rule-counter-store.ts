import type { DatabaseSync } from 'node:sqlite';
import { type Withheld, WITHHELD_REASONS } from '../../../../shared/api/rule-report.ts';
import type { RuleCount, RuleCounters, RuleFigures } from '../../rule-counters.ts';
import type { Operations } from '../worker/operation.ts';

/** What became of each rule, by the hour. The columns of an hour are the reasons, by their names. */
export class RuleCounterStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  add(counts: readonly RuleCount[]): void {
    for (const { ruleId, hour, matches, lastMatchAt, withheld } of counts) {
      this.#sql.add.run(ruleId, hour, matches, ...WITHHELD_REASONS.map((reason) => withheld[reason] ?? 0));
      if (lastMatchAt !== undefined) this.#sql.setLast.run(ruleId, lastMatchAt);
    }
  }

  figures(ruleIds: readonly string[], since: number): RuleFigures[] {
    return ruleIds.map((ruleId) => {
      const { matches, ...withheld } = { ...this.#sql.sums.get(ruleId, since) } as unknown as Sums;
      const last = this.#sql.last.get(ruleId) as { at: number } | undefined;
      return { ruleId, matches, lastMatchAt: last?.at ?? null, withheld };
    });
  }

  trim(before: number, living: readonly string[]): void {
    const ids = JSON.stringify(living);
    this.#sql.trim.run(before, ids);
    this.#sql.forget.run(ids);
  }
}

export function ruleCounterOperations(store: RuleCounterStore): Operations<RuleCounters> {
  return {
    addRuleCounts: { write: (counts) => store.add(counts) },
    ruleFigures: { read: (ruleIds, since) => store.figures(ruleIds, since) },
    trimRuleCounts: { write: (before, living) => store.trim(before, living) },
  };
}

type Sums = Record<Withheld, number> & { readonly matches: number };

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const columns = ['matches', ...WITHHELD_REASONS];
  const isDead = 'rule NOT IN (SELECT value FROM json_each(?))';
  return {
    add: sql(`INSERT INTO rule_hours (rule, hour, ${columns.join(', ')})
      VALUES (?, ?${', ?'.repeat(columns.length)})
      ON CONFLICT (rule, hour) DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`),
    setLast: sql(`INSERT INTO rule_last (rule, at) VALUES (?, ?)
      ON CONFLICT (rule) DO UPDATE SET at = max(at, excluded.at)`),
    sums: sql(`SELECT ${columns.map((name) => `total(${name}) AS ${name}`).join(', ')}
      FROM rule_hours WHERE rule = ? AND hour >= ?`),
    last: sql('SELECT at FROM rule_last WHERE rule = ?'),
    trim: sql(`DELETE FROM rule_hours WHERE hour < ? OR ${isDead}`),
    forget: sql(`DELETE FROM rule_last WHERE ${isDead}`),
  };
}
