import { StartFailure } from '../../../start-failure.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { catalogTables, limitTables } from './catalog-tables.ts';
import { deliveryTables } from './delivery-tables.ts';
import { eventTables } from './event-tables.ts';
import { frontierTables } from './frontier-tables.ts';
import { ledgerTables } from './ledger-tables.ts';
import { ratingTables } from './rating-tables.ts';
import { ruleTables } from './rule-tables.ts';
import { watchTables } from './watch-tables.ts';

/**
 * The tables as the list of steps that lead to them; `schema_version` counts those taken. A step that has been released is never
 * edited. Two versions of the program run beside one another during an upgrade, so a step adds what the older one does not
 * mind: what it no longer needs is taken away by the version after that.
 */
const steps: readonly (readonly string[])[] = [
  [catalogTables, frontierTables, eventTables, ledgerTables, deliveryTables, ruleTables, ratingTables, watchTables],
  [limitTables],
];

/** What this version brings a database to. */
export const SCHEMA_VERSION = steps.length;

/** The oldest release that has all that is used here. */
export const OLDEST_RELEASE = 150_000;
/** What holds the lock of migrations: any number that nobody else in this database locks. */
const LOCK = 0x68_79_64_72;

/**
 * Brings the database to the newest schema; whoever starts meanwhile waits.
 * @throws {StartFailure} for a PostgreSQL that is too old, an encoding other than UTF-8, and a schema that is newer
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await refuseUnsuitable(transaction);
    await transaction.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    const [known] = await transaction.query<{ version: number }>('SELECT version FROM schema_version');
    const version = known?.version ?? 0;
    if (version > steps.length) {
      throw new StartFailure(
        'configuration',
        `the database has schema ${version}, and this version of hydrant knows ${steps.length}: run the newer version that made it`,
      );
    }
    for (const statements of steps.slice(version).flat()) await transaction.execute(statements);
    if (version === steps.length) return;
    await transaction.query('DELETE FROM schema_version');
    await transaction.query('INSERT INTO schema_version (version) VALUES ($1)', [steps.length]);
  });
}

async function refuseUnsuitable(transaction: Transaction): Promise<void> {
  const [server] = await transaction.query<{ release: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::integer AS release, current_setting('server_encoding') AS encoding`,
  );
  const { release = 0, encoding = '' } = server ?? {};
  if (release < OLDEST_RELEASE) {
    const found = Math.floor(release / 10_000);
    throw new StartFailure('configuration', `PostgreSQL ${found} is too old: hydrant needs 15 or newer`);
  }
  if (encoding !== 'UTF8') {
    const how = `CREATE DATABASE hydrant ENCODING 'UTF8' TEMPLATE template0`;
    throw new StartFailure('configuration', `the database has the encoding ${encoding}, and UTF8 is needed: ${how}`);
  }
}
