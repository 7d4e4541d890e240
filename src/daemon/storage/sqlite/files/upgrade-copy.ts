import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../../../fault-points.ts';
import { StartFailure } from '../../../start-failure.ts';
import { CATALOG_SCHEMA, parseJson } from './catalog-schema.ts';
import { checkRoom, exists } from './data-dir.ts';
import { migrations } from '../schema/migrations.ts';
import { syncDirectory } from './durable-file.ts';
import { openFile } from '../schema/database-file.ts';

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
