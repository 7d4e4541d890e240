import { siteOf } from '../../../src/shared/page/domain.ts';
import { type FrontierTotals, type Lead, NEW_HOST, URGENT } from '../../../src/daemon/storage/frontier.ts';
import {
  asReported,
  bucketOf,
  dayOf,
  dueByHint,
  foreignBudget,
  isListing,
  isOld,
  patternBudget,
  type Places,
} from '../../../src/daemon/storage/frontier-rules.ts';
import { type KnownHost, type KnownPage, type KnownSource, placesOf, UNKNOWN_PAGE } from './known.ts';
import type { KnownWatch } from './known-watches.ts';
import type { MemoryRatings } from './ratings.ts';
import { forgetOldest, type Tombstones, Eviction } from './eviction.ts';

interface Circumstances {
  /** The operator gave it: no budget keeps it out. */
  readonly isSeed?: boolean;
  /** The page that it was found on. */
  readonly hintedBy?: KnownPage | undefined;
}

/** How URLs come into the frontier: within which budgets, and what they say of pages that are there already. */
export class Admission {
  readonly dropped: { -readonly [Reason in keyof FrontierTotals['dropped']]: number } = {
    maxPages: 0,
    hostBudget: 0,
    patternBudget: 0,
  };
  readonly #hosts: Map<string, KnownHost>;
  readonly #pages: Map<number, KnownPage>;
  readonly #ratings: MemoryRatings;
  readonly #retired: Tombstones = new Map();
  /** Pages that were new, since the beginning. */
  added = 0;
  #nextId = 1;
  #nextHost = 1;

  constructor(hosts: Map<string, KnownHost>, pages: Map<number, KnownPage>, ratings: MemoryRatings) {
    this.#hosts = hosts;
    this.#pages = pages;
    this.#ratings = ratings;
  }

  find(host: string, hash: number): KnownPage | undefined {
    return this.#hosts.get(host)?.pages.get(hash);
  }

