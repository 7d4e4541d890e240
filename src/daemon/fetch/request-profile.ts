import { hash, subtle } from 'node:crypto';
import {
  about,
  type Answer,
  emptyPage,
  endsWithConnection,
  expectBody,
  expectType,
  type Head,
  headerOf,
  validatorsOf,
} from './answer.ts';
import { ACCEPT_ENCODING, type BodyLimits, type Chunks, readBody, readStart } from './body.ts';
import {
  type Exchange,
  type FetchedBody,
  FetchProblem,
  type HttpAnswer,
  type NotModified,
  type RobotsAnswer,
  type Validators,
} from './fetched.ts';
import { PAGE_BYTES, ROBOTS_TXT_BYTES, SITEMAP_BYTES } from '../../shared/limits.ts';
import type { Request } from './connection.ts';

/** What is fetched, and what is made of the answer: the way there is the same for all. */
export interface RequestProfile<Outcome> {
  readonly limits: BodyLimits;
  readonly accept: string;
  /** Milliseconds that it may take at least, where the crawl's deadline is shorter. */
  readonly leastDeadlineMs: number;
  /** Reads an answer that is no redirect. Throws FetchProblem when it is of no use. */
  readonly read: (reading: Reading) => Promise<Outcome>;
}

/** An answer whose head is there. */
export interface Reading {
  readonly url: URL;
  readonly head: Head;
  readonly body: Answer;
  /** Those that were sent with this request. */
  readonly sent: Validators | undefined;
  /** Whether it answers the request that was made for: no redirect led here. */
  readonly isFirst: boolean;
  /** Where only permanent redirects led here. */
  readonly movedTo: string | undefined;
  readonly record: ExchangeRecord | undefined;
  readonly exchange: () => Exchange | undefined;
  /** The error, once the server has reset the connection. */
  readonly wasReset: () => Error | undefined;
  /** What was read leads elsewhere at once, as a redirect does. */
  readonly leadOn: (target: string) => void;
  readonly answer: () => HttpAnswer;
}

/** Names and values in turn, the same for every request of an profile. */
export function headersOf({ accept }: RequestProfile<unknown>, userAgent: string): readonly string[] {
  return ['user-agent', userAgent, 'accept', accept, 'accept-encoding', ACCEPT_ENCODING];
}

