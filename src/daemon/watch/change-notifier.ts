/**
 * Who waits for a change of an organization's watches. Waiters are notified after the commit, so that whoever is woken finds the change;
 * who wants to miss none begins to wait before he looks.
 */
export class ChangeNotifier {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** There is a new change. */
  notify(organizationId: string): void {
    for (const wake of this.#waiting.get(organizationId) ?? []) wake();
  }

  /** Resolved with the next change, after `ms`, when `signal` is aborted, or at the shutdown; never rejected. */
  wait(organizationId: string, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#forget(organizationId, wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      const waiting = this.#waiting.get(organizationId) ?? new Set();
      this.#waiting.set(organizationId, waiting.add(wake));
    });
  }

  /** How many wait. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, waiting) => sum + waiting.size, 0);
  }

  /** Ends all waiting; nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    for (const organizationId of this.#waiting.keys()) this.notify(organizationId);
  }

  #forget(organizationId: string, wake: () => void): void {
    const waiting = this.#waiting.get(organizationId);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(organizationId);
  }
}
