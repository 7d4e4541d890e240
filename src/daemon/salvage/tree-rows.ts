import { type DamagedDatabase, PAGE_BYTES } from './damaged-database.ts';

/** A row in the order of its columns as they are stored; of a table without rowids, its key first. */
export interface StoredRow {
  readonly rowid: number | undefined;
  readonly values: readonly StoredValue[];
}

/** What a walk over a tree has met beside the rows. */
export interface Losses {
  /** Pages that could not be read: how many rows were in them nobody knows. */
  pages: number;
  /** Rows that were there, but not whole. */
  rows: number;
}

/**
 * The rows below a root, as far as they can be read. Where an inner page is damaged, those below it are found by the pointer
 * map, and where a child is not what the map calls one of this page, the map is believed: it stands elsewhere, and both were
 * written together. Yields undefined for each page, so that whoever walks can pause.
 */
export function* treeRows(
  database: DamagedDatabase,
  root: { readonly page: number; readonly isIndex: boolean },
  losses: Losses,
): Generator<StoredRow | undefined> {
  const seen = new Set([root.page]);
  const waiting = [root.page];
  const chains = { pages: 0 };
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    yield undefined;
    const tree = treePage(database, page, root.isIndex);
    // A map that was made up may give one page a million children, or all pages the same.
    for (const child of below(database, page, tree, losses)) {
      if (seen.has(child)) continue;
      seen.add(child);
      waiting.push(child);
    }
    for (const cell of tree?.cells ?? []) {
      const row = rowOf(database, page, cell, chains);
      if (row === undefined) losses.rows += 1;
      else yield row;
    }
  }
}

/** Where the walk goes on. A page that does not tell all of it is counted as lost. */
function below(database: DamagedDatabase, page: number, tree: TreePage | undefined, losses: Losses): readonly number[] {
  const children = tree?.children.filter((child) => isChild(database, child, page)) ?? [];
  if (tree?.bad === 0 && children.length === tree.children.length) return children;
  losses.pages += 1;
  return [...database.owners.childrenOf(page), ...children];
}

function treePage(database: DamagedDatabase, page: number, isIndex: boolean): TreePage | undefined {
  const bytes = database.page(page);
  const tree = bytes && readTreePage(bytes, page === 1 ? 100 : 0);
  return tree?.isIndex === isIndex ? tree : undefined;
}

function isChild({ owners, pages }: DamagedDatabase, child: number, parent: number): boolean {
  if (child < 2 || child > pages || owners.isMap(child)) return false;
  const owner = owners.of(child);
  return owner === undefined || (owner.kind === 'node' && owner.parent === parent);
}

/** Pages of long rows that one walk has read. */
interface Chains {
  pages: number;
}

/**
 * How often all pages may be read as those of long rows: in a sound file each belongs to one row, but thousands that
 * claim the same chain would be read until the end of days.
 */
const CHAIN_ROUNDS = 4;
/** The longest row of ours is a page of 5 MiB with its text. Without the map a chain may lead back to its beginning. */
const ROW_BYTES = 64 * 1_024 * 1_024;

function rowOf(database: DamagedDatabase, page: number, cell: Cell, chains: Chains): StoredRow | undefined {
  const payload = cell.overflow === 0 ? cell.local : gathered(database, page, cell, chains);
  const values = payload && readRecord(payload);
  return values && { rowid: cell.rowid, values };
}

/** The row with what is on pages of its own; undefined if the chain of them is not exactly as long as the row. */
function gathered(
  database: DamagedDatabase,
  page: number,
  { bytes, local, overflow }: Cell,
  chains: Chains,
): Buffer | undefined {
  if (bytes > Math.min(ROW_BYTES, database.pages * PAGE_BYTES)) return undefined;
  const parts = [local];
  let left = bytes - local.length;
  let [before, next] = [page, overflow];
  while (left > 0) {
    chains.pages += 1;
    if (chains.pages > CHAIN_ROUNDS * database.pages) return undefined;
    const owner = database.owners.of(next);
    const kind = before === page ? 'overflow' : 'more';
    if (owner !== undefined && (owner.kind !== kind || owner.parent !== before)) return undefined;
    const content = database.page(next);
    if (content === undefined) return undefined;
    const part = content.subarray(4, 4 + Math.min(left, PAGE_BYTES - 4));
    parts.push(part);
    left -= part.length;
    [before, next] = [next, content.readUInt32BE(0)];
  }
  return next === 0 ? Buffer.concat(parts) : undefined;
}

/** A page of a tree (https://sqlite.org/fileformat.html, 1.6), as far as it can be read. */
interface TreePage {
  /** Of a table without rowids: inner pages have rows as well. */
  readonly isIndex: boolean;
  readonly children: readonly number[];
  readonly cells: readonly Cell[];
  /** Cells that could not be read. */
  readonly bad: number;
}

/** A row, or the part of it that is in the page. */
interface Cell {
  readonly rowid: number | undefined;
  /** Bytes of the whole row. */
  readonly bytes: number;
  readonly local: Buffer;
  /** Where the rest of it begins; 0: there is none. */
  readonly overflow: number;
}

