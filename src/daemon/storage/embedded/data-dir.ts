import { readFileSync } from 'node:fs';
import { access, constants, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DAEMON_NOTICE, type DaemonNotice } from '../../../shared/daemon-notice.ts';
import { StartFailure } from '../../start-failure.ts';
import { openFile } from './sqlite.ts';

/** Makes the directory, for its owner alone, or checks that the one that is there can be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error as Error);
  }
}

/** What a copy of the data may need besides its files. */
const SPARE_BYTES = 32 * 1_024 * 1_024;

/** @throws {StartFailure} where so many bytes would not fit */
export async function checkRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const [free, needed] = [bavail * bsize, bytes + SPARE_BYTES];
  if (free >= needed) return;
  const mebibytes = (count: number): string => `${Math.ceil(count / (1_024 * 1_024)).toLocaleString('en')} MiB`;
  throw new StartFailure(
    'environment',
    `${directory} has ${mebibytes(free)} free, and ${mebibytes(needed)} are needed; make room, or choose another place`,
  );
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What a failed call of the file system means for the start, in one line. */
export function unusable(dataDir: string, error: Error): StartFailure {
  const { code = '', path = dataDir } = error as NodeJS.ErrnoException;
  const fix = 'give a directory that this user may write to with --data-dir';
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'the file system is read-only',
    EISDIR: 'a directory is in the way',
    EEXIST: 'a file of that name is in the way',
    ENOTDIR: 'a file is in the way',
    ENOSPC: 'the disk is full',
  };
  const place = path === dataDir ? '' : ` (${path})`;
  const reason = `${reasons[code] ?? error.message}${place}`;
  return new StartFailure('configuration', `the data directory ${dataDir} cannot be used: ${reason}; ${fix}`, {
    cause: error,
  });
}

/**
 * One daemon per directory. The lock is SQLite's exclusive lock on an empty file, held for the life of the process:
 * the operating system lets go of it when the process ends, however it ends. A file with a pid in it would outlive
 * a `kill -9` and then either block for ever or be guessed away.
 */
export class DataDirLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static take(dataDir: string): DataDirLock {
    let database: DatabaseSync | undefined;
    try {
      database = openFile(join(dataDir, 'lock'), { timeout: 0 });
      // A journal would be a file of its own, which a kill leaves behind and a read-only directory cannot have.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new DataDirLock(database);
    } catch (error) {
      database?.close();
      throw isBusy(error) ? inUse(dataDir) : unusable(dataDir, error as Error);
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}

function inUse(dataDir: string): StartFailure {
  const pid = holder(dataDir);
  const who = pid === undefined ? 'another hydrantd' : `another hydrantd (pid ${pid})`;
  const fix = 'stop it, or give this one its own --data-dir';
  return new StartFailure('environment', `${who} is using ${dataDir}; ${fix}`);
}

/** From the notice, if that process lives: the notice of one that was killed may still be lying there. */
function holder(dataDir: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataDir, DAEMON_NOTICE), 'utf8')) as DaemonNotice;
    return Number.isInteger(pid) && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
