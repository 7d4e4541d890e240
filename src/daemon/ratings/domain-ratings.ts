import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { RatedDomain, Ratings } from '../storage/ratings.ts';
import type { DomainRating, RatingImport, RatingImportPart, RatingStatus } from '../../shared/api/rating.ts';
import { ratingOf, ratingOfReferring } from '../../shared/rating/rating.ts';
import { RATED_DOMAINS } from '../../shared/limits.ts';
import { siteOf } from '../../shared/page/domain.ts';

/**
 * Domain ratings: what the path of a page asks for (`of`), what the operator does with them, and the daily count of
 * the own links. Imports replace the whole list; what they replace is taken off the disk behind their back.
 */
export class DomainRatings {
  readonly #ratings: Ratings;
  readonly #outside: Outside;
  readonly #onError: (what: string, error: unknown) => void;

  constructor(deps: { ratings: Ratings; outside: Outside; onError: (what: string, error: unknown) => void }) {
    this.#ratings = deps.ratings;
    this.#outside = deps.outside;
    this.#onError = deps.onError;
  }

  /** The `dr` of a page: of its registrable domain, the last that `domainsOf` gives. Undefined where none is known. */
  async of(domain: string): Promise<number | undefined> {
    return ratingOf(await this.#ratings.standing(domain));
  }

  async show(name: string): Promise<DomainRating> {
    const domain = siteOf(name);
    if (domain === undefined) throw notADomain('domain', name);
    const standing = await this.#ratings.standing(domain);
    const { imported = null, referring } = standing;
    const own = ratingOfReferring(referring) ?? null;
    return { domain, rating: ratingOf(standing) ?? null, imported, own, referring_domains: referring };
  }

  async status(): Promise<RatingStatus> {
    const { imported, own } = await this.#ratings.ratingSummary();
    return {
      imported: imported ? { ...imported, at: timestamp(imported.at) } : null,
      own: own ? { ...own, at: timestamp(own.at) } : null,
    };
  }

  /** An import that is under way is given up. */
  async begin(name: string): Promise<RatingImport> {
    const list = await this.#ratings.beginRatings(name);
    this.#sweep();
    return { id: String(list), domains: 0 };
  }

  async add(id: string, { domains: given }: RatingImportPart): Promise<RatingImport> {
    const rated = given.map(([name, rating]): RatedDomain => {
      const domain = siteOf(name);
      if (domain === undefined) throw notADomain('domains', name);
      return [domain, rating];
    });
    const domains = await this.#ratings.addRatings(listOf(id), rated);
    if (domains === undefined) throw noSuchImport();
    if (domains > RATED_DOMAINS) {
      await this.giveUp(id);
      throw new Problem('rating_limit_reached', { limit: RATED_DOMAINS });
    }
    return { id, domains };
  }

  async publish(id: string): Promise<RatingStatus> {
    if (!(await this.#ratings.publishRatings(listOf(id), this.#outside.now()))) throw noSuchImport();
    this.#sweep();
    return this.status();
  }

  async giveUp(id: string): Promise<void> {
    await this.#ratings.giveUpRatings(listOf(id));
    this.#sweep();
  }

  /** The own links stay: they are the crawl's. */
  async clear(): Promise<void> {
    await this.#ratings.clearRatings();
    this.#sweep();
  }

  /** Counts the own links, if the last count is a day old. */
  async countIfDue(): Promise<void> {
    const { own } = await this.#ratings.ratingSummary();
    const now = this.#outside.now();
    // A count of the future was made by a clock that was ahead.
    if (own === undefined || own.at > now || own.at <= now - DAY_MS) await this.#ratings.countReferring(now);
  }

  #sweep(): void {
    this.#ratings.sweepRatings().catch((error: unknown) => this.#onError('old ratings could not be removed', error));
  }
}

const DAY_MS = 86_400_000;

/** Ids are numbers as text; no list has a negative one. */
function listOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

function noSuchImport(): Problem<'not_found'> {
  return new Problem('not_found', { resource: 'import, or another one has taken its place' });
}

function notADomain(field: string, name: string): Problem<'invalid_field'> {
  return new Problem('invalid_field', { field, message: `${JSON.stringify(name.slice(0, 100))} is not a domain.` });
}
