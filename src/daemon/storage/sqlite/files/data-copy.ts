import { closeSync, openSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartFailure } from '../../../start-failure.ts';
import { CATALOG_SCHEMA } from './catalog-schema.ts';
import { checkRoom } from './data-dir.ts';
import { migrations } from '../schema/migrations.ts';
import { backUp, openFile, openReader } from '../schema/database-file.ts';

/** What this code can read; what a newer one wrote has higher numbers. */
export const SCHEMAS = { catalog: CATALOG_SCHEMA, database: migrations.length } as const;

/** Pages of 8 KiB that are copied at a time. */
const PAGES_A_STEP = 256;

/**
 * Copies of the three files that make a data directory, all of one moment, while a daemon may be writing. The
 * database is read by a connection of its own that holds one snapshot from first to last: writers go on beside it,
 * into the WAL, and nothing has to be read twice. The catalog comes after: a tap that was made meanwhile has no events
 * yet, and a source that was is put into the frontier at the next start; the other way around there would be events of
 * taps that nobody knows. It is replaced by a rename, so the file that is read is whole; the secret never changes.
 * @throws {StartFailure} where there is nothing to copy, or no room for it
 */
export async function copyData(
  dataDir: string,
  into: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const path = join(dataDir, 'hydrant.db');
  await checkRoom(into, await sizeOf(path, dataDir));
  const copy = join(into, 'hydrant.db');
  closeSync(openSync(copy, 'wx', 0o600));
  const reader = openReader(path);
  try {
    pin(reader);
    await backUp(reader, copy, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
  } finally {
    reader.close();
  }
  for (const name of ['catalog.json', 'secret']) await copyFile(join(dataDir, name), join(into, name));
}

/** Begins to read: from now on this connection sees this moment. */
function pin(reader: DatabaseSync): void {
  reader.exec('BEGIN');
  reader.prepare('SELECT partition FROM log').get();
}

async function sizeOf(path: string, dataDir: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      throw new StartFailure('configuration', `${dataDir} is no data directory: there is no hydrant.db in it`);
    }
    throw error;
  });
  refuseStranger(path, found.uid);
  const log = await stat(`${path}-wal`).catch(() => ({ size: 0 }));
  return found.size + log.size;
}

/**
 * A reader may have to make SQLite's files beside a database at rest, and those of another user (root, mostly) would
 * keep the daemon out.
 */
export function refuseStranger(path: string, owner: number): void {
  const own = process.geteuid?.();
  if (own === undefined || own === owner) return;
  throw new StartFailure(
    'environment',
    `${path} belongs to the user with id ${owner}; run this as that user: sudo -u '#${owner}' hydrant …`,
  );
}

/** What `PRAGMA quick_check` says against the file; empty when it is sound. Readers and writers go on meanwhile. */
export function quickCheck(path: string): readonly string[] {
  const reader = openReader(path);
  try {
    const rows = reader.prepare('PRAGMA quick_check(10)').all() as { quick_check: string }[];
    return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    reader.close();
  }
}

/**
 * Makes a database that was copied ready for another life: the ids of its log get a partition that no id before has
 * had, so that a client that has seen more than the copy holds is recognized, and resumes from the oldest event kept.
 * @throws {StartFailure} when SQLite finds fault with it
 */
export function beginNewLife(path: string, now: number): void {
  const [fault] = quickCheck(path);
  if (fault !== undefined) throw new StartFailure('environment', `the database in it is damaged: ${fault}`);
  const database = openFile(path, {});
  try {
    if (!isOurs(database)) throw new StartFailure('environment', 'the database in it is none of hydrant');
    database.prepare('UPDATE log SET partition = max(partition + 1, ?)').run(Math.floor(now / 1_000));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** Sound, but another program's? No schema of ours has a view or a trigger, which would run as the daemon writes. */
function isOurs(database: DatabaseSync): boolean {
  const strangers = database.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE type NOT IN ('table', 'index')`);
  const log = database.prepare(`SELECT count(*) AS n FROM pragma_table_info('log') WHERE name = 'partition'`);
  return strangers.get()?.['n'] === 0 && log.get()?.['n'] === 1;
}
