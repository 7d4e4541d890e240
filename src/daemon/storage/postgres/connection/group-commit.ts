import { StorageUnavailable } from '../../unavailable.ts';

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitOptions<Item, Answer> {
  /** All of them, or none; the answers in their order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Of what has the same key there is one in a group; absent: all may share one. */
  readonly keyOf?: (item: Item) => unknown;
  /** Milliseconds in which items gather for one commit. */
  readonly gatherMs: number;
}

/** A transaction of so many takes some ten milliseconds; more of them would only keep their hosts locked for longer. */
const FULL_GROUP = 64;

/**
 * Group commit: what this node stores within a few milliseconds shares a transaction, and its wait for the disk. One group is under way
 * at a time, and the next one gathers meanwhile. An item that cannot be stored fails alone: the group is made again in halves until it
 * is found.
 */
export class GroupCommit<Item, Answer> {
  readonly #options: GroupCommitOptions<Item, Answer>;
  #waiting: Waiting<Item, Answer>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions<Item, Answer>) {
    this.#options = options;
  }

  /** What the caller does with its object from now on changes nothing here. */
  async add(given: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ item: structuredClone(given), resolve, reject });
    if (this.#waiting.length >= FULL_GROUP) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), this.#options.gatherMs);
    return promise;
  }

  /** Commits what waits, and waits for what is under way. */
  async close(): Promise<void> {
    this.#begin();
    while (this.#running) await this.#running;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#running || this.#waiting.length === 0) return;
    this.#running = this.#settle(this.#nextGroup()).finally(() => {
      this.#running = undefined;
      // Whoever came meanwhile has waited long enough.
      this.#begin();
    });
  }

  #nextGroup(): Waiting<Item, Answer>[] {
    const { keyOf = (item) => item } = this.#options;
    const group = new Map<unknown, Waiting<Item, Answer>>();
    const later: Waiting<Item, Answer>[] = [];
    for (const waiting of this.#waiting) {
      const key = keyOf(waiting.item);
      if (group.size < FULL_GROUP && !group.has(key)) group.set(key, waiting);
      else later.push(waiting);
    }
    this.#waiting = later;
    return [...group.values()];
  }

  async #settle(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.commit(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (error instanceof StorageUnavailable || group.length === 1) {
        for (const { reject } of group) reject(error);
        return;
      }
      const middle = Math.ceil(group.length / 2);
      await this.#settle(group.slice(0, middle));
      await this.#settle(group.slice(middle));
    }
  }
}
