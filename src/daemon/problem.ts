import type { ProblemCode, ProblemFacts } from '../shared/api/problem.ts';

/**
 * What a room throws when it refuses: a code with its facts. Only `http` (status and sentence) and the command line
 * (exit code) turn it into words.
 */
export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name = 'Problem' as const;
  readonly code: Code;
  readonly facts: ProblemFacts[Code];

  constructor(code: Code, facts: ProblemFacts[Code]) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}
