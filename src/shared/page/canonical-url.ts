import { URL_LENGTH } from '../limits.ts';
import { isTracking, parameterName } from './structure/parameters.ts';

/**
 * The URL as it is fetched: parsed and written again by the WHATWG rules (lower-case host, default port dropped, dots
 * resolved), without fragment, tracking parameters and the dot behind a host. Undefined for what is no page to visit:
 * not http(s), longer than `URL_LENGTH`, or with a user name or password, which a fetch refuses. Idempotent.
 */
export function canonicalUrl(text: string): string | undefined {
  return canonical(text)?.href;
}

/** The same, parsed. */
export function canonical(text: string): URL | undefined {
  if (text.length > URL_LENGTH) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  withoutDotAndFragment(url);
  // `/?` becomes `/` by an empty query.
  if (url.href.includes('?')) url.search = withoutTracking(url.search);
  return url.href.length > URL_LENGTH ? undefined : url;
}

/**
 * The URL of a watch: written by the WHATWG rules, without fragment and the dot behind a host. Tracking parameters stay: who
 * watches a page has chosen its address. What is no URL stays as it is.
 */
export function watchedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  withoutDotAndFragment(url);
  return url.href;
}

/** A setter parses the whole URL again, and most have nothing to set. */
function withoutDotAndFragment(url: URL): void {
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  if (url.href.includes('#')) url.hash = '';
}

function withoutTracking(search: string): string {
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter((pair) => !isTracking(parameterName(pair)));
  return kept.length === pairs.length ? search : kept.join('&');
}
