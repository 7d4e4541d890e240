import type { Readiness } from './render/readiness.ts';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Seal } from './accounts/keys.ts';
import { archiveOf, describeCopies, moveIn, readBackup, RestoredFiles } from './backup/backup.ts';
import { outside, timestamp } from './outside.ts';
import { type DaemonSettings, resolveSettings } from './settings.ts';
import { StartFailure } from './start-failure.ts';
import { beginNewLife, copyData, quickCheck, refuseStranger, SCHEMAS } from './storage/sqlite/files/data-copy.ts';
import { checkRoom, DataDirLock, prepareDataDir, SECRET_BYTES, sizeOf } from './storage/sqlite/files/data-dir.ts';
import { readMark } from './storage/sqlite/files/moved-mark.ts';
export { leftBehind } from './storage/sqlite/files/moved-mark.ts';
import { printCatalog } from './storage/sqlite/files/catalog.ts';
import { syncDirectory, writeSynced } from './storage/sqlite/files/durable-file.ts';
import { type JournalState, lookAtJournal, refuseDamagedJournal } from './storage/sqlite/files/journal-check.ts';
import {
  findCatalog,
  findSecret,
  type FoundCatalog,
  salvageDatabase,
} from './storage/sqlite/salvage/salvage-database.ts';
import { withReadableTokens } from './taps/taps.ts';
import { version } from './process/version.ts';
import type { DatabaseHealth } from '../shared/api/database-health.ts';
import type { BackupManifest, MigrateReport, SalvageReport } from '../shared/api/backup.ts';

/**
 * What the command line does with a data directory without its daemon, or beside it: backup, restore, looking after
 * it. A composition root of its own, handed to the command line by `bin/`. Everything throws StartFailure with one
 * line that says what is wrong and what to do, or the error of the file system.
 */

/**
 * A backup: copies in `workDir`, which has to be empty, and the archive made of them as it is read. `onProgress` hears
 * of the database alone, in pages.
 */
export async function backUp(plan: {
  readonly dataDir: string;
  readonly workDir: string;
  readonly onProgress: (done: number, total: number) => void;
}): Promise<{ manifest: BackupManifest; archive: AsyncIterable<Uint8Array> }> {
  const { dataDir, workDir, onProgress } = plan;
  const createdAt = timestamp(outside.now());
  refuseDamagedJournal(lookAtLastLife(dataDir), join(dataDir, 'hydrant.db'));
  await copyData(dataDir, workDir, onProgress);
  const manifest = await describeCopies(workDir, { version: version(), createdAt });
  return { manifest, archive: archiveOf(workDir, manifest) };
}

/** Unpacked here first, on the file system of the data directory, so that moving in is renaming. */
const UNPACKING = 'restore.tmp';
/** What is salvaged is written here first, as a backup is unpacked. */
const SALVAGING = 'salvage.tmp';
/** What may lie in a directory that counts as empty. */
const NOTHING: ReadonlySet<string> = new Set([UNPACKING, SALVAGING, 'lock', 'lost+found']);

/** A data directory from a backup: all of it, or nothing. `onProgress` hears of bytes. */
export async function restore(plan: {
  readonly archive: AsyncIterable<Uint8Array>;
  readonly dataDir: string;
  readonly onBegin: (manifest: BackupManifest) => void;
}): Promise<BackupManifest> {
  const fix = 'a backup can only be restored into an empty directory: choose another with --data-dir';
  return madeIn(plan.dataDir, { workName: UNPACKING, fix }, async (work) => {
    const manifest = await unpack(plan.archive, work, plan.onBegin);
    beginNewLife(join(work, 'hydrant.db'), outside.now());
    return manifest;
  });
}

/**
 * A data directory whose files are made in a directory of their own within it, and take their places when they are whole.
 * `fix`: what to do where it is not empty.
 */
async function madeIn<Made>(
  into: string,
  { workName, fix }: { readonly workName: string; readonly fix: string },
  make: (work: string) => Promise<Made>,
): Promise<Made> {
  await refuseFull(into, fix);
  await prepareDataDir(into);
  const lock = DataDirLock.take(into);
  const work = join(into, workName);
  try {
    // Another one may have been at it until a moment ago.
    await refuseFull(into, fix);
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { mode: 0o700 });
    const made = await make(work);
    await syncDirectory(work);
    await moveIn(work, into);
    await syncDirectory(into);
    return made;
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

async function unpack(
  archive: AsyncIterable<Uint8Array>,
  into: string,
  onBegin: (manifest: BackupManifest) => void,
): Promise<BackupManifest> {
  const files = new RestoredFiles(into, SCHEMAS, async (manifest) => {
    await checkRoom(
      into,
      manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    onBegin(manifest);
  });
  try {
    return await readBackup(archive, files);
  } finally {
    await files.close();
  }
}

/**
 * A new data directory of all that can be read of a damaged one, in which nothing is written; its daemon has to be stopped.
 * `onStep` hears of the table that is read, and ends the work by throwing.
 */
export async function salvage(plan: {
  readonly dataDir: string;
  readonly into: string;
  /** Instead of the one in the directory. */
  readonly catalog: string | undefined;
  readonly onStep: (table: string) => Promise<void>;
}): Promise<SalvageReport> {
  const { dataDir, into } = plan;
  if (isWithin(await placeOf(into), await placeOf(dataDir))) {
    throw new StartFailure(
      'configuration',
      `${into} is inside the damaged directory, which is not written to: choose another`,
    );
  }
  const lock = (await hasLock(dataDir)) ? DataDirLock.take(dataDir) : undefined;
  try {
    const catalog = await findCatalog(dataDir, plan.catalog);
    const fix = 'the target must be an empty directory: choose another';
    return await madeIn(into, { workName: SALVAGING, fix }, (work) => salvageInto(work, plan, catalog));
  } finally {
    lock?.release();
  }
}

/** Where a path leads, by whatever links; the end of it may not be there yet. */
async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await placeOf(dirname(path)), basename(path));
  });
}

