import type { FetchFailure, FetchFailureReason, HttpAnswer } from './fetched.ts';

/**
 * A fetch that comes to nothing, on its way up to the fetcher, which turns it into a `FetchFailure`. Streams and
 * connectors can only fail by an error; outside this room nobody sees it.
 */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem' as const;
  readonly reason: FetchFailureReason;

  constructor(reason: FetchFailureReason, detail: string) {
    super(detail);
    this.reason = reason;
  }

  toFailure(answer?: HttpAnswer): FetchFailure {
    return { outcome: 'failed', reason: this.reason, detail: this.message, ...(answer && { answer }) };
  }
}
