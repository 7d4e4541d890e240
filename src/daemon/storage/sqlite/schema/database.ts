import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import { isNoRoomCode } from '../../../problem.ts';
import { StartFailure } from '../../../start-failure.ts';
import { migrations } from './migrations.ts';
import { fullDisk, noRoom } from '../files/data-dir.ts';
import { partitionOf } from '../crawl/frontier-rows.ts';
import { shortUrl } from '../../frontier-coding.ts';
import { openFile, writtenByNewer } from './database-file.ts';

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
 * @param partition for a log that is made now, or begins anew
 */
export function openDatabase(
  path: string,
  partition: number,
  { isCutShort = false, cacheBytes = CACHE_BYTES }: OpenOptions = {},
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openFile(path, { timeout: BUSY_MS });
    refuseDamage(database, path);
    database.exec(`
      ${LAYOUT}
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${Math.ceil(cacheBytes / 1_024)};
    `);
    addFunctions(database);
    faultPoint('start:database');
    migrateDatabase(database, path, partition);
    // As after a restore: clients may know ids that this log will give once more.
    if (isCutShort) database.prepare('UPDATE log SET partition = max(partition + 1, ?)').run(partition);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StartFailure) throw error;
    const isFull = isNoRoomCode(noRoom(error, path));
    throw isFull ? fullDisk(dirname(path), error as Error) : unreadable(path, error as Error);
  }
}

interface OpenOptions {
  /** The last commits are gone with their journal: the log begins anew. */
  readonly isCutShort?: boolean;
  /** Of SQLite's cache, at most. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 16 * 1_024 * 1_024;

/**
 * Settled by the first page that is written, which the journal mode does. What a salvage knows of a damaged file, it knows
 * by this: the size of its pages, the map of their owners, where its tables begin.
 */
export const LAYOUT = 'PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;';

/**
 * What of a large one is damaged shows when it is read, and to `PRAGMA quick_check`: a gigabyte of it would keep the daemon
 * from starting for seconds or, on a slow disk, a minute. Nothing is written before.
 */
function refuseDamage(database: DatabaseSync, path: string): void {
  if (statSync(path).size > CHECKED_BYTES) return;
  const rows = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  const fault = rows
    .find((row) => row.quick_check !== 'ok')
    ?.quick_check.split('\n')
    .at(-1);
  if (fault !== undefined) throw unreadable(path, Object.assign(new Error(fault), { errcode: CORRUPT }));
}

const CHECKED_BYTES = 256 * 1_024 * 1_024;

/** How long a write waits for someone who looks at the file with another tool. */
const BUSY_MS = 5_000;

function migrateDatabase(database: DatabaseSync, path: string, partition: number): void {
  const version = userVersion(database);
  if (version > migrations.length) {
    throw new StartFailure('configuration', writtenByNewer(path, version, migrations.length));
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    database.exec('BEGIN IMMEDIATE');
    database.exec(migration);
    if (index === 0) database.prepare('INSERT INTO log (id, partition, last_at) VALUES (1, ?, 0)').run(partition);
    database.exec(`PRAGMA user_version = ${index + 1}`);
    faultPoint('upgrade:step');
    database.exec('COMMIT');
    faultPoint('upgrade:stepped');
  }
}

/** Two things that a step of the migrations does to rows of before and SQL has no words for. */
function addFunctions(database: DatabaseSync): void {
  database.function('partition_of', { deterministic: true }, (name) => partitionOf(String(name)));
  database.function('short_url', { deterministic: true }, (url, host) => shortUrl(String(url), String(host)));
}

/** Makes an empty database one of this schema, with nothing in it; `openDatabase` takes it further. */
export function runSteps(database: DatabaseSync, schema: number): void {
  addFunctions(database);
  for (const migration of migrations.slice(0, schema)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${schema}`);
}

/** Whether the file was never brought to its first schema. What cannot be read is for whoever opens it to tell. */
export function isBlank(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = openFile(path, {});
    return userVersion(database) === 0;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}

function userVersion(database: DatabaseSync): number {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return version;
}

/** SQLite's codes for a file that is no longer, or not, a database. */
const CORRUPT = 11;
const DAMAGED: ReadonlySet<number> = new Set([CORRUPT, 26]);

function unreadable(path: string, error: Error): StartFailure {
  const { errcode = 0 } = error as { errcode?: number };
  const damaged = DAMAGED.has(errcode);
  const what = damaged ? 'is damaged' : 'cannot be opened';
  const wayOut = damaged
    ? `restore the data directory from a backup, save what can be read (hydrant salvage <dir> --data-dir ${dirname(path)}), or continue without the events and page versions: mv ${path} ${path}.damaged`
    : 'check the disk and the permissions of the file';
  return new StartFailure(damaged ? 'configuration' : 'environment', `${path} ${what}: ${error.message}; ${wayOut}`, {
    cause: error,
  });
}
