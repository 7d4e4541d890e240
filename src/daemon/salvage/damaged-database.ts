import { closeSync, openSync, statSync } from 'node:fs';
import { type Journal, NO_JOURNAL, readAt, readJournal } from './journal.ts';

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

/**
 * What the pointer map of a database with incremental vacuum says of a page (https://sqlite.org/fileformat.html, 1.8): to
 * which page it belongs. A tree whose inner page is gone is found again by it, since each of the lost ones knows its parent.
 */
interface Owner {
  readonly kind: 'root' | 'free' | 'overflow' | 'more' | 'node';
  /** 0 for a root and a free page. */
  readonly parent: number;
}

const KINDS: readonly (Owner['kind'] | undefined)[] = [undefined, 'root', 'free', 'overflow', 'more', 'node'];
const ENTRY = 5;
/** Locks are taken on the bytes from here on, so that no page of data lies there. */
const LOCK_BYTE = 0x40000000;

class PageOwners {
  readonly #read: (page: number) => Buffer | undefined;
  readonly #pages: number;
  readonly #pageSize: number;
  #map: { readonly page: number; readonly bytes: Buffer | undefined } = { page: 0, bytes: undefined };
  #children: { readonly first: Uint32Array; readonly pages: Uint32Array } | undefined;

  constructor(read: (page: number) => Buffer | undefined, pages: number, pageSize: number) {
    this.#read = read;
    this.#pages = pages;
    this.#pageSize = pageSize;
  }

  /** Undefined where the map itself cannot be read. */
  of(page: number): Owner | undefined {
    const map = this.#mapOf(page);
    if (page < 2 || page <= map) return undefined;
    if (this.#map.page !== map) this.#map = { page: map, bytes: this.#read(map) };
    const at = ENTRY * (page - map - 1);
    const { bytes } = this.#map;
    const kind = KINDS[bytes?.[at] ?? 0];
    if (bytes === undefined || kind === undefined) return undefined;
    const parent = bytes.readUInt32BE(at + 1);
    return parent > this.#pages ? undefined : { kind, parent };
  }

  /** Pages of trees whose parent is this one. The map is read as a whole when it is first asked for. */
  childrenOf(page: number): readonly number[] {
    this.#children ??= this.#gather();
    const { first, pages } = this.#children;
    return [...pages.subarray(first[page] ?? 0, first[page + 1] ?? 0)];
  }

  /** Whether this page is one of the map's. */
  isMap(page: number): boolean {
    return page > 1 && this.#mapOf(page) === page;
  }

  #mapOf(page: number): number {
    const each = Math.floor(this.#pageSize / ENTRY) + 1;
    const map = Math.floor((page - 2) / each) * each + 2;
    return map === LOCK_BYTE / this.#pageSize + 1 ? map + 1 : map;
  }

  /** Numbers of pages, those of one parent side by side: two arrays of four bytes a page, since a file may have millions. */
  #gather(): { first: Uint32Array; pages: Uint32Array } {
    const first = new Uint32Array(this.#pages + 3);
    for (const [, parent] of this.#nodes()) first[parent + 1] = (first[parent + 1] ?? 0) + 1;
    for (let page = 1; page < first.length; page += 1) first[page] = (first[page] ?? 0) + (first[page - 1] ?? 0);
    const next = first.slice();
    const pages = new Uint32Array(first.at(-1) ?? 0);
    for (const [page, parent] of this.#nodes()) {
      const place = next[parent] ?? 0;
      pages[place] = page;
      next[parent] = place + 1;
    }
    return { first, pages };
  }

  *#nodes(): Generator<readonly [page: number, parent: number]> {
    for (let page = 3; page <= this.#pages; page += 1) {
      const owner = this.of(page);
      if (owner?.kind === 'node') yield [page, owner.parent];
    }
  }
}
