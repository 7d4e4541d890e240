import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { isLost, unavailable } from './lost-connection.ts';

/**
 * Connections to one server, a bounded number. `pg`'s pool never answers those who wait for a connection when it ends, so this one
 * ends after whoever uses it or waits.
 */
export class ServerPool {
  readonly #pool: Pool;
  #users = 0;
  #unused: (() => void) | undefined;

  constructor(config: ClientConfig, max: number) {
    // To a pool the limit of connecting is also that of waiting until a connection is free; who waits behind many has lost nothing.
    class PooledClient extends Client {
      constructor() {
        super(config);
      }
    }
    this.#pool = new Pool({ ...config, connectionTimeoutMillis: 0, Client: PooledClient, max });
    // Of a connection that nobody uses now; the pool has let go of it.
    this.#pool.on('error', () => undefined);
    // Of one that is used, whose statement fails as well: without a listener it would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** @throws {StorageUnavailable} where no connection is to be had; and what `work` throws */
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      const client = await this.#connection();
      try {
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        client.release(isLost(error));
        throw error;
      }
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#unused?.();
    }
  }

  async #connection(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** To be called once. */
  async end(): Promise<void> {
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        this.#unused = resolve;
      });
    }
    await this.#pool.end();
  }
}
