import type { Check, CommittedCheck } from '../../watches.ts';
import { StorageUnavailable } from '../../unavailable.ts';

interface Waiting {
  readonly check: Check;
  readonly resolve: (committed: CommittedCheck | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type Commit = (checks: readonly Check[]) => Promise<readonly (CommittedCheck | undefined)[]>;

/** Their hosts are locked meanwhile. */
const FULL_GROUP = 64;

/**
 * Group commit, as of visits: the checks of this node that come within a few milliseconds share a transaction, its statements and its
 * wait for the disk. One group is under way at a time, with one check of a watch at most; the next one gathers meanwhile. A check that
 * cannot be stored fails alone: the group is made again in halves until it is found.
 */
export class CheckGroups {
  readonly #commit: Commit;
  readonly #gatherMs: number;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** `commit`: all of them, or none. */
  constructor(commit: Commit, gatherMs: number) {
    this.#commit = commit;
    this.#gatherMs = gatherMs;
  }

  add(check: Check): Promise<CommittedCheck | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<CommittedCheck | undefined>();
    this.#waiting.push({ check, resolve, reject });
    if (this.#waiting.length >= FULL_GROUP) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), this.#gatherMs);
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

  #nextGroup(): Waiting[] {
    const group = new Map<string, Waiting>();
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (group.size < FULL_GROUP && !group.has(waiting.check.watchId)) group.set(waiting.check.watchId, waiting);
      else later.push(waiting);
    }
    this.#waiting = later;
    return [...group.values()];
  }

  async #settle(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#commit(group.map(({ check }) => check));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]);
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
