import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Piece } from '../src/shared/archive/records.ts';
import { type Found, readRecords } from '../src/shared/archive/records.ts';
import { PAGE_BYTES, URL_LENGTH } from '../src/shared/limits.ts';
import { ByteSource, recordsIn } from '../src/cli/archive/pieces.ts';
import { readArchivedBody } from '../src/daemon/archive/archived-body.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const MATERIAL = {
  documents: [archiveOf('1.1', plain()), archiveOf('1.0', chunked()), archiveOf('1.0', packed()), damaged()],
  pieces: [
    ...'WARC/ WARC/1.1 WARC/0.18 HTTP/1.1 HTTP/2 200 206 OK \r \n \r\n \r\n\r\n \n\n : , ; 0\r\n\r\n fffffff\r\n 5;x=y\r\n'.split(
      ' ',
    ),
    'Content-Length: 0\r\n',
    'Content-Length: 99999999999\r\n',
    'Content-Length: -1\r\n',
    'content-length:5\n',
    'WARC-Type: response\r\n',
    'WARC-Type: metadata\r\n',
    'WARC-Truncated: length\r\n',
    'WARC-Date: 2026\r\n',
    'WARC-Target-URI: <https://example.com/>\r\n',
    'WARC-Target-URI: file:///etc/x\r\n',
    'Content-Encoding: gzip\r\n',
    'Content-Encoding: br, zstd, deflate\r\n',
    'Transfer-Encoding: chunked\r\n',
    '__proto__: x\r\n',
    '\u001f\u008b\u0008',
  ],
  heavyLength: 300_000,
};

/** Of processor time: for whatever is small, and more for each byte. */
const LIMIT_MS = 60;
const MS_A_BYTE = 0.001;
/** One in so many: a package of its own for each record takes longer than all the rest. */
const PACKED = 8;

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/**
 * An archive, each character a byte, or those of its UTF-8: comes to its end, the same however its bytes come, and a
 * record is what stands at its place; the page in it is read or left out by name.
 */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  const bytes = Buffer.from(input, /^[\0-\xff]*$/.test(input) ? 'latin1' : 'utf8');
  const limit = LIMIT_MS + bytes.length * MS_A_BYTE;
  const read = await attemptLater('throws', () =>
    timedLater('records', limit, stopwatch, () => foundIn(bytes, 65_536)),
  );
  if ('check' in read) return read;
  const found = read.result;
  if (!isDeepStrictEqual(await foundIn(bytes, 7), found))
    return { check: 'pieces', detail: 'other records in pieces of 7' };
  const stray = found.find((one) => one.kind === 'record' && !isThere(one, bytes));
  if (stray) return { check: 'place', detail: JSON.stringify(stray.at) };
  const unpacked = input.length % PACKED === 0 ? await packedAs(bytes, found) : undefined;
  return unpacked ?? bodies(found, limit, stopwatch);
}

async function foundIn(bytes: Uint8Array, size: number): Promise<Found[]> {
  return all(readRecords(piecesOf(bytes, bytes.length > 20_000 ? 65_536 : size)), bytes.length);
}

async function all(records: AsyncIterable<Found>, length: number): Promise<Found[]> {
  const found: Found[] = [];
  for await (const one of records) {
    // In one number, since pieces are named each by their own beginning.
    found.push({ ...one, at: { offset: one.at.offset + one.at.within, within: 0 } });
    if (found.length > length + 1) throw new Error('more records than bytes');
  }
  return found;
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Piece> {
  for (let at = 0; at < bytes.length; at += size) {
    yield { at: { offset: at, within: 0 }, bytes: bytes.subarray(at, at + size) };
  }
}

function isThere(found: Found, bytes: Uint8Array): boolean {
  if (found.kind !== 'record') return true;
  const start = found.at.offset + found.at.within;
  return Buffer.compare(found.record.bytes, bytes.subarray(start, start + found.record.bytes.length)) === 0;
}

/** Through the command line's reading of packed files: the same records, and of a torn one those before the tear. */
async function packedAs(bytes: Buffer, plain: readonly Found[]): Promise<Broken | undefined> {
  const zipped = gzipSync(bytes, { level: 1 });
  const whole = await attemptLater('throws', async () => ({ result: await unpacked(zipped) }));
  if ('check' in whole) return whole;
  if (!isDeepStrictEqual(recordsOf(whole.result), recordsOf(plain))) return { check: 'gzip', detail: 'other records' };
  const torn = await attemptLater('throws', async () => ({ result: await unpacked(zipped.subarray(0, -9)) }));
  if ('check' in torn) return torn;
  const others = recordsOf(torn.result).length > recordsOf(plain).length;
  return others ? { check: 'gzip', detail: 'a torn file has more records' } : undefined;
}

function recordsOf(found: readonly Found[]): string[] {
  return found.flatMap((one) => (one.kind === 'record' ? [Buffer.from(one.record.bytes).toString('latin1')] : []));
}

async function unpacked(zipped: Uint8Array): Promise<Found[]> {
  const source = new ByteSource(Readable.from([zipped.subarray(0, 40), zipped.subarray(40)]));
  return all(
    recordsIn(source, 'gzip', () => true),
    100_000,
  );
}

async function bodies(found: readonly Found[], limit: number, stopwatch: Stopwatch): Promise<Broken | undefined> {
  for (const one of found) {
    if (one.kind !== 'record') continue;
    const { bytes } = one.record;
    const read = await attemptLater('throws', () =>
      timedLater('body', limit, stopwatch, () => readArchivedBody(bytes)),
    );
    if ('check' in read) return read;
    if ('left' in read.result) continue;
    const { url, at, fetched } = read.result;
    const isFit = url.length <= URL_LENGTH && Number.isSafeInteger(at) && at >= 0 && fetched.bytes.length <= PAGE_BYTES;
    if (!isFit) return { check: 'limits', detail: JSON.stringify({ url, at }) };
  }
  return undefined;
}

function archiveOf(version: string, block: string): string {
  const info = 'software: none\r\n';
  const head = (type: string, length: number, more = ''): string =>
    `WARC/${version}\r\nWARC-Type: ${type}\r\nWARC-Date: 2026-02-13T08:06:32Z\r\n${more}Content-Length: ${length}\r\n\r\n`;
  const target = 'WARC-Target-URI: https://www.example.com/a\r\n';
  return `${head('warcinfo', info.length)}${info}\r\n\r\n${head('response', block.length, target)}${block}\r\n\r\n${head('request', 4)}GET \r\n\r\n`;
}

function plain(): string {
  return 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nLast-Modified: x\r\n\r\n<p>The ferry was late.';
}

function chunked(): string {
  return 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>Ho\r\n4;a=b\r\nrse.\r\n0\r\n\r\n';
}

function packed(): string {
  const body = gzipSync('<p>The ferry was late.').toString('latin1');
  return `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n${body}`;
}

function damaged(): string {
  const whole = archiveOf('1.1', plain());
  return `${whole.slice(0, 150)}${whole.slice(170, 300)}\r\n${whole}`;
}