  /** Whether the source has let go of pages for it. */
  take(source: KnownSource, leads: readonly Lead[], at: number, { isSeed = false, hintedBy }: Circumstances): boolean {
    const places = placesOf(source);
    const eviction = new Eviction(source, places, at, hintedBy);
    let hasLeft = false;
    for (const lead of leads) {
      const known = this.find(lead.host, lead.hash);
      if (known && !isSeed) hint(known, lead, at, hintedBy);
      const depth = known?.holders.get(source);
      if (known && depth !== undefined) known.holders.set(source, Math.min(depth, lead.depth));
      else if (isSeed) this.#add(source, lead, at, known);
      else if (this.#hold(source, lead, at, { known, places, eviction })) hasLeft = true;
    }
    if (hasLeft) forgetOldest(this.#retired, source);
    return hasLeft;
  }

  /** Takes the page out, with all that is known of it. */
  forget(page: KnownPage): void {
    this.#pages.delete(page.id);
    page.host.pages.delete(page.hash);
    this.#ratings.unlink(page.id);
    for (const other of this.#pages.values()) {
      if (other.copyOf === page) other.copyOf = undefined;
      if (other.aliasOf === page) other.aliasOf = undefined;
      if (other.hintedBy === page) other.hintedBy = undefined;
    }
  }

  /** What was let go of later than now, by a clock that was ahead, was so now. */
  bringForward(now: number): void {
    for (const holders of this.#retired.values()) {
      for (const [source, at] of holders) holders.set(source, Math.min(at, now));
    }
  }

  forgetSource(source: KnownSource, now: number): void {
    for (const holders of this.#retired.values()) holders.delete(source);
    this.forgetEmptyHosts(now);
  }

  /** The one that is known by this name, or a new one. */
  host(name: string): KnownHost {
    const host = this.#hosts.get(name) ?? newHost(this.#nextHost++, name);
    this.#hosts.set(name, host);
    return host;
  }

  /** One that still rests stays: a source that is removed and added again is no way around a Retry-After. */
  forgetEmptyHosts(now: number): void {
    for (const host of this.#hosts.values()) {
      if (host.pages.size > 0 || host.watches.size > 0) continue;
      host.boilerplate = undefined;
      if (host.state.notBefore <= now && (host.lease?.until ?? 0) <= now) this.#hosts.delete(host.name);
    }
  }

  /** Whether a page has gone for it. What a source has let go of has been told: it is no news when it comes back. */
  #hold(
    source: KnownSource,
    lead: Lead,
    at: number,
    { known, places, eviction }: { known: KnownPage | undefined; places: Places; eviction: Eviction },
  ): boolean {
    const isApart = known?.isApart ?? isListing(lead.kind);
    const isFull = !places.isOpenTo(isApart);
    const retired = this.#retired.get(lead.hash);
    if (isFull && isOld(lead, retired?.get(source))) return false;
    const leaving = isFull ? eviction.next(lead) : undefined;
    const hasRoom = !isFull || leaving !== undefined;
    if (this.#isRefused(hasRoom ? this.#refusal(lead, known, at) : 'maxPages')) return false;
    this.#letGo(leaving, eviction);
    this.#add(source, asReported(lead, retired?.size ?? 0), at, known);
    places.add(isApart);
    return leaving !== undefined;
  }

  #letGo(leaving: KnownPage | undefined, eviction: Eviction): void {
    if (leaving && eviction.letGo(leaving, this.#retired)) this.forget(leaving);
  }

  #isRefused(refusal: keyof FrontierTotals['dropped'] | undefined): boolean {
    if (refusal) this.dropped[refusal] += 1;
    return refusal !== undefined;
  }

  #refusal(lead: Lead, known: KnownPage | undefined, at: number): keyof FrontierTotals['dropped'] | undefined {
    if (known) return undefined;
    const host = this.#hosts.get(lead.host);
    const alike = [...(host?.pages.values() ?? [])].filter((page) => page.bucket === bucketOf(lead.pattern));
    if (alike.length >= patternBudget(alike.filter((page) => page.isFruitful).length)) return 'patternBudget';
    if (!lead.isForeign || !host || host.foreignDay !== dayOf(at)) return undefined;
    const dr = this.#ratings.dr(siteOf(`http://${lead.host}/`) ?? lead.host);
    return host.foreignUrls >= foreignBudget(dr) ? 'hostBudget' : undefined;
  }

  #add(source: KnownSource, lead: Lead, at: number, known: KnownPage | undefined): void {
    const page = known ?? this.#newPage(lead, at);
    page.holders.set(source, lead.depth);
    source.pages.add(page);
    this.#retired.get(lead.hash)?.delete(source);
    page.due = Math.min(page.due, at);
    if (page.urgency < lead.urgency) page.urgency = lead.urgency;
    page.isBaseline &&= lead.isBaseline;
    page.host.earliest = 'stale';
    // Its links are known to others, not to this source.
    if (page.state) page.state = { ...page.state, bodyHash: undefined };
  }

  #newPage(lead: Lead, at: number): KnownPage {
    const host = this.host(lead.host);
    if (lead.isForeign) {
      host.foreignUrls = host.foreignDay === dayOf(at) ? host.foreignUrls + 1 : 1;
      host.foreignDay = dayOf(at);
    }
    const { hash, url, kind, urgency, isBaseline } = lead;
    const place = { id: this.#nextId++, host, hash, url, bucket: bucketOf(lead.pattern), due: at };
    const ways = { kind, isApart: isListing(kind), urgency, isBaseline };
    const page: KnownPage = { ...UNKNOWN_PAGE, ...place, ...ways, holders: new Map() };
    this.#pages.set(page.id, page);
    this.added += 1;
    host.pages.set(hash, page);
    return page;
  }
}

function newHost(key: number, name: string): KnownHost {
  const empty = { pages: new Map<number, KnownPage>(), watches: new Set<KnownWatch>(), state: NEW_HOST, turn: 0 };
  const unknown = { lease: undefined, boilerplate: undefined, earliest: 'stale' } as const;
  return { key, name, ...empty, ...unknown, foreignUrls: 0, foreignDay: 0 };
}

/** A page that is said to have changed since its last visit is due sooner (`dueByHint`). Who gives no date says so of a new page only. */
function hint(page: KnownPage, lead: Lead, at: number, hintedBy: KnownPage | undefined): void {
  if (lead.urgency === URGENT.none) return;
  if (page.state && (lead.changedAt ?? 0) <= page.state.visitedAt) return;
  const { due, state } = page;
  page.due = dueByHint({ due, state: state && { ...state.rate, failures: state.failures } }, at);
  if (page.urgency < lead.urgency) page.urgency = lead.urgency;
  page.host.earliest = 'stale';
  const isSitemapWord = hintedBy?.kind === 'sitemap' && lead.urgency === URGENT.sitemap;
  if (page.state && isSitemapWord) page.hintedBy = hintedBy;
}
