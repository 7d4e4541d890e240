/**
 * When the readers of a tap are told of news. A write costs microseconds whatever is in it, so a tap with many readers
 * must not write to each of them for every event: after a round the tap rests for as long as the round was worth, what
 * comes meanwhile is gathered for as long again, and goes out together. A tap that was silent tells at once, and one
 * with few readers never rests long enough to be noticed. Decided against: gathering always, which every match of a
 * quiet tap would pay for; and a measured rate of events, which says nothing about what a round costs.
 */
export class Rounds {
  readonly #readers: ReadonlySet<{ pump(): void }>;
  #turn: NodeJS.Immediate | undefined;
  #rest: NodeJS.Timeout | undefined;
  #hasNews = false;

  constructor(readers: ReadonlySet<{ pump(): void }>) {
    this.#readers = readers;
  }

  /** There is news. Returns at once. */
  wake(): void {
    // Counted anew from the first news: at a steady pace that is one round for all that come in such a time.
    if (!this.#hasNews) this.#rest?.refresh();
    this.#hasNews = true;
    if (this.#turn === undefined && this.#rest === undefined) this.#begin();
  }

  /** Nothing more is told. */
  stop(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#rest);
    this.#turn = undefined;
    this.#rest = undefined;
  }

  #begin(): void {
    this.#turn = setImmediate(() => {
      this.#hasNews = false;
      this.#tell(this.#readers.values());
    });
  }

  /** Some readers a turn of the loop, so that a tap with thousands does not hold up the others. */
  #tell(readers: Iterator<{ pump(): void }>): void {
    for (let told = 0; told < READERS_A_TURN; told += 1) {
      const { done, value } = readers.next();
      if (done === true) return this.#pause();
      value.pump();
    }
    this.#turn = setImmediate(() => this.#tell(readers));
  }

  #pause(): void {
    this.#turn = undefined;
    const restMs = Math.min(Math.floor(this.#readers.size * REST_MS_A_READER), MOST_REST_MS);
    if (restMs === 0) return this.#goOn();
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#goOn();
    }, restMs).unref();
  }

  #goOn(): void {
    if (this.#hasNews) this.#begin();
  }
}

/** About ten times what a write costs; the longest rest is one that nobody notices. */
const REST_MS_A_READER = 0.05;
const MOST_REST_MS = 50;
const READERS_A_TURN = 500;
