import { ARCHIVE_HEAD_LINES } from '../limits.ts';
import { endOfHead } from './records.ts';

/** The head of an HTTP answer. Names are in lower case; a header that is repeated has all its values. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Bytes of it, with its empty line. */
  readonly size: number;
}

/** The head that a block begins with; undefined when it does not begin with one. Bytes become characters one by one. */
export function readResponseHead(block: Uint8Array): ResponseHead | undefined {
  // A head that the block ends with needs no empty line: an answer without a body.
  const size = endOfHead(block) || block.length;
  const [first = '', ...lines] = latin1(block.subarray(0, size)).split(/\r?\n/, ARCHIVE_HEAD_LINES);
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0 || /^[ \t]/.test(line)) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return { status: Number(status), headers, size };
}

/** One header as a string, the values of a repeated one joined by commas; empty when absent. */
export function headerIn({ headers }: Pick<ResponseHead, 'headers'>, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/**
 * The body without its chunks (RFC 9112, 7.1); undefined where it is none in chunks. Many archives keep the header that
 * promises chunks, and the body without them.
 */
export function withoutChunks(body: Uint8Array): Uint8Array | undefined {
  // Not `body.slice()`: of a Buffer that is a view, and the chunks would be put together over those still to be read.
  const whole = new Uint8Array(body);
  let length = 0;
  for (let at = 0; ;) {
    const line = body.indexOf(LF, at);
    // A chunk may have extensions, which nobody uses.
    if (line === -1 || line - at > CHUNK_LINE_BYTES) return undefined;
    const count = chunkSize(body, at, line);
    if (count === undefined) return undefined;
    if (count === 0) return whole.subarray(0, length);
    const end = line + 1 + count;
    if (end > body.length) return undefined;
    whole.copyWithin(length, line + 1, end);
    length += count;
    at = end + (body[end] === CR ? 2 : 1);
  }
}

/** Whether it begins with a chunk. One that cannot be read without its chunks then was cut, or damaged on its way. */
export function beginsWithChunk(body: Uint8Array): boolean {
  const line = body.subarray(0, CHUNK_LINE_BYTES).indexOf(LF);
  return line > 0 && body[line - 1] === CR && chunkSize(body, 0, line) !== undefined;
}

/**
 * Whether its `Content-Length` promises more than there is. Not where there are chunks, which have no length, and not where the length
 * could be that of a packed body that the archive holds unpacked.
 */
export function isShort(head: Pick<ResponseHead, 'headers'>, body: Uint8Array): boolean {
  if (headerIn(head, 'transfer-encoding') !== '' || headerIn(head, 'content-encoding') !== '') return false;
  const [length = '', ...others] = new Set(
    headerIn(head, 'content-length')
      .split(',')
      .map((value) => value.trim()),
  );
  return others.length === 0 && /^\d{1,15}$/.test(length) && body.length < Number(length);
}

/**
 * The hexadecimal number in a line, up to its extensions; undefined where there is none, or one of more than 8 digits.
 * Read byte by byte: a page may come in a million chunks, and a regular expression on each held up the daemon for a
 * second.
 */
function chunkSize(body: Uint8Array, start: number, end: number): number | undefined {
  let size = 0;
  let at = start;
  for (; at < end; at += 1) {
    const digit = hexDigit(body[at] ?? 0);
    if (digit === undefined) break;
    size = size * 16 + digit;
  }
  if (at === start || at - start > 8) return undefined;
  while (body[at] === SPACE || body[at] === TAB) at += 1;
  const isEnd = at >= end || body[at] === SEMICOLON || (body[at] === CR && at + 1 === end);
  return isEnd ? size : undefined;
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4_096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  }
  return text;
}

const CHUNK_LINE_BYTES = 100;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;
