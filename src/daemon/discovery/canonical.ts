import { hash } from 'node:crypto';
import { parameterName as nameOf } from '../../shared/page/structure/parameters.ts';
import type { Identity } from '../storage/frontier.ts';
import { isSession, withoutSession } from '../../shared/page/structure/parameters.ts';

/**
 * Discovery: where a page, a feed or a sitemap leads. A fetched body comes in, URLs for the frontier go out, each with
 * its identity, its depth and how urgent it is. Pure functions all of them, so that any thread can run them.
 *
 * A URL has two forms. The canonical one is what is fetched: as the page wrote it, without what no server's answer
 * depends on. The identity form is never fetched, so it may go further: it is hashed, and URLs with one hash are one
 * page. What could make one of two pages is in neither: a page too many costs a visit, a page too few is lost news.
 *
 * Decided against: dropping `www.`, `index.html`, a slash at the end, or `http:` beside `https:`. They differ often
 * enough, and where they do not, a redirect or `rel=canonical` says so.
 */

/** What makes two URLs one page; takes what `canonicalUrl` gave. */
export function identityOf(canonical: string | URL): Identity {
  const url = typeof canonical === 'string' ? new URL(canonical) : canonical;
  const path = decodedAsFarAsEqual(withoutSession(url.pathname));
  const form = `${url.protocol}//${url.host}${path}${identityQuery(url.search)}`;
  return { host: url.host, hash: Number.parseInt(hash('sha256', form, 'hex').slice(0, HASH_DIGITS), 16) };
}

/** The address without the session ids in it; itself where there are none. */
export function withoutSessions(href: string): string {
  const url = new URL(href);
  const pairs = url.search.slice(1).split('&');
  const kept = pairs.filter((pair) => !isSession(nameOf(pair), pair.slice(nameOf(pair).length + 1)));
  const path = withoutSession(url.pathname);
  if (kept.length === pairs.length && path === url.pathname) return href;
  url.pathname = path;
  url.search = kept.join('&');
  return url.href;
}

/** `hostname[:port]`, as politeness counts hosts. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** What a host is the twin of: never part of an identity, since the two may differ. */
export function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** Hex digits of 52 bits. */
const HASH_DIGITS = 13;

/** Keys sorted, values in the order they had under each; sessions and empty pairs gone. */
function identityQuery(search: string): string {
  if (search === '') return '';
  const pairs = search.slice(1).split('&').filter(Boolean).map(decodedAsFarAsEqual);
  const kept = pairs.filter((pair) => !isSession(nameOf(pair), pair.slice(nameOf(pair).length + 1)));
  const sorted = kept.toSorted((a, b) => order(nameOf(a), nameOf(b)));
  return sorted.length === 0 ? '' : `?${sorted.join('&')}`;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** RFC 3986, 6.2.2: the case of percent-encodings, and those of letters, digits and `-._~`, change nothing. */
function decodedAsFarAsEqual(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[\da-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : written.toUpperCase();
  });
}
