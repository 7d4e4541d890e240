import { type Static, Type } from 'typebox';
import { DOMAIN_LENGTH, RATINGS_A_REQUEST } from '../limits.ts';

/**
 * An import is begun, gets its domains in as many requests as it takes, and is published: until then the former list
 * holds. Requests of some thousand domains, since one of a million would have to be held in memory or could not be
 * answered before its end.
 */
export const RatingImportCreation = Type.Object({
  /** Where the list comes from, for people: `tranco.csv`. */
  name: Type.String({ minLength: 1, maxLength: 255 }),
});
export type RatingImportCreation = Static<typeof RatingImportCreation>;

export const RatingImportPart = Type.Object({
  /** A domain and its rating, 0 to 100. A host stands for its registrable domain. */
  domains: Type.Array(
    Type.Tuple([Type.String({ minLength: 1, maxLength: DOMAIN_LENGTH }), Type.Integer({ minimum: 0, maximum: 100 })]),
    { maxItems: RATINGS_A_REQUEST },
  ),
});
export type RatingImportPart = Static<typeof RatingImportPart>;

export interface RatingImport {
  readonly id: string;
  /** Domains so far, each counted once. */
  readonly domains: number;
}

/** What is known of a domain; null where nothing is. */
export interface DomainRating {
  /** The registrable domain that was meant. */
  readonly domain: string;
  /** What `dr` is for its pages: the better of the two below. */
  readonly rating: number | null;
  readonly imported: number | null;
  readonly own: number | null;
  /** Domains among those crawled that link to it. */
  readonly referring_domains: number;
}

export interface RatingStatus {
  /** The list that holds; null when none does. */
  readonly imported: { readonly name: string; readonly domains: number; readonly at: string } | null;
  /** The links between the domains crawled, as last counted: domains that another one links to, and such pairs. */
  readonly own: { readonly domains: number; readonly links: number; readonly at: string } | null;
}
