import { StartFailure } from '../../start-failure.ts';
import type { Storage } from '../storage.ts';
import { Database } from './connection/database.ts';
import { migrate } from './schema/migrations.ts';

export interface PostgresOptions {
  /** `postgres://user:password@one:5432,two:5432/database`. */
  readonly url: string;
  /** What this process is called among those that share the database: no two have the same. */
  readonly node: string;
}

/**
 * Storage in a PostgreSQL database that several daemons share. The schema is created and migrated here.
 *
 * Throws StartFailure with one line that says what is wrong and what to do.
 */
export async function openPostgres({ url }: PostgresOptions): Promise<Pick<Storage, 'close'>> {
  const database = opened(url);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { close: () => database.close() };
}

function opened(url: string): Database {
  try {
    return new Database({ url });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartFailure('configuration', `the address of the database ${error.message}`, { cause: error });
  }
}
