import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../../fault-points.ts';
import type { Outside } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import { noOtherNodes } from '../nodes.ts';
import type { Storage } from '../storage.ts';
import { openCatalog } from './files/catalog.ts';
import { isBlank } from './schema/database.ts';
import { DataDirLock, exists, prepareDataDir, sizeOf, unusable } from './files/data-dir.ts';
import {
  asideOf,
  forgetFormerLife,
  forgetNotice,
  type JournalState,
  lookAtJournal,
  noteLoss,
  putAway,
  refuseDamagedJournal,
} from './files/journal-check.ts';
import { StorageClient } from './worker/client.ts';
import { copyBeforeUpgrade } from './files/data-copy.ts';
import { forgetUndone, refuseMoved, wasUndone } from './files/moved-mark.ts';

/**
 * Storage in one directory, for one daemon on one machine, with nothing to install beside it:
 *
 *     catalog.json   organizations, keys, taps, rules, sources: small, made by hand, readable by hand (lowdb)
 *     hydrant.db     events, charges, page versions, frontier, watches, ratings, robots.txt: what visits write, thousands of times an hour (SQLite)
 *     secret, lock   what seals the tokens; what keeps a second daemon out
 *
 * The catalog is rewritten whole at each change, which is right for kilobytes and would be wrong for events. The
 * database is one file because the commit of a visit is one transaction, and it lives on a thread of its own because
 * SQLite waits for the disk. Decided against: LMDB (never gives space back, one forgotten reader makes it grow
 * without bound), one log file of our own (hundreds of lines of recovery that SQLite already has).
 *
 * Throws StartFailure with one line that says what is wrong and what to do.
 */
export async function openSqlite(options: SqliteOptions): Promise<Storage> {
  const { dataDir } = options;
  await prepareDataDir(dataDir);
  const lock = DataDirLock.take(dataDir);
  try {
    return await openLocked(options, lock);
  } catch (error) {
    lock.release();
    throw isOfFileSystem(error) ? unusable(dataDir, error) : error;
  }
}

export interface SqliteOptions {
  readonly dataDir: string;
  readonly outside: Outside;
  /** Milliseconds in which writes gather for one commit, under load five times as many at most; 0 commits at once. */
  readonly groupCommitMs?: number;
  /** Of SQLite's cache, at most. */
  readonly cacheBytes?: number;
  /** MB of the young generation of its thread. */
  readonly youngMb?: number;
  /** The storage can no longer answer; what it had acknowledged is on the disk. */
  readonly onFatal?: (error: Error) => void;
}

/** Ten milliseconds nobody notices in a visit, and a hundred fsyncs a second at most. */
const GROUP_COMMIT_MS = 10;

function isOfFileSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

async function openLocked(options: SqliteOptions, lock: DataDirLock): Promise<Storage> {
  const { dataDir, outside, groupCommitMs = GROUP_COMMIT_MS, onFatal = () => undefined } = options;
  faultPoint('start:locked');
  await refuseMoved(dataDir);
  const path = join(dataDir, 'hydrant.db');
  const journal = await takeOver(path);
  await copyBeforeUpgrade(dataDir);
  // The catalog first: a crash between the two must not look like a catalog that was lost.
  const catalog = await openCatalog(dataDir, await exists(path));
  faultPoint('start:catalog');
  const isInUse = catalog.data.organizations.length > 0;
  const isCutShort = journal.kind === 'lost' || (await wasUndone(dataDir));
  // A new log beside a catalog in use: clients may hold ids of the old log, so this one gets a partition of its own.
  const partition = isCutShort || isInUse || catalog.data.taps.length > 0 ? Math.floor(outside.now() / 1_000) : 0;
  if (isInUse) await refuseLost(path, journal);
  if ((await sizeOf(path)) === 0) await leaveFormerLife(path, partition);
  const { cacheBytes, youngMb } = options;
  const limits = { ...(cacheBytes !== undefined && { cacheBytes }), ...(youngMb !== undefined && { youngMb }) };
  const link = await StorageClient.open({ path, groupCommitMs, partition, isCutShort, ...limits }, onFatal);
  if (isCutShort) {
    await forgetNotice(dataDir);
    await forgetUndone(dataDir);
  }
  await putAway(asideOf(path), partition);
  await putAway(asideOf(`${path}-wal`), partition);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await Promise.all([link.close(), catalog.close()]);
    } finally {
      lock.release();
    }
  };
  const memory = { heapUse: () => link.heapUse(), release: () => link.release() };
  const shared = { catalog, nodes: noOtherNodes };
  return { ...link.ports, ...memory, ...shared, losses: lossesOf(journal), close: () => (closing ??= close()) };
}

/**
 * Checks the journal that the last daemon left, before anyone opens the database, and notes on disk what it found.
 * @throws {StartFailure} for a journal that is damaged
 */
async function takeOver(path: string): Promise<JournalState> {
  if ((await sizeOf(path)) === 0) return { kind: 'sound' };
  const journal = lookAtJournal(path);
  refuseDamagedJournal(journal, path);
  // Whoever closes the database takes the journal in: a start that ends early would look like one that was lost.
  await (journal.kind === 'lost' ? noteLoss(path) : forgetFormerLife(path));
  return journal;
}

/**
 * The catalog is in use, and there is no database, or nothing in it: events, page versions and credit were lost. A first
 * start that was cut short leaves that, too, but then nobody has been put into the catalog yet. An operator who goes on
 * without it all says so by what is set aside; that counts until the new database has begun.
 */
async function refuseLost(path: string, journal: JournalState): Promise<void> {
  const bytes = await sizeOf(path);
  if ((bytes > 0 && !isBlank(path)) || (await exists(asideOf(path)))) return;
  const anew = 'or continue without its events, page versions, watches and credit';
  const backup = 'restore the data directory from a backup';
  const [what, how] = (await exists(path))
    ? [`is empty, and its contents are lost${goneWith(journal)}`, `mv ${path} ${asideOf(path)}`]
    : ['is missing, although the catalog refers to it; its contents are lost', `touch ${asideOf(path)}`];
  throw new StartFailure('configuration', `${path} ${what}; ${backup}, ${anew}: ${how}`);
}

/** Until eight megabytes are written, all of a new database is in its journal. */
function goneWith(journal: JournalState): string {
  return journal.kind === 'lost' ? `: ${journal.what}` : '';
}

/** The journal of a database that is gone is none of the new one; SQLite would delete it. */
async function leaveFormerLife(path: string, partition: number): Promise<void> {
  await forgetFormerLife(path);
  await rm(`${path}-shm`, { force: true });
  if (await exists(`${path}-wal`)) await rename(`${path}-wal`, `${asideOf(path)}-${partition}-wal`);
}

function lossesOf(journal: JournalState): readonly string[] {
  if (journal.kind !== 'lost') return [];
  const how = 'the last writes before hydrantd ended may be missing, including grants of credit';
  return [`${journal.what}: ${how}; event ids continue in a new partition`];
}
