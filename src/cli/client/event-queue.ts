/**
 * What was received and not yet handled. The queue itself refuses nothing; who fills it asks `room()` before it reads
 * more, and so the reading stops, the socket's buffers fill, and the daemon waits: that is all the backpressure there
 * is. Ending it keeps what is in it.
 */
export class EventQueue<Item> {
  readonly #highWater: number;
  #items: Item[] = [];
  #ended = false;
  #failure: Error | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(highWater: number) {
    this.#highWater = highWater;
  }

  push(item: Item): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wakeReader?.();
  }

  /** After what is queued, the reader gets the end, or `failure` thrown. The first call decides. */
  end(failure?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Resolves when there is room for more, or when nothing more is wanted. */
  async room(): Promise<void> {
    while (!this.#ended && this.#items.length >= this.#highWater) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  /** Undefined at the end. One reader only. */
  async next(): Promise<Item | undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        if (this.#items.length < this.#highWater) this.#wakeWriter?.();
        return item;
      }
      if (this.#ended) {
        if (this.#failure !== undefined) throw this.#failure;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
