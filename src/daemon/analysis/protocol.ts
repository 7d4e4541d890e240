import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import type { PageInput, PageFinding } from './page-analysis.ts';
import type { CheckFinding, WatchInput } from './watch-analysis.ts';

/** What a thread analyzes: a page of the crawl, or a page of a watch. */
export type Question =
  | { readonly kind: 'analyze'; readonly given: PageInput }
  | { readonly kind: 'analyze-watch'; readonly given: WatchInput };

/** What an analysis thread receives, in this order: a page that comes after a rule is analyzed with it. */
export type Request =
  | { readonly kind: 'register'; readonly rule: RegisteredRule }
  | { readonly kind: 'unregister'; readonly ruleId: string }
  /** After a page that took much: its garbage is to go. */
  | { readonly kind: 'collect' }
  | Question;

export type Answer =
  | { readonly kind: 'analyzed'; readonly finding: PageFinding }
  | { readonly kind: 'analyzed-watch'; readonly finding: CheckFinding };

export type Reply =
  | Answer
  /** Its code is loaded: the page that it has been given is read from now on. */
  | { readonly kind: 'ready' }
  /** Its garbage is collected, and it still holds so many bytes. */
  | { readonly kind: 'collected'; readonly bytes: number }
  /** A rule that could not be registered, and what it threw. */
  | { readonly kind: 'rejected'; readonly ruleId: string; readonly fault: string };

/** A question, and who waits for the answer. */
export type Job = (
  | (Extract<Question, { kind: 'analyze' }> & { readonly resolve: (finding: PageFinding) => void })
  | (Extract<Question, { kind: 'analyze-watch' }> & { readonly resolve: (finding: CheckFinding) => void })
) & {
  /** Called when a thread reads it. */
  readonly onBegin: () => void;
  /** Milliseconds that another thread has spent on its PDF. */
  readonly spentMs: number;
};

/** A thread answers the one question that it was asked. */
export function answer(job: Job, reply: Answer, spentMs: number): void {
  if (job.kind === 'analyze' && reply.kind === 'analyzed') job.resolve({ ...reply.finding, spentMs });
  if (job.kind === 'analyze-watch' && reply.kind === 'analyzed-watch') job.resolve({ ...reply.finding, spentMs });
}
