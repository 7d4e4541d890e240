import { PAGE_BYTES } from './damaged-database.ts';
import { Varints } from './record.ts';

/** A page of a tree (https://sqlite.org/fileformat.html, 1.6), as far as it can be read. */
export interface TreePage {
  /** Of a table without rowids: inner pages have rows as well. */
  readonly isIndex: boolean;
  readonly children: readonly number[];
  readonly cells: readonly Cell[];
  /** Cells that could not be read. */
  readonly bad: number;
}

/** A row, or the part of it that is in the page. */
export interface Cell {
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
export function readTreePage(bytes: Buffer, at: number): TreePage | undefined {
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
