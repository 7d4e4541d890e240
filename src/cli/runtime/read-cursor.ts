import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { FileLock } from './file-lock.ts';
import { isAlive } from '../../shared/daemon-notice.ts';
import { isObject } from '../../shared/page/json-value.ts';
import path from 'node:path';
import { type EventId, formatEventId, parseEventId } from '../../shared/api/stream.ts';
import { defaultStateDir } from '../../shared/directories.ts';
import type { Environment } from './context.ts';
import { exitCode } from './exit-code.ts';
import { Failure, systemReason, UsageError } from './failure.ts';

/** Bytes of the file, whatever it says: one write inside one sector, which happens whole or not at all. */
const BYTES = 64;
const SYNC_MS = 1_000;

/**
 * How far a tap, or the changes of watches, were read: the event that comes next, in a file of its own. It is written over in place after each
 * event that was handled, which costs microseconds and outlives `kill -9`; the disk is told once a second and at the
 * end, for a power cut. So what is killed repeats the one event it was at, and after a power cut a second of them;
 * nothing is ever left out. Decided against: a new file with each event (a rename is ten times the price, and at 5,000
 * events a second would have to be done now and then only), and taking the reader's word later (a pipe gives none).
 */
export class Cursor {
  readonly #file: string;
  readonly #fd: number;
  readonly #release: () => void;
  #next: EventId | undefined;
  #syncing: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(file: string, fd: number, next: EventId | undefined, release: () => void) {
    this.#file = file;
    this.#fd = fd;
    this.#next = next;
    this.#release = release;
  }

  /** @throws {Failure} where it cannot be kept, is damaged, or another reader has it */
  static open(file: string): Cursor {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const release = claimFile(file);
      try {
        takeOver(file);
        const fd = openSync(file, 'a+', 0o600);
        closeSync(fd);
        return new Cursor(file, openSync(file, 'r+'), parse(file, readFileSync(file, 'utf8')), release);
      } catch (error) {
        release();
        throw error;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(
        'configuration',
        exitCode.configuration,
        `cannot keep the cursor ${file}: ${systemReason(error)}`,
      );
    }
  }

  /** The event to begin with; undefined where nothing was read yet. */
  get next(): EventId | undefined {
    return this.#next;
  }

  /** @throws {Failure} where the disk refuses: going on would repeat everything the next time */
  moveTo(next: EventId): void {
    if (this.#isClosed) return;
    this.#next = next;
    try {
      writeSync(this.#fd, `${JSON.stringify({ next: formatEventId(next) }).padEnd(BYTES - 1)}\n`, 0);
    } catch (error) {
      throw new Failure('system', exitCode.no, `cannot write the cursor ${this.#file}: ${systemReason(error)}`);
    }
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined;
      if (!this.#isClosed) fsync(this.#fd, () => {});
    }, SYNC_MS).unref();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#syncing);
    try {
      fsyncSync(this.#fd);
    } catch {
      // The kernel has it; only a power cut could undo it.
    }
    closeSync(this.#fd);
    // A reader that ended before it knew where it was leaves nothing behind.
    if (this.#next === undefined && fileSize(this.#file) === 0) unlinkSync(this.#file);
    this.#release();
  }
}

/**
 * Where a cursor is kept: by the id of what is read alone, whatever the daemon is called. @throws {UsageError} without a
 * home
 */
export function cursorFile(environment: Environment, id: string): string {
  const directory = defaultStateDir(environment);
  if (directory === undefined) {
    throw new UsageError('no directory for --resume: HOME is not set', { hint: 'set HOME or XDG_STATE_HOME' });
  }
  return path.join(directory, 'cursors', `${fileName(id)}.json`);
}

/**
 * Version 0.1 kept a cursor for each spelling of the daemon's address, in a directory below. The one that was written last is
 * the tap's now; a reader that still holds it keeps its claim.
 */
function takeOver(file: string): void {
  if (existsSync(file)) return;
  const directory = path.dirname(file);
  const former = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(directory, name, path.basename(file)))
    .filter((one) => existsSync(one))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  const [newest] = former;
  if (newest === undefined) return;
  const release = claimFile(newest);
  try {
    copyFileSync(newest, file);
  } finally {
    release();
  }
  for (const one of former) {
    unlinkSync(one);
    rmSync(`${path.dirname(one)}.lock`, { force: true });
    if (readdirSync(path.dirname(one)).length === 0) rmdirSync(path.dirname(one));
  }
}

/** One name, one file: what a file name cannot have is written as its number, and a long name is an error of none. */
function fileName(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_-]/g, (found) => `.${found.codePointAt(0)?.toString(16) ?? ''}.`);
  return safe.slice(-200);
}

function fileSize(file: string): number {
  const fd = openSync(file, 'r');
  const { size } = fstatSync(fd);
  closeSync(fd);
  return size;
}

/** Nothing at all is a file that was made a moment before a crash. */
function parse(file: string, text: string): EventId | undefined {
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const next = isObject(value) && typeof value['next'] === 'string' ? parseEventId(value['next']) : undefined;
    if (next !== undefined) return next;
  } catch {
    // Said below.
  }
  throw new Failure('configuration', exitCode.configuration, `the cursor ${file} is damaged`, {
    hint: `remove it to start over, and add --since with a time to read that again: rm ${file}`,
  });
}

/** Milliseconds to wait for others that look at a claim, which takes each of them a moment. */
const LOOKED_MS = 5_000;

/**
 * Makes a file ours for as long as this process lives: two readers with one cursor would both deliver everything. The
 * claim is a file beside it with our process id; that of a process which is gone counts for nothing. It is looked at and
 * taken over under a lock, so that of two that find it so only one does.
 * @returns gives it back
 * @throws {Failure} when a living process has it
 */
function claimFile(file: string): () => void {
  const claim = `${file}.lock`;
  const mine = `${process.pid} ${bornAt(process.pid)}`;
  const lock = FileLock.take(`${path.dirname(file)}.lock`, LOOKED_MS);
  if (lock === undefined) throw new Failure('in_use', exitCode.tryAgain, `other processes keep looking at ${claim}`);
  try {
    const other = read(claim);
    const pid = Number(/^\d+/.exec(other)?.[0] ?? Number.NaN);
    if (isHolder(pid, other)) {
      throw new Failure('in_use', exitCode.tryAgain, `another hydrant with --resume reads the same (process ${pid})`, {
        hint: `if there is none, remove ${claim}`,
      });
    }
    writeFileSync(claim, mine, { mode: 0o600 });
    return () => drop(claim, mine);
  } finally {
    lock.release();
  }
}

function drop(claim: string, expected: string): void {
  if (read(claim) !== expected) return;
  try {
    unlinkSync(claim);
  } catch {
    // Someone else was faster.
  }
}

function read(claim: string): string {
  try {
    return readFileSync(claim, 'utf8');
  } catch {
    return '';
  }
}

/** Ids of processes are used again: one that was born at another time is another one. */
function isHolder(pid: number, claimed: string): boolean {
  if (!Number.isInteger(pid) || !isAlive(pid)) return false;
  const born = bornAt(pid);
  return born === '' || claimed === `${pid} ${born}`;
}

/** Ticks since the machine started, as Linux counts them; empty elsewhere. */
function bornAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
