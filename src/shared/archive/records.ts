import { ARCHIVE_HEAD_BYTES, ARCHIVE_RECORD_BYTES } from '../limits.ts';

/**
 * Web archives, as hydrant reads them: bytes of a WARC file (ISO 28500: 1.0 and 1.1, and its drafts 0.17 and 0.18)
 * come in, records go out, one at a time, each with the place it was found at. What is damaged is told and stepped
 * over: the next line that begins with `WARC/` begins the next record. Nothing here knows files or packing, so that
 * the command line reads archives with it, the daemon the one record that it is sent, and a test any bytes at all.
 *
 * Decided against: a package (docs/decisions/0008-archives.md tells why).
 *
 * What is found in an archive: a record, one that was passed over, or damage.
 */
export type Found =
  | { readonly kind: 'record'; readonly at: Place; readonly record: WarcRecord }
  | { readonly kind: 'passed'; readonly at: Place; readonly head: WarcHead; readonly isTooLong: boolean }
  | { readonly kind: 'damage'; readonly at: Place; readonly message: string };

export interface WarcRecord {
  readonly head: WarcHead;
  /** The record as it stands in the archive, from `WARC/` to the end of its block. */
  readonly bytes: Uint8Array;
  readonly block: Uint8Array;
}

/**
 * The records of an archive, in its order. No more than one is in memory: those that `wants` does not want, and those
 * longer than `ARCHIVE_RECORD_BYTES`, are passed over. Never throws for what the bytes are, and always comes to their
 * end.
 */
export async function* readRecords(
  pieces: AsyncIterable<Piece>,
  wants: (head: WarcHead) => boolean = () => true,
): AsyncGenerator<Found> {
  const window = new ByteWindow(pieces);
  try {
    for (;;) {
      const wasTorn = yield* stretch(window, wants);
      const at = window.place;
      const gap = window.crossGap();
      if (gap) yield { kind: 'damage', at: gap.at, message: gap.gap };
      else if (wasTorn) yield { kind: 'damage', at, message: 'the archive ends in the middle of a record' };
      if (!gap) return;
    }
  } finally {
    await window.close();
  }
}

/** All up to a gap, or the end; answers whether that cuts through a record. */
async function* stretch(window: ByteWindow, wants: (head: WarcHead) => boolean): AsyncGenerator<Found, boolean> {
  for (;;) {
    await passBlank(window);
    const at = window.place;
    const found = await headOf(window);
    if (found === 'none') return false;
    if (found === 'torn') return true;
    if ('message' in found) {
      yield { kind: 'damage', at, message: found.message };
      await passToRecord(window);
      continue;
    }
    const { head, size } = found;
    const isTooLong = size + head.length > ARCHIVE_RECORD_BYTES;
    if (isTooLong || !wants(head)) {
      if (!(await window.passAll(size + head.length))) return true;
      yield { kind: 'passed', at, head, isTooLong };
      continue;
    }
    if (!(await window.has(size + head.length))) return true;
    const bytes = window.bytes.slice(0, size + head.length);
    window.pass(bytes.length);
    yield { kind: 'record', at, record: { head, bytes, block: bytes.subarray(size) } };
  }
}

/** The two empty lines after each record, or as many as there are. */
async function passBlank(window: ByteWindow): Promise<void> {
  do {
    const { bytes } = window;
    const first = bytes.findIndex((byte) => byte !== CR && byte !== LF);
    window.pass(first === -1 ? bytes.length : first);
    if (first !== -1) return;
  } while (await window.grow());
}

type HeadFound = { readonly head: WarcHead; readonly size: number };
type Broken = { readonly message: string };

async function headOf(window: ByteWindow): Promise<HeadFound | Broken | 'none' | 'torn'> {
  if (!(await window.has(1))) return 'none';
  const isWhole = await window.has(MAGIC.length);
  if (!startsAt(window.bytes, 0, MAGIC.length)) return isWhole ? { message: 'this is not a WARC record' } : 'torn';
  let looked = 1;
  for (;;) {
    const { bytes } = window;
    const end = endOrRecord(bytes, looked);
    if (Math.abs(end) > ARCHIVE_HEAD_BYTES) return NO_END;
    if (end < 0) return CUT_SHORT;
    if (end > 0) return readHead(bytes.subarray(0, end));
    looked = Math.max(1, bytes.length - MAGIC.length);
    if (bytes.length > ARCHIVE_HEAD_BYTES) return NO_END;
    if (!(await window.grow())) return 'torn';
  }
}

/**
 * As `endOfHead`, or less than zero where another record begins that many bytes further: no field begins so. Without
 * that a file of many beginnings would be looked through as far as a head may be long for each of them.
 */
function endOrRecord(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
    if (at + MAGIC.length < bytes.length && startsAt(bytes, at + 1, MAGIC.length)) return -(at + 1);
  }
  return 0;
}

function readHead(bytes: Uint8Array): HeadFound | Broken {
  const head = readWarcHead(new TextDecoder().decode(bytes));
  return typeof head === 'string' ? { message: head } : { head, size: bytes.length };
}

/** Bytes up to and with the empty line; 0 while there is none. Lines may end without CR. */
export function endOfHead(bytes: Uint8Array, from = 0): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return 0;
}

/** To the next line that begins with `WARC/`, at least a byte further. */
async function passToRecord(window: ByteWindow): Promise<void> {
  window.pass(1);
  for (;;) {
    const { bytes } = window;
    const next = nextRecord(bytes);
    if (next !== -1) return window.pass(next);
    // What may be the beginning of one stays.
    window.pass(Math.max(0, bytes.length - MAGIC.length));
    if (!(await window.grow())) return window.pass(window.bytes.length);
  }
}

