import { parentPort, workerData } from 'node:worker_threads';
import { labeller } from '../../shared/label/labels.ts';
import { type RegisteredRule, RuleIndex } from '../../shared/match/rule-index.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { seenIn, TriedRule, type Whole } from './trial.ts';

/** What the thread is for: one rule that is tried, or a page of which the newest change is looked for. */
export type TrialTask =
  | { readonly kind: 'try'; readonly rule: RegisteredRule }
  | { readonly kind: 'look'; readonly urls: readonly string[]; readonly rules: readonly RegisteredRule[] };

/** Some changes to work on. `whole` is for a rule that is tried. */
export interface TrialRequest {
  readonly changes: readonly RecentChange[];
  readonly whole: Whole;
}

/** The thread of one trial: changes in, what became of them out, as often as it is asked. */
async function serve(port: NonNullable<typeof parentPort>, task: TrialTask): Promise<void> {
  const answer = answering(task, await labeller());
  port.on('message', (request: TrialRequest) => {
    port.postMessage(answer(request), []);
  });
}

function answering(task: TrialTask, label: Awaited<ReturnType<typeof labeller>>): (request: TrialRequest) => unknown {
  if (task.kind === 'try') {
    const rule = new TriedRule(task.rule, label);
    return ({ changes, whole }) => rule.tryOn(changes, whole);
  }
  const rules = new RuleIndex();
  for (const rule of task.rules) rules.register(rule);
  const urls = new Set(task.urls);
  return ({ changes }) => seenIn(changes, urls, rules, label);
}

if (parentPort) await serve(parentPort, workerData as TrialTask);
