/**
 * What the pointer map of a database with incremental vacuum says of a page (https://sqlite.org/fileformat.html, 1.8): to
 * which page it belongs. A tree whose inner page is gone is found again by it, since each of the lost ones knows its parent.
 */
export interface Owner {
  readonly kind: 'root' | 'free' | 'overflow' | 'more' | 'node';
  /** 0 for a root and a free page. */
  readonly parent: number;
}

const KINDS: readonly (Owner['kind'] | undefined)[] = [undefined, 'root', 'free', 'overflow', 'more', 'node'];
const ENTRY = 5;
/** Locks are taken on the bytes from here on, so that no page of data lies there. */
const LOCK_BYTE = 0x40000000;

export class PageOwners {
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
