import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError, type ClientConfig, type PoolClient, types } from 'pg';
import { StartFailure } from '../../../start-failure.ts';
import { StorageUnavailable } from '../../unavailable.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { isLost, reasonOf, unavailable } from './lost-connection.ts';
import { ServerPool } from './server-pool.ts';

/**
 * What a store's statements run in: a transaction, or the database itself, where each is a transaction of its own. Texts are
 * constants: each is prepared once a connection and kept. Of the types of PostgreSQL `bigint` and `numeric` arrive as numbers, `bytea` as
 * Uint8Array, `jsonb` as objects.
 */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Statements between BEGIN and COMMIT, one after another on one connection. */
export interface Transaction extends Queryable {
  /** Any number of statements with nothing to fill in, which are not prepared: what is done once. */
  execute(statements: string): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@one:5432,two:5432/database`: of several servers the one that takes writes. */
  readonly url: string;
  /** Connections at once, at most. */
  readonly connections?: number;
  /** Milliseconds for one statement, and for a connection to be made. */
  readonly statementMs?: number;
  readonly connectMs?: number;
}

/** Of one pool. */
export const CONNECTIONS = 8;
/** Nothing that a store asks takes a second; what takes this long waits for a lock that nobody lets go of. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 5_000;
/**
 * Between two statements of a transaction pass milliseconds. A process that is stopped in between keeps its locks from all other nodes
 * for so long, and then has not done anything.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;
/**
 * Each text is planned once a connection. All of them look rows up by keys that they are given, in nested loops over indexes, which is also
 * what PostgreSQL would come to, at a third to a half of the processor time of a small transaction (measured); and a plan made while a table
 * was empty must not read all of it later.
 */
const PLANS = [
  'plan_cache_mode=force_generic_plan',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_seqscan=off',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');
/** A deadlock is resolved by one of the two being made again; that it meets another one each time is a bug. */
const TRIES = 5;
/**
 * After a deadlock, for each try there was: the rows of the one that ended are nobody's until the other one wakes up, and taken before
 * that both would wait for each other again. Without it one that woke up 2 ms late met a second deadlock, with it 8 ms late none.
 */
const PAUSE_MS = 10;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** Of two that add the same row at once the second finds it when it is made again. */
const UNIQUE_VIOLATION = '23505';
const CONFLICTS: ReadonlySet<string> = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION]);

/**
 * A PostgreSQL database over a bounded pool of connections to the one server that takes writes. Whenever the connection breaks
 * off, what is under way fails with `StorageUnavailable`, and the next call looks for that server again, in the order of the
 * URL.
 */
export class Database implements Queryable {
  readonly #endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly #options: DatabaseOptions;
  readonly #names = new Map<string, string>();
  #pool: Promise<ServerPool> | undefined;
  #isClosed = false;
  #isReachable = true;

  /** @throws {TypeError} for a URL that is none */
  constructor(options: DatabaseOptions) {
    this.#endpoints = endpointsOf(options.url);
    this.#options = options;
  }

  /** Whether the last call found a server that takes writes. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** One statement, which is its own transaction. */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#withClient((client) => this.#run<Row>(client, text, values));
  }

  /**
   * BEGIN, `work`, COMMIT. When `work` throws, nothing of it has happened. It is made again where PostgreSQL refused it
   * for what another one did at the same moment, so it keeps what it changes outside of the database until it is over.
   * @throws {StorageUnavailable} with `isOutcomeUnknown` when the connection broke off during COMMIT
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#withClient((client) => this.#transactionOn(client, work));
      } catch (error) {
        if (tried >= TRIES || !isConflict(error)) throw error;
        if (error.code === DEADLOCK_DETECTED) await delay(tried * PAUSE_MS);
      }
    }
  }

  /**
   * A connection of its own to the server that takes writes, outside of the pool: for LISTEN. Who asks for it ends it.
   * @throws {StorageUnavailable}
   */
  async dedicated(): Promise<Client> {
    const client = new Client(this.#configOf(await this.#writable()));
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw unavailable(error);
    }
    return client;
  }

  /** Waits for what is under way. Later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  async #transactionOn<T>(client: PoolClient, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await client.query('BEGIN');
    let result: T;
    try {
      result = await work({
        query: (text, values = []) => this.#run(client, text, values),
        execute: async (statements) => void (await client.query(statements)),
      });
    } catch (error) {
      if (!isLost(error)) await client.query('ROLLBACK');
      throw error;
    }
    try {
      await client.query('COMMIT');
    } catch (error) {
      throw isLost(error) ? unavailable(error, { isOutcomeUnknown: true }) : error;
    }
    return result;
  }

  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      const pool = await this.#connected();
      const result = await this.#used(pool, work);
      this.#isReachable = true;
      return result;
    } catch (error) {
      if (isLost(error)) this.#isReachable = false;
      throw error;
    }
  }

  async #used<T>(pool: ServerPool, work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await pool.use(work);
    } catch (error) {
      if (!isLost(error)) throw error;
      this.#forget(pool);
      throw unavailable(error);
    }
  }

  async #run<Row extends object>(client: PoolClient, text: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await client.query<Row>({ name: this.#nameOf(text), text, values: [...values] });
    return rows;
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  #connected(): Promise<ServerPool> {
    if (this.#isClosed) throw new StorageUnavailable('The database connection has been closed.');
    if (this.#pool) return this.#pool;
    const pool = this.#open();
    this.#pool = pool;
    pool.catch(() => {
      if (this.#pool === pool) this.#pool = undefined;
    });
    return pool;
  }

  async #open(): Promise<ServerPool> {
    return new ServerPool(this.#configOf(await this.#writable()), this.#options.connections ?? CONNECTIONS);
  }

  /** The first server that answers and takes writes. */
  async #writable(): Promise<Endpoint> {
    const refusals: string[] = [];
    for (const endpoint of this.#endpoints) {
      const refusal = await this.#refusalOf(endpoint);
      if (refusal === undefined) return endpoint;
      refusals.push(`${endpoint.name}: ${refusal}`);
    }
    throw new StorageUnavailable(`PostgreSQL cannot be reached: ${refusals.join('; ')}`);
  }

  async #refusalOf(endpoint: Endpoint): Promise<string | undefined> {
    const client = new Client(this.#configOf(endpoint));
    // Without a listener a connection that breaks off while nothing is asked would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      return rows[0]?.standby === false ? undefined : 'is a standby, which takes no writes';
    } catch (error) {
      return reasonOf(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #configOf({ connectionString }: Endpoint): ClientConfig {
    const { statementMs = STATEMENT_MS, connectMs = CONNECT_MS } = this.#options;
    return {
      connectionString,
      application_name: 'hydrant',
      options: PLANS,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      statement_timeout: statementMs,
      // A server that is stopped rather than gone answers nothing, and refuses nothing.
      query_timeout: statementMs + connectMs,
      idle_in_transaction_session_timeout: Math.min(statementMs, IDLE_IN_TRANSACTION_MS),
      types: { getTypeParser: parserOf },
    };
  }

  /** The next call looks for the server that takes writes again. */
  #forget(pool: ServerPool): void {
    const current = this.#pool;
    if (!current) return;
    void current.then(
      (known) => {
        if (known !== pool || this.#pool !== current) return;
        this.#pool = undefined;
        if (!this.#isClosed) void pool.end();
      },
      () => undefined,
    );
  }
}

/** @throws {StartFailure} for a URL that is none; `what` is what it is called there */
export function openDatabase(options: DatabaseOptions, what = 'the address of the database'): Database {
  try {
    return new Database(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartFailure('configuration', `${what} ${error.message}`, { cause: error });
  }
}

/** What PostgreSQL has refused, rather than what has become of the connection. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof DatabaseError;
}

/** For so long it is asked what has become of a commit whose answer was lost: a failover is over by then. */
const ASKED_MS = 60_000;
const ASK_AGAIN_MS = 500;

/**
 * What has become of a commit whose answer was lost: asks until the database answers. `ask` locks or writes a row that the commit has
 * written: so it waits for one that is still under way, and its own COMMIT for a synchronous replica. A commit whose connection
 * ended while it waited for that is visible, and may be lost yet.
 * @throws {StorageUnavailable} `lost`, where there is no answer within `askedMs` milliseconds
 */
export async function settledBy<Answer>(
  ask: () => Promise<Answer>,
  lost: StorageUnavailable,
  askedMs = ASKED_MS,
): Promise<Answer> {
  for (let waited = 0; waited < askedMs; waited += ASK_AGAIN_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
  throw lost;
}

function isConflict(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && CONFLICTS.has(error.code ?? '');
}

function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return (format !== 'binary' && PARSERS.get(oid)) || (types.getTypeParser(oid, format) as (text: string) => unknown);
}

function safeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond 2^53`);
  return number;
}

/** `\x` and hex digits. Memory of its own: a view into Node's pool would keep eight kilobytes for one hash. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2);
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex');
  return bytes;
}

const { INT8, NUMERIC, BYTEA } = types.builtins;
const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, safeNumber],
  [NUMERIC, safeNumber],
  [BYTEA, bytesOf],
]);
