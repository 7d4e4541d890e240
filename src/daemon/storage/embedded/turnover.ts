import { type Lead, URGENT } from '../frontier.ts';
import { dayOf, tombstones, turnover } from '../frontier-rules.ts';
import { type PlaceRow, urgencyOf } from './frontier-rows.ts';
import type { HolderStore } from './holder-store.ts';
import type { HostStore } from './host-store.ts';
import type { Expendable, RetiredStore } from './retired-store.ts';
import type { SourceRow, SourceStore } from './source-store.ts';

interface Stores {
  readonly holders: HolderStore;
  readonly hosts: HostStore;
  readonly retired: RetiredStore;
  readonly sources: SourceStore;
}

interface Circumstances {
  readonly at: number;
  /** The page that leads there: its visit is under way. */
  readonly from: number | undefined;
  readonly leads: number;
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
export class Turnover {
  readonly #stores: Stores;
  readonly #source: SourceRow;
  readonly #given: Circumstances;
  readonly #hosts = new Set<number>();
  /** The next to go at the end. */
  #waiting: Expendable[] | undefined;
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

  /** Pages that have gone so far. */
  get gone(): number {
    return this.#gone;
  }

  /** The page that is to go for this lead; undefined: none may. What was there when the source became full is no news. */
  next(lead: Lead): Leaving | undefined {
    if (lead.changedAt !== undefined && lead.changedAt <= (this.#fullAt ?? -Infinity)) return undefined;
    if (this.#today() >= turnover(this.#source.maxPages, lead)) return undefined;
    const next = this.#first();
    if (!next) this.#fullAt ??= this.#given.at;
    return next;
  }

  letGo({ page, hash }: Leaving): void {
    const { holders, retired } = this.#stores;
    this.#waiting?.pop();
    holders.letGo(page, this.#source.key);
    retired.bury(hash, this.#source.key, this.#given.at);
    this.#hosts.add(page.host);
    this.#left = { day: dayOf(this.#given.at), pages: this.#today() + 1 };
    this.#gone += 1;
    this.#tombstones += 1;
  }

  /** It is held again. */
  digUp(hash: number): void {
    this.#stores.retired.digUp(hash, this.#source.key);
    this.#tombstones -= 1;
  }

  /** Writes down what has changed; after the new pages of hosts are counted, since empty hosts are forgotten. */
  finish(): void {
    const { key, maxPages, fullAt, tombstones: before } = this.#source;
    const isSame = this.#gone === 0 && this.#tombstones === before && this.#fullAt === fullAt;
    if (isSame) return;
    const { hosts, retired, sources } = this.#stores;
    const over = this.#tombstones - tombstones(maxPages);
    if (over > 0) this.#tombstones -= retired.forgetOldest(key, over);
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

  #first(): Leaving | undefined {
    const { holders, hosts, retired } = this.#stores;
    // Pages that hosts are leased for are passed over.
    this.#waiting ??= retired.expendable(this.#source.key, this.#given.leads + hosts.leases.size + 1).toReversed();
    for (let next = this.#waiting.at(-1); next; next = this.#waiting.at(-1)) {
      const page = holders.place(next.key);
      if (page && this.#mayGo(page)) return { page, hash: next.hash };
      this.#waiting.pop();
    }
    return undefined;
  }

  /** What is asked for, or said to have changed since the list was made, is visited first. */
  #mayGo(page: PlaceRow): boolean {
    const isUnderWay = page.key === this.#given.from || this.#stores.hosts.leases.get(page.host)?.owner === page.key;
    return !isUnderWay && urgencyOf(page.urgency) === URGENT.none;
  }
}
