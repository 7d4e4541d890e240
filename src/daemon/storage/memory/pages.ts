import type { AppendedEvent } from '../event-log.ts';
import type {
  Discovered,
  DuePage,
  DuePages,
  FrontierSource,
  LastVisit,
  Pages,
  PageTotals,
  SourceSummary,
  StoredVersion,
  Visit,
} from '../pages.ts';
import type { MemoryEventLog } from './event-log.ts';
import type { MemoryRatings } from './ratings.ts';

interface KnownSource {
  readonly id: string;
  everyMs: number;
  readonly maxPages: number;
  readonly pages: Set<KnownPage>;
  visits: number;
  last: LastVisit | undefined;
}

interface KnownPage {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  due: number;
  bodyHash: string | undefined;
  failures: number;
  doubtedAt: number | undefined;
  version: StoredVersion | undefined;
  readonly holders: Set<KnownSource>;
}

export class MemoryPages implements Pages {
  readonly #log: MemoryEventLog;
  readonly #ratings: MemoryRatings;
  readonly #sources = new Map<string, KnownSource>();
  readonly #pages = new Map<number, KnownPage>();
  readonly #byUrl = new Map<string, KnownPage>();
  readonly #furniture = new Map<string, Uint8Array>();
  readonly #counters = { visits: 0, changes: 0, failures: 0 };
  #nextId = 1;

  constructor(log: MemoryEventLog, ratings: MemoryRatings) {
    this.#log = log;
    this.#ratings = ratings;
  }

  async addSource(source: FrontierSource, seed: string, at: number): Promise<void> {
    const known = this.#sources.get(source.id);
    if (known) {
      known.everyMs = source.everyMs;
      return;
    }
    if (!URL.canParse(seed)) throw new Error(`the seed is no URL: ${seed}`);
    const added: KnownSource = { ...source, pages: new Set(), visits: 0, last: undefined };
    this.#sources.set(source.id, added);
    this.#hold(added, seed, at);
  }

  async removeSource(sourceId: string): Promise<void> {
    const source = this.#sources.get(sourceId);
    if (!source) return;
    this.#sources.delete(sourceId);
    for (const page of source.pages) {
      page.holders.delete(source);
      if (page.holders.size > 0) continue;
      this.#pages.delete(page.id);
      this.#ratings.unlink(page.id);
      this.#byUrl.delete(page.url);
      if ([...this.#pages.values()].every(({ host }) => host !== page.host)) this.#furniture.delete(page.host);
    }
  }

  async sources(): Promise<SourceSummary[]> {
    return [...this.#sources.values()].map(({ id, pages, visits, last }) => {
      const nextDue = earliest([...pages].map((page) => page.due));
      return { id, pages: pages.size, visits, nextDue, last };
    });
  }

  async due({ now, atMost, busyHosts }: Parameters<Pages['due']>[0]): Promise<DuePages> {
    const first = new Map<string, KnownPage>();
    for (const page of this.#pages.values()) {
      const rival = first.get(page.host);
      if (!rival || page.due < rival.due) first.set(page.host, page);
    }
    const pages = [...first.values()]
      .filter((page) => page.due <= now && !busyHosts.includes(page.host))
      .toSorted((one, other) => one.due - other.due)
      .slice(0, atMost)
      .map(toDuePage);
    const later = [...this.#pages.values()].map((page) => page.due).filter((due) => due > now);
    return { pages, nextAt: earliest(later) };
  }

  async bringForward(now: number): Promise<number> {
    const late = [...this.#pages.values()].filter((page) => page.due > now + toDuePage(page).everyMs);
    for (const page of late) page.due = now;
    return late.length;
  }

  async version(pageId: number): Promise<StoredVersion | undefined> {
    const version = this.#pages.get(pageId)?.version;
    return version && { ...version, body: version.body.slice() };
  }

  async furniture(host: string): Promise<Uint8Array | undefined> {
    return this.#furniture.get(host)?.slice();
  }

  async commit(given: Visit): Promise<AppendedEvent[]> {
    const visit = structuredClone(given);
    const page = this.#pages.get(visit.pageId);
    if (!page) return [];
    const isForAll = [...page.holders].every((source) => visit.sourceIds.includes(source.id));
    page.due = isForAll ? visit.nextDue : visit.at;
    page.failures = visit.outcome === 'failed' ? page.failures + 1 : 0;
    page.doubtedAt = visit.doubtedAt;
    if (visit.linksTo) this.#ratings.link(page.id, visit.linksTo);
    if (visit.furniture) this.#furniture.set(page.host, visit.furniture);
    page.bodyHash = isForAll ? (visit.bodyHash ?? page.bodyHash) : undefined;
    page.version = visit.version ?? page.version;
    this.#count(page, visit);
    for (const found of visit.discovered) this.#discover(found, visit.at);
    return this.#log.append(visit.events, visit.at);
  }

  async totals(now: number): Promise<PageTotals> {
    const due = [...this.#pages.values()].map((page) => page.due).filter((at) => at <= now);
    return { pages: this.#pages.size, ...this.#counters, oldestDue: earliest(due) };
  }

  #count(page: KnownPage, { at, outcome, reason, detail }: Visit): void {
    this.#counters.visits += 1;
    if (outcome === 'changed') this.#counters.changes += 1;
    if (outcome === 'failed') this.#counters.failures += 1;
    const last: LastVisit = {
      url: page.url,
      at,
      outcome,
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
    };
    for (const source of page.holders) {
      source.visits += 1;
      if (!source.last || source.last.at <= at) source.last = last;
    }
  }

  #discover({ sourceId, urls }: Discovered, at: number): void {
    const source = this.#sources.get(sourceId);
    if (!source) return;
    for (const url of urls) {
      if (source.pages.size >= source.maxPages) return;
      if (URL.canParse(url)) this.#hold(source, url, at);
    }
  }

  #hold(source: KnownSource, url: string, at: number): void {
    const page = this.#byUrl.get(url) ?? this.#newPage(url, at);
    if (page.holders.has(source)) return;
    // Its links are known to others, not to this source.
    page.bodyHash = undefined;
    page.holders.add(source);
    source.pages.add(page);
    page.due = Math.min(page.due, at);
  }

  #newPage(url: string, due: number): KnownPage {
    const id = this.#nextId++;
    const { host } = new URL(url);
    const fresh = { bodyHash: undefined, failures: 0, doubtedAt: undefined, version: undefined };
    const page: KnownPage = { id, url, host, due, ...fresh, holders: new Set() };
    this.#pages.set(id, page);
    this.#byUrl.set(url, page);
    return page;
  }
}

function toDuePage({ id, url, host, due, bodyHash, failures, doubtedAt, holders }: KnownPage): DuePage {
  const everyMs = earliest([...holders].map((source) => source.everyMs)) ?? 0;
  const sourceIds = [...holders].map((source) => source.id);
  return { id, url, host, due, everyMs, sourceIds, bodyHash, failures, doubtedAt };
}

/** Not `Math.min(...)`: a site of a hundred thousand pages has more values than a call may have arguments. */
function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time));
}