export const PAGE: RequestProfile<FetchedBody | NotModified> = {
  limits: { name: 'the page', bytes: PAGE_BYTES, unpacks: false },
  accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, application/xml;q=0.8, */*;q=0.1',
  leastDeadlineMs: 0,
  read: async (reading) => {
    const page = await readDocument(reading, PAGE.limits, expectType);
    const target = page.outcome === 'fetched' ? refreshTarget(page.bytes, page.contentType) : undefined;
    if (target !== undefined) reading.leadOn(target);
    return page;
  },
};

/** The type is not looked at: `.gz` comes as anything, and what is no sitemap has no entries. */
export const SITEMAP: RequestProfile<FetchedBody | NotModified> = {
  limits: { name: 'the sitemap', bytes: SITEMAP_BYTES, unpacks: true },
  accept: 'application/xml, text/xml, application/gzip;q=0.9, text/plain;q=0.8, */*;q=0.1',
  leastDeadlineMs: 60_000,
  read: (reading) => readDocument(reading, SITEMAP.limits, () => undefined),
};

/** The type is not looked at: many servers have none for it, and a page in its place has no rules in it. */
export const ROBOTS_TXT: RequestProfile<RobotsAnswer> = {
  limits: { name: 'robots.txt', bytes: ROBOTS_TXT_BYTES + 1, unpacks: false },
  accept: 'text/plain, */*;q=0.1',
  leastDeadlineMs: 0,
  read: async (reading) => {
    const { status } = reading.head;
    const isWhole = status >= 200 && status < 300 && status !== 206;
    if (!isWhole) return { outcome: 'answered', bytes: new Uint8Array(), answer: reading.answer() };
    const bytes = await readStart(reading.body, encodingOf(reading.head), ROBOTS_TXT.limits);
    if (bytes.length < ROBOTS_TXT.limits.bytes) expectWhole(reading);
    return { outcome: 'answered', bytes, answer: reading.answer() };
  },
};

async function readDocument(
  reading: Reading,
  limits: BodyLimits,
  expectType: (head: Head) => void,
): Promise<FetchedBody | NotModified> {
  const { url, head, body, sent, record } = reading;
  if (head.status === 304) return notModified(reading, sent);
  expectBody(head);
  expectType(head);
  const bytes = await readBody(record?.recorded(body) ?? body, encodingOf(head), limits);
  expectWhole(reading);
  if (bytes.length === 0) throw emptyPage(head.status);
  // Behind a redirect they are those of another URL than will be asked for.
  const validators = reading.isFirst ? validatorsOf(head.headers) : undefined;
  const exchange = reading.exchange();
  return {
    outcome: 'fetched',
    url: url.href,
    status: head.status,
    ...about(head.headers),
    bytes,
    hash: await hashOf(bytes),
    answer: reading.answer(),
    ...(validators && { validators }),
    ...(reading.movedTo !== undefined && { movedTo: reading.movedTo }),
    ...(exchange && { exchange }),
  };
}

function notModified({ url, head, answer }: Reading, sent: Validators | undefined): NotModified {
  if (!sent) {
    throw new FetchProblem('status', 'the server answered 304 Not Modified, but the request was not conditional');
  }
  return {
    outcome: 'not_modified',
    url: url.href,
    answer: answer(),
    validators: { ...sent, ...validatorsOf(head.headers) },
  };
}

/** A body that only the end of the connection ends is cut when that was a reset. */
function expectWhole({ head, wasReset }: Reading): void {
  const reset = wasReset();
  if (reset && endsWithConnection(head.headers)) throw reset;
}

function encodingOf({ headers }: Head): Parameters<typeof readBody>[1] {
  return {
    contentEncoding: headerOf(headers, 'content-encoding'),
    contentLength: headerOf(headers, 'content-length'),
  };
}

/** SHA-256, cut to 16 bytes, in hexadecimal. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const isLong = bytes.length > HASHED_HERE;
  const full = isLong
    ? Buffer.from(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
    : hash('sha256', bytes);
  return full.slice(0, 32);
}

/** Bytes that are hashed on this thread, in a millisecond or two; a large sitemap would hold it up. */
const HASHED_HERE = 1_024 * 1_024;

/** Keeps what an archive wants of one request and its answer: the heads, and the body as it comes off the wire. */
export class ExchangeRecord {
  readonly #chunks: Uint8Array[] = [];

  /** The same chunks, of which copies are kept. Whoever takes them has a limit, and so has this. */
  async *recorded(body: Chunks): Chunks {
    for await (const chunk of body) {
      // A chunk is a view of the 64 KiB that it was read in.
      this.#chunks.push(new Uint8Array(chunk));
      yield chunk;
    }
  }

  exchange(url: URL, request: Request, head: Head): Exchange {
    const { method = 'GET', path, headers, ownNames = [] } = request;
    const sent = ['host', url.host, 'connection', 'keep-alive', ...without(headers, ownNames)];
    const raw = head.raw.map((part) => text(part));
    // To who is signed in, it is a login of its own.
    const answered = ownNames.length > 0 ? without(raw, ['set-cookie']) : raw;
    return {
      requestHead: `${method} ${path} HTTP/1.1\r\n${lines(sent)}`,
      responseHead: `HTTP/1.1 ${head.status} ${head.phrase}\r\n${lines(answered)}`,
      wire: Uint8Array.from(Buffer.concat(this.#chunks)),
    };
  }
}

function without(pairs: readonly string[], names: readonly string[]): readonly string[] {
  return pairs.filter((_, at) => !names.includes(pairs[at - (at % 2)]?.toLowerCase() ?? ''));
}

function lines(pairs: readonly string[]): string {
  let text = '';
  for (let at = 0; at < pairs.length; at += 2) text += `${pairs[at]}: ${pairs[at + 1]}\r\n`;
  return text;
}

function text(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}

/**
 * Where a page leads that says `<meta http-equiv="refresh" content="0; url=…">`: with no seconds to wait it is a redirect
 * that nobody reads, written by who cannot set a status. Only what a browser that runs scripts would obey counts: nothing
 * in a comment, a script, a `noscript`; nothing with a second or more to wait, which is a page that is read before.
 * Undefined where it says no such thing, or names no address (it is to be loaded again).
 */
export function refreshTarget(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/^\s*(?:text\/html|application\/xhtml\+xml|;|$)/i.test(contentType)) return undefined;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT));
  // A character a byte: half of the garbage, and ASCII is the same in it.
  if (!/http-equiv/i.test(start.toString('latin1'))) return undefined;
  for (const tag of metaTags(start.toString())) {
    const { 'http-equiv': kind = '', content = '' } = attributesOf(tag);
    if (kind.trim().toLowerCase() !== 'refresh') continue;
    // The first one counts.
    return targetIn(content);
  }
  return undefined;
}

/** What stands in each `<meta …>` that is an element. */
function* metaTags(text: string): Generator<string> {
  const lower = text.toLowerCase();
  const opening = /<(?:!--|(meta|noscript|script|style|template|title|textarea|body)(?=[\s/>]))/gi;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const name = found[1]?.toLowerCase();
    if (name === 'body') return;
    const from = opening.lastIndex;
    if (name === 'meta') {
      const end = endOfTag(text, from);
      yield text.slice(from, end);
      opening.lastIndex = end;
      continue;
    }
    const closing = name === undefined ? '-->' : `</${name}`;
    const end = lower.indexOf(closing, from);
    if (end === -1) return;
    opening.lastIndex = end + closing.length;
  }
}

/** The `>` that no quotation marks hold. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return at;
    else if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(from, at - 10), at)))
      quote = character;
  }
  return text.length;
}

function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
  for (const [, name = '', double, single, bare] of tag.matchAll(attribute)) {
    attributes[name.toLowerCase()] ??= unescaped(double ?? single ?? bare ?? '');
  }
  return attributes;
}

/** `0; url=…` as the HTML standard reads it ("shared declarative refresh steps"). */
function targetIn(content: string): string | undefined {
  const [, seconds = '', rest = ''] = /^\s*(\d*)[\d.]*\s*[;,]?\s*(.*)$/s.exec(content) ?? [];
  if (Number(seconds) !== 0 || !/^\s*[\d.]/.test(content)) return undefined;
  const named = rest.replace(/^url\s*=\s*/i, '');
  const quote = /^["']/.exec(named)?.[0];
  const target = quote === undefined ? named : (named.slice(1).split(quote, 1)[0] ?? '');
  return target.trim() === '' ? undefined : target.trim();
}

/** The references that stand in addresses. */
function unescaped(value: string): string {
  return value
    .replaceAll(/&(?:amp|#38|#x26);/gi, '&')
    .replaceAll(/&(?:quot|#34|#x22);/gi, '"')
    .replaceAll(/&(?:apos|#39|#x27);/gi, "'");
}

/** Characters of a page in which such an element stands, if it has one. */
const LOOKED_AT = 16_384;