function isWithin(place: string, directory: string): boolean {
  return place === directory || place.startsWith(join(directory, sep));
}

/** Taking a lock makes its file: where there is none, or none can be written, no daemon has it. */
async function hasLock(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'lock'), constants.W_OK).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'EROFS',
  );
}

/** All of a data directory into an empty PostgreSQL database, or all of a database into a directory; no daemon may be at work. */
export async function migrate(plan: {
  readonly direction: 'to' | 'from';
  readonly dataDir: string;
  /** With its password. */
  readonly url: string;
  /** Hears of what is copied or compared, and of its rows; ends the work by throwing. */
  readonly onStep: (what: string, rows: number) => Promise<void>;
}): Promise<MigrateReport> {
  const { direction, dataDir } = plan;
  // Nobody else loads what speaks to PostgreSQL.
  const move =
    direction === 'to'
      ? (await import('./storage/migrate/to-postgres.ts')).moveToPostgres
      : (await import('./storage/migrate/from-postgres.ts')).moveFromPostgres;
  return { direction, data_dir: dataDir, ...(await move({ ...plan, outside })) };
}

/** Where the data of a daemon with this directory is, if that is PostgreSQL: by its settings, or since it was moved there. */
export async function inPostgres(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  // Settings that no daemon could start with do not keep anybody from a backup.
  const settings = await resolveSettings({ dataDir }, environment).catch(() => undefined);
  if (settings && settings.store !== '') return 'PostgreSQL (the setting store)';
  const mark = await readMark(dataDir);
  return mark && `${mark.database} (moved there ${mark.at})`;
}

/** What a PostgreSQL database says of itself. @throws {StorageUnavailable} where it cannot be reached */
export async function databaseHealth(url: string): Promise<DatabaseHealth> {
  return (await import('./storage/postgres/health.ts')).readHealth(url, () => outside.now());
}

type SalvagePlan = Parameters<typeof salvage>[0];

async function salvageInto(work: string, plan: SalvagePlan, catalog: FoundCatalog): Promise<SalvageReport> {
  const { dataDir, onStep } = plan;
  const secret = (await findSecret(dataDir)) ?? outside.randomBytes(SECRET_BYTES);
  const { data, renewed } = withReadableTokens(catalog.data, new Seal(secret, outside), outside);
  const [from, to] = [join(dataDir, 'hydrant.db'), join(work, 'hydrant.db')];
  await checkRoom(work, (await sizeOf(from)) + (await sizeOf(`${from}-wal`)));
  const made = await salvageDatabase({ from, to, catalog: data, now: outside.now(), onStep });
  const [fault] = quickCheck(to);
  if (fault !== undefined) throw new StartFailure('environment', `the new database is damaged: ${fault}`);
  await writeSynced(join(work, 'catalog.json'), printCatalog(data));
  await writeSynced(join(work, 'secret'), secret);
  return { catalog: catalog.path, renewed_taps: renewed, ...made };
}

async function refuseFull(dataDir: string, fix: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = names.filter((name) => !NOTHING.has(name));
  if (found.length === 0) return;
  const shown = `${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}`;
  throw new StartFailure('configuration', `${dataDir} is not empty (${shown}); ${fix}`);
}

/** What is wrong with the database in a data directory, by its journal or by SQLite; nothing when it is sound. */
export function checkStore(dataDir: string, owner: number): readonly string[] {
  const path = join(dataDir, 'hydrant.db');
  refuseStranger(path, owner);
  const journal = lookAtLastLife(dataDir);
  return journal.kind === 'sound' ? quickCheck(path) : [journal.what];
}

/**
 * How the last daemon left the journal; `sound` while one runs. To be asked before a reader opens the database, since SQLite
 * takes what it can read of a damaged journal for all that there was.
 */
function lookAtLastLife(dataDir: string): JournalState {
  const path = join(dataDir, 'hydrant.db');
  let lock: DataDirLock | undefined;
  try {
    lock = existsSync(join(dataDir, 'lock')) ? DataDirLock.share(dataDir) : undefined;
  } catch {
    // A daemon runs, or nothing can be written here.
    return { kind: 'sound' };
  }
  try {
    return existsSync(path) ? lookAtJournal(path) : { kind: 'sound' };
  } finally {
    lock?.release();
  }
}

/** The browser that a daemon with these settings would render pages with, or why it has none. */
export async function rendererOf({ renderBrowser, renderEndpoint, renderSandbox }: RenderSettings): Promise<Readiness> {
  const wish = { browser: renderBrowser, endpoint: renderEndpoint, hasSandbox: renderSandbox === 'on' };
  return (await import('./render/readiness.ts')).browserFor(wish);
}

type RenderSettings = Pick<DaemonSettings, 'renderBrowser' | 'renderEndpoint' | 'renderSandbox'>;

/** As a daemon that starts now would have them. */
export async function settingsOf(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DaemonSettings> {
  return resolveSettings(flags, environment);
}
