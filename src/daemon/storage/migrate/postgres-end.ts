import { count } from '../../../shared/text/plural.ts';
import { StartFailure } from '../../start-failure.ts';
import { UnreadableCatalog } from '../postgres/catalog/catalog-rows.ts';
import { BEHIND_MS, refuseOtherSecret } from '../postgres/catalog/nodes.ts';
import { type Database, isRefusal, openDatabase, type Transaction } from '../postgres/connection/database.ts';
import { endpointsOf } from '../postgres/connection/endpoints.ts';
import { isLost, reasonOf } from '../postgres/connection/lost-connection.ts';
import { migrate } from '../postgres/schema/migrations.ts';
import type { Connection } from './postgres-store.ts';

/** An hour for one statement: the order of a large log takes minutes. */
const STATEMENT_MS = 3_600_000;

/** The end of a move that is a PostgreSQL database: a connection of its own, and a transaction on it. */
export interface PostgresEnd {
  readonly client: Connection;
  readonly transaction: Transaction;
  /** Servers and database, without user and password. */
  readonly place: string;
}

/**
 * `work` with a connection to the database, which is ended whatever happens: what was not committed has not happened.
 * @throws {StartFailure} where the database cannot be reached, refuses, or is another program's; where `isSource`, also where it has
 *   nothing of hydrant
 */
export async function withPostgres<T>(
  { url, isSource }: { readonly url: string; readonly isSource: boolean },
  work: (end: PostgresEnd) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, connections: 1, statementMs: STATEMENT_MS });
  try {
    const place = placeOf(url);
    await refuseStrangers(database, place, isSource);
    await migrate(database);
    const client = await database.dedicated();
    try {
      return await work({ client, transaction: transactionOn(client), place });
    } finally {
      await client.end();
    }
  } catch (error) {
    throw failureOf(error);
  } finally {
    await database.close();
  }
}

/** Servers and database. */
function placeOf(url: string): string {
  const path = /^[^/]*\/\/[^/?]*\/([^?]*)/.exec(url)?.[1] ?? '';
  const servers = endpointsOf(url).map(({ name }) => name);
  return `PostgreSQL at ${servers.join(', ')}${path === '' ? '' : `, database ${path}`}`;
}

/**
 * Nobody else joins, reads or writes the database before the end of the transaction, which this begins.
 * @throws {StartFailure} where a daemon is at work
 */
export async function beginAlone(
  { client, place }: PostgresEnd,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
): Promise<void> {
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  // Between two rows the other side may be flushed, which takes as long as its disk does.
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await client.query('LOCK TABLE nodes, catalog_state, schema_version IN ACCESS EXCLUSIVE MODE');
  const { rows } = await client.query<{ id: string; ago: number }>(
    `SELECT id, floor(extract(epoch FROM clock_timestamp() - seen_at))::integer AS ago FROM nodes
    WHERE seen_at > clock_timestamp() - interval '${BEHIND_MS} milliseconds' ORDER BY id`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ id, ago }) => `${id} (seen ${ago} s ago)`).join(', ');
  const fix = `stop ${rows.length === 1 ? 'it' : 'them'}; one that was killed counts as gone after ${BEHIND_MS / 1_000} s`;
  throw new StartFailure('environment', `daemons are at work on ${place}: ${names}; ${fix}`);
}

/**
 * What is in the database was sealed with the secret that its nodes have, and the directory must have the same.
 * @throws {StartFailure} where it has none, or another
 */
export async function refuseWithoutSecret(
  { transaction, place }: PostgresEnd,
  dataDir: string,
  fingerprint: Uint8Array | undefined,
): Promise<void> {
  if (fingerprint) return refuseOtherSecret(transaction, fingerprint);
  const what = `${dataDir} has no file secret, and the tokens and logins of ${place} are sealed with it`;
  throw new StartFailure('configuration', `${what}; copy it from the data directory of a node`);
}

/** Tables of another program may have the names of ours. */
async function refuseStrangers(database: Database, place: string, isSource: boolean): Promise<void> {
  const [found] = await database.query<{ own: boolean; tables: number }>(
    `SELECT to_regclass('schema_version') IS NOT NULL AS own,
      (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace) AS tables`,
  );
  if (!found || found.own) return;
  if (isSource) throw new StartFailure('configuration', `${place} has no data of hydrant: check its address`);
  if (found.tables === 0) return;
  const fix = 'give hydrant a database of its own: CREATE DATABASE hydrant';
  throw new StartFailure('configuration', `${place} has ${count(found.tables, 'table')} of another program; ${fix}`);
}

function transactionOn(client: Connection): Transaction {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values])).rows,
    execute: async (statements) => void (await client.query(statements)),
  };
}

/** What PostgreSQL says, and what breaks off, in one line; anything else is a bug. */
function failureOf(error: unknown): unknown {
  if (error instanceof StartFailure) return error;
  if (error instanceof UnreadableCatalog) {
    return new StartFailure('configuration', error.message, { cause: error });
  }
  if (isLost(error)) {
    return new StartFailure('environment', `${reasonOf(error)}; nothing has changed, so try again`, { cause: error });
  }
  if (!isRefusal(error)) return error;
  return new StartFailure('environment', `PostgreSQL refuses: ${error.message}`, { cause: error });
}
