import { labeller } from '../../src/shared/label/labels.ts';
import { type RegisteredRule, RuleIndex } from '../../src/shared/match/rule-index.ts';
import { read } from '../../src/shared/page/read.ts';
import type { CheckFinding, PageFinding, PageInput, WatchInput } from '../../src/daemon/analysis/findings.ts';
import { analyzePage, type Tools } from '../../src/daemon/analysis/analyze-page.ts';
import { Triggers } from '../../src/daemon/analysis/matching.ts';
import { analyzeWatch } from '../../src/daemon/analysis/analyze-watch.ts';

/** What `AnalysisPool` does, here and now: for tests, and wherever a thread is not worth its start. */
export class LocalAnalysis {
  readonly #rules = new RuleIndex();
  readonly #triggers = new Triggers();
  readonly #tools: Omit<Tools, 'rules'>;

  constructor(tools: Partial<Omit<Tools, 'rules'>> = {}) {
    this.#tools = { extract: read, labeller, ...tools };
  }

  get size(): number {
    return this.#rules.size;
  }

  register(rule: RegisteredRule): void {
    this.#rules.register(rule);
  }

  unregister(ruleId: string): void {
    this.#rules.unregister(ruleId);
  }

  /** Never rejects. */
  analyze(given: PageInput): Promise<PageFinding> {
    return analyzePage(given, { ...this.#tools, rules: this.#rules });
  }

  /** Never rejects. */
  analyzeWatch(given: WatchInput): Promise<CheckFinding> {
    return analyzeWatch(given, { ...this.#tools, triggers: this.#triggers });
  }
}
