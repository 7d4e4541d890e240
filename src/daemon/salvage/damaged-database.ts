import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type Journal, readJournal } from './journal.ts';
import { PageOwners } from './page-owners.ts';

/** Of every database of ours; it stands in the header, which may be what is damaged. */
export const PAGE_BYTES = 8_192;

/**
 * The pages of a database file and its journal, read without SQLite, which goes no further than the first thing that is wrong.
 * Nothing is written, and no lock is taken: whoever opens it has made sure that nobody writes.
 */
export class DamagedDatabase {
  readonly pages: number;
  readonly owners: PageOwners;
  readonly #file: number | undefined;
  readonly #log: number | undefined;
  readonly #journal: Journal;

  /** Either file may be missing. @throws the error of the file system */
  constructor(path: string) {
    this.#file = openIfThere(path);
    this.#log = openIfThere(`${path}-wal`);
    const log = this.#log;
    this.#journal =
      log === undefined
        ? { places: new Map(), pages: undefined }
        : readJournal((at, bytes) => readAt(log, at, bytes), PAGE_BYTES);
    const bytes = this.#file === undefined ? 0 : statSync(path).size;
    const inFile = Math.ceil(bytes / PAGE_BYTES);
    // A page beyond the end of the file stands in the journal: a number that says more is none of SQLite's.
    this.pages = Math.max(inFile, Math.min(this.#journal.pages ?? 0, inFile + this.#journal.places.size));
    this.owners = new PageOwners((page) => this.page(page), this.pages, PAGE_BYTES);
  }

  /** Its bytes; undefined where the file has none, or the disk does not give them. */
  page(number: number): Buffer | undefined {
    if (number < 1 || number > this.pages) return undefined;
    const place = this.#journal.places.get(number);
    const file = place === undefined ? this.#file : this.#log;
    if (file === undefined) return undefined;
    const bytes = readAt(file, place ?? (number - 1) * PAGE_BYTES, PAGE_BYTES);
    return bytes.length === PAGE_BYTES ? bytes : undefined;
  }

  close(): void {
    for (const file of [this.#file, this.#log]) if (file !== undefined) closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Fewer where the file ends; none where the disk fails (EIO), which is what brings people here. */
function readAt(file: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, at));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return buffer.subarray(0, 0);
    throw error;
  }
}
