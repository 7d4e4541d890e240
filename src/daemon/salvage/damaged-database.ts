import { closeSync, openSync, statSync } from 'node:fs';
import { type Journal, NO_JOURNAL, readAt, readJournal } from './journal.ts';
import { PageOwners } from './page-owners.ts';

/** Of every database of ours; it stands in the header, which may be what is damaged. */
export const PAGE_BYTES = 8_192;
/** Half a terabyte. A number is soon written, and the map of pages takes eight bytes of memory for each. */
const MOST_PAGES = 2 ** 26;
/** How many times as large as what is there a database may have been. */
const MOST_LOST = 1_024;

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
    this.#journal = log === undefined ? NO_JOURNAL : readJournal((at, bytes) => readAt(log, at, bytes), PAGE_BYTES);
    const bytes = this.#file === undefined ? 0 : statSync(path).size;
    this.pages = Math.min(MOST_PAGES, pagesOf(Math.ceil(bytes / PAGE_BYTES), this.#journal));
    this.owners = new PageOwners((page) => this.page(page), this.pages, PAGE_BYTES);
  }

  /** Whether commits may stand in the journal that cannot be read. */
  get isJournalCut(): boolean {
    return this.#journal.isCut;
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

/** Of a file that was cut off, or is gone, the journal may have pages far behind its end. Behind these there is nothing. */
function pagesOf(inFile: number, { places, pages = 0 }: Journal): number {
  let last = 0;
  for (const page of places.keys()) last = Math.max(last, page);
  return Math.max(inFile, Math.min(pages, last, MOST_LOST * (inFile + places.size)));
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
