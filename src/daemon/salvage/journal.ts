import { readSync } from 'node:fs';

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
  /** Eight bytes, as hex, that all frames since the journal last began anew have in common; undefined without a valid header. */
  readonly salt: string | undefined;
  /** Up to the last commit. */
  readonly frames: number;
  /**
   * Whether a commit stands behind what is wrong that was on the disk when the daemon ended: SQLite syncs a commit before it
   * writes the next, so that a power cut tears the last one and no other.
   */
  readonly isDamaged: boolean;
}

export const NO_JOURNAL: Journal = {
  places: new Map(),
  pages: undefined,
  isCut: false,
  salt: undefined,
  frames: 0,
  isDamaged: false,
};

const HEADER = 32;
const FRAME = 24;
/** The last bit says in which order of bytes the sums are made. */
const MAGIC = 0x377f0682;

/** @param read so many bytes from this place on; fewer at the end */
export function readJournal(read: (at: number, bytes: number) => Buffer, pageSize: number): Journal {
  const header = read(0, HEADER);
  const isMore = read(HEADER, FRAME).length === FRAME;
  const nothing: Journal = { ...NO_JOURNAL, isCut: isMore, isDamaged: isMore };
  if (header.length < HEADER || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return nothing;
  if (header.readUInt32BE(8) !== pageSize) return nothing;
  const isBig = (header.readUInt32BE(0) & 1) === 1;
  const sum = new Sum(isBig);
  sum.add(header.subarray(0, 24));
  if (!sum.is(header, 24)) return nothing;
  const salt = header.subarray(16, 24);
  const places = new Map<number, number>();
  const waiting = new Map<number, number>();
  const each = FRAME + pageSize;
  let pages: number | undefined;
  let end = HEADER;
  let at = HEADER;
  for (; ; at += each) {
    const frame = read(at, each);
    if (frame.length < each || !frame.subarray(8, 16).equals(salt)) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME));
    if (!sum.is(frame, 16)) break;
    waiting.set(frame.readUInt32BE(0), at + FRAME);
    const size = frame.readUInt32BE(4);
    if (size === 0) continue;
    for (const [page, place] of waiting) places.set(page, place);
    waiting.clear();
    pages = size;
    end = at + each;
  }
  const behind = { read, from: at, salt, each, isBig };
  const frames = (end - HEADER) / each;
  return {
    places,
    pages,
    salt: salt.toString('hex'),
    frames,
    isCut: hasCommit(behind),
    isDamaged: hasLostCommit(behind),
  };
}

/** What stands in a journal from the first frame on that is not valid. */
interface Behind {
  readonly read: (at: number, bytes: number) => Buffer;
  readonly from: number;
  readonly salt: Buffer;
  /** Bytes of a frame. */
  readonly each: number;
  readonly isBig: boolean;
}

/** Whether a commit of the same journal stands behind this frame. What is left of a former one has other salt. */
function hasCommit({ read, from, salt, each }: Behind): boolean {
  for (let at = from + each; ; at += each) {
    const head = read(at, FRAME);
    if (head.length < FRAME) return false;
    if (head.readUInt32BE(4) !== 0 && head.subarray(8, 16).equals(salt)) return true;
  }
}

/**
 * Whether there are two commits, or one and a frame that was written after it. Each frame is held against the sum that
 * stands in the one before it: what a transaction has left behind that was rolled back does not continue a commit.
 */
function hasLostCommit({ read, from, salt, each, isBig }: Behind): boolean {
  let commits = 0;
  let before: Buffer | undefined;
  for (let at = from; ; at += each) {
    const head = read(at, FRAME);
    if (head.length < FRAME) return false;
    if (!head.subarray(8, 16).equals(salt)) {
      before = undefined;
      continue;
    }
    const continues = before !== undefined && continuesFrom(before, read(at, each), { each, isBig });
    if (continues && before !== undefined && isCommit(before)) return true;
    // Of the first, nobody can say whether it or the one before it is what is wrong.
    if (isCommit(head) && (continues || at === from)) commits += 1;
    if (commits > 1) return true;
    before = head;
  }
}

function continuesFrom(before: Buffer, frame: Buffer, { each, isBig }: Pick<Behind, 'each' | 'isBig'>): boolean {
  if (frame.length < each) return false;
  const sum = new Sum(isBig, before.readUInt32BE(16), before.readUInt32BE(20));
  sum.add(frame.subarray(0, 8));
  sum.add(frame.subarray(FRAME));
  return sum.is(frame, 16);
}

function isCommit(head: Buffer): boolean {
  return head.readUInt32BE(4) !== 0;
}

/** SQLite's checksum: two sums over words of 32 bits, each with the other in it. */
class Sum {
  readonly #isBig: boolean;
  #one: number;
  #two: number;

  constructor(isBig: boolean, one = 0, two = 0) {
    this.#isBig = isBig;
    this.#one = one;
    this.#two = two;
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

/** Fewer where the file ends; none where the disk fails (EIO), which is what brings people here. */
export function readAt(file: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, at));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return buffer.subarray(0, 0);
    throw error;
  }
}
