import type { ArmedRule } from '../../shared/match/rule-index.ts';
import type { Case, Judgement } from './case.ts';

/** What a judging thread is told. In the order it is sent: a page that comes after a rule is judged with it. */
export type Request =
  | { readonly kind: 'arm'; readonly rule: ArmedRule }
  | { readonly kind: 'withdraw'; readonly ruleId: string }
  | { readonly kind: 'judge'; readonly given: Case };

export type Reply =
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  /** A rule that could not be armed, and what it threw. */
  | { readonly kind: 'unarmed'; readonly ruleId: string; readonly fault: string };
