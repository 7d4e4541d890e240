import { exitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

/** Why there is no page where one was asked for: a word for scripts, and a sentence that does not name the source. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem' as const;
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The same as the failure of a command that needs this page: the exit code is the one diff(1) has for trouble. */
export function pageFailure(source: string, { reason, message }: PageProblem): Failure {
  return new Failure(reason, exitCode.usage, `${source}: ${message}`);
}
