import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../../fault-points.ts';
import { timestamp } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import { openSnapshot } from '../postgres/catalog/catalog-rows.ts';
import { printCatalog, readCatalog } from '../sqlite/files/catalog.ts';
import { checkRoom, DataDirLock, exists, fingerprintIn, prepareDataDir } from '../sqlite/files/data-dir.ts';
import { syncDirectory, writeSynced } from '../sqlite/files/durable-file.ts';
import { type MovedMark, readMark, removeMark, writeMark } from '../sqlite/files/moved-mark.ts';
import { openDatabase } from '../sqlite/schema/database.ts';
import { comparedCatalog } from './catalog-copy.ts';
import { copyTables, idsIn, keepKeys, type Moved, type MovePlan, type OnStep } from './copy.ts';
import { MIGRATED } from './crawl-maps.ts';
import { beginAlone, type PostgresEnd, refuseWithoutSecret, withPostgres } from './postgres-end.ts';
import { PostgresStore } from './postgres-store.ts';
import { SqliteStore } from './sqlite-store.ts';

/** The new files are made here, within the data directory, and take their places when they are whole. */
const WORK = 'migrate.tmp';
/** Where what was left behind by a move to PostgreSQL is set aside; behind it stands when that was. */
const BEFORE = 'before-migration-';
const FILES = [
  'hydrant.db',
  'hydrant.db-wal',
  'hydrant.db-shm',
  'hydrant.db-committed',
  'catalog.json',
  'catalog.json.bak',
];
/** Of SQLite's cache: indexes are written in no order. */
const CACHE_BYTES = 128 * 1_024 * 1_024;

/**
 * All of a PostgreSQL database into a data directory that has the file `secret` and no data, or only what a move to PostgreSQL
 * has left there, which is set aside. Interrupted, it leaves the directory as it was, or one that no daemon starts on. The database stays
 * as it is.
 * @throws {StartFailure} where nodes are at work, the directory has data, or what was written differs
 */
export async function moveFromPostgres({ dataDir, url, outside, onStep }: MovePlan): Promise<Moved> {
  await prepareDataDir(dataDir);
  const lock = DataDirLock.take(dataDir);
  const work = join(dataDir, WORK);
  try {
    await refuseData(dataDir);
    return await withPostgres({ url, isSource: true }, async (end) => {
      await rm(work, { recursive: true, force: true });
      await mkdir(work, { mode: 0o700 });
      const moved = await copyAll(dataDir, end, onStep);
      await onStep('moving the files in', 0);
      const mark = (await readMark(dataDir)) ?? {
        id: outside.uuid(),
        state: 'moved',
        database: end.place,
        at: timestamp(outside.now()),
      };
      await moveIn(dataDir, mark);
      return moved;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

async function refuseData(dataDir: string): Promise<void> {
  if ((await readMark(dataDir)) !== undefined) return;
  const found = (await readdir(dataDir)).filter((name) => FILES.includes(name));
  if (found.length === 0) return;
  const fix = 'choose another directory with --data-dir, and put the file secret of the nodes into it';
  throw new StartFailure('configuration', `${dataDir} has data already (${found.join(', ')}); ${fix}`);
}

async function copyAll(dataDir: string, end: PostgresEnd, onStep: OnStep): Promise<Moved> {
  // All tables as of one moment, whatever else has a connection.
  await beginAlone(end, 'REPEATABLE READ');
  await refuseWithoutSecret(end, dataDir, await fingerprintIn(dataDir));
  const { data: catalog } = await openSnapshot(end.transaction, { node: MIGRATED });
  const { rows } = await end.client.query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  await checkRoom(dataDir, rows[0]?.bytes ?? 0);
  const work = join(dataDir, WORK);
  const moved = await writeDatabase(join(work, 'hydrant.db'), end, onStep);
  await end.client.query('ROLLBACK');
  const text = printCatalog(catalog);
  await writeSynced(join(work, 'catalog.json'), text);
  const read = readCatalog(text);
  if (read.kind !== 'whole') throw new StartFailure('environment', 'the catalog cannot be written to a file');
  await syncDirectory(work);
  return { ...moved, tables: [...moved.tables, comparedCatalog(catalog, read.data)] };
}

async function writeDatabase(path: string, end: PostgresEnd, onStep: OnStep): Promise<Moved> {
  const database = openDatabase(path, 0, { cacheBytes: CACHE_BYTES });
  try {
    // Nobody has anything of it before it is whole; then it is flushed. A journal would be a second copy of all.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    const [from, to] = [new PostgresStore(end.client), new SqliteStore(database)];
    const tables = await copyTables(from, to, onStep);
    await keepKeys(from, to);
    database.exec('UPDATE hosts SET partition = partition_of(name); COMMIT');
    return { database: end.place, ...(await idsIn(to)), tables };
  } finally {
    database.close();
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
  }
}

/**
 * From the first rename to the last no daemon starts here, since the directory is marked. What was left behind goes aside; where
 * that is there already, this was interrupted here, and what lies in its place is of the attempt before.
 */
async function moveIn(dataDir: string, mark: MovedMark): Promise<void> {
  await writeMark(dataDir, mark);
  const aside = join(dataDir, BEFORE + mark.at.replaceAll(/[^\dT]/g, '').slice(0, 15));
  for (const name of FILES) {
    const [here, there] = [join(dataDir, name), join(aside, name)];
    if (!(await exists(here))) continue;
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await ((await exists(there)) ? rm(here) : rename(here, there));
  }
  for (const name of ['hydrant.db', 'catalog.json']) await rename(join(dataDir, WORK, name), join(dataDir, name));
  await syncDirectory(dataDir);
  faultPoint('migrate:moved-in');
  await removeMark(dataDir);
}
