import type { Answer } from './answer.ts';
import { AT_ONCE_BYTES } from './body.ts';
import { Connection } from './connection.ts';
import type { Connect } from './connector.ts';

/**
 * One connection a host, whoever wants it: a redirect from elsewhere waits until the host's own page is through. Here a
 * host is what a URL calls `host`: a name, and a port other than the usual one. `http` and `https` of a name share its
 * turn, and so the connection, which is made anew for the other.
 *
 * A connection is kept for the next page, a few seconds long, because a host's pages come one after the other while
 * the crawl is at it. Pools that grow with each host ever visited are memory that nobody frees; so what is idle is
 * closed after a few seconds, by `rest`, or when there are too many.
 */
export class Connections {
  readonly #hosts = new Map<string, Host>();
  readonly #options: ConnectionsOptions;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Hosts with a connection that is open, or in use. */
  get size(): number {
    return this.#hosts.size;
  }

  /** As `Fetcher.isWaiting`. */
  isWaiting(name: string): boolean {
    const host = this.#hosts.get(name);
    return host !== undefined && host.isBusy && (host.connection?.received ?? 0) < AT_ONCE_BYTES;
  }

  /** Waits for the host's turn. Rejects with the signal's reason. */
  async borrow(url: URL, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    const host = this.#hosts.get(url.host) ?? this.#add(url.host);
    if (host.isBusy) await turnOf(host, signal);
    host.isBusy = true;
    host.isResting = false;
    if (host.connection?.origin !== url.origin) {
      await this.#close(host);
      host.connection = this.#connect(url.origin, host);
    }
    return host.connection;
  }

  /** With the answer, as far as it was read; without one, the connection is not used again. */
  async giveBack(connection: Connection, name: string, answer: Answer | undefined): Promise<void> {
    const host = this.#hosts.get(name);
    if (host) host.isDraining = true;
    const isGood = answer !== undefined && !host?.isResting && (await answer.drained());
    if (host?.connection !== connection) return;
    host.isDraining = false;
    // Whoever is next connects when this is closed, or there would be two for a moment.
    if (!isGood || host.isResting || connection.isDestroyed) await this.#close(host);
    const next = host.waiting.shift();
    if (next) {
      next();
      return;
    }
    host.isBusy = false;
    this.#idle(host);
  }

  rest(name: string): void {
    const host = this.#hosts.get(name);
    if (!host) return;
    if (!host.isBusy) this.#drop(host);
    else if (host.isDraining) void host.connection?.destroy();
    else host.isResting = true;
  }

  async destroy(): Promise<void> {
    const open = [...this.#hosts.values()].flatMap(({ connection }) => connection?.destroy() ?? []);
    this.#hosts.clear();
    await Promise.all(open);
  }

  #add(name: string): Host {
    const host: Host = { name, connection: undefined, isBusy: false, isResting: false, isDraining: false, waiting: [] };
    this.#hosts.set(name, host);
    return host;
  }

  #connect(origin: string, host: Host): Connection {
    const { connect, now } = this.#options;
    const connection: Connection = new Connection(origin, {
      connect,
      now,
      onClosed: () => {
        if (host.connection === connection && !host.isBusy) this.#drop(host);
      },
    });
    return connection;
  }

  #idle(host: Host): void {
    if (!host.connection?.isOpen) {
      this.#drop(host);
      return;
    }
    // The last one of the map is the one that was used last.
    this.#hosts.delete(host.name);
    this.#hosts.set(host.name, host);
    for (const other of this.#hosts.values()) {
      if (this.#hosts.size <= this.#options.most) break;
      if (!other.isBusy) this.#drop(other);
    }
  }

  #drop(host: Host): void {
    void this.#close(host);
    this.#hosts.delete(host.name);
  }

  async #close(host: Host): Promise<void> {
    const { connection } = host;
    host.connection = undefined;
    await connection?.destroy();
  }
}

export interface ConnectionsOptions {
  readonly connect: Connect;
  readonly now: () => number;
  /** Hosts with an open connection. */
  readonly most: number;
}

interface Host {
  readonly name: string;
  connection: Connection | undefined;
  isBusy: boolean;
  /** To be closed when it is given back. */
  isResting: boolean;
  /** What nobody wants of an answer is coming in. */
  isDraining: boolean;
  /** Who waits for the turn, in order. */
  readonly waiting: (() => void)[];
}

/** Until whoever has the turn hands it on; the host stays busy in between. */
function turnOf({ waiting }: Host, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      const place = waiting.indexOf(turn);
      if (place !== -1) waiting.splice(place, 1);
      reject(signal.reason as Error);
    };
    waiting.push(turn);
    signal.addEventListener('abort', leave, { once: true });
  });
}
