import type { Standing } from '../../shared/rating/rating.ts';

/**
 * What domains are rated by: a list that the operator imported, and the links between the domains of the crawl. The
 * links of a page are part of the commit of its visit (`pages.ts`); they are counted here, now and then.
 *
 * A list comes in many calls and is seen by nobody before it is published, which is one step: until then the former
 * list holds, also when the import breaks off. Whatever is long goes in short transactions: no visit waits for it.
 */
export interface Ratings {
  /** Of a registrable domain, as `siteOf` names it. Of one that nobody knows: nobody refers to it. */
  standing(domain: string): Promise<Standing>;
  /** Begins a list, and gives up one that was begun before and not published. Answers its id. */
  beginRatings(name: string): Promise<number>;
  /**
   * Adds to a list that is not yet published; of a domain that comes twice the better rating counts. How many domains
   * it has now; undefined when there is no such list (any more).
   */
  addRatings(list: number, rated: readonly RatedDomain[]): Promise<number | undefined>;
  /** From now on this list holds and no other; false when there is no such list (any more). */
  publishRatings(list: number, at: number): Promise<boolean>;
  /** Gives up a list that is not yet published. */
  giveUpRatings(list: number): Promise<void>;
  /** From now on no list holds. */
  clearRatings(): Promise<void>;
  /** Removes what was replaced, given up and cleared from the disk. */
  sweepRatings(): Promise<void>;
  /** Counts who refers to whom, as of now. Until then `standing` knows the count before. */
  countReferring(at: number): Promise<void>;
  ratingSummary(): Promise<RatingSummary>;
}

/** A registrable domain, and its rating from 0 to 100. */
export type RatedDomain = readonly [domain: string, rating: number];

export interface RatingSummary {
  /** The list that holds; undefined when none does. */
  readonly imported: { readonly name: string; readonly at: number; readonly domains: number } | undefined;
  /** Of the last count; undefined before the first. */
  readonly own: OwnGraph | undefined;
}

export interface OwnGraph {
  readonly at: number;
  /** Domains that another one links to. */
  readonly domains: number;
  /** Pairs of domains of which one links to the other. */
  readonly links: number;
}
