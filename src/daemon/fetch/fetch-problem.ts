import type { FetchFailure, FetchFailureReason, HttpAnswer } from './fetched.ts';

/**
 * A fetch that comes to nothing, on its way up to the fetcher, which turns it into a `FetchFailure`. Streams and
 * connectors can only fail by an error; outside this room nobody sees it.
 */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem' as const;
  readonly reason: FetchFailureReason;
  readonly #more: More;

  constructor(reason: FetchFailureReason, detail: string, more: More = {}) {
    super(detail);
    this.reason = reason;
    this.#more = more;
  }

  toFailure(answer?: HttpAnswer): FetchFailure {
    return { outcome: 'failed', reason: this.reason, detail: this.message, ...this.#more, ...(answer && { answer }) };
  }
}

/** What goes with some reasons. */
type More = Pick<FetchFailure, 'leadsTo' | 'isUnknownName' | 'isRefused'>;
