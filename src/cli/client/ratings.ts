import type { DomainRating, RatingImport, RatingStatus } from '../../shared/api/rating.ts';
import type { RatedName } from './rating-upload.ts';
import { type Guard, isDomainRating, isRatingImport, isRatingStatus } from './shape.ts';

/** How an endpoint of the operator's is asked; `tell` is for those that answer nothing. */
export interface Asking {
  readonly ask: <Item>(guard: Guard<Item>, method: string, path: string, body?: object) => Promise<Item>;
  /** Where there is more in the answer than `data`. */
  readonly askWhole: Asking['ask'];
  readonly tell: (method: string, path: string, body?: object) => Promise<void>;
}

/** The endpoints below `/admin/ratings`, one method each. @throws as `Client` */
export class RatingEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async status(): Promise<RatingStatus> {
    return this.#asking.ask(isRatingStatus, 'GET', '/admin/ratings');
  }

  async show(domain: string): Promise<DomainRating> {
    return this.#asking.ask(isDomainRating, 'GET', `/admin/ratings/domains/${encodeURIComponent(domain)}`);
  }

  async clear(): Promise<void> {
    await this.#asking.tell('DELETE', '/admin/ratings');
  }

  async begin(name: string): Promise<RatingImport> {
    return this.#asking.ask(isRatingImport, 'POST', '/admin/ratings/imports', { name });
  }

  async add(id: string, domains: readonly RatedName[]): Promise<RatingImport> {
    return this.#asking.ask(isRatingImport, 'POST', `${pathOf(id)}/domains`, { domains });
  }

  async publish(id: string): Promise<RatingStatus> {
    return this.#asking.ask(isRatingStatus, 'POST', `${pathOf(id)}/publish`, {});
  }

  async giveUp(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }
}

function pathOf(id: string): string {
  return `/admin/ratings/imports/${encodeURIComponent(id)}`;
}
