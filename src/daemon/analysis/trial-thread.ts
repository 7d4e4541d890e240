import { parentPort, workerData } from 'node:worker_threads';
import { labeller } from '../../shared/label/labels.ts';
import { type RegisteredRule, RuleIndex } from '../../shared/match/rule-index.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { tryOn } from './trial.ts';

/** Some changes to try the rule on, and how many matches are wanted whole. */
export interface TrialRequest {
  readonly changes: readonly RecentChange[];
  readonly documents: number;
}

/** The thread of one trial: changes in, what the rule makes of them out, as often as it is asked. */
async function serve(port: NonNullable<typeof parentPort>, rule: RegisteredRule): Promise<void> {
  const rules = new RuleIndex();
  rules.register(rule);
  const label = await labeller();
  port.on('message', ({ changes, documents }: TrialRequest) => {
    port.postMessage(tryOn(changes, rules, label, documents), []);
  });
}

if (parentPort) await serve(parentPort, workerData as RegisteredRule);
