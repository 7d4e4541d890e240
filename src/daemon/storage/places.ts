import type { PageKind } from './frontier.ts';
import type { Visit } from './pages.ts';

/**
 * The places that a source has: `--max-pages`. Feeds, sitemaps, and pages that nobody could read yet stand apart and take
 * none, as long as they are no more than the places themselves. Without that bound, a site of addresses that all fail would
 * have a source hold any number of them.
 */
export class Places {
  readonly #most: number;
  #pages: number;
  #apart: number;

  /** `pages`: all that the source holds. */
  constructor({
    maxPages,
    pages,
    apart,
  }: {
    readonly maxPages: number;
    readonly pages: number;
    readonly apart: number;
  }) {
    this.#most = maxPages;
    this.#pages = pages;
    this.#apart = apart;
  }

  get pages(): number {
    return this.#pages;
  }

  get apart(): number {
    return this.#apart;
  }

  get taken(): number {
    return this.#pages - Math.min(this.#apart, this.#most);
  }

  /** Whether one more may come without another one going. */
  isOpenTo(isApart: boolean): boolean {
    return this.taken < this.#most || (isApart && this.#apart < this.#most);
  }

  /** Whether a page that goes leaves a place behind. */
  isFreedBy(isApart: boolean): boolean {
    return !isApart || this.#apart > this.#most;
  }

  add(isApart: boolean): void {
    this.#pages += 1;
    if (isApart) this.#apart += 1;
  }

  remove(isApart: boolean): void {
    this.#pages -= 1;
    if (isApart) this.#apart -= 1;
  }
}

/** Such a page leads to others and has no text of its own: it is known by its kind before anybody has visited it. */
export function isListing(kind: PageKind): boolean {
  return kind === 'feed' || kind === 'sitemap';
}

/** Whether the page stands apart after a visit; `before`: whether it did, undefined if this is its first visit. */
export function isApartAfter(
  { outcome }: Pick<Visit, 'outcome'>,
  kind: PageKind,
  before: boolean | undefined,
): boolean {
  return isListing(kind) || (outcome === 'failed' && before !== false);
}
