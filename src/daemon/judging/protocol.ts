import type { ArmedRule } from '../../shared/match/rule-index.ts';
import type { Case, PageFinding } from './case.ts';
import type { CheckFinding, WatchCase } from './watch-case.ts';

/** What a thread judges: a page of the crawl, or one of a watch. */
export type Question =
  | { readonly kind: 'judge'; readonly given: Case }
  | { readonly kind: 'judge-watch'; readonly given: WatchCase };

/** What a judging thread is told. In the order it is sent: a page that comes after a rule is judged with it. */
export type Request =
  | { readonly kind: 'arm'; readonly rule: ArmedRule }
  | { readonly kind: 'withdraw'; readonly ruleId: string }
  | Question;

export type Answer =
  | { readonly kind: 'judged'; readonly judgement: PageFinding }
  | { readonly kind: 'judged-watch'; readonly judgement: CheckFinding };

export type Reply =
  | Answer
  /** Its code is loaded: the page that it has been given is read from now on. */
  | { readonly kind: 'ready' }
  /** A rule that could not be armed, and what it threw. */
  | { readonly kind: 'unarmed'; readonly ruleId: string; readonly fault: string };

/** A question, and who waits for the answer. */
export type Job = (
  | (Extract<Question, { kind: 'judge' }> & { readonly resolve: (judgement: PageFinding) => void })
  | (Extract<Question, { kind: 'judge-watch' }> & { readonly resolve: (judgement: CheckFinding) => void })
) & {
  /** Called when a thread reads it. */
  readonly onBegin: () => void;
  /** Milliseconds that another thread has spent on its PDF. */
  readonly spentMs: number;
};

/** A thread answers the one question that it was asked. */
export function answer(job: Job, reply: Answer, spentMs: number): void {
  if (job.kind === 'judge' && reply.kind === 'judged') job.resolve({ ...reply.judgement, spentMs });
  if (job.kind === 'judge-watch' && reply.kind === 'judged-watch') job.resolve({ ...reply.judgement, spentMs });
}
