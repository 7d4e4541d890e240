import { HOST_CLASSES, type HostClass, type HostLimits } from '../storage/frontier.ts';

/**
 * The places of the crawl: as many visits as the setting `crawl-concurrency` says are under way. An eighth of them is left
 * to hosts that answer quickly, whatever stands in the line; of the others slow hosts have a quarter of all at most, failing
 * ones an eighth, and hosts that were never heard of whatever is free.
 *
 * A visit leaves its place, and stays under way, while all that it does is to wait: for its commit, or for its host, which
 * does not make the connection, does not answer, or sends its answer byte by byte. A thousand such hosts of which nobody
 * knew would else be a thousand times ten seconds. When the answer comes after all, the visit has its place again, free or
 * not; until one is, no other visit begins.
 */
export class Places {
  readonly #concurrency: number;
  readonly #most: HostLimits;
  /** Of hosts that are not known to answer quickly. */
  readonly #others: number;
  readonly #taken = new Map<string, HostClass>();
  readonly #left = new Map<string, { readonly of: HostClass; readonly why: Leaving }>();

  constructor(concurrency: number) {
    const share = (part: number): number => Math.max(1, Math.floor(concurrency * part));
    this.#concurrency = concurrency;
    this.#others = Math.max(1, concurrency - share(1 / 8));
    this.#most = { well: concurrency, new: this.#others, slow: share(1 / 4), failing: share(1 / 8) };
  }

  get free(): number {
    return Math.max(0, this.#concurrency - this.#taken.size);
  }

  /** How many visits of hosts of each class may begin. */
  get freeOf(): HostLimits {
    const free = { ...this.#most };
    let others = this.#others;
    for (const one of this.#taken.values()) {
      free[one] -= 1;
      if (one !== 'well') others -= 1;
    }
    for (const one of HOST_CLASSES) {
      free[one] = Math.max(0, Math.min(free[one], this.free, one === 'well' ? Infinity : others));
    }
    return free;
  }

  take(host: string, of: HostClass): void {
    this.#taken.set(host, of);
  }

  /** Whether the visit leaves its place now: not if it has none, or too many have left theirs. */
  leave(host: string, why: Leaving): boolean {
    const of = this.#taken.get(host);
    if (of === undefined) return false;
    const others = [...this.#left.values()].filter((other) => other.why === why).length;
    if (others >= MOST_LEFT[why]) return false;
    this.#taken.delete(host);
    this.#left.set(host, { of, why });
    return true;
  }

  /** What the visit has waited for is there: it has its place again. */
  comeBack(host: string): void {
    const left = this.#left.get(host);
    if (left?.why !== 'answer') return;
    this.#left.delete(host);
    this.#taken.set(host, left.of);
  }

  end(host: string): void {
    this.#taken.delete(host);
    this.#left.delete(host);
  }
}

/** What a visit that has left its place waits for. */
export type Leaving = 'commit' | 'answer';

const MOST_LEFT: Readonly<Record<Leaving, number>> = {
  /** On a disk that stands still, before the crawl stands still, too. */
  commit: 1_000,
  /** Sockets, and names that are looked up. */
  answer: 128,
};
