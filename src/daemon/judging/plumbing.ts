import { hashOf } from '../../shared/page/history.ts';
import type { Origin } from '../discovery/discover.ts';
import { discoverInList } from '../discovery/feeds-and-sitemaps.ts';
import { type UrlList } from '../discovery/url-list.ts';
import type { PackedVersion } from '../storage/pages.ts';
import type { Case, PageFinding } from './case.ts';
import { failed } from './refusals.ts';
import { packed, unpacked } from './versions.ts';

/**
 * A feed or a sitemap that tells the crawl where to go, and nobody else anything: its entries are visited, and those
 * visits are the news. Of its last version no more is kept than tells whether an entry is new. One that breaks off is
 * read as far as it goes; one of which nothing can be read is a failed visit, and the first that can is the first.
 */
export function analyzeList(given: Case, listing: UrlList): PageFinding {
  const { problem } = listing;
  if (problem !== undefined && listing.entries.length + listing.sitemaps.length === 0)
    return failed('malformed', problem);
  const known = knownOf(given.last);
  const entries = lowest([...listing.entries, ...listing.sitemaps].map(({ url }) => url));
  const isNew = hasNew(entries, known);
  const isKept = known !== undefined && !isNew && entries.length === known.length;
  return {
    outcome: isNew ? 'changed' : 'unchanged',
    ...listed(given, listing),
    ...(problem !== undefined && { detail: problem }),
    ...(!isKept && { version: versionOf(given, entries) }),
    isMainChange: isNew,
  };
}

/** Where a list leads. */
export function listed(given: Case, listing: UrlList): Pick<PageFinding, 'kind' | 'discovered' | 'hints'> {
  const { discovered, restMs } = discoverInList(listing, { ...originOf(given), trust: given.trust });
  return { kind: listing.kind, discovered, ...(restMs !== undefined && { hints: { restMs } }) };
}

export function originOf({ fetched, kind, at, isFirstVisit, isBaseline, holders }: Case): Origin {
  return { url: fetched.url, kind, at, isFirstVisit, isBaseline, holders };
}

/** In the place of an extractor: the version of a page has one from 1 on, and none of them reads this. */
export const LISTING = 0;

/**
 * Hashes of entries that are kept: the lowest of them all. A list with more is known by a sample, and a sample shows in
 * what is new how often something is.
 */
const KNOWN = 1_024;

function lowest(urls: readonly string[]): readonly number[] {
  const hashes = Uint32Array.from(urls, hashOf).toSorted();
  return [...new Set(hashes)].slice(0, KNOWN);
}

/** What came in below the highest that is known; beyond it something may only have moved up. */
function hasNew(entries: readonly number[], known: readonly number[] | undefined): boolean {
  if (known === undefined) return true;
  const all = new Set(known);
  const highest = known.length < KNOWN ? Infinity : (known.at(-1) ?? Infinity);
  return entries.some((entry) => entry <= highest && !all.has(entry));
}

function versionOf({ fetched: { url, contentType }, at }: Case, entries: readonly number[]): PackedVersion {
  const page = packed(JSON.stringify(entries));
  return { url, contentType, extractor: LISTING, at, page, history: '{}', body: new Uint8Array() };
}

function knownOf(last: PackedVersion | undefined): readonly number[] | undefined {
  return last?.extractor === LISTING ? (JSON.parse(unpacked(last.page).toString()) as readonly number[]) : undefined;
}
