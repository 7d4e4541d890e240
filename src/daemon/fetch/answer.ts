import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import { mayBeRead } from '../../shared/page/read/media-type.ts';
import type { Chunks } from './body.ts';
import { type FetchedBody, FetchProblem, type Validators } from './fetched.ts';
import { quote } from './printable.ts';
import { VALIDATOR_BYTES } from '../../shared/limits.ts';

type Headers = Record<string, string | string[] | undefined>;

/** The status line and headers of an answer. */
export interface Head {
  readonly status: number;
  /** The reason phrase, as the server wrote it. */
  readonly phrase: string;
  readonly headers: Headers;
  /** Names and values in turn, as they came. */
  readonly raw: readonly (Buffer | string)[];
}

/**
 * One answer as it comes in: the head when it is complete, then the chunks of the body, which are taken as fast as
 * they are asked for. Written against undici's dispatch and not its `request`, whose body is a Node stream: a third of
 * what fetching a short page costs.
 */
export class Answer implements Dispatcher.DispatchHandler, Chunks {
  readonly head: Promise<Head>;
  /** Milliseconds since 1970 at which the request was sent; 0 before. */
  startedAt = 0;
  /** Bytes of the body so far. */
  wireBytes = 0;
  readonly #onStart: (answer: Answer) => void;
  readonly #settled = Promise.withResolvers<Head>();
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #informational = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  /** Bytes that may still be thrown away; undefined while they are wanted. */
  #discard: number | undefined;

  constructor(onStart: (answer: Answer) => void) {
    this.#onStart = onStart;
    this.head = this.#settled.promise;
    // Who called it off may not wait for it any more.
    this.head.catch(() => undefined);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#onStart(this);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers, phrase = ''): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > MOST_INFORMATIONAL) controller.abort(flood());
      return;
    }
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    this.#settled.resolve({ status, phrase, headers, raw });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.wireBytes += chunk.length;
    if (this.#discard !== undefined) {
      this.#discard -= chunk.length;
      if (this.#discard < 0) this.#stir();
      return;
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MOST_WAITING) controller.pause();
    this.#stir();
  }

