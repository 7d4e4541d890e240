import { createReadStream } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PAGE_BYTES } from '../../shared/limits.ts';
import { systemReason } from '../failure.ts';
import type { Chunks } from '../input.ts';
import { PageProblem } from './problem.ts';

/** The bytes of a page that was kept in a file, unpacked. @throws {PageProblem} */
export async function readPageFile(file: string): Promise<Uint8Array> {
  // A device never ends: one byte too many is enough to tell.
  return readPageBytes(createReadStream(file, { end: PAGE_BYTES }));
}

/**
 * The bytes of one page, never more than the crawl takes. Gzip is told by its first bytes, whatever the name.
 * @throws {PageProblem}
 */
export async function readPageBytes(from: Chunks): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of from) {
      const buffer = Buffer.from(chunk);
      length += buffer.length;
      if (length > PAGE_BYTES) throw tooLarge();
      chunks.push(buffer);
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new PageProblem('unreadable', systemReason(error));
  }
  const bytes = Buffer.concat(chunks);
  return isGzip(bytes) ? gunzipped(bytes) : bytes;
}

/** By its first bytes (RFC 1952, 2.3.1). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gunzipped(bytes: Buffer): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: PAGE_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge() : new PageProblem('undecodable', 'its gzip data is damaged or ends too early');
  }
}

function tooLarge(): PageProblem {
  return new PageProblem('too_large', `the page is larger than ${PAGE_BYTES / 1_024 / 1_024} MiB`);
}

/** The media type that a name promises, for the extension in front of `.gz`; '' where the bytes have to tell. */
export function typeOfName(file: string): string {
  const extension = /\.(\w+)$/.exec(file.toLowerCase().replace(/\.gz$/, ''))?.[1] ?? '';
  return TYPES[extension] ?? '';
}

const TYPES: Readonly<Record<string, string>> = {
  htm: 'text/html',
  html: 'text/html',
  shtml: 'text/html',
  xht: 'application/xhtml+xml',
  xhtml: 'application/xhtml+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  pdf: 'application/pdf',
  json: 'application/json',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
};
