import { mediaTypeOf } from '../page/read/media-type.ts';
import { ARCHIVE_HEAD_BYTES, ARCHIVE_HEAD_LINES, URL_LENGTH } from '../limits.ts';
import { endOfHead, typeOf, type WarcHead } from './records.ts';

/**
 * A record that holds a page: the answer of a server to the question for a URL, at a time (`response`); or the document alone,
 * as it was had from there (`resource`), which is read as an answer 200 with the type that the record names.
 */
export interface ArchivedPage {
  /** As the record has it. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly head: ResponseHead;
  /** As it came: packed, in chunks. */
  readonly body: Uint8Array;
}

/**
 * Why a response record is no page that can be read. `type`: what it answers is no text. `malformed`: no URL of the web,
 * no date, or no HTTP. `truncated`: the archive holds a part of it, which would read as a mass deletion: the archive says so,
 * or it is shorter than the server said. `digest`: its bytes are not those that the archive was made of.
 */
export type Leaving = 'type' | 'status' | 'malformed' | 'truncated' | 'too_large' | 'digest';

/** Whether a record's block is looked at. */
export function mayHoldPage(head: WarcHead): boolean {
  return ['response', 'resource'].includes(typeOf(head));
}

/** The page in such a record, or why there is none. Its body is not looked into. */
export function readArchivedPage(head: WarcHead, block: Uint8Array): ArchivedPage | Leaving {
  const named = nameOf(head);
  if (named === undefined) return 'malformed';
  // A segment is one part of a record that is in several.
  if (head.fields.has('warc-truncated') || head.fields.has('warc-segment-number')) return 'truncated';
  const answer = typeOf(head) === 'resource' ? asAnswer(head) : readResponseHead(block);
  if (answer === undefined || answer.size > ARCHIVE_HEAD_BYTES) return 'malformed';
  // A part (206) is a mass deletion, too; 204 and 205 have nothing to read.
  if (answer.status < 200 || answer.status >= 300 || [204, 205, 206].includes(answer.status)) return 'status';
  if (!isRead(answer)) return 'type';
  const body = block.subarray(answer.size);
  return isShort(answer, body) ? 'truncated' : { ...named, head: answer, body };
}

/** Of a document alone, which has no head of HTTP. */
function asAnswer({ fields }: WarcHead): ResponseHead {
  const type = fields.get('content-type') ?? '';
  return { status: 200, headers: type === '' ? {} : { 'content-type': type }, size: 0 };
}

/** What a record calls its page; undefined where that is no URL of the web, or has no date. */
function nameOf({ fields }: WarcHead): { url: string; at: number } | undefined {
  // Some writers put it between brackets, as their reading of the standard's grammar.
  const url = (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
  if (url.length > URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const at = dateOf(fields.get('warc-date') ?? '');
  return at === undefined ? undefined : { url, at };
}

/** W3C's profile of ISO 8601, down to the second or finer; and the 14 digits of old archives. */
function dateOf(text: string): number | undefined {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(iso)) return undefined;
  const at = Date.parse(iso);
  return Number.isNaN(at) || at < 0 ? undefined : at;
}

/** By the header alone: what the first bytes say is for whoever reads them. */
function isRead(head: ResponseHead): boolean {
  const type = headerIn(head, 'content-type').split(',').at(-1) ?? '';
  return /^\s*(?:;|$)|application\/(?:x-)?pdf/i.test(type) || mediaTypeOf(type, new Uint8Array()) !== 'other';
}

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
function isShort(head: Pick<ResponseHead, 'headers'>, body: Uint8Array): boolean {
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
