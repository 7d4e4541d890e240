import type { Withheld } from '../../shared/api/rule-report.ts';

/**
 * What became of each rule, by the hour: how often it matched, and how often a page fitted its query and was withheld.
 * Counted beside the path of a page and not within its commit: a crash may cost the last minute of a figure that
 * nobody is billed by.
 */
export interface RuleCount {
  readonly ruleId: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly matches: number;
  /** When it last matched, ms since 1970; absent: not in this count. */
  readonly lastMatchAt?: number;
  readonly withheld: Readonly<Partial<Record<Withheld, number>>>;
}

export interface RuleFigures {
  readonly ruleId: string;
  readonly matches: number;
  readonly lastMatchAt: number | null;
  readonly withheld: Readonly<Record<Withheld, number>>;
}

export interface RuleCounters {
  /** Adds to what is there; all of it or nothing. */
  addRuleCounts(counts: readonly RuleCount[]): Promise<void>;
  /** One for each id, in their order: the sums since the hour `since`; the last match however long ago. */
  ruleFigures(ruleIds: readonly string[], since: number): Promise<RuleFigures[]>;
  /** Forgets the hours before `before`, and all of the rules that are not in `living`. */
  trimRuleCounts(before: number, living: readonly string[]): Promise<void>;
}

export const HOUR_MS = 3_600_000;

export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
