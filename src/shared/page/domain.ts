import { getDomain, parse } from 'tldts';
import { DOMAIN_LENGTH, PAGE_LINKED_DOMAINS } from '../limits.ts';
import type { Page } from './page.ts';

/**
 * The values of the query field `domain`: the host, and every parent of it down to the registrable domain, in lower
 * case. `www.` is kept in the host and absent from the parents. An IP address, a host without a registrable domain
 * (`localhost`) and a public suffix stand alone. Empty for what is no URL with a host.
 *
 * Private entries of the Public Suffix List (`github.io`) do not count as suffixes: whoever asks for `github.io`
 * means all of it.
 */
export function domainsOf(url: string): string[] {
  const hostname = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  if (hostname === '') return [];
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: false });
  if (isIp === true) return [hostname.replace(/^\[|\]$/g, '')];
  if (domain === null) return [hostname];
  const labels = hostname.split('.');
  const parents = labels.map((_, index) => labels.slice(index).join('.')).filter((name) => name.endsWith(domain));
  return parents.filter((name, index) => index === 0 || name === domain || !name.startsWith('www.'));
}

/**
 * The registrable domain of a host, the last value that `domainsOf` gives: what ratings are about. Hosts without one
 * (an IP address, `localhost`) stand for themselves. Takes a host or a URL in any case, also in Unicode; undefined for
 * what is neither.
 */
export function siteOf(hostOrUrl: string): string | undefined {
  if (hostOrUrl.includes('://')) return domainsOf(hostOrUrl).at(-1);
  if (NO_HOST.test(hostOrUrl) || BARE_NUMBER.test(hostOrUrl) || hostOrUrl.length > DOMAIN_LENGTH) return undefined;
  return domainsOf(`http://${IPV6.test(hostOrUrl) ? `[${hostOrUrl}]` : hostOrUrl}/`).at(-1);
}

/** What begins another part of a URL or stands in no name, an empty label, and a colon that is not an IPv6 address's. */
const NO_HOST = /[\s/?#@\\[\]<>^|%"',;*]|^\.|\.\.|^[^:]*:[^:]*$/;
/** URLs read these as an IPv4 address: `2`, `0x7f`, `10.1`. */
const BARE_NUMBER = /^(?:0x[\da-f]*|\d+(?:\.\d+){0,2})\.?$/i;
const IPV6 = /^[\da-f]*:[\da-f:.]*$/i;

/**
 * The domain that one owner has: as `siteOf`, but private entries of the Public Suffix List count, too, so that
 * `a.github.io` and `b.github.io` are two. Takes a URL's hostname; one without such a domain stands for itself.
 */
export function ownedDomain(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** What a page says of other sites: the registrable domain it was read at, and those its content links to. */
export interface DomainLinks {
  readonly from: string;
  /** Each once, `from` left out, at most `PAGE_LINKED_DOMAINS`, in reading order. */
  readonly to: readonly string[];
}

/**
 * The sites that a page speaks for. A link counts when it has a text and stands in the content: the boilerplate of a site
 * repeats the same few links on each page, and nobody wrote them about what the page is about. A page that asks robots
 * not to follow its links speaks for nobody. Undefined for a page without a host.
 */
export function linkedDomains(page: Page): DomainLinks | undefined {
  const from = siteOf(page.url);
  if (from === undefined) return undefined;
  if (page.facts.robots.some((directive) => directive === 'nofollow' || directive === 'none')) return { from, to: [] };
  const to = new Set<string>();
  const seen = new Set<string>();
  for (const { href, zone } of page.anchors) {
    if (zone === 'chrome') continue;
    const { origin } = new URL(href);
    if (seen.has(origin)) continue;
    seen.add(origin);
    const site = siteOf(href);
    if (site !== undefined && site !== from) to.add(site);
    if (to.size === PAGE_LINKED_DOMAINS) break;
  }
  return { from, to: [...to] };
}
