/**
 * When the readers of a tap are notified of new events. A write costs microseconds whatever its size, so a tap with many readers
 * must not write to each of them for every event: after a round of notifications the tap pauses in proportion to the number of
 * readers, and events that arrive meanwhile are sent together. A tap that was silent notifies at once, and a tap with few
 * readers never pauses long enough to notice. Decided against: always batching, which would delay every match of a quiet tap;
 * and a measured event rate, which says nothing about what a round costs.
 */
export class DeliverySchedule {
  readonly #readers: ReadonlySet<{ pump(): void }>;
  #turn: NodeJS.Immediate | undefined;
  #pauseTimer: NodeJS.Timeout | undefined;
  #hasEvents = false;

  constructor(readers: ReadonlySet<{ pump(): void }>) {
    this.#readers = readers;
  }

  /** There are new events. Returns at once. */
  wake(): void {
    // The pause restarts at the first new event: at a steady rate that makes one round for everything within a pause.
    if (!this.#hasEvents) this.#pauseTimer?.refresh();
    this.#hasEvents = true;
    if (this.#turn === undefined && this.#pauseTimer === undefined) this.#begin();
  }

  /** No reader is notified any more. */
  stop(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#pauseTimer);
    this.#turn = undefined;
    this.#pauseTimer = undefined;
  }

  #begin(): void {
    this.#turn = setImmediate(() => {
      this.#hasEvents = false;
      this.#notify(this.#readers.values());
    });
  }

  /** Some readers per turn of the event loop, so that a tap with thousands does not delay the others. */
  #notify(readers: Iterator<{ pump(): void }>): void {
    for (let notified = 0; notified < READERS_A_TURN; notified += 1) {
      const { done, value } = readers.next();
      if (done === true) return this.#pause();
      value.pump();
    }
    this.#turn = setImmediate(() => this.#notify(readers));
  }

  #pause(): void {
    this.#turn = undefined;
    const pauseMs = Math.min(Math.floor(this.#readers.size * PAUSE_MS_PER_READER), MOST_PAUSE_MS);
    if (pauseMs === 0) return this.#continue();
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#continue();
    }, pauseMs).unref();
  }

  #continue(): void {
    if (this.#hasEvents) this.#begin();
  }
}

/** About ten times what a write costs; a client does not notice the longest pause. */
const PAUSE_MS_PER_READER = 0.05;
const MOST_PAUSE_MS = 50;
const READERS_A_TURN = 500;
