import { hash } from 'node:crypto';
import {
  type ArchivedPage,
  beginsWithChunk,
  headerIn,
  type Leaving,
  mayHoldPage,
  readArchivedPage,
  type ResponseHead,
  withoutChunks,
} from '../../shared/archive/archived-page.ts';
import { endOfHead, readWarcHead, type WarcHead } from '../../shared/archive/records.ts';
import { ARCHIVE_HEAD_BYTES, PAGE_BYTES } from '../../shared/limits.ts';
import { readBody } from '../fetch/body.ts';
import { type FetchedBody, FetchProblem } from '../fetch/fetched.ts';
import { about } from '../fetch/answer.ts';

/**
 * Web archives in the daemon. What comes in is one record of a WARC file, from the command line that reads the file
 * (`shared/archive`, `cli/archive`); what goes out is a body as the fetcher would have brought it, decoded by the same
 * code within the same limits, so that it can go the same way (`../ingest.ts`). And the other way round: what the
 * fetcher brings goes into WARC files (`warc-writer.ts`).
 *
 * Decided against: letting the daemon read the files. It may run as another user, on another machine's disk, and would
 * have to keep the state of a job that lasts for hours; so it is asked for one page at a time, and keeps nothing.
 */
export interface ArchivedBody {
  readonly url: string;
  readonly at: number;
  readonly fetched: Omit<FetchedBody, 'outcome' | 'answer' | 'exchange'>;
}

export interface LeftOut {
  readonly left: Leaving | 'undecodable' | 'empty';
  readonly detail?: string;
}

/** The body in a record that stands alone, or why there is none. */
export async function readArchivedBody(record: Uint8Array): Promise<ArchivedBody | LeftOut> {
  const size = endOfHead(record.subarray(0, ARCHIVE_HEAD_BYTES));
  const head = readWarcHead(new TextDecoder().decode(record.subarray(0, size)));
  if (typeof head === 'string') return { left: 'malformed', detail: head };
  const block = record.subarray(size, size + head.length);
  if (block.length < head.length) return { left: 'malformed', detail: 'the record is incomplete' };
  if (!mayHoldPage(head)) return { left: 'malformed', detail: 'it is not a response or resource record' };
  const page = readArchivedPage(head, block);
  if (typeof page === 'string') return { left: page };
  const wrong = wrongDigest(head, block);
  if (wrong !== undefined) return { left: 'digest', detail: wrong };
  try {
    return await bodyOf(page);
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error;
    return { left: error.reason === 'too_large' ? 'too_large' : 'undecodable', detail: error.message };
  }
}

async function bodyOf({ url, at, head, body }: ArchivedPage): Promise<ArchivedBody | LeftOut> {
  const isChunked = /\bchunked\b/i.test(headerIn(head, 'transfer-encoding'));
  const whole = isChunked ? withoutChunks(body) : body;
  if (whole === undefined && beginsWithChunk(body)) return { left: 'truncated', detail: 'its last chunk is missing' };
  const packed = whole ?? body;
  const headers = { contentEncoding: codingOf(head, packed), contentLength: '' };
  const bytes = await readBody(chunksOf(packed), headers, { name: 'the page', bytes: PAGE_BYTES, unpacks: false });
  if (bytes.length === 0) return { left: 'empty' };
  const sum = hash('sha256', bytes, 'hex').slice(0, HASH_DIGITS);
  return { url, at, fetched: { url, status: head.status, ...about(head.headers), bytes, hash: sum } };
}

/** Some archives keep the header of a coding, and the body without it. Those that have a mark are told by that. */
function codingOf(head: ResponseHead, body: Uint8Array): string {
  const coding = headerIn(head, 'content-encoding');
  const marks = [
    { name: /^\s*(?:x-)?gzip\s*$/i, mark: [0x1f, 0x8b] },
    { name: /^\s*zstd\s*$/i, mark: [0x28, 0xb5, 0x2f, 0xfd] },
  ];
  const mark = marks.find(({ name }) => name.test(coding))?.mark ?? [];
  return mark.every((byte, index) => body[index] === byte) ? coding : '';
}

/**
 * What is wrong with the checksum that the archive has of the block (`WARC-Block-Digest: sha1:…`, in base 32 or hexadecimal);
 * undefined where it is right, there is none, or nobody here can reckon it.
 */
function wrongDigest({ fields }: WarcHead, block: Uint8Array): string | undefined {
  const [, name = '', given = ''] = /^([\w-]+):\s*(\S+)$/.exec(fields.get('warc-block-digest') ?? '') ?? [];
  const algorithm = DIGESTS[name.toLowerCase().replace('-', '')];
  if (algorithm === undefined) return undefined;
  const digest = hash(algorithm, block, 'buffer');
  const value = given.replace(/=+$/, '').toUpperCase();
  if (value === digest.toString('hex').toUpperCase() || value === base32(digest)) return undefined;
  return `its bytes are not those of its WARC-Block-Digest (${algorithm}): it was damaged, or changed`;
}

/** RFC 4648, without padding. */
function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE_32[(value >>> (bits - 5)) & 31];
    value &= 0xff;
  }
  return bits === 0 ? text : text + (BASE_32[(value << (5 - bits)) & 31] ?? '');
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DIGESTS: Readonly<Record<string, string | undefined>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
};
const CHUNK_BYTES = 64 * 1_024;
/** Of 16 bytes, as the fetcher cuts it. */
const HASH_DIGITS = 32;
