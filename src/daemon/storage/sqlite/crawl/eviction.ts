import { type Lead, URGENT } from '../../frontier.ts';
import { dayOf, evictionsADay, mostTombstones, type Places } from '../../frontier-rules.ts';
import { type PlaceRow } from './frontier-rows.ts';
import { FLAG, urgencyOf } from '../../frontier-coding.ts';
import type { Expendable, HolderStore, TombstoneStore } from './holder-store.ts';
import type { HostStore } from './host-store.ts';
import type { SourceRow, SourceStore } from './source-store.ts';

interface Stores {
  readonly holders: HolderStore;
  readonly hosts: HostStore;
  readonly tombstones: TombstoneStore;
  readonly sources: SourceStore;
}

interface Circumstances {
  readonly at: number;
  /** The page that leads there: its visit is under way. */
  readonly from: number | undefined;
  readonly leads: number;
  readonly places: Places;
}

interface Leaving {
  readonly page: PlaceRow;
  readonly hash: number;
}

/** Empty hosts that are looked at: the most of them have just become so, the others still rest. */
const EMPTY_HOSTS = 200;

/**
 * How one source makes room while URLs come in. One page goes for each that comes: with whole batches, what a feed has
 * made room for would be taken by the links that come next. Who goes is settled when the first one has to.
 */
export class Eviction {
  readonly #stores: Stores;
  readonly #source: SourceRow;
  readonly #given: Circumstances;
  readonly #hosts = new Set<number>();
  /** Of those apart, and of the others, the next to go at the end. */
  readonly #waiting = new Map<boolean, Expendable[]>();
  #fullAt: number | null;
  #left: { readonly day: number; readonly pages: number };
  #gone = 0;
  #tombstones: number;

  constructor(stores: Stores, source: SourceRow, given: Circumstances) {
    this.#stores = stores;
    this.#source = source;
    this.#given = given;
    this.#fullAt = source.fullAt;
    this.#left = { day: source.leftDay, pages: source.leftPages };
    this.#tombstones = source.tombstones;
  }

  /** The page that is to go for this lead; undefined: none may. What was there when the source became full is no news. */
  next(lead: Lead): Leaving | undefined {
    if (lead.changedAt !== undefined && lead.changedAt <= (this.#fullAt ?? -Infinity)) return undefined;
    if (this.#today() >= evictionsADay(this.#source.maxPages, lead)) return undefined;
    const next = this.#first();
    if (!next) this.#fullAt ??= this.#given.at;
    return next;
  }

  letGo({ page, hash }: Leaving): void {
    const { holders, tombstones } = this.#stores;
    const isApart = (page.flags & FLAG.apart) !== 0;
    this.#waiting.get(isApart)?.pop();
    this.#given.places.remove(isApart);
    holders.letGo(page, this.#source.key);
    tombstones.bury(hash, this.#source.key, this.#given.at);
    this.#hosts.add(page.host);
    this.#left = { day: dayOf(this.#given.at), pages: this.#today() + 1 };
    this.#gone += 1;
    this.#tombstones += 1;
  }

  /** It is held again. */
  digUp(hash: number): void {
    this.#stores.tombstones.digUp(hash, this.#source.key);
    this.#tombstones -= 1;
  }

  /** Writes down what has changed; after the new pages of hosts are counted, since empty hosts are forgotten. */
  finish(): void {
    const { key, maxPages, fullAt, tombstones: before } = this.#source;
    const isSame = this.#gone === 0 && this.#tombstones === before && this.#fullAt === fullAt;
    if (isSame) return;
    const { hosts, tombstones, sources } = this.#stores;
    const over = this.#tombstones - mostTombstones(maxPages);
    if (over > 0) this.#tombstones -= tombstones.forgetOldest(key, over);
    sources.countLeft(key, {
      fullAt: this.#fullAt,
      leftDay: this.#left.day,
      leftPages: this.#left.pages,
      tombstones: this.#tombstones,
    });
    for (const host of this.#hosts) hosts.left(host);
    if (this.#hosts.size > 0) hosts.forgetEmpty(EMPTY_HOSTS);
  }

  #today(): number {
    return this.#left.day === dayOf(this.#given.at) ? this.#left.pages : 0;
  }

  /** What nobody could read goes first, where that leaves a place. */
  #first(): Leaving | undefined {
    return (this.#given.places.isFreedBy(true) ? this.#firstOf(true) : undefined) ?? this.#firstOf(false);
  }

  #firstOf(isApart: boolean): Leaving | undefined {
    const waiting = this.#waiting.get(isApart) ?? this.#expendable(isApart);
    this.#waiting.set(isApart, waiting);
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const page = this.#stores.holders.place(next.key);
      if (page && this.#mayGo(page)) return { page, hash: next.hash };
      waiting.pop();
    }
    return undefined;
  }

  #expendable(isApart: boolean): Expendable[] {
    const { hosts, tombstones } = this.#stores;
    // Pages that hosts are leased for are passed over.
    const atMost = this.#given.leads + hosts.leases.size + 1;
    return tombstones.expendable(this.#source.key, isApart, atMost).toReversed();
  }

  /** What is asked for, or said to have changed since the list was made, is visited first. */
  #mayGo(page: PlaceRow): boolean {
    const isUnderWay = page.key === this.#given.from || this.#stores.hosts.leases.get(page.host)?.owner === page.key;
    return !isUnderWay && urgencyOf(page.urgency) === URGENT.none;
  }
}
