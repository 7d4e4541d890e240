import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Seal } from './accounts/seal.ts';
import { describeCopies, archiveOf } from './backup/write-backup.ts';
import { readBackup } from './backup/read-backup.ts';
import { moveIn, RestoredFiles } from './backup/restored-files.ts';
import { outside, timestamp } from './outside.ts';
import { type DaemonSettings, resolveSettings } from './settings.ts';
import { StartFailure } from './start-failure.ts';
import { beginNewLife, copyData, quickCheck, refuseStranger, SCHEMAS } from './storage/embedded/data-copy.ts';
import { checkRoom, DataDirLock, prepareDataDir } from './storage/embedded/data-dir.ts';
import { printCatalog } from './storage/embedded/catalog.ts';
import { syncDirectory, writeSynced } from './storage/embedded/durable-file.ts';
import { salvageDatabase } from './storage/embedded/salvage-database.ts';
import { findCatalog, findSecret, type FoundCatalog } from './storage/embedded/salvage-files.ts';
import { SECRET_BYTES } from './storage/embedded/secret.ts';
import { withReadableTokens } from './taps/token.ts';
import { version } from './version.ts';
import type { BackupManifest } from '../shared/api/backup.ts';
import type { SalvageReport } from '../shared/api/salvage.ts';

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
  await copyData(dataDir, workDir, onProgress);
  const manifest = await describeCopies(workDir, { version: version(), createdAt });
  return { manifest, archive: archiveOf(workDir, manifest) };
}

/** Unpacked here first, on the file system of the data directory, so that moving in is renaming. */
const UNPACKING = 'restore.tmp';
/** What may lie in a directory that counts as empty. */
const NOTHING: ReadonlySet<string> = new Set([UNPACKING, 'salvage.tmp', 'lock', 'lost+found']);

/** A data directory from a backup: all of it, or nothing. `onProgress` hears of bytes. */
export async function restore(plan: {
  readonly archive: AsyncIterable<Uint8Array>;
  readonly dataDir: string;
  readonly onBegin: (manifest: BackupManifest) => void;
}): Promise<BackupManifest> {
  const { dataDir } = plan;
  await refuseFull(dataDir, 'a backup is restored into an empty directory: give another --data-dir');
  await prepareDataDir(dataDir);
  const lock = DataDirLock.take(dataDir);
  const unpacking = join(dataDir, UNPACKING);
  try {
    await rm(unpacking, { recursive: true, force: true });
    await mkdir(unpacking, { mode: 0o700 });
    const manifest = await unpack(plan.archive, unpacking, plan.onBegin);
    beginNewLife(join(unpacking, 'hydrant.db'), outside.now());
    await syncDirectory(unpacking);
    await moveIn(unpacking, dataDir);
    await syncDirectory(dataDir);
    return manifest;
  } finally {
    await rm(unpacking, { recursive: true, force: true });
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

/** Written here first, as a backup is unpacked. */
const SALVAGING = 'salvage.tmp';

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
  if (!relative(dataDir, into).startsWith('..')) {
    throw new StartFailure(
      'configuration',
      `${into} is in the damaged directory, where nothing is written: name another`,
    );
  }
  await refuseFull(into, 'what is saved goes into an empty directory: name another');
  const locks = (await hasLock(dataDir)) ? [DataDirLock.take(dataDir)] : [];
  const work = join(into, SALVAGING);
  try {
    const catalog = await findCatalog(dataDir, plan.catalog);
    await prepareDataDir(into);
    locks.push(DataDirLock.take(into));
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { mode: 0o700 });
    const report = await salvageInto(work, plan, catalog);
    await moveIn(work, into);
    await syncDirectory(into);
    return report;
  } finally {
    await rm(work, { recursive: true, force: true });
    for (const lock of locks) lock.release();
  }
}

/** Taking a lock makes its file: where there is none, or none can be written, no daemon has it. */
async function hasLock(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'lock'), constants.W_OK).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'EROFS',
  );
}

type SalvagePlan = Parameters<typeof salvage>[0];

async function salvageInto(work: string, plan: SalvagePlan, catalog: FoundCatalog): Promise<SalvageReport> {
  const { dataDir, onStep } = plan;
  const secret = (await findSecret(dataDir)) ?? outside.randomBytes(SECRET_BYTES);
  const { data, renewed } = withReadableTokens(catalog.data, new Seal(secret, outside), outside);
  const [from, to] = [join(dataDir, 'hydrant.db'), join(work, 'hydrant.db')];
  const { size } = await stat(from).catch(() => ({ size: 0 }));
  await checkRoom(work, size);
  const made = await salvageDatabase({ from, to, catalog: data, now: outside.now(), onStep });
  const [fault] = quickCheck(to);
  if (fault !== undefined) throw new StartFailure('environment', `the new database is damaged: ${fault}`);
  await writeSynced(join(work, 'catalog.json'), printCatalog(data));
  await writeSynced(join(work, 'secret'), secret);
  await syncDirectory(work);
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

/** What SQLite finds wrong with the database in a data directory; nothing when it is sound. */
export function checkStore(dataDir: string, owner: number): readonly string[] {
  const path = join(dataDir, 'hydrant.db');
  refuseStranger(path, owner);
  return quickCheck(path);
}

/** As a daemon that starts now would have them. */
export async function settingsOf(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DaemonSettings> {
  return resolveSettings(flags, environment);
}
