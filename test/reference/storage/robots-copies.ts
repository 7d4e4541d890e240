import { ROBOTS_COPIES, ROBOTS_COPIES_BYTES } from '../../../src/shared/limits.ts';
import type {
  RobotsCopies,
  RobotsCopy,
  RobotsLimits,
  RobotsTotals,
} from '../../../src/daemon/storage/robots-copies.ts';

export class MemoryRobotsCopies implements RobotsCopies {
  readonly #limits: RobotsLimits;
  readonly #copies = new Map<string, RobotsCopy>();

  constructor(limits: RobotsLimits = { copies: ROBOTS_COPIES, bytes: ROBOTS_COPIES_BYTES }) {
    this.#limits = limits;
  }

  async robotsCopy(origin: string): Promise<RobotsCopy | undefined> {
    return structuredClone(this.#copies.get(origin));
  }

  async saveRobotsCopy(given: RobotsCopy): Promise<void> {
    const copy = structuredClone(given);
    this.#copies.delete(copy.origin);
    this.#copies.set(copy.origin, copy);
    while (this.#isTooMuch() && this.#dropOldest(copy)) {
      // One less.
    }
  }

  async robotsTotals(): Promise<RobotsTotals> {
    const copies = [...this.#copies.values()];
    const bytes = copies.reduce((sum, { file }) => sum + (file?.length ?? 0), 0);
    return { copies: copies.length, bytes, unreachable: copies.filter((copy) => copy.unreachable).length };
  }

  async answeredLast(atMost: number): Promise<readonly string[]> {
    const answered = [...this.#copies.values()].filter((copy) => !copy.unreachable).toReversed();
    const newest = answered.toSorted((one, other) => other.askedAt - one.askedAt);
    return newest.slice(0, atMost).map(({ origin }) => origin);
  }

  #isTooMuch(): boolean {
    const bytes = [...this.#copies.values()].reduce((sum, { file }) => sum + (file?.length ?? 0), 0);
    return this.#copies.size > this.#limits.copies || bytes > this.#limits.bytes;
  }

  /** Of those asked for at the same moment, the one that was saved first. */
  #dropOldest(saved: RobotsCopy): boolean {
    const others = [...this.#copies.values()].filter((copy) => copy !== saved);
    const [oldest] = others.toSorted((one, other) => one.askedAt - other.askedAt);
    return oldest !== undefined && this.#copies.delete(oldest.origin);
  }
}
