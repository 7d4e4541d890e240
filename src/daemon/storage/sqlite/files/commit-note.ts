import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';

/** How far the journal has to reach. */
export interface Committed {
  readonly kind: 'committed';
  /** Of the journal: eight bytes as hex. */
  readonly salt: string;
  readonly frames: number;
}

/** What the note says. `lost`: the journal was found lost, and the log has yet to begin anew. */
export type Noted = Committed | { readonly kind: 'lost' };

export function commitNoteOf(database: string): string {
  return `${database}-committed`;
}

/**
 * How many frames of which journal are committed: written after each COMMIT and before anyone is told of it, and never
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
export function readCommitNote(database: string): Noted | undefined {
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
export function printed(noted: Noted): Buffer {
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
