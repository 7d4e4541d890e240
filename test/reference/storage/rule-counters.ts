import type { Withheld } from '../../../src/shared/api/rule-report.ts';
import type { RuleCount, RuleCounters, RuleFigures } from '../../../src/daemon/storage/rule-counters.ts';

export class MemoryRuleCounters implements RuleCounters {
  #counts: RuleCount[] = [];
  #last = new Map<string, number>();

  async addRuleCounts(counts: readonly RuleCount[]): Promise<void> {
    for (const count of structuredClone(counts)) {
      this.#counts.push(count);
      const { ruleId, lastMatchAt } = count;
      if (lastMatchAt !== undefined) {
        this.#last.set(ruleId, Math.max(lastMatchAt, this.#last.get(ruleId) ?? lastMatchAt));
      }
    }
  }

  async ruleFigures(ruleIds: readonly string[], since: number): Promise<RuleFigures[]> {
    return ruleIds.map((ruleId) => {
      const counts = this.#counts.filter((count) => count.ruleId === ruleId && count.hour >= since);
      const of = (reason: Withheld): number => counts.reduce((sum, { withheld }) => sum + (withheld[reason] ?? 0), 0);
      return {
        ruleId,
        matches: counts.reduce((sum, { matches }) => sum + matches, 0),
        lastMatchAt: this.#last.get(ruleId) ?? null,
        withheld: {
          no_date: of('no_date'),
          too_old: of('too_old'),
          future_date: of('future_date'),
          url: of('url'),
          adult: of('adult'),
        },
      };
    });
  }

  async trimRuleCounts(before: number, living: readonly string[]): Promise<void> {
    const alive = new Set(living);
    this.#counts = this.#counts.filter(({ ruleId, hour }) => hour >= before && alive.has(ruleId));
    this.#last = new Map([...this.#last].filter(([ruleId]) => alive.has(ruleId)));
  }
}