function nextRecord(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (at + MAGIC.length < bytes.length && startsAt(bytes, at + 1, MAGIC.length)) return at + 1;
  }
  return -1;
}

function startsAt(bytes: Uint8Array, start: number, count: number): boolean {
  const have = Math.min(count, bytes.length - start);
  for (let at = 0; at < have; at += 1) {
    if (bytes[start + at] !== MAGIC[at]) return false;
  }
  return true;
}

const NO_END: Broken = { message: 'the head of a record has no end' };
const CUT_SHORT: Broken = { message: 'the head of a record breaks off where another begins' };
const MAGIC = new TextEncoder().encode('WARC/');
const CR = 0x0d;
const LF = 0x0a;

/** What stands at the beginning of a record. */
export interface WarcHead {
  /** `1.0`, `1.1`. */
  readonly version: string;
  /** Names in lower case; of a repeated field the first. */
  readonly fields: ReadonlyMap<string, string>;
  /** Bytes of the block that follows. */
  readonly length: number;
}

/** A head without its empty line. Or the sentence that tells why it is none. */
export function readWarcHead(text: string): WarcHead | string {
  const [first = '', ...lines] = text.split(/\r?\n/);
  const version = /^WARC\/(\d{1,3}\.\d{1,3})\s*$/.exec(first)?.[1];
  if (version === undefined) return 'a record begins without its WARC/ line';
  const fields = fieldsOf(lines);
  const length = fields.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) return 'a record does not say how long it is';
  return { version, fields, length: Number(length) };
}

/** Lines that begin with a space resume with the one before (RFC 2822, 2.2.3). What has no colon is left out. */
function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`.trim());
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    last = name === '' || fields.has(name) ? undefined : name;
    if (last !== undefined) fields.set(last, line.slice(colon + 1).trim());
  }
  return fields;
}

/** `response`, `request`, `warcinfo`…; empty where the record does not say. */
export function typeOf({ fields }: WarcHead): string {
  return (fields.get('warc-type') ?? '').toLowerCase();
}

/** Where in a file something stands: at which byte of it, or in a packed one so many unpacked bytes behind that byte. */
export interface Place {
  readonly offset: number;
  readonly within: number;
}

/** Some bytes of an archive, with the place of the first; or that bytes are missing there, and why. */
export type Piece = { readonly at: Place; readonly bytes: Uint8Array } | { readonly at: Place; readonly gap: string };

/**
 * What lies before the reader: a stretch of bytes that grows as it is asked for more, up to a gap or the end. No more
 * is held than what is asked for and one piece.
 */
class ByteWindow {
  readonly #pieces: AsyncIterator<Piece>;
  #buffer: Uint8Array = new Uint8Array(LEAST_BYTES);
  #start = 0;
  #end = 0;
  /** Bytes that have left the window, and where pieces began that are not continuations of the one before. */
  #passed = 0;
  #marks: { readonly from: number; readonly at: Place }[] = [];
  #gap: { readonly at: Place; readonly gap: string } | undefined;
  #isOver = false;

  constructor(pieces: AsyncIterable<Piece>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes at hand. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** The place of the first byte at hand. */
  get place(): Place {
    while (this.#marks.length > 1 && (this.#marks[1]?.from ?? Infinity) <= this.#passed) this.#marks.shift();
    const mark = this.#marks[0];
    if (mark === undefined) return { offset: 0, within: 0 };
    return { offset: mark.at.offset, within: mark.at.within + this.#passed - mark.from };
  }

  /** False at a gap and at the end. */
  async grow(): Promise<boolean> {
    if (this.#gap || this.#isOver) return false;
    const { value: piece, done } = await this.#pieces.next();
    if (done === true) {
      this.#isOver = true;
      return false;
    }
    if ('gap' in piece) {
      this.#gap = piece;
      return false;
    }
    this.#append(piece.bytes, piece.at);
    return true;
  }

  /** So many bytes are at hand; false where there are not as many. */
  async has(count: number): Promise<boolean> {
    while (this.#end - this.#start < count) {
      if (!(await this.grow())) return false;
    }
    return true;
  }

  pass(count: number): void {
    this.#start += count;
    this.#passed += count;
  }

  /** Passes bytes that need not be at hand at the same time; false where there are not as many. */
  async passAll(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (this.bytes.length === 0 && !(await this.grow())) return false;
      const some = Math.min(left, this.bytes.length);
      this.pass(some);
      left -= some;
    }
    return true;
  }

  /** The gap that the window ends at: what is left before it goes, and the window grows again. */
  crossGap(): { readonly at: Place; readonly gap: string } | undefined {
    const gap = this.#gap;
    if (gap) this.pass(this.bytes.length);
    this.#gap = undefined;
    return gap;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #append(bytes: Uint8Array, at: Place): void {
    const end = this.#passed + this.bytes.length;
    const last = this.#marks.at(-1);
    const isNext = last?.at.offset === at.offset && last.at.within + end - last.from === at.within;
    if (!isNext) this.#marks.push({ from: end, at });
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #makeRoom(count: number): void {
    if (this.#end + count <= this.#buffer.length) return;
    const held = this.bytes;
    // One that a large record needed is let go of with it.
    const wanted = Math.max(LEAST_BYTES, 2 * (held.length + count));
    const fits = wanted <= this.#buffer.length && this.#buffer.length <= 4 * wanted;
    const buffer = fits ? this.#buffer : new Uint8Array(wanted);
    buffer.set(held, 0);
    this.#buffer = buffer;
    this.#start = 0;
    this.#end = held.length;
  }
}

const LEAST_BYTES = 128 * 1_024;
