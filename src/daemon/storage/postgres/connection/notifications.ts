import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from './database.ts';

/** Milliseconds between two attempts to listen. */
const RETRY_MS = 1_000;
/** A server that is gone without a word shows when it is asked something: so often, where nothing is notified. */
const PING_MS = 10_000;

export interface Listener {
  readonly heard: (payload: string) => void;
  /** From now on nothing is missed: what was sent before, at the start or while the connection was away, is to be looked for. */
  readonly listening?: () => void;
}

/**
 * Notifications of one channel, on a connection of its own that is made again whenever it breaks off. What is sent meanwhile
 * is lost, so whoever listens also looks by itself now and then: a notification only says that it is worth it now.
 */
export class Notifications {
  readonly #database: Pick<Database, 'dedicated'>;
  readonly #channel: string;
  readonly #listener: Listener;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;

  /** `channel`: an SQL identifier. */
  constructor(database: Pick<Database, 'dedicated'>, channel: string, listener: Listener) {
    this.#database = database;
    this.#channel = channel;
    this.#listener = listener;
    this.#done = this.#run();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // The database is away: those who write and read say so.
      await this.#listen().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolved when the connection has ended. */
  async #listen(): Promise<void> {
    const client = await this.#database.dedicated();
    const { promise: ended, resolve } = Promise.withResolvers<'ended'>();
    const end = (): void => resolve('ended');
    client.on('end', end);
    client.on('error', end);
    client.on('notification', ({ payload = '' }) => this.#listener.heard(payload));
    const { signal } = this.#end;
    signal.addEventListener('abort', end);
    try {
      await client.query(`LISTEN ${this.#channel}`);
      if (signal.aborted) return;
      this.#listener.listening?.();
      const quiet = (): Promise<'quiet'> => sleep(PING_MS, 'quiet', { ref: false });
      while ((await Promise.race([ended, quiet()])) === 'quiet') await client.query('SELECT 1');
    } finally {
      signal.removeEventListener('abort', end);
      await quietEnd(client);
    }
  }
}

async function quietEnd(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}
