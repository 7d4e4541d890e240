import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../../fault-points.ts';
import { timestamp } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import type { CatalogData } from '../catalog.ts';
import { openSnapshot, writeSnapshot } from '../postgres/catalog/catalog-rows.ts';
import { isLost, reasonOf } from '../postgres/connection/lost-connection.ts';
import { readCatalog } from '../sqlite/files/catalog.ts';
import { refuseStranger } from '../sqlite/files/data-copy.ts';
import { DataDirLock, fingerprintIn } from '../sqlite/files/data-dir.ts';
import { type MovedMark, readMark, removeMark, writeMark } from '../sqlite/files/moved-mark.ts';
import { openReader } from '../sqlite/schema/database-file.ts';
import { openSqlite } from '../sqlite/sqlite-storage.ts';
import { comparedCatalog } from './catalog-copy.ts';
import { copyTables, idsIn, keepKeys, type Moved, type MovePlan, type OnStep } from './copy.ts';
import { MIGRATED } from './crawl-maps.ts';
import { beginAlone, type PostgresEnd, refuseWithoutSecret, withPostgres } from './postgres-end.ts';
import { PostgresStore } from './postgres-store.ts';
import { SqliteStore } from './sqlite-store.ts';

/**
 * All of a data directory into an empty database, in one transaction: interrupted, it has not happened. The directory is marked
 * before the COMMIT, so that there is no moment in which daemons start on both; its files stay as they are.
 * @throws {StartFailure} where a daemon runs, the database is not empty, or what was written differs
 */
export async function moveToPostgres({ dataDir, url, outside, onStep }: MovePlan): Promise<Moved> {
  await refuseNoData(dataDir);
  return withPostgres({ url, isSource: false }, async (end) => {
    await locked(dataDir, () => settle(dataDir, end));
    // As a daemon would: its upgrades, what it does with a journal, and all that it refuses.
    await (await openSqlite({ dataDir, outside })).close();
    return locked(dataDir, async () => {
      const moved = await copyAll(dataDir, end, onStep);
      await onStep('committing', 0);
      await commit(end, dataDir, {
        id: outside.uuid(),
        state: 'moving',
        database: end.place,
        at: timestamp(outside.now()),
      });
      return moved;
    });
  });
}

async function locked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = DataDirLock.take(dataDir);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function refuseNoData(dataDir: string): Promise<void> {
  const path = join(dataDir, 'hydrant.db');
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new StartFailure('configuration', `${dataDir} is not a data directory: it has no hydrant.db`);
  refuseStranger(path, found.uid);
}

/** An earlier move of this directory: of one that was cut off at its COMMIT only the database knows what became of it. */
async function settle(dataDir: string, { client, place }: PostgresEnd): Promise<void> {
  const mark = await readMark(dataDir);
  if (!mark) return;
  const { rows } = await client.query('SELECT 1 FROM crawl_counters WHERE node = $1 AND last_group = $2', [
    MIGRATED,
    mark.id,
  ]);
  const isThere = rows.length > 0;
  if (mark.state === 'moving' && !isThere && mark.database === place) {
    await removeMark(dataDir);
    return;
  }
  if (mark.state === 'moving' && isThere) await writeMark(dataDir, { ...mark, state: 'moved' });
  const isMoved = isThere || mark.state === 'moved';
  throw new StartFailure(
    'configuration',
    isMoved
      ? `the data of ${dataDir} was moved to ${mark.database} already (${mark.at}); start hydrant with --store`
      : `an interrupted move led to ${mark.database}, which may have it all; give that address to find out`,
  );
}

async function copyAll(dataDir: string, end: PostgresEnd, onStep: OnStep): Promise<Moved> {
  await beginAlone(end, 'READ COMMITTED');
  await refuseFull(end);
  await refuseWithoutSecret(end, dataDir, await fingerprintIn(dataDir));
  const catalog = await catalogIn(dataDir);
  const database = openReader(join(dataDir, 'hydrant.db'));
  try {
    const [from, to] = [new SqliteStore(database), new PostgresStore(end.client)];
    const tables = await copyTables(from, to, onStep);
    const before = await openSnapshot(end.transaction, { node: MIGRATED });
    await writeSnapshot(end.transaction, { before, data: catalog, node: MIGRATED });
    const { data: found } = await openSnapshot(end.transaction, { node: MIGRATED });
    await keepKeys(from, to);
    for (const statement of WHAT_SQLITE_HAS_NOT) await end.client.query(statement);
    return { database: end.place, ...(await idsIn(to)), tables: [...tables, comparedCatalog(catalog, found)] };
  } finally {
    database.close();
  }
}

/** From the mark on only the database knows whether it has it all, unless it says that it has not. */
async function commit({ client }: PostgresEnd, dataDir: string, mark: MovedMark): Promise<void> {
  await client.query('UPDATE crawl_counters SET last_group = $1 WHERE node = $2', [mark.id, MIGRATED]);
  await writeMark(dataDir, mark);
  faultPoint('migrate:marked');
  try {
    await client.query('COMMIT');
  } catch (error) {
    if (!isLost(error)) {
      await removeMark(dataDir);
      throw error;
    }
    const what = `${reasonOf(error)} while PostgreSQL was committing`;
    throw new StartFailure('environment', `${what}; run the same command again, which finds out whether it has all`, {
      cause: error,
    });
  }
  faultPoint('migrate:committed');
  await writeMark(dataDir, { ...mark, state: 'moved' });
  // Without figures of its tables the planner would guess until the first vacuum has come by.
  await client.query('ANALYZE').catch(() => undefined);
}

/** What PostgreSQL keeps of rows beside what both do. */
const WHAT_SQLITE_HAS_NOT = [
  `UPDATE hosts SET watch_due = earliest.due
    FROM (SELECT host, min(due) AS due FROM watch_states WHERE parked = 0 GROUP BY host) AS earliest WHERE hosts.key = earliest.host`,
  'UPDATE domains SET idle_since = now() WHERE links = 0 AND referring = 0',
];

/** Tables in which something is as soon as a daemon has done anything. */
const TELLING = [
  'catalog',
  'taps',
  'pages',
  'hosts',
  'sources',
  'crawl_counters',
  'watches',
  'sinks',
  'credit_entries',
];

async function refuseFull({ client, place }: PostgresEnd): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    TELLING.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM "${name}")`).join(' UNION ALL '),
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  const fix = 'move into an empty one: CREATE DATABASE hydrant';
  throw new StartFailure('configuration', `${place} is not empty (${names}); ${fix}`);
}

async function catalogIn(dataDir: string): Promise<CatalogData> {
  const read = readCatalog(await readFile(join(dataDir, 'catalog.json'), 'utf8'));
  if (read.kind === 'whole') return read.data;
  throw new StartFailure(
    'configuration',
    `${join(dataDir, 'catalog.json')} cannot be read; start hydrant once to see why`,
  );
}
