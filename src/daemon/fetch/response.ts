import { STATUS_CODES } from 'node:http';
import type { Head, Headers } from './answer.ts';
import type { FetchedBody } from './fetched.ts';
import { FetchProblem } from './fetch-problem.ts';
import { quote } from './printable.ts';

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
  if (!target) throw new FetchProblem('redirects', `the server answered ${named(status)} without saying where to`);
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
  if (essence.includes('/') && !UNKNOWN.has(essence) && !READ.test(essence)) {
    throw new FetchProblem('content_type', `the content type is ${quote(essence)}, which is not read`);
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
/** Types that say nothing (MIME Sniffing standard, 5.1): the first bytes decide, and those are the extractor's. */
const UNKNOWN = new Set(['unknown/unknown', 'application/unknown', '*/*']);
/** What the extractor reads: `src/shared/page/read/media-type.ts`. */
const READ = /^(?:text\/(?:html|plain|(?:x-)?markdown|xml|json)|application\/(?:(?:.+\+)?(?:xml|json)|(?:x-)?pdf))$/;

/** `404 Not Found`: the registered phrase, not the one the server sent. */
function named(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
