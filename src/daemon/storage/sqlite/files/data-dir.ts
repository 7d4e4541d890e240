import { grouped } from '../../../../shared/grouped.ts';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { access, constants, mkdir, readFile, rename, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DAEMON_NOTICE, type DaemonNotice, isAlive } from '../../../../shared/daemon-notice.ts';
import { isNoRoom, isNoRoomCode } from '../../../problem.ts';
import { StartFailure } from '../../../start-failure.ts';
import { openFile } from '../schema/database-file.ts';
import type { Outside } from '../../../outside.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';

/** Makes the directory, for its owner alone, or checks that the one that is there can be used, and is nobody else's. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    refuseOthers(dataDir);
  } catch (error) {
    if (error instanceof StartFailure) throw error;
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
  const mebibytes = (count: number): string => `${grouped(Math.ceil(count / (1_024 * 1_024)))} MiB`;
  throw new StartFailure(
    'environment',
    `${directory} has ${mebibytes(free)} free, and ${mebibytes(needed)} are needed; free some space, or choose another place`,
  );
}

/** In bytes; 0 where there is none: either file of a database may be missing. */
export async function sizeOf(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return size;
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
  if (isNoRoom(error)) return fullDisk(dataDir, error);
  const fix = 'give a directory that this user may write to with --data-dir';
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'the file system is read-only',
    EISDIR: 'a directory is in the way',
    EEXIST: 'a file of that name is in the way',
    ENOTDIR: 'a file is in the way',
  };
  const place = path === dataDir ? '' : ` (${path})`;
  const reason = `${reasons[code] ?? error.message}${place}`;
  return new StartFailure('configuration', `the data directory ${dataDir} cannot be used: ${reason}; ${fix}`, {
    cause: error,
  });
}

/** For a start that needs room, whether the system says there is none, or SQLite. */
export function fullDisk(dataDir: string, error: Error): StartFailure {
  const what = `the disk of the data directory ${dataDir} is full, or a quota or limit of the process is used up`;
  return new StartFailure('environment', `${what} (${error.message}); free some space, then start again`, {
    cause: error,
  });
}

/**
 * One daemon per directory. The lock is SQLite's exclusive lock on an empty file, held for the life of the process:
 * the operating system lets go of it when the process ends, however it ends. A file with a pid in it would outlive
 * a `kill -9` and then either block permanently or be guessed away.
 */
export class DataDirLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** For a daemon, and whoever writes in its place. Waits for those who only look, which is over in a moment. */
  static take(dataDir: string): DataDirLock {
    return DataDirLock.#lock(dataDir, 'BEGIN EXCLUSIVE', LOOKED_WITHIN_MS);
  }

  /** No daemon starts meanwhile; others may look, too. Throws as `take` where one runs. */
  static share(dataDir: string): DataDirLock {
    return DataDirLock.#lock(dataDir, 'BEGIN; SELECT 1 FROM sqlite_schema', 0);
  }

  static #lock(dataDir: string, statement: string, timeout: number): DataDirLock {
    let database: DatabaseSync | undefined;
    try {
      database = openFile(join(dataDir, 'lock'), { timeout });
      // A journal would be a file of its own, which a kill leaves behind and a read-only directory cannot have.
      database.exec(`PRAGMA journal_mode = MEMORY; ${statement}`);
      return new DataDirLock(database);
    } catch (error) {
      database?.close();
      if (isBusy(error)) throw inUse(dataDir);
      const isFull = isNoRoomCode(noRoom(error, join(dataDir, 'lock')));
      throw isFull ? fullDisk(dataDir, error as Error) : unusable(dataDir, error as Error);
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const SQLITE_BUSY = 5;
/** A journal of the usual size is read in a tenth of it. */
const LOOKED_WITHIN_MS = 1_000;

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

/** What the daemon reads at its start and believes: keys, sealed tokens, what is delivered. */
const BELIEVED = /^(?:catalog\.json(?:\.bak)?|secret|lock|daemon\.json|hydrant\.db(?:-wal|-shm|-committed)?)$/;
const OTHERS_WRITE = 0o022;

/**
 * A data directory that others own or may write to is theirs: they choose the keys that are accepted and what is delivered.
 * Root is trusted, since it may write anywhere in any case; as root itself, only root is. A symbolic link may lead to the
 * directory or to a file in it, if it is the daemon's own. Windows has neither modes nor user ids.
 * @throws {StartFailure} with the command that puts it right
 */
function refuseOthers(dataDir: string): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const places = [dataDir, ...namesIn(dataDir).map((name) => join(dataDir, name))];
  const found = places.flatMap((path) => faultsOf(path, own));
  const strange = found.find(({ kind }) => kind === 'owner');
  if (strange !== undefined) throw foreign(dataDir, strange, own);
  const open = found.find(({ kind }) => kind === 'mode');
  if (open === undefined) return;
  const [path, dir] = [quoted(open.path), quoted(dataDir)];
  throw refusal(
    `${open.path} may be written to by others (mode ${octal(open.stats.mode)}), who could give hydrantd keys and data of theirs`,
    `check that its contents are yours, then: chmod go-w ${path === dir ? dir : `${dir} ${path}`}`,
  );
}

