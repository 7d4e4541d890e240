import { decode } from '../../shared/page/read/decode.ts';
import { ownedDomain } from '../../shared/page/domain.ts';
import type { Discovered, Lead, PageKind } from '../storage/frontier.ts';
import { canonicalUrl } from '../../shared/page/canonical-url.ts';
import { type FeedFormat, readFeed } from './feed.ts';
import { isFile, leadTo, seedHostOf } from './discover.ts';
import { scopeOf, type Terms } from './scope.ts';
import { readSitemap, readTextSitemap } from './sitemap.ts';
import { type Hint, hintsOf, type ListOrigin, newestOf, restOf, type UrlList } from './url-list.ts';

/** What came as a body, and what was expected of it. `bytes` are decoded of gzip and the like. */
interface ListBody {
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly expected?: PageKind;
}

interface ListDiscovery {
  readonly discovered: readonly Discovered[];
  /** Not sooner than this after the visit. */
  readonly restMs?: number;
  /** The newest date of an entry that has come. */
  readonly newest?: number;
}

/**
 * What a feed or sitemap lists; undefined for an ordinary page. The first element decides, whatever the Content-Type
 * says: servers send sitemaps as HTML and feeds as text. Never throws.
 */
export function listOf({ url, contentType, bytes, expected }: ListBody): UrlList | undefined {
  const start = decode(bytes.subarray(0, START), { contentType, xml: true }).replace(/^\uFEFF/, '');
  const [, root = '', attributes = ''] = ROOT.exec(start) ?? [];
  if (/^(?:urlset|sitemapindex)$/i.test(root)) return readSitemap(bytes, contentType, url);
  const format = formatOf(root.toLowerCase(), attributes, start);
  if (format) return readFeed(decode(bytes, { contentType, xml: true }).trimStart(), format, url);
  if (/^\s*\{/.test(start)) return jsonListing(decode(bytes, { contentType }), url);
  return isTextSitemap(start, url, expected) ? readTextSitemap(decode(bytes, { contentType })) : undefined;
}

/** Characters before the first element: licences and style sheets stand there. */
const START = 8_192;
const ROOT =
  /^\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:[\w.-]+:)?([\w.-]+)(?=[\s/>])([^>]*)/i;

/** By its namespace where there are other documents with such an element: who asks for those wants their text. */
function formatOf(root: string, attributes: string, start: string): FeedFormat | undefined {
  if (root === 'rss') return 'rss';
  if (root === 'rdf') return RSS_1.test(start) ? 'rdf' : undefined;
  return root === 'feed' && (ATOM.test(attributes) || !attributes.includes('xmlns')) ? 'atom' : undefined;
}

