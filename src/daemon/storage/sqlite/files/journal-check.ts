import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAEMON_NOTICE } from '../../../../shared/daemon-notice.ts';
import { PAGE_BYTES } from '../../../salvage/damaged-database.ts';
import { type Journal, readAt, readJournal } from '../../../salvage/journal.ts';
import { StartFailure } from '../../../start-failure.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';
import { crc32 } from 'node:zlib';

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
  if (noted?.kind === 'lost') return lost(`${path} was found to be lost, and the start that found this did not finish`);
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
  if (journal.isDamaged) return damaged(`${path} is damaged before its end: there are commits after the damaged part`);
  const missing = owed && missingOf(journal.salt, journal.frames, owed);
  return missing === undefined ? SOUND : damaged(`${path} ${missing}`);
}

const GONE = (bytes: 0 | undefined): string =>
  `is ${bytes === undefined ? 'gone' : 'empty'}, and its contents are lost`;

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
    `${state.what}. Acknowledged writes are lost with it; restore the data directory from a backup, save what ` +
      `can be read (hydrant salvage <dir> --data-dir ${dataDir}), or continue without the contents of the journal, with new ids ` +
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

/** How far the journal has to reach. */
interface Committed {
  readonly kind: 'committed';
  /** Of the journal: eight bytes as hex. */
  readonly salt: string;
  readonly frames: number;
}

/** What the note says. `lost`: the journal was found lost, and the log has yet to begin anew. */
type Noted = Committed | { readonly kind: 'lost' };

function commitNoteOf(database: string): string {
  return `${database}-committed`;
}

/**
 * How many frames of which journal are committed: written after each COMMIT and before anyone is notified, and never
 * waited for. A journal that is shorter at the next start has lost what was acknowledged. It is a lower bound whatever of
 * it a power cut leaves: what it names was on the disk before it was written, and a note that does not add up counts
 * for nothing. One `pread` and one `pwrite`; an fsync only when a clean stop takes it back.
 */
export class CommitNote {
  readonly #file: number;
  /** Kept open until the database is closed: closing any descriptor of that file would drop SQLite's locks on it. */
  readonly #index: number;
  readonly #path: string;
  readonly #header = Buffer.alloc(INDEX_HEADER);

  /** @param database its path; it is open, in WAL mode, and was read from */
  constructor(database: string) {
    this.#path = commitNoteOf(database);
    const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
    this.#file = openSync(this.#path, O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
    ftruncateSync(this.#file, NOTE_BYTES);
    this.#index = openSync(`${database}-shm`, 'r');
  }

  /** A note that cannot be written leaves the one before, which is true as well. */
  update(): void {
    try {
      const header = this.#header;
      if (readSync(this.#index, header, 0, INDEX_HEADER, 0) < INDEX_HEADER) return;
      const words = new Uint32Array(header.buffer, header.byteOffset, INDEX_HEADER / 4);
      if (words[0] !== INDEX_VERSION || header[IS_INITIALIZED] !== 1) return;
      this.#write({ salt: header.toString('hex', SALT, SALT + 8), frames: words[FRAMES / 4] ?? 0 });
    } catch {
      return;
    }
  }

  /** What is in the journal goes into the database now, and nothing of it has to be in the journal any more. */
  takeBack(): void {
    try {
      this.#write({ salt: '', frames: 0 });
      fdatasyncSync(this.#file);
    } catch {
      // The note before it stands: a kill within the next moment is reported as a loss, which is the safe side.
    }
  }

  /** After the database is closed. */
  close(): void {
    closeSync(this.#file);
    closeSync(this.#index);
    rmSync(this.#path, { force: true });
  }

  #write(said: { readonly salt: string; readonly frames: number }): void {
    writeSync(this.#file, printed({ kind: 'committed', ...said }), 0, NOTE_BYTES, 0);
  }
}

/** Undefined where there is none, or what it says does not add up. */
function readCommitNote(database: string): Noted | undefined {
  let text: string;
  try {
    text = readFileSync(commitNoteOf(database), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, said = '', sum] = /^(.*) ([0-9a-f]{8}) *\n$/.exec(text) ?? [];
  if (sum !== sumOf(said)) return undefined;
  if (said === LOST) return { kind: 'lost' };
  const [, salt = '', frames] = /^salt ([0-9a-f]{16})? frames (\d+)$/.exec(said) ?? [];
  return frames === undefined ? undefined : { kind: 'committed', salt, frames: Number(frames) };
}

/** The bytes of a note, always as many, so that each is written over the one before in one place. */
function printed(noted: Noted): Buffer {
  const said = noted.kind === 'lost' ? LOST : `salt ${noted.salt} frames ${noted.frames}`;
  return Buffer.from(`${`${said} ${sumOf(said)}`.padEnd(NOTE_BYTES - 1)}\n`, 'latin1');
}

function sumOf(said: string): string {
  return crc32(said).toString(16).padStart(8, '0');
}

const LOST = 'lost';
const NOTE_BYTES = 64;
/** The header of SQLite's index of the journal, in the order of the machine (https://sqlite.org/walformat.html, 2.1). */
const INDEX_HEADER = 48;
const INDEX_VERSION = 3_007_000;
const IS_INITIALIZED = 12;
/** Frames up to the last commit. */
const FRAMES = 16;
/** Eight bytes, as they stand in the header of the journal. */
const SALT = 32;
