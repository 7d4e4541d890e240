/**
 * How long an analysis thread is kept without a page. Its heap is 40 MB and more, and a new one takes a second of processor
 * time: where the next page comes soon after one was ended, the following are kept for longer. Times are milliseconds, of
 * any clock that only goes forward.
 */
export class KeepTime {
  readonly #firstMs: number;
  #ms: number;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
    this.#ms = firstMs;
  }

  /** Undefined: threads are kept as long as the daemon runs. */
  get ms(): number | undefined {
    return Number.isFinite(this.#ms) ? this.#ms : undefined;
  }

  /** A thread was ended for want of pages. */
  ended(now: number): void {
    this.#endedAt = now;
  }

  /** A thread is started, which a kept one would have saved. */
  started(now: number): void {
    const wasMissed = now - this.#endedAt < this.#ms * MISSED_WITHIN;
    this.#ms = wasMissed ? Math.max(this.#firstMs, Math.min(this.#ms * KEPT_LONGER, LONGEST_MS)) : this.#firstMs;
  }
}

/** A thread that is needed again within so many times the time it was kept for was ended too early. */
const MISSED_WITHIN = 10;
const KEPT_LONGER = 3;
/** One start in ten minutes is no matter. */
const LONGEST_MS = 600_000;
