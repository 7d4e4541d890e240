import type { Outside } from '../outside.ts';
import type { DuePage, Pages } from '../storage/pages.ts';

/**
 * What keeps moving: asks the frontier which pages are due, sends them down the path, and comes back when the next
 * one is. Chooses the host first, then its most overdue page; a host has one request at a time and a rest after
 * each, so that one slow or large site neither suffers nor starves the others.
 *
 * The crawler keeps no list of its own: which page is due, and when, is the frontier's to say, and it says so in
 * the same commit that records a visit. A page that was under way when the process died is simply still due.
 */
export class Crawler {
  readonly #deps: CrawlerDeps;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #resting = new Map<string, Rest>();
  /** When it last looked at the clock. */
  #lastLook = -Infinity;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #asking = false;
  #askAgain = false;
  #stopping = false;

  constructor(deps: CrawlerDeps) {
    this.#deps = deps;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Something may be due that was not: a new source, a freed place. */
  wake(): void {
    if (this.#stopping) return;
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    void this.#turn();
  }

  /** Takes no new page; waits for those under way, and calls off what is not done after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const calledOff = setTimeout(() => this.#abort.abort(), graceMs);
    await Promise.all(this.#inFlight.values());
    clearTimeout(calledOff);
  }

  async #turn(): Promise<void> {
    this.#asking = true;
    clearTimeout(this.#timer);
    try {
      do {
        this.#askAgain = false;
        const wait = await this.#takeDue();
        this.#sleep(wait);
      } while (this.#askAgain && !this.#stopping);
    } catch (error) {
      this.#deps.onError('the frontier did not answer', error);
      this.#sleep(FAULT_REST_MS);
    } finally {
      this.#asking = false;
    }
  }

  /** Starts what is due; answers how long nothing else will be, in milliseconds. */
  async #takeDue(): Promise<number> {
    const now = this.#deps.outside.now();
    // What was scheduled by a clock that was ahead would wait until this one has caught up: hours, or a year.
    if (now < this.#lastLook - CLOCK_JITTER_MS) await this.#deps.pages.bringForward(now);
    this.#lastLook = now;
    const firstAwake = this.#awaken(now);
    const atMost = this.#deps.concurrency - this.#inFlight.size;
    if (atMost <= 0) return IDLE_MS;
    const busyHosts = [...this.#inFlight.keys(), ...this.#resting.keys()];
    const { pages, nextAt } = await this.#deps.pages.due({ now, atMost, busyHosts });
    if (this.#stopping) return IDLE_MS;
    for (const page of pages) this.#begin(page);
    return Math.min(IDLE_MS, firstAwake - now, (nextAt ?? Infinity) - now);
  }

  /** Lets go of the hosts that have rested; answers when the next one will have. */
  #awaken(now: number): number {
    let first = Infinity;
    for (const [host, { from, until }] of this.#resting) {
      // Before its beginning: the clock was set back, and a rest of a second would last for hours.
      if (until <= now || now < from) this.#resting.delete(host);
      else first = Math.min(first, until);
    }
    return first;
  }

  #begin(page: DuePage): void {
    const done = this.#visit(page).finally(() => {
      this.#inFlight.delete(page.host);
      this.wake();
    });
    this.#inFlight.set(page.host, done);
  }

  /** Nothing that happens to a page may end the loop: what is thrown here is ours, and the host rests for it. */
  async #visit(page: DuePage): Promise<void> {
    let restMs = this.#deps.hostDelayMs;
    try {
      const { isRequest, crawlDelayMs } = await this.#deps.visit(page, this.#abort.signal);
      restMs = isRequest ? Math.max(restMs, crawlDelayMs) : 0;
    } catch (error) {
      restMs = Math.max(restMs, FAULT_REST_MS);
      this.#deps.onError(`the visit of ${page.url} was not recorded`, error);
    }
    const from = this.#deps.outside.now();
    if (restMs > 0) this.#resting.set(page.host, { from, until: from + restMs });
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopping) this.#timer = setTimeout(() => this.wake(), Math.max(ms, LEAST_WAIT_MS));
  }
}

interface Rest {
  readonly from: number;
  readonly until: number;
}

export interface CrawlerDeps {
  readonly pages: Pages;
  /** One request at most. After it the host rests, for as long as it wants; a turn without a request needs no rest. */
  readonly visit: (
    page: DuePage,
    signal: AbortSignal,
  ) => Promise<{ readonly isRequest: boolean; readonly crawlDelayMs: number }>;
  readonly outside: Outside;
  readonly concurrency: number;
  readonly hostDelayMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/** Clocks are set back by milliseconds all the time. */
const CLOCK_JITTER_MS = 1_000;
/** A visit that could not be recorded (a full disk) stays due: without a rest it would be fetched in a tight loop. */
const FAULT_REST_MS = 10_000;
/** Looking again once in a while costs nothing, and notices a clock that was set. */
const IDLE_MS = 5_000;
const LEAST_WAIT_MS = 5;
