import { clamp } from './rate.ts';

/**
 * One number that all intervals are in proportion to, so that all pages together are visited as often as the budget
 * says. The sum of all pages' pulls, divided by the budget, is what it has to be if each page were visited when its
 * rate says: a new source makes itself felt at once. What that does not know of – bounds, hints, failures, hosts that
 * want to be left alone – a correction learns from the visits that were made.
 *
 * A page that has been given its due time keeps it: what the correction does shows after a typical interval, which
 * may be days. So it must be no faster than that, or it would swing between its bounds; it measures the typical interval
 * itself. First visits do not count: a new site is read as fast as its hosts bear, and what is known is visited no less
 * for it. So the budget is a plan, not a limit.
 */
export class SchedulingFactor {
  readonly #perMs: number;
  #pull = 0;
  /** ln of the factor. */
  #correction = 0;
  #visits = 0;
  #since: number | undefined;
  /** Mean of the intervals that visits were given. */
  #intervalMs = 0;
  #intervals = 0;

  /** `rate`: revisits a second (setting `crawl-rate`). */
  constructor(rate: number) {
    this.#perMs = rate / 1_000;
  }

  /** What `revisit` wants: an interval is this divided by the page's pull. */
  get ms(): number {
    return (this.#pull / this.#perMs) * Math.exp(this.#correction);
  }

  /** A page that had been visited before was visited, and is due again after `intervalMs`. */
  revisited(intervalMs: number): void {
    this.#visits += 1;
    if (!(intervalMs > 0 && intervalMs < Infinity)) return;
    this.#intervals = Math.min(this.#intervals + 1, INTERVALS);
    this.#intervalMs += (intervalMs - this.#intervalMs) / this.#intervals;
  }

  /** To be told at each look at the frontier; `pull` as `Taken` has it. The correction moves once a minute. */
  steer(now: number, pull: number): void {
    // The frontier adds and subtracts: rounding may leave a bit less than nothing.
    this.#pull = clamp(pull, 0, Number.MAX_SAFE_INTEGER);
    const elapsed = now - (this.#since ?? -Infinity);
    if (elapsed >= 0 && elapsed < STEP_MS) return;
    // After a clock that was set, or a machine that slept, the count is of no use.
    if (elapsed >= STEP_MS && elapsed < STALE_MS) this.#correct(elapsed);
    this.#since = now;
    this.#visits = 0;
  }

  #correct(elapsed: number): void {
    const tooMany = this.#visits / (elapsed * this.#perMs) - 1;
    const inertia = Math.max(this.#intervalMs, LEAST_INERTIA_MS);
    const most = (MOST_A_STEP * elapsed) / STEP_MS;
    const step = clamp((tooMany * elapsed) / inertia, -most, most);
    this.#correction = clamp(this.#correction + step, -MOST, MOST);
  }
}

const STEP_MS = 60_000;
/** 5 % a minute. */
const MOST_A_STEP = Math.log(1.05);
/** A factor of four: a crawl that cannot spend its budget must not, when it grows, spend a hundred times too much. */
const MOST = Math.log(4);
const STALE_MS = 10 * STEP_MS;
const LEAST_INERTIA_MS = 10 * STEP_MS;
/** The mean is over about so many visits. */
const INTERVALS = 1_000;