const ATOM = /https?:\/\/(?:www\.)?(?:w3\.org\/2005\/atom|purl\.org\/atom\/ns#)/i;
/** RSS 1.0, and those of Netscape that were 0.90. */
const RSS_1 = /https?:\/\/(?:purl\.org\/rss\/|(?:my|channel)\.netscape\.com\/rdf\/)/i;

function jsonListing(text: string, url: string): UrlList | undefined {
  return JSON_FEED.test(text) ? readFeed(text, 'json', url) : undefined;
}

const JSON_FEED = /"version"\s*:\s*"https?:(?:\\?\/){2}(?:www\.)?jsonfeed\.org\\?\/version\\?\/1/;

/** A sitemap of lines looks like any text that has addresses only: its name or the crawl has to say what it is. */
function isTextSitemap(start: string, url: string, expected: PageKind | undefined): boolean {
  const isCalledSo = /sitemap[^/]*\.txt(?:\.gz)?$/i.test(URL.parse(url)?.pathname ?? '');
  return (expected === 'sitemap' || isCalledSo) && /^\s*https?:\/\/\S+\s*(?:\n|$)/i.test(start);
}

/** Where the entries of a feed or sitemap lead, those that changed last first. */
export function discoverInList(listing: UrlList, from: ListOrigin): ListDiscovery {
  const hinted: Hinted = {
    listing,
    entries: hintsOf(listing.entries, listing, from).filter(({ target }) => !isFile(target.url)),
    sitemaps: hintsOf(listing.sitemaps, listing, from),
    from,
  };
  const discovered = from.holders
    .map((holder) => ({ sourceId: holder.id, leads: leadsFor(holder, hinted) }))
    .filter(({ leads }) => leads.length > 0);
  const restMs = restOf(listing, from.at);
  const newest = newestOf(listing.entries, from.at);
  return { discovered, ...(restMs > 0 && { restMs }), ...(newest !== undefined && { newest }) };
}

interface Hinted {
  readonly listing: UrlList;
  readonly entries: readonly Hint[];
  readonly sitemaps: readonly Hint[];
  readonly from: ListOrigin;
}

function leadsFor(holder: Terms, { listing, entries, sitemaps, from }: Hinted): Lead[] {
  const { depth } = holder;
  if (depth >= reachOf(holder, listing)) return [];
  const mayLeadTo = followed(holder, listing, from.url);
  const given = { seedHost: seedHostOf(holder), isBaseline: from.isBaseline && from.isFirstVisit };
  const leads: Lead[] = [];
  // The sitemaps of an index are as near as it is, but where nothing else says how deep an index may lie.
  const inIndex = holder.scope === 'page' ? depth + 1 : depth;
  const mayLie = sitemaps.filter(({ target }) => mayLeadTo.sitemap(target.url));
  for (const { target, changedAt, urgency } of mostRecent(mayLie, holder)) {
    leads.push(leadTo(target, { ...given, depth: inIndex, kind: 'sitemap', urgency, changedAt }));
  }
  for (const { target, changedAt: claimed, urgency } of entries) {
    if (!mayLeadTo.entry(target.url)) continue;
    const changedAt = mayLeadTo.isOwn(target.url) || listing.kind === 'sitemap' ? claimed : undefined;
    // Whoever gives a list alone means its entries, on whatever host: those of a feed are seldom on its own.
    const seedHost = holder.scope === 'page' ? target.host : given.seedHost;
    const said = { urgency, changedAt };
    leads.push(leadTo(target, { ...given, seedHost, depth: depth + 1, kind: target.kind, ...said }));
  }
  return leads;
}

/**
 * Some sites have thousands, one for each day of their past: a tenth of what the source may have, or most visits would be
 * of sitemaps. Those that changed last; without dates the first and the last, since some add in front and others behind.
 */
function mostRecent(sitemaps: readonly Hint[], { maxPages }: Terms): readonly Hint[] {
  const most = Math.max(LEAST_SITEMAPS, Math.floor(maxPages / 10));
  if (sitemaps.length <= most) return sitemaps;
  if (sitemaps[0]?.changedAt !== undefined) return sitemaps.slice(0, most);
  return [...sitemaps.slice(0, most / 2), ...sitemaps.slice(-most / 2)];
}

const LEAST_SITEMAPS = 10;

/** Of a list that the operator gave with scope `page`, its entries are what he wants, wherever they are. */
function reachOf({ scope, maxDepth }: Terms, { kind }: UrlList): number {
  if (maxDepth !== null) return maxDepth;
  if (scope !== 'page') return Number.POSITIVE_INFINITY;
  return kind === 'feed' ? 1 : INDEX_LEVELS + 1;
}

/** An index, an index in it (which the protocol does not know, and sites have), and the sitemaps. */
const INDEX_LEVELS = 2;

interface Followed {
  readonly sitemap: (url: URL) => boolean;
  readonly entry: (url: URL) => boolean;
  /** Of the site of the list, or of the source. */
  readonly isOwn: (url: URL) => boolean;
}

/**
 * A feed may point anywhere in the scope, but says of its own site and the seed's only that what is known has changed:
 * else it could have others visited as often as it is read. A sitemap speaks for these two sites only, since the seed's
 * robots.txt may have named it elsewhere; one that the operator gave, for all.
 */
function followed(holder: Terms, { kind }: UrlList, url: string): Followed {
  const isOwn = ownOf(holder, url);
  if (holder.scope === 'page') return { sitemap: () => true, entry: () => true, isOwn };
  const isInScope = scopeOf(holder);
  const isGiven = holder.depth === 0 && isSame(holder.url, url);
  if (kind === 'feed' || isGiven) return { sitemap: () => true, entry: isInScope, isOwn };
  return { sitemap: isOwn, entry: (target) => isOwn(target) && isInScope(target), isOwn };
}

function ownOf(holder: Terms, url: string): Followed['isOwn'] {
  const sites = new Set([url, holder.url].map((own) => ownedDomain(new URL(own).hostname)));
  const known = new Map<string, boolean>();
  return ({ hostname }) => {
    const is = known.get(hostname) ?? sites.has(ownedDomain(hostname));
    known.set(hostname, is);
    return is;
  };
}

function isSame(a: string, b: string): boolean {
  return canonicalUrl(a) === canonicalUrl(b);
}