  onResponseEnd(): void {
    this.#state = 'ended';
    this.#stir();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#state = 'failed';
    this.#error = error;
    this.#settled.reject(error);
    this.#stir();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunks = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      const [only] = chunks;
      // A server may send five million chunks of one byte: each on its own would cost seconds.
      if (only) yield chunks.length === 1 ? only : Buffer.concat(chunks);
      if (this.#waiting.length > 0) continue;
      if (this.#error) throw this.#error;
      if (this.#state === 'ended') return;
      await this.#more();
    }
  }

  /**
   * Whether the connection can serve another request. What was not read is read and forgotten for that, if it is short
   * and comes soon: a redirect and an error page mostly are.
   */
  async drained(): Promise<boolean> {
    this.#waiting = [];
    this.#discard = MOST_DRAINED;
    if (this.#state === 'open') {
      const timer = setTimeout(() => {
        this.#discard = -1;
        this.#stir();
      }, DRAIN_MS);
      while (this.#isDraining()) await this.#more();
      clearTimeout(timer);
    }
    return this.#state === 'ended';
  }

  #isDraining(): boolean {
    return this.#state === 'open' && (this.#discard ?? 0) >= 0;
  }

  /** Until something comes, or ends. */
  #more(): Promise<void> {
    const stirred = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    // What was held back comes before this returns.
    if (this.#controller?.paused) this.#controller.resume();
    return stirred;
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** `100 Continue` is not asked for; `103 Early Hints` comes once, or a few times. */
const MOST_INFORMATIONAL = 20;
/** Bytes that have arrived and nobody has asked for yet. */
const MOST_WAITING = 64 * 1_024;
const MOST_DRAINED = 16 * 1_024;
const DRAIN_MS = 1_000;

function flood(): FetchProblem {
  return new FetchProblem('undecodable', `the server sent more than ${MOST_INFORMATIONAL} informational answers`);
}

/** A header as one string; the values of a repeated one joined by commas (RFC 9110, 5.3). Empty when absent. */
export function headerOf(headers: Headers, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** The last of several Content-Types counts (fetch standard, "extract a MIME type"). */
function contentTypeOf(headers: Headers): string {
  const value = headers['content-type'];
  return (Array.isArray(value) ? value.at(-1) : value)?.trim() ?? '';
}

/** What the headers say of the content. */
export function about(headers: Headers): Pick<FetchedBody, 'contentType' | 'headers'> {
  const rating = headerOf(headers, 'rating').slice(0, ABOUT_LENGTH);
  const robots = headerOf(headers, 'x-robots-tag').slice(0, ABOUT_LENGTH);
  const contentLanguage = headerOf(headers, 'content-language').slice(0, ABOUT_LENGTH);
  const said = {
    ...(rating !== '' && { rating }),
    ...(robots !== '' && { robots }),
    ...(contentLanguage !== '' && { contentLanguage }),
  };
  return { contentType: contentTypeOf(headers), ...(Object.keys(said).length > 0 && { headers: said }) };
}

/** Where a redirect leads, as its server wrote it; undefined when the status is no redirect. */
export function redirectTarget({ status, headers }: Head): string | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const location = headers['location'];
  const target = Array.isArray(location) ? location[0] : location;
  if (!target) throw new FetchProblem('redirects', `the server answered ${named(status)} without a Location header`);
  // Bytes above ASCII arrive as one character each. Percent-encoded they are the bytes the server sent, as in browsers.
  return target.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Whether a redirect holds for good: the page is to be asked for there from now on. */
export function isPermanent({ status }: Head): boolean {
  return PERMANENT.has(status);
}

/** Throws unless the status promises a whole body, so that nobody reads one that is of no use. */
export function expectBody({ status }: Head): void {
  // A part was not asked for (206); read as the page, it would be a mass deletion.
  if (status < 200 || status >= 300 || status === 206)
    throw new FetchProblem('status', `the server answered ${named(status)}`);
  if (status === 204 || status === 205) throw emptyPage(status);
}

/** Throws for a type that is known and not read. */
export function expectType({ headers }: Head): void {
  const type = contentTypeOf(headers);
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (!mayBeRead(essence)) {
    throw new FetchProblem('content_type', `the content type is ${quote(essence)}, which hydrant does not read`);
  }
}

/** Neither a length nor chunks: the body is whole when the connection was closed, and cut when it was reset (RFC 9112, 8). */
export function endsWithConnection(headers: Headers): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

export function emptyPage(status: number): FetchProblem {
  return new FetchProblem('empty', `the server answered ${named(status)} with an empty body`);
}

/** Characters of a header that speaks of the content: directives are a few words. */
const ABOUT_LENGTH = 500;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERMANENT = new Set([301, 308]);

/** `404 Not Found`: the registered phrase, not the one the server sent. */
function named(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** What the headers say of time: when to come back, how long the answer holds, and when it was made. */
interface Times {
  readonly retryAfterMs?: number;
  readonly maxAgeMs?: number;
  readonly madeAt?: number;
}

/**
 * Milliseconds from now on, at most a day; now is when the server says that it is, else `now`. `madeAt`: since 1970. Left
 * out where the header is not there or says nothing.
 */
export function timesOf(headers: Headers, now: number): Times {
  const madeAt = parseHttpDate(headerOf(headers, 'date'));
  const retryAfterMs = delayOf(headerOf(headers, 'retry-after'), madeAt ?? now);
  const maxAgeMs = maxAgeOf(headers, madeAt ?? now);
  return {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    ...(madeAt !== undefined && { madeAt }),
  };
}

/** ETag and Last-Modified as they were written. One that comes twice, or is too long, tells nothing. */
export function validatorsOf(headers: Headers): Validators | undefined {
  const etag = validator(headers['etag']);
  const lastModified = validator(headers['last-modified']);
  if (etag === undefined && lastModified === undefined) return undefined;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/** The request headers that ask for the page only if it has changed: names and values in turn. */
export function conditionsOf({ etag, lastModified }: Validators): readonly string[] {
  return [
    ...(isSendable(etag) ? ['if-none-match', etag] : []),
    ...(isSendable(lastModified) ? ['if-modified-since', lastModified] : []),
  ];
}

/**
 * An HTTP date in each of its three forms (RFC 9110, 5.6.7), as milliseconds since 1970; undefined for anything else.
 * By hand, because `Date.parse` takes the third for local time, and much that is no date for one.
 */
export function parseHttpDate(text: string): number | undefined {
  const parts = (IMF.exec(text) ?? RFC850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (!parts) return undefined;
  const { day = '', month = '', year = '', time = '' } = parts;
  const ms = Date.parse(`${day} ${month} ${fullYear(year)} ${time} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}

const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const IMF = new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`);
const RFC850 = new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT$`);
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`);

/** Two digits were given up in 1994; until 2070 they mean what they meant to those who still write them. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 70 ? `20${year}` : `19${year}`;
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function delayOf(header: string, now: number): number | undefined {
  if (/^\d{1,15}$/.test(header)) return bounded(Number(header) * 1_000);
  const at = parseHttpDate(header);
  return at === undefined ? undefined : bounded(at - now);
}

function maxAgeOf(headers: Headers, now: number): number | undefined {
  const [, seconds] = /(?:^|[,\s])max-age="?(\d{1,15})/i.exec(headerOf(headers, 'cache-control')) ?? [];
  if (seconds !== undefined) return bounded(Number(seconds) * 1_000);
  const at = parseHttpDate(headerOf(headers, 'expires'));
  return at === undefined ? undefined : bounded(at - now);
}

function bounded(ms: number): number {
  return Math.min(Math.max(ms, 0), DAY_MS);
}

const DAY_MS = 24 * 3_600_000;

function validator(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && isSendable(header) ? header : undefined;
}

/** One header line, each character of it one byte: what was received as a header can be sent as one. */
function isSendable(text: string | undefined): text is string {
  return text !== undefined && text.length <= VALIDATOR_BYTES && /^[\t\x20-\x7e\x80-\xff]+$/.test(text);
}
