import type { Check, CommittedCheck, Watches } from '../storage/watches.ts';
import { LOOK_MS } from './supply.ts';

/**
 * Checks that found nothing wait for each other, as long as it is between two looks for what is due: then the storage
 * thread is woken once for all of them, and one COMMIT writes the pages that they share. All others go at once, and take
 * along who waits. Each is still a write of its own: one that fails takes nothing with it.
 */
export class CheckBatching {
  readonly #watches: Pick<Watches, 'commitCheck'>;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(watches: Pick<Watches, 'commitCheck'>) {
    this.#watches = watches;
  }

  /** Resolved when it is durable, as that of the storage. */
  async commitCheck(check: Check, canWait: boolean): Promise<CommittedCheck | undefined> {
    if (canWait && !this.#isStopping) await this.#turn();
    else this.flush();
    return this.#watches.commitCheck(check);
  }

  /** Those that wait go in this turn of the event loop, and so by one message. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** From now on none waits: the daemon would wait with it for its end. */
  stop(): void {
    this.#isStopping = true;
    this.flush();
  }

  #turn(): Promise<void> {
    this.#timer ??= setTimeout(() => this.flush(), LOOK_MS);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
