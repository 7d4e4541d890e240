import { closeSync, constants, openSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartFailure } from '../../../start-failure.ts';
import { CATALOG_SCHEMA } from '../../catalog-schema.ts';
import { parseJson } from './json-text.ts';
import { checkRoom, exists } from './data-dir.ts';
import { migrations } from '../schema/migrations.ts';
import { backUp, openFile, openReader } from '../schema/database-file.ts';
import { faultPoint } from '../../../fault-points.ts';
import { syncDirectory } from './durable-file.ts';

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
      throw new StartFailure('configuration', `${dataDir} is not a data directory: it has no hydrant.db`);
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
    if (!isOurs(database)) throw new StartFailure('environment', 'the database in it is not one of hydrant');
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

/** Directories of copies begin so; behind it stand the schemas that the upgrade leads to. */
export const UPGRADE_COPY = 'before-upgrade-';
/** What is kept of a data directory. */
const FILES = ['hydrant.db', 'catalog.json', 'secret'] as const;

/** Where the copy lies that was made before the upgrade to what this code writes. */
export function upgradeCopyIn(dataDir: string): string {
  return join(dataDir, `${UPGRADE_COPY}${CATALOG_SCHEMA}.${migrations.length}`);
}

/**
 * Before the first step from an older schema: the files as they are, in a directory of their own, so that the version of
 * before can be started again. Under the directory's lock, before anything of it is open. A copy that is there is whole, and
 * is the one of before the first step: an upgrade that was interrupted goes on and makes no other. The copy of the upgrade before
 * goes once there is a new one.
 * @throws {StartFailure} where there is no room for it
 */
export async function copyBeforeUpgrade(dataDir: string): Promise<void> {
  if (!(await isOlder(dataDir))) return;
  const copy = upgradeCopyIn(dataDir);
  if (await exists(copy)) return;
  const present = await filesOf(dataDir);
  await makeRoom(dataDir, present);
  const unfinished = `${copy}.tmp`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  for (const { name } of present) await copySynced(join(dataDir, name), join(unfinished, name));
  await syncDirectory(unfinished);
  faultPoint('upgrade:copying');
  await rename(unfinished, copy);
  await syncDirectory(dataDir);
  faultPoint('upgrade:copied');
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UPGRADE_COPY) && join(dataDir, name) !== copy)
      await rm(join(dataDir, name), { recursive: true });
  }
}

/** Neither file is of a newer version, and one is of an older. What cannot be read is for whoever opens it to tell. */
async function isOlder(dataDir: string): Promise<boolean> {
  const catalog = await catalogSchema(join(dataDir, 'catalog.json'));
  const database = await databaseSchema(join(dataDir, 'hydrant.db'));
  if (catalog === undefined || database === undefined) return false;
  if (catalog > CATALOG_SCHEMA || database > migrations.length) return false;
  return catalog < CATALOG_SCHEMA || database < migrations.length;
}

async function catalogSchema(path: string): Promise<number | undefined> {
  const parsed = parseJson(await readFile(path, 'utf8').catch(() => ''));
  const schema = parsed.ok ? (parsed.value as { schema?: unknown } | null)?.schema : undefined;
  return typeof schema === 'number' && schema > 0 ? schema : undefined;
}

/** Undefined for one that is not there, is none, or was never brought to its first schema. Its journal is in it afterwards. */
async function databaseSchema(path: string): Promise<number | undefined> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return undefined;
  const database = openFile(path, {});
  try {
    const { user_version: schema } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (schema < migrations.length) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return schema > 0 ? schema : undefined;
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

async function filesOf(dataDir: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const found = await Promise.all(
    FILES.map(async (name) => {
      const { size } = await stat(join(dataDir, name)).catch(() => ({ size: undefined }));
      return size === undefined ? [] : [{ name, bytes: size }];
    }),
  );
  return found.flat();
}

async function makeRoom(dataDir: string, present: readonly { readonly bytes: number }[]): Promise<void> {
  try {
    await checkRoom(
      dataDir,
      present.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  } catch (failure) {
    if (!(failure instanceof StartFailure)) throw failure;
    const own = `or, if you have a backup of your own: mkdir ${upgradeCopyIn(dataDir)}`;
    throw new StartFailure('environment', `no copy can be made before the upgrade: ${failure.message}, ${own}`);
  }
}

/** Where the file system can, both share their blocks, and it takes no time and no room. */
async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}
