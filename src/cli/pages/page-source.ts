import type { Body } from '../../shared/page/page.ts';
import type { Context } from '../runtime/context.ts';
import type { Chunks } from '../runtime/input.ts';
import { createReadStream } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PAGE_BYTES } from '../../shared/limits.ts';
import { Failure, systemReason, UsageError } from '../runtime/failure.ts';
import { exitCode } from '../runtime/exit-code.ts';

/**
 * The body of what a person names: a URL is fetched, `-` is stdin, all else is a file.
 * @param address the address that a file or stdin had, '' where nobody knows
 * @param opened the file or stdin, where it is open already: a pipe cannot be opened twice
 * @throws {PageProblem}
 */
export async function readSource(
  context: PageContext,
  source: string,
  address: string,
  opened?: Chunks,
): Promise<Body> {
  if (isUrl(source)) return fetched(context, source);
  const input = opened ?? (source === '-' ? context.readBytes('the page') : undefined);
  const bytes = await (input ? readPageBytes(input) : readPageFile(source));
  return { url: address, contentType: source === '-' ? '' : typeOfName(source), bytes };
}

export type PageContext = Pick<Context, 'fetchPage' | 'readBytes' | 'closed'>;

async function fetched({ fetchPage, closed }: PageContext, url: string): Promise<Body> {
  const found = await fetchPage(url, closed ?? new AbortController().signal);
  if (found.outcome === 'failed') throw new PageProblem(found.reason, found.detail);
  const { contentType, bytes, headers } = found;
  return { url: found.url, contentType, bytes, ...(headers && { headers }) };
}

/** The bytes of a page that was kept in a file, unpacked. @throws {PageProblem} */
export async function readPageFile(file: string): Promise<Uint8Array> {
  // A device never ends: one byte too many is enough to tell.
  return readPageBytes(createReadStream(file, { end: PAGE_BYTES }));
}

/**
 * The bytes of one page, never more than the crawl takes. Gzip is told by its first bytes, whatever the name.
 * @throws {PageProblem}
 */
async function readPageBytes(from: Chunks): Promise<Uint8Array> {
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
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  pdf: 'application/pdf',
  json: 'application/json',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
};

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Refuses a `--as` that is no address, or that no file has. */
export function checkAddress(address: string | undefined, sources: readonly string[]): void {
  if (address === undefined) return;
  if (!isUrl(address) || !URL.canParse(address)) {
    throw new UsageError(`--as: \`${address}\` is not the URL of a page; a URL looks like https://example.org/news/`);
  }
  if (sources.every(isUrl)) throw new UsageError('--as gives the URL of a file; a URL needs none');
}

/** Why there is no page where one was asked for: a word for scripts, and a sentence that does not name the source. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem' as const;
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The same as the failure of a command that needs this page: the exit code is the one diff(1) has for trouble. */
export function pageFailure(source: string, { reason, message }: PageProblem): Failure {
  return new Failure(reason, exitCode.usage, `${source}: ${message}`);
}
