import type { Validators } from './fetched.ts';
import { type Headers, headerOf } from './answer.ts';
import { VALIDATOR_BYTES } from '../../shared/limits.ts';

/** What the headers say of time: when to come back, how long the answer holds, and when it was made. */
export interface Times {
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
