import type { DomainRating, RatingImport, RatingStatus } from '../../shared/api/rating.ts';
import { type Guard, isDomainRating, isRatingImport, isRatingStatus } from './shape.ts';
import { RATINGS_A_REQUEST, REQUEST_BYTES } from '../../shared/limits.ts';

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

/** A domain, and its rating from 0 to 100. */
type RatedName = readonly [domain: string, rating: number];

/**
 * An import, in requests of as many domains as one may have. It is begun with the first of them, so that a file that
 * cannot be read disturbs nobody, and nothing holds before `publish`.
 */
export class RatingUpload {
  readonly #endpoints: RatingEndpoints;
  readonly #name: string;
  #id: string | undefined;
  #waiting: RatedName[] = [];
  #bytes = 0;
  #underWay: Promise<unknown> = Promise.resolve();

  /** @param name where the list comes from, for people */
  constructor(endpoints: RatingEndpoints, name: string) {
    this.#endpoints = endpoints;
    this.#name = name;
  }

  /** Throws also what became of the domains before. */
  async add(rated: RatedName): Promise<void> {
    this.#waiting.push(rated);
    this.#bytes += rated[0].length + AROUND_BYTES;
    if (this.#waiting.length >= RATINGS_A_REQUEST || this.#bytes >= REQUEST_BYTES / 2) await this.#send();
  }

  async publish(): Promise<RatingStatus> {
    await this.#send();
    await this.#underWay;
    return this.#endpoints.publish(await this.#begun());
  }

  /** As if it had not been begun. */
  async giveUp(): Promise<void> {
    await this.#underWay.catch(() => {});
    if (this.#id !== undefined) await this.#endpoints.giveUp(this.#id);
  }

  async #send(): Promise<void> {
    const part = this.#waiting;
    if (part.length === 0) return;
    this.#waiting = [];
    this.#bytes = 0;
    const id = await this.#begun();
    await this.#underWay;
    // One is under way while the next one is read.
    this.#underWay = this.#endpoints.add(id, part);
    // Whoever waits for it next is told; until then nobody listens.
    this.#underWay.catch(() => {});
  }

  async #begun(): Promise<string> {
    this.#id ??= (await this.#endpoints.begin(this.#name)).id;
    return this.#id;
  }
}

/** `["",100],` */
const AROUND_BYTES = 9;
