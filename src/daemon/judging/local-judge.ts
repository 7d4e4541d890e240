import { labeller } from '../../shared/label/labels.ts';
import { type ArmedRule, RuleIndex } from '../../shared/match/rule-index.ts';
import { read } from '../../shared/page/read.ts';
import type { Case, PageFinding } from './case.ts';
import { judge, type Tools } from './judge.ts';
import { Triggers } from './triggers.ts';
import type { CheckFinding, WatchCase } from './watch-case.ts';
import { judgeWatch } from './watch-judge.ts';

/** What `Judges` does, here and now: for tests, and wherever a thread is not worth its start. */
export class LocalJudge {
  readonly #rules = new RuleIndex();
  readonly #triggers = new Triggers();
  readonly #tools: Omit<Tools, 'rules'>;

  constructor(tools: Partial<Omit<Tools, 'rules'>> = {}) {
    this.#tools = { extract: read, labeller, ...tools };
  }

  get size(): number {
    return this.#rules.size;
  }

  arm(rule: ArmedRule): void {
    this.#rules.arm(rule);
  }

  withdraw(ruleId: string): void {
    this.#rules.withdraw(ruleId);
  }

  /** Never rejects. */
  judge(given: Case): Promise<PageFinding> {
    return judge(given, { ...this.#tools, rules: this.#rules });
  }

  /** Never rejects. */
  judgeWatch(given: WatchCase): Promise<CheckFinding> {
    return judgeWatch(given, { ...this.#tools, triggers: this.#triggers });
  }
}
