import type { DatabaseSync } from 'node:sqlite';
import { StartFailure } from '../../start-failure.ts';
import { migrations } from './database-migrations.ts';
import { partitionOf, shortUrl } from './frontier-rows.ts';
import { openFile } from './sqlite.ts';

/**
 * `hydrant.db`: everything that the commit of a visit writes, in one file, because a transaction over several
 * SQLite files in WAL mode is not atomic across a crash.
 *
 * WAL lets an operator look into the file with the sqlite3 tool while the daemon writes; `synchronous=FULL` makes
 * each COMMIT wait for the disk (with NORMAL, a power cut un-happens events that a client has already seen).
 * Incremental vacuum gives space back in steps of milliseconds; a full one would stand still for seconds.
 * What a savepoint would put back is kept in memory: in a temporary file it was half of all that was written (measured).
 * A statement with `LIMIT ?` is planned anew each time its limit is bound, at several times its own cost (measured): one
 * that is asked often has a number there, or `+?`, which the planner does not look into.
 * The cache is small, since what it has not is nearly always in that of the operating system, a few microseconds away.
 */
export function openDatabase(path: string, partition: number): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openFile(path, { timeout: BUSY_MS });
    // Page size and vacuum mode are settled by the first page that is written, the journal mode writes it.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16000;
    `);
    // Two things that a step of the migrations does to rows of before and SQL has no words for.
    database.function('partition_of', { deterministic: true }, (name) => partitionOf(String(name)));
    database.function('short_url', { deterministic: true }, (url, host) => shortUrl(String(url), String(host)));
    migrateDatabase(database, path, partition);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StartFailure ? error : unreadable(path, error as Error);
  }
}

/** How long a write waits for someone who looks at the file with another tool. */
const BUSY_MS = 5_000;

function migrateDatabase(database: DatabaseSync, path: string, partition: number): void {
  const version = userVersion(database);
  if (version > migrations.length) {
    throw new StartFailure(
      'configuration',
      `${path} was written by a newer hydrantd (schema ${version}); start that version, or put back an older backup`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    database.exec('BEGIN IMMEDIATE');
    database.exec(migration);
    if (index === 0) database.prepare('INSERT INTO log (id, partition, last_at) VALUES (1, ?, 0)').run(partition);
    database.exec(`PRAGMA user_version = ${index + 1}`);
    database.exec('COMMIT');
  }
}

function userVersion(database: DatabaseSync): number {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return version;
}

/** SQLite's codes for a file that is not, or no longer, a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

function unreadable(path: string, error: Error): StartFailure {
  const { errcode = 0 } = error as { errcode?: number };
  const damaged = DAMAGED.has(errcode);
  const what = damaged ? 'is damaged' : 'cannot be opened';
  const wayOut = damaged
    ? `put back the data directory from a backup, or go on without the events and page versions: mv ${path} ${path}.damaged`
    : 'look at the disk and at the rights of the file';
  return new StartFailure(damaged ? 'configuration' : 'environment', `${path} ${what}: ${error.message}; ${wayOut}`, {
    cause: error,
  });
}
