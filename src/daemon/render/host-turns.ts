/**
 * The turns of hosts within one page: requests to one host do not overlap, and begin as far apart as its robots.txt wants them.
 * A request that is not over after two seconds – one that waits for news – holds nobody up any longer.
 */
export class HostTurns {
  readonly #hosts = new Map<string, Host>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Resolved with the end of the turn, which may be called twice. Rejects with the signal's reason. */
  async enter(name: string, crawlDelayMs: number, signal: AbortSignal): Promise<() => void> {
    const host = this.#hosts.get(name) ?? { last: Promise.resolve(), beganAt: -Infinity };
    this.#hosts.set(name, host);
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = host.last;
    host.last = promise;
    signal.addEventListener('abort', () => resolve(), { once: true });
    await before;
    const restMs = host.beganAt + crawlDelayMs - this.#now();
    if (restMs > 0) await pause(restMs, signal);
    signal.throwIfAborted();
    host.beganAt = this.#now();
    const timer = setTimeout(resolve, HOLD_MS);
    return () => {
      clearTimeout(timer);
      resolve();
    };
  }
}

interface Host {
  /** The end of the turn that was given last. */
  last: Promise<void>;
  beganAt: number;
}

const HOLD_MS = 2_000;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over, { once: true });
  });
}
