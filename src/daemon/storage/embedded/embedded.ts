import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DAEMON_NOTICE } from '../../../shared/daemon-notice.ts';
import { faultPoint } from '../../fault-points.ts';
import type { Outside } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import type { Storage } from '../storage.ts';
import { openCatalog } from './catalog.ts';
import { DataDirLock, exists, prepareDataDir, unusable } from './data-dir.ts';
import { syncDirectory } from './durable-file.ts';
import { StorageLink } from './link.ts';
import { copyBeforeUpgrade } from './upgrade-copy.ts';

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
export async function openEmbedded(options: EmbeddedOptions): Promise<Storage> {
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

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly outside: Outside;
  /** Milliseconds in which writes gather for one commit, under load five times as many at most; 0 commits at once. */
  readonly groupCommitMs?: number;
  /** The storage can no longer answer; what it had acknowledged is on the disk. */
  readonly onFatal?: (error: Error) => void;
}

/** Ten milliseconds nobody notices in a visit, and a hundred fsyncs a second at most. */
const GROUP_COMMIT_MS = 10;

function isOfFileSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

async function openLocked(options: EmbeddedOptions, lock: DataDirLock): Promise<Storage> {
  const { dataDir, outside, groupCommitMs = GROUP_COMMIT_MS, onFatal = () => undefined } = options;
  faultPoint('start:locked');
  const path = join(dataDir, 'hydrant.db');
  const databaseExists = await exists(path);
  // Before anyone opens it, and makes a journal or does away with it.
  const isCutShort = databaseExists && (await hasLostJournal(dataDir));
  // Whoever closes the database takes the journal in: a start that ends early would look like one that was lost.
  if (!isCutShort) await forgetFormerLife(dataDir);
  await copyBeforeUpgrade(dataDir);
  // The catalog first: a crash between the two must not look like a catalog that was lost.
  const catalog = await openCatalog(dataDir, databaseExists);
  faultPoint('start:catalog');
  if (databaseExists && catalog.data.organizations.length > 0) await refuseEmpty(path);
  // Taps, but no log: it was lost, and ids of its former life are about. A generation that none of them has.
  const partition = catalog.data.taps.length > 0 || isCutShort ? Math.floor(outside.now() / 1_000) : 0;
  const link = await StorageLink.open({ path, groupCommitMs, partition, isCutShort }, onFatal);
  if (isCutShort) await forgetFormerLife(dataDir);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await Promise.all([link.close(), catalog.close()]);
    } finally {
      lock.release();
    }
  };
  const { eventLog, frontier, ledger, pages, ratings, recentChanges, robots, ruleCounters, savedMatches, watches } =
    link;
  const crawl = { frontier, pages, ratings, recentChanges, robots, watches };
  const ports = { catalog, eventLog, ledger, ...crawl, ruleCounters, savedMatches };
  return { ...ports, close: () => (closing ??= close()) };
}

/** A first start that was cut short leaves an empty file, but then nobody has been put into the catalog yet. */
async function refuseEmpty(path: string): Promise<void> {
  if ((await stat(path)).size > 0) return;
  const wayOut = `put back the data directory from a backup, or go on without the events and page versions: rm ${path}`;
  throw new StartFailure('configuration', `${path} is empty, and what was in it is lost; ${wayOut}`);
}

/**
 * Whether a daemon was killed here, and the journal that it leaves behind then is not there any more: a copy without it,
 * or somebody who tidied up. What it held is gone.
 */
async function hasLostJournal(dataDir: string): Promise<boolean> {
  return (await exists(join(dataDir, DAEMON_NOTICE))) && !(await exists(join(dataDir, 'hydrant.db-wal')));
}

/** The notice of a daemon that was killed. Its successor writes one of its own when it listens, and tells what is in the way. */
async function forgetFormerLife(dataDir: string): Promise<void> {
  const isGone = await unlink(join(dataDir, DAEMON_NOTICE)).then(
    () => true,
    () => false,
  );
  if (isGone) await syncDirectory(dataDir);
}
