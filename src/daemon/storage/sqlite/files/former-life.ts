import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAEMON_NOTICE } from '../../../../shared/daemon-notice.ts';
import { PAGE_BYTES } from '../../../salvage/damaged-database.ts';
import { type Journal, readAt, readJournal } from '../../../salvage/journal.ts';
import { StartFailure } from '../../../start-failure.ts';
import { type Committed, commitNoteOf, printed, readCommitNote } from './commit-note.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';

/**
 * What the journal of a database that nobody has open says of how the last daemon ended. `sound`: all that was acknowledged
 * is there; the end of the journal may be torn, as a kill or a power cut leaves it. `lost`: commits are gone, and with
 * them the file, or all that was in it. `damaged`: commits are gone, and others may still be read.
 */
export type JournalState =
  | { readonly kind: 'sound' }
  | { readonly kind: 'lost'; readonly what: string }
  | { readonly kind: 'damaged'; readonly what: string };

const SOUND: JournalState = { kind: 'sound' };

/** What operators put behind the name of a file that they set aside to go on without it. */
const ASIDE = '.damaged';

export function asideOf(path: string): string {
  return `${path}${ASIDE}`;
}

/**
 * Looks before anyone opens the database: SQLite takes in what comes before the first thing that is wrong, over pages that
 * may be newer, and says nothing.
 * @param database its path; there is such a file
 */
export function lookAtJournal(database: string): JournalState {
  const path = `${database}-wal`;
  const noted = readCommitNote(database);
  if (noted?.kind === 'lost')
    return lost(`${path} was found lost, and the start that found it did not come to its end`);
  const bytes = sizeOf(path);
  if (bytes === undefined || bytes === 0) return isMissed(database, noted) ? lost(`${path} ${GONE(bytes)}`) : SOUND;
  return stateOf(path, bytes, noted);
}

function stateOf(path: string, bytes: number, noted: Committed | undefined): JournalState {
  const owed = noted !== undefined && noted.frames > 0 ? noted : undefined;
  const journal = readJournalOf(path);
  if (journal.salt === undefined) {
    // SQLite syncs the header of a new journal before it writes a frame.
    return bytes <= HEADER && owed === undefined ? SOUND : damaged(`${path} is damaged: it has no valid header`);
  }
  if (journal.isDamaged) return damaged(`${path} is damaged before its end: commits stand behind what is wrong`);
  const missing = owed && missingOf(journal.salt, journal.frames, owed);
  return missing === undefined ? SOUND : damaged(`${path} ${missing}`);
}

const GONE = (bytes: 0 | undefined): string =>
  `is ${bytes === undefined ? 'gone' : 'empty'}, and what was in it is lost`;

/** Whether there has to be something in the journal. A daemon of an older version left no note when it was killed. */
function isMissed(database: string, noted: Committed | undefined): boolean {
  if (noted !== undefined && noted.frames > 0) return true;
  const path = `${database}-wal`;
  const wasKilled = existsSync(join(dirname(database), DAEMON_NOTICE));
  if (existsSync(path)) return wasKilled && noted === undefined;
  return wasKilled || existsSync(asideOf(path));
}

function readJournalOf(path: string): Journal {
  const file = openSync(path, 'r');
  try {
    return readJournal((at, count) => readAt(file, at, count), PAGE_BYTES);
  } finally {
    closeSync(file);
  }
}

/** What of the commits that were noted a journal does not have; one that has begun anew since has none of them. */
function missingOf(salt: string, frames: number, owed: Committed): string | undefined {
  if (isBefore(salt, owed.salt)) return 'is damaged: it is older than what was committed';
  if (salt !== owed.salt || frames >= owed.frames) return undefined;
  return `is damaged: ${owed.frames} frames were committed, and ${frames} can be read`;
}

const HEADER = 32;

/** Each time that the journal begins anew, all of it being in the database, its salt's first four bytes count one up. */
function isBefore(salt: string, noted: string): boolean {
  const [now, then] = [Number.parseInt(salt.slice(0, 8), 16), Number.parseInt(noted.slice(0, 8), 16)];
  return ((now - then) | 0) < 0;
}

const lost = (what: string): JournalState => ({ kind: 'lost', what });
const damaged = (what: string): JournalState => ({ kind: 'damaged', what });

/** @throws {StartFailure} for a journal that is damaged, with the way out; nothing was touched */
export function refuseDamagedJournal(state: JournalState, database: string): void {
  if (state.kind !== 'damaged') return;
  const [dataDir, journal] = [dirname(database), `${database}-wal`];
  throw new StartFailure(
    'configuration',
    `${state.what}. Writes that were acknowledged are lost with it; put back the data directory from a backup, save what ` +
      `can be read (hydrant salvage <dir> --data-dir ${dataDir}), or go on without what the journal held, with new ids ` +
      `of events: mv ${journal} ${asideOf(journal)}`,
  );
}

/** Lasts until the log has begun anew: a start that is cut short before must not make the next one take it for whole. */
export async function noteLoss(database: string): Promise<void> {
  await writeSynced(commitNoteOf(database), printed({ kind: 'lost' }));
  await syncDirectory(dirname(database));
}

/** What the daemon before has left of itself, before the journal is taken in: a start that ends early would look like a loss. */
export async function forgetFormerLife(database: string): Promise<void> {
  const dataDir = dirname(database);
  const left = [join(dataDir, DAEMON_NOTICE), commitNoteOf(database)];
  const gone = await Promise.all(left.map((path) => unlinked(path)));
  if (gone.includes(true)) await syncDirectory(dataDir);
}

/** The notice of a daemon that was killed. Its successor writes one of its own when it listens. */
export async function forgetNotice(dataDir: string): Promise<void> {
  if (await unlinked(join(dataDir, DAEMON_NOTICE))) await syncDirectory(dataDir);
}

async function unlinked(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  );
}

/**
 * What an operator has set aside to go on without it keeps its bytes, under a name that excuses no second loss:
 * `hydrant.db.damaged-1795000000`, with the partition that the log goes on with.
 */
export async function putAway(aside: string, partition: number): Promise<void> {
  await rename(aside, `${aside}-${partition}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** In bytes; undefined where there is none. */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
