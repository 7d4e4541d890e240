/**
 * What the journal of a database holds (https://sqlite.org/fileformat.html, 4): for each page the place of its newest
 * bytes, up to the last commit before the first frame whose sum is wrong, which is where SQLite stops as well.
 */
export interface Journal {
  /** Of a page, where its bytes begin in the journal. */
  readonly places: ReadonlyMap<number, number>;
  /** Pages of the database after the last commit; undefined without one. */
  readonly pages: number | undefined;
  /** Whether more stands behind what is wrong: the end of a journal may be torn by a crash, and nothing is behind that. */
  readonly isCut: boolean;
}

export const NO_JOURNAL: Journal = { places: new Map(), pages: undefined, isCut: false };

const HEADER = 32;
const FRAME = 24;
/** The last bit says in which order of bytes the sums are made. */
const MAGIC = 0x377f0682;

/** @param read so many bytes from this place on; fewer at the end */
export function readJournal(read: (at: number, bytes: number) => Buffer, pageSize: number): Journal {
  const header = read(0, HEADER);
  const nothing: Journal = { ...NO_JOURNAL, isCut: read(HEADER, FRAME).length === FRAME };
  if (header.length < HEADER || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return nothing;
  if (header.readUInt32BE(8) !== pageSize) return nothing;
  const sum = new Sum((header.readUInt32BE(0) & 1) === 1);
  sum.add(header.subarray(0, 24));
  if (!sum.is(header, 24)) return nothing;
  const salt = header.subarray(16, 24);
  const places = new Map<number, number>();
  const waiting = new Map<number, number>();
  let pages: number | undefined;
  let at = HEADER;
  for (; ; at += FRAME + pageSize) {
    const frame = read(at, FRAME + pageSize);
    if (frame.length < FRAME + pageSize || !frame.subarray(8, 16).equals(salt)) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME));
    if (!sum.is(frame, 16)) break;
    waiting.set(frame.readUInt32BE(0), at + FRAME);
    const size = frame.readUInt32BE(4);
    if (size === 0) continue;
    for (const [page, place] of waiting) places.set(page, place);
    waiting.clear();
    pages = size;
  }
  return { places, pages, isCut: hasCommit(read, at + FRAME + pageSize, { salt, each: FRAME + pageSize }) };
}

/** Whether a commit of the same journal stands from this place on. What is left of a former one has other salt. */
function hasCommit(
  read: (at: number, bytes: number) => Buffer,
  from: number,
  { salt, each }: { readonly salt: Buffer; readonly each: number },
): boolean {
  for (let at = from; ; at += each) {
    const head = read(at, FRAME);
    if (head.length < FRAME) return false;
    if (head.readUInt32BE(4) !== 0 && head.subarray(8, 16).equals(salt)) return true;
  }
}

/** SQLite's checksum: two sums over words of 32 bits, each with the other in it. */
class Sum {
  readonly #isBig: boolean;
  #one = 0;
  #two = 0;

  constructor(isBig: boolean) {
    this.#isBig = isBig;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      this.#one = (this.#one + this.#word(bytes, at) + this.#two) >>> 0;
      this.#two = (this.#two + this.#word(bytes, at + 4) + this.#one) >>> 0;
    }
  }

  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#one && bytes.readUInt32BE(at + 4) === this.#two;
  }

  #word(bytes: Buffer, at: number): number {
    return this.#isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  }
}