const KINDS: Readonly<Record<number, Kind>> = {
  2: { isIndex: true, isLeaf: false },
  5: { isIndex: false, isLeaf: false },
  10: { isIndex: true, isLeaf: true },
  13: { isIndex: false, isLeaf: true },
};

/** Undefined for a page that is none of a tree. `at`: where its header stands; 100 in the first page of a file. */
function readTreePage(bytes: Buffer, at: number): TreePage | undefined {
  const kind = KINDS[bytes[at] ?? 0];
  if (kind === undefined) return undefined;
  const count = bytes.readUInt16BE(at + 3);
  const list = at + (kind.isLeaf ? 8 : 12);
  const least = list + 2 * count;
  const start = bytes.readUInt16BE(at + 5);
  if (least > bytes.length || start < least || start > bytes.length) return undefined;
  const page: Filling = { children: kind.isLeaf ? [] : [bytes.readUInt32BE(at + 8)], cells: [], bad: 0 };
  for (let index = 0; index < count; index += 1) {
    const place = bytes.readUInt16BE(list + 2 * index);
    if (place < start || place + 4 > bytes.length) page.bad += 1;
    else put(page, kind, bytes, place);
  }
  return { isIndex: kind.isIndex, ...page };
}

interface Kind {
  readonly isIndex: boolean;
  readonly isLeaf: boolean;
}

interface Filling {
  readonly children: number[];
  readonly cells: Cell[];
  bad: number;
}

/** A child, a row, or both, from its place in the page. */
function put(page: Filling, { isIndex, isLeaf }: Kind, bytes: Buffer, place: number): void {
  if (!isLeaf) page.children.push(bytes.readUInt32BE(place));
  if (!isLeaf && !isIndex) return;
  const cell = readCell(bytes, isLeaf ? place : place + 4, isIndex);
  if (cell !== undefined && follows(cell, page.cells.at(-1))) page.cells.push(cell);
  else page.bad += 1;
}

/** Rows stand in the order of their rowids; one that does not has another's. */
function follows(cell: Cell, before: Cell | undefined): boolean {
  return cell.rowid === undefined || before?.rowid === undefined || cell.rowid > before.rowid;
}

function readCell(bytes: Buffer, at: number, isIndex: boolean): Cell | undefined {
  const varints = new Varints(bytes, at);
  const length = varints.next();
  const rowid = isIndex ? undefined : varints.next();
  if (!(length >= 0) || (rowid !== undefined && Number.isNaN(rowid))) return undefined;
  const inPage = localBytes(length, isIndex);
  const end = varints.at + inPage;
  const rest = inPage < length ? 4 : 0;
  if (end + rest > bytes.length) return undefined;
  const overflow = rest === 0 ? 0 : bytes.readUInt32BE(end);
  return { rowid, bytes: length, local: bytes.subarray(varints.at, end), overflow };
}

/** How much of a row is kept in the page itself; the formulas are those of the file format. */
function localBytes(length: number, isIndex: boolean): number {
  const most = isIndex ? Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23 : PAGE_BYTES - 35;
  if (length <= most) return length;
  const least = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
  const some = least + ((length - least) % (PAGE_BYTES - 4));
  return some <= most ? some : least;
}

/** A value as SQLite keeps it. */
export type StoredValue = null | number | bigint | string | Uint8Array;

/** Integers of variable length, one after the other. */
class Varints {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** NaN at the end of the bytes, and for what no number of ours is: below zero, or beyond what is exact. */
  next(): number {
    let value = 0;
    for (let length = 0; length < 8; length += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return Number.NaN;
      this.at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return Number.isSafeInteger(value) ? value : Number.NaN;
    }
    return Number.NaN;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Bytes of the integers by their type, 1 to 6. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

/**
 * The values of a row (https://sqlite.org/fileformat.html, 2.1); undefined if anything about it is not as SQLite writes it:
 * lengths that do not add up to the whole, types that there are none of, text that is none.
 */
function readRecord(payload: Buffer): readonly StoredValue[] | undefined {
  const types = readTypes(payload);
  if (types === undefined) return undefined;
  let at = types.end;
  const values: StoredValue[] = [];
  for (const type of types.list) {
    const length = lengthOf(type);
    const value = valueOf(type, payload.subarray(at, at + length));
    if (value === undefined) return undefined;
    values.push(value);
    at += length;
  }
  return values;
}

function readTypes(payload: Buffer): { list: readonly number[]; end: number } | undefined {
  const varints = new Varints(payload, 0);
  const end = varints.next();
  if (!(end <= payload.length)) return undefined;
  const list: number[] = [];
  let total = end;
  while (varints.at < end) {
    const type = varints.next();
    // 10 and 11 are for SQLite's own use, and never in a file.
    if (Number.isNaN(type) || type === 10 || type === 11) return undefined;
    list.push(type);
    total += lengthOf(type);
  }
  return varints.at === end && total === payload.length ? { list, end } : undefined;
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return INTEGER_BYTES[type] ?? (type === 7 ? 8 : 0);
}

function valueOf(type: number, bytes: Buffer): StoredValue | undefined {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type === 6) {
    const value = bytes.readBigInt64BE(0);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (type % 2 === 0) return new Uint8Array(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