interface Fault {
  readonly path: string;
  readonly kind: 'owner' | 'mode';
  readonly stats: Stats;
}

function foreign(dataDir: string, { path, stats }: Fault, own: number): StartFailure {
  const what = `${path} belongs to the user with id ${stats.uid}, and hydrantd runs as the one with id ${own}`;
  const ways = [
    `check that its contents are yours, then: ${own === 0 ? '' : 'sudo '}chown -R -h ${own} ${quoted(dataDir)}`,
    `or run hydrantd as that user`,
    `or let it create its own directory: --data-dir ${quoted(join(dataDir, 'hydrant'))}`,
  ];
  return refusal(what, ways.join(', '));
}

function refusal(what: string, fix: string): StartFailure {
  return new StartFailure('configuration', `the data directory cannot be trusted: ${what}; ${fix}`);
}

/** Of a link, and of what it leads to. */
function faultsOf(path: string, own: number): Fault[] {
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const isStrange = ({ uid }: Stats): boolean => uid !== own && uid !== 0;
  // The mode of a link says nothing.
  const open = target ?? (link?.isSymbolicLink() === true ? undefined : link);
  return [
    ...[link, target].flatMap((stats) =>
      stats !== undefined && isStrange(stats) ? [{ path, kind: 'owner' as const, stats }] : [],
    ),
    ...(open !== undefined && (open.mode & OTHERS_WRITE) !== 0 ? [{ path, kind: 'mode' as const, stats: open }] : []),
  ];
}

function namesIn(dataDir: string): readonly string[] {
  return readdirSync(dataDir).filter((name) => BELIEVED.test(name));
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8);
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

export const SECRET_BYTES = 32;

/**
 * The instance's secret: 32 bytes that seal what must be read back (tap tokens). Made once, never changed, kept
 * beside the data it seals, and readable by its owner alone. To be called under the directory's lock.
 */
export async function openSecret(dataDir: string, outside: Outside): Promise<Uint8Array> {
  const path = join(dataDir, 'secret');
  await prepareDataDir(dataDir);
  const secret = (await readSecret(path)) ?? (await makeSecret(dataDir, path, outside));
  if (secret.length === SECRET_BYTES) return secret;
  throw new StartFailure(
    'configuration',
    `${path} is damaged: it has ${secret.length} bytes instead of ${SECRET_BYTES}. Restore the one from your backup, ` +
      `or remove it together with the taps in catalog.json, whose tokens are sealed with it`,
  );
}

/** What the daemons of a database know by each other's secret: its SHA-256. */
export function fingerprintOf(secret: Uint8Array): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** That of a directory whose daemon does not run; undefined where it has none. @throws {StartFailure} where it cannot be read */
export async function fingerprintIn(dataDir: string): Promise<Uint8Array | undefined> {
  const secret = await readSecret(join(dataDir, 'secret'));
  return secret && fingerprintOf(secret);
}

async function readSecret(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartFailure('configuration', `${path} cannot be read: ${code}; let the user that runs hydrantd own it`, {
      cause: error,
    });
  }
}

async function makeSecret(dataDir: string, path: string, outside: Outside): Promise<Uint8Array> {
  const secret = outside.randomBytes(SECRET_BYTES);
  await writeSynced(`${path}.tmp`, secret);
  await rename(`${path}.tmp`, path);
  await syncDirectory(dataDir);
  return secret;
}

/** SQLite's code for a disk without room. */
const FULL = 13;
/** And those for a write, or a map of the journal in memory, that the system has refused for whatever reason. */
const REFUSED: ReadonlySet<number> = new Set([778, 4_874]);
const PAGE_BYTES = 8_192;

/**
 * Why a write to a database has failed, in the words of the system: ENOSPC on a full disk, EDQUOT and EFBIG where a quota or
 * a limit of the process is used up. The last two SQLite calls errors of the disk and keeps to itself, so it is tried on
 * another file beside its journal, at the same place. Undefined where that goes well, or it was no such error.
 */
export function noRoom(error: unknown, database: string): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  if (error.errcode === FULL) return 'ENOSPC';
  if (!REFUSED.has(error.errcode)) return undefined;
  if (!tried.has(error)) tried.set(error, refusalOf(`${database}-wal`));
  return tried.get(error);
}

/** All writes of a group that has failed have the same error. */
const tried = new WeakMap<Error, string | undefined>();

function refusalOf(journal: string): string | undefined {
  const trial = `${journal}.trial`;
  try {
    const file = openSync(trial, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, statSync(journal, { throwIfNoEntry: false })?.size ?? 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(trial, { force: true });
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
