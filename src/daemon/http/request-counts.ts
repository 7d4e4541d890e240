/**
 * Requests of each client in the minute that its first one began. Bounded: of more clients than fit, the one that asked
 * longest ago is forgotten, which gives it a fresh minute and nobody else anything.
 */
export class RequestCounts {
  readonly #now: () => number;
  readonly #most: number;
  /** The one that asked last is the last. */
  readonly #windows = new Map<string, { readonly began: number; count: number }>();

  /** `now` in milliseconds. */
  constructor(now: () => number, most: number) {
    this.#now = now;
    this.#most = most;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts one request; how many there are now, and the milliseconds until they are forgotten. */
  count(client: string, windowMs: number): { readonly current: number; readonly ttl: number } {
    const now = this.#now();
    const window = this.#current(client, now, windowMs) ?? { began: now, count: 0 };
    window.count += 1;
    this.#windows.delete(client);
    this.#windows.set(client, window);
    this.#trim();
    return { current: window.count, ttl: window.began + windowMs - now };
  }

  /** A clock that was set back ends the window too: nobody is locked out until it has caught up. */
  #current(client: string, now: number, windowMs: number) {
    const window = this.#windows.get(client);
    return window && now >= window.began && now < window.began + windowMs ? window : undefined;
  }

  #trim(): void {
    for (const client of this.#windows.keys()) {
      if (this.#windows.size <= this.#most) return;
      this.#windows.delete(client);
    }
  }
}
