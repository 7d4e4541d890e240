import { siteOf } from '../../../shared/page/domain.ts';
import { type FrontierTotals, type Lead, NEW_HOST, URGENT } from '../frontier.ts';
import { bucketOf, DAY_MS, foreignBudget, patternBudget } from '../frontier-rules.ts';
import { type KnownHost, type KnownPage, type KnownSource, UNKNOWN_PAGE } from './known.ts';
import type { MemoryRatings } from './ratings.ts';

interface Circumstances {
  /** The operator gave it: no budget keeps it out. */
  readonly isSeed?: boolean;
  /** The page that it was found on. */
  readonly hinter?: KnownPage | undefined;
}

/** How URLs come into the frontier: within which budgets, and what they say of pages that are there already. */
export class Intake {
  readonly dropped: { -readonly [Reason in keyof FrontierTotals['dropped']]: number } = {
    maxPages: 0,
    hostBudget: 0,
    patternBudget: 0,
  };
  readonly #hosts: Map<string, KnownHost>;
  readonly #pages: Map<number, KnownPage>;
  readonly #ratings: MemoryRatings;
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

  hold(source: KnownSource, lead: Lead, at: number, { isSeed = false, hinter }: Circumstances): void {
    const known = this.find(lead.host, lead.hash);
    if (known && !isSeed) hint(known, lead, at, hinter);
    const depth = known?.holders.get(source);
    if (known && depth !== undefined) {
      known.holders.set(source, Math.min(depth, lead.depth));
      return;
    }
    const refusal = isSeed ? undefined : this.#refusal(source, lead, known, at);
    if (refusal) this.dropped[refusal] += 1;
    else this.#add(source, lead, at, known);
  }

  #refusal(
    source: KnownSource,
    lead: Lead,
    known: KnownPage | undefined,
    at: number,
  ): keyof FrontierTotals['dropped'] | undefined {
    if (source.pages.size >= source.maxPages) return 'maxPages';
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
    page.due = Math.min(page.due, at);
    if (page.urgency < lead.urgency) page.urgency = lead.urgency;
    page.isBaseline &&= lead.isBaseline;
    page.host.earliest = 'stale';
    // Its links are known to others, not to this source.
    if (page.state) page.state = { ...page.state, bodyHash: undefined };
  }

  #newPage(lead: Lead, at: number): KnownPage {
    const host = this.#hosts.get(lead.host) ?? newHost(this.#nextHost++, lead.host);
    this.#hosts.set(lead.host, host);
    if (lead.isForeign) {
      host.foreignUrls = host.foreignDay === dayOf(at) ? host.foreignUrls + 1 : 1;
      host.foreignDay = dayOf(at);
    }
    const { hash, url, kind, urgency, isBaseline } = lead;
    const place = { id: this.#nextId++, host, hash, url, bucket: bucketOf(lead.pattern), due: at };
    const page: KnownPage = { ...UNKNOWN_PAGE, ...place, kind, urgency, isBaseline, holders: new Map() };
    this.#pages.set(page.id, page);
    host.pages.set(hash, page);
    return page;
  }
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

function newHost(key: number, name: string): KnownHost {
  const empty = { pages: new Map<number, KnownPage>(), state: NEW_HOST, lease: undefined, turn: 0 };
  return { key, name, ...empty, foreignUrls: 0, foreignDay: 0, furniture: undefined, earliest: 'stale' };
}

/** A page that is said to have changed since its last visit is due now. Who gives no date says so of a new page only. */
function hint(page: KnownPage, lead: Lead, at: number, hinter: KnownPage | undefined): void {
  if (lead.urgency === URGENT.none) return;
  if (page.state && (lead.changedAt ?? 0) <= page.state.visitedAt) return;
  page.due = Math.min(page.due, at);
  if (page.urgency < lead.urgency) page.urgency = lead.urgency;
  page.host.earliest = 'stale';
  const isSitemapWord = hinter?.kind === 'sitemap' && lead.urgency === URGENT.sitemap;
  if (page.state && isSitemapWord) page.hinter = hinter;
}
