/**
 * Domain Rating, 0 to 100: how well known a domain is. Pure functions of a place in a list or of a number of referring
 * domains; both scales are logarithmic and fixed, so that a rating moves when the domain does and not when the rest of
 * the list does. docs/labels.md has the check against other people's numbers.
 *
 * Decided against: PageRank over the own graph. Referring domains tell as much of a site (Cui et al., ACM TWEB 2018;
 * IRLbot, WWW 2008), can be explained to whoever wonders about a number, and need no pass over all links.
 */

/** The place from which on a domain has no rating. */
const LAST_RANK = 10_000_000;
/** Referring domains of a rating of 100. */
const MOST_REFERRING = 1_000_000;

/** Of a place in a list of domains, from 1: 1 → 100, 1,000 → 57, 100,000 → 29. Undefined beyond `LAST_RANK`. */
export function ratingOfRank(rank: number): number | undefined {
  if (rank > LAST_RANK) return undefined;
  return clamped(100 * (1 - Math.log(Math.max(rank, 1)) / Math.log(LAST_RANK)));
}

/**
 * Of the registrable domains known to link to a domain: 1 → 5, 10 → 17, 100 → 33, 1,000 → 50. Undefined when there is
 * none: nothing is known of it.
 */
export function ratingOfReferring(domains: number): number | undefined {
  if (domains < 1) return undefined;
  return clamped((100 * Math.log(1 + domains)) / Math.log(1 + MOST_REFERRING));
}

/** What is known of a domain. */
export interface Standing {
  /** Its rating in the imported list, 0 to 100. */
  readonly imported?: number;
  /** Registrable domains that link to it, among the pages crawled. */
  readonly referring: number;
}

/**
 * The rating of a domain: the better of the two, since a crawl sees a part of the web and a list may be old – both err
 * on the low side. Undefined for a domain that neither knows.
 */
export function ratingOf({ imported, referring }: Standing): number | undefined {
  const own = ratingOfReferring(referring);
  if (imported === undefined || own === undefined) return imported ?? own;
  return Math.max(imported, own);
}

function clamped(rating: number): number {
  return Math.min(100, Math.max(0, Math.round(rating)));
}
