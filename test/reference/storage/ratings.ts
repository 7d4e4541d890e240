import { LINKS_PER_DOMAIN } from '../../../src/shared/limits.ts';
import { ratingOf, type Standing } from '../../../src/shared/rating/rating.ts';
import type { DomainLinks } from '../../../src/shared/page/domain.ts';
import type { OwnGraph, RatedDomain, Ratings, RatingSummary } from '../../../src/daemon/storage/ratings.ts';

interface List {
  readonly id: number;
  readonly name: string;
  readonly ratings: Map<string, number>;
  at: number;
}

export class MemoryRatings implements Ratings {
  #coming: List | undefined;
  #current: List | undefined;
  #nextId = 1;
  /** By page. */
  readonly #links = new Map<number, DomainLinks>();
  #referring = new Map<string, number>();
  #own: OwnGraph | undefined;

  async standing(domain: string): Promise<Standing> {
    return this.#standing(domain);
  }

  /** Of a registrable domain; 0 when nobody knows it. */
  dr(domain: string): number {
    return ratingOf(this.#standing(domain)) ?? 0;
  }

  #standing(domain: string): Standing {
    const imported = this.#current?.ratings.get(domain);
    return { ...(imported !== undefined && { imported }), referring: this.#referring.get(domain) ?? 0 };
  }

  async beginRatings(name: string): Promise<number> {
    this.#coming = { id: this.#nextId++, name, ratings: new Map(), at: 0 };
    return this.#coming.id;
  }

  async addRatings(list: number, rated: readonly RatedDomain[]): Promise<number | undefined> {
    if (this.#coming?.id !== list) return undefined;
    const { ratings } = this.#coming;
    for (const [domain, rating] of rated) ratings.set(domain, Math.max(rating, ratings.get(domain) ?? 0));
    return ratings.size;
  }

  async publishRatings(list: number, at: number): Promise<boolean> {
    if (this.#coming?.id !== list) return false;
    this.#current = { ...this.#coming, at };
    this.#coming = undefined;
    return true;
  }

  async giveUpRatings(list: number): Promise<void> {
    if (this.#coming?.id === list) this.#coming = undefined;
  }

  async clearRatings(): Promise<void> {
    this.#current = undefined;
  }

  async sweepRatings(): Promise<void> {}

  async countReferring(at: number): Promise<void> {
    const sources = new Map<string, Set<string>>();
    for (const { from, to } of this.#links.values()) {
      for (const target of to) sources.set(target, (sources.get(target) ?? new Set()).add(from));
    }
    this.#referring = new Map([...sources].map(([target, found]) => [target, found.size]));
    const links = [...this.#referring.values()].reduce((sum, referring) => sum + referring, 0);
    this.#own = { at, domains: this.#referring.size, links };
  }

  async ratingSummary(): Promise<RatingSummary> {
    const list = this.#current;
    const imported = list && { name: list.name, at: list.at, domains: list.ratings.size };
    return { imported, own: this.#own };
  }

  /** Part of the commit of a visit. */
  link(pageId: number, { from, to }: DomainLinks): void {
    this.#links.delete(pageId);
    const used = [...this.#links.values()].filter((links) => links.from === from);
    const room = LINKS_PER_DOMAIN - used.reduce((sum, links) => sum + links.to.length, 0);
    this.#links.set(pageId, { from, to: to.slice(0, room) });
  }

  /** The page is gone. */
  unlink(pageId: number): void {
    this.#links.delete(pageId);
  }
}
