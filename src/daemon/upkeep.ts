import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCopies, archiveOf } from './backup/write-backup.ts';
import { readBackup } from './backup/read-backup.ts';
import { moveIn, RestoredFiles } from './backup/restored-files.ts';
import { outside, timestamp } from './outside.ts';
import { type DaemonSettings, resolveSettings } from './settings.ts';
import { StartFailure } from './start-failure.ts';
import { beginNewLife, copyData, quickCheck, refuseStranger, SCHEMAS } from './storage/embedded/data-copy.ts';
import { checkRoom, DataDirLock, prepareDataDir } from './storage/embedded/data-dir.ts';
import { syncDirectory } from './storage/embedded/durable-file.ts';
import { version } from './version.ts';
import type { BackupManifest } from '../shared/api/backup.ts';

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
const NOTHING: ReadonlySet<string> = new Set([UNPACKING, 'lock', 'lost+found']);

/** A data directory from a backup: all of it, or nothing. `onProgress` hears of bytes. */
export async function restore(plan: {
  readonly archive: AsyncIterable<Uint8Array>;
  readonly dataDir: string;
  readonly onBegin: (manifest: BackupManifest) => void;
}): Promise<BackupManifest> {
  const { dataDir } = plan;
  await refuseFull(dataDir);
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

async function refuseFull(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = names.filter((name) => !NOTHING.has(name));
  if (found.length === 0) return;
  const shown = `${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}`;
  throw new StartFailure(
    'configuration',
    `${dataDir} is not empty (${shown}); a backup is restored into an empty directory: give another --data-dir`,
  );
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
