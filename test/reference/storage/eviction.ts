import { type Lead, URGENT } from '../../../src/daemon/storage/frontier.ts';
import {
  dayOf,
  evictionsADay,
  isExpendable,
  mostTombstones,
  type Places,
} from '../../../src/daemon/storage/frontier-rules.ts';
import type { KnownPage, KnownSource } from './known.ts';

/** By the hash of the page: the sources that have let go of it, and when. */
export type Tombstones = Map<number, Map<KnownSource, number>>;

/** How one source makes room while URLs come in: who goes is settled when the first one has to. */
export class Eviction {
  readonly #source: KnownSource;
  readonly #at: number;
  readonly #from: KnownPage | undefined;
  readonly #places: Places;
  /** Those apart, and the others. */
  readonly #waiting = new Map<boolean, KnownPage[]>();

  constructor(source: KnownSource, places: Places, at: number, from: KnownPage | undefined) {
    this.#source = source;
    this.#places = places;
    this.#at = at;
    this.#from = from;
  }

  /** The page that is to go for this lead; undefined: none may. What was there when the source became full is no news. */
  next(lead: Lead): KnownPage | undefined {
    const { maxPages, fullAt = -Infinity, left } = this.#source;
    if (lead.changedAt !== undefined && lead.changedAt <= fullAt) return undefined;
    const today = left.day === dayOf(this.#at) ? left.pages : 0;
    if (today >= evictionsADay(maxPages, lead)) return undefined;
    // What nobody could read goes first, where that leaves a place.
    const next = (this.#places.isFreedBy(true) ? this.#firstOf(true) : undefined) ?? this.#firstOf(false);
    if (!next) this.#source.fullAt ??= this.#at;
    return next;
  }

  /** Whether nobody holds it any more. */
  letGo(page: KnownPage, tombstones: Tombstones): boolean {
    const { left } = this.#source;
    const day = dayOf(this.#at);
    this.#source.left = { day, pages: (left.day === day ? left.pages : 0) + 1 };
    const waiting = this.#waiting.get(page.isApart) ?? [];
    this.#waiting.set(
      page.isApart,
      waiting.filter((one) => one !== page),
    );
    this.#places.remove(page.isApart);
    this.#source.pages.delete(page);
    page.holders.delete(this.#source);
    page.host.earliest = 'stale';
    const holders = tombstones.get(page.hash) ?? new Map<KnownSource, number>();
    tombstones.set(page.hash, holders.set(this.#source, this.#at));
    return page.holders.size === 0;
  }

  #firstOf(isApart: boolean): KnownPage | undefined {
    const waiting = this.#waiting.get(isApart) ?? this.#expendable(isApart);
    this.#waiting.set(isApart, waiting);
    return waiting.find((page) => this.#mayGo(page));
  }

  #expendable(isApart: boolean): KnownPage[] {
    const pages = [...this.#source.pages].filter((page) => page.isApart === isApart && isQuiet(page, this.#source));
    return pages.toSorted(furthestFirst);
  }

  /** What is asked for, or said to have changed since the list was made, is visited first. */
  #mayGo(page: KnownPage): boolean {
    return page !== this.#from && page.host.lease?.holder !== page.id && page.urgency === URGENT.none;
  }
}

/** Forgets the oldest tombstones of the source, beyond those it may have. */
export function forgetOldest(tombstones: Tombstones, source: KnownSource): void {
  const its = [...tombstones].flatMap(([hash, holders]) => {
    const at = holders.get(source);
    return at === undefined ? [] : [{ hash, at }];
  });
  const over = Math.max(0, its.length - mostTombstones(source.maxPages));
  const oldest = its.toSorted((one, other) => one.at - other.at || one.hash - other.hash).slice(0, over);
  for (const { hash } of oldest) tombstones.get(hash)?.delete(source);
}

function isQuiet(page: KnownPage, source: KnownSource): boolean {
  const isKnownWell = page.answers.length > 1 || (page.state?.failures ?? 0) > 0;
  return isExpendable(page.kind, isKnownWell) && page.holders.get(source) !== 0 && page.urgency === URGENT.none;
}

function furthestFirst(one: KnownPage, other: KnownPage): number {
  return other.due - one.due || other.id - one.id;
}
