import type { DatabaseSync } from 'node:sqlite';
import { PATTERN_PAGES } from '../../../../shared/limits.ts';
import { type Discovered, type FrontierTotals, type Lead, URGENT } from '../../frontier.ts';
import {
  asReported,
  bucketOf,
  dayOf,
  dueByHint,
  foreignBudget,
  isListing,
  isOld,
  patternBudget,
  Places,
} from '../../frontier-rules.ts';
import { formerHash, type HostRow, PLACE, type PlaceRow } from './frontier-rows.ts';
import { codeOf, FLAG, shortUrl, urgencyOf, wholeUrl } from '../../frontier-coding.ts';
import type { HolderStore, Tombstone, TombstoneStore } from './holder-store.ts';
import type { HostStore } from './host-store.ts';
import type { SourceRow, SourceStore } from './source-store.ts';
import { Eviction } from './eviction.ts';
import type { VisitedStore } from './visited-store.ts';

export interface Admission {
  readonly sourceId: string;
  readonly leads: readonly Lead[];
  readonly at: number;
  /** The operator gave them: no budget keeps them out. */
  readonly isSeed?: boolean;
  /** The page that leads there, as its visit found it. */
  readonly from?: PlaceRow;
}

interface Stores {
  readonly hosts: HostStore;
  readonly holders: HolderStore;
  readonly tombstones: TombstoneStore;
  readonly sources: SourceStore;
  readonly visited: VisitedStore;
  /** Domain Rating of a host; 0 when nobody knows it. */
  readonly dr: (host: string) => number;
}

type Refusal = keyof FrontierTotals['dropped'];

/** What one call has changed and not yet written: sums, so that a thousand URLs are not a thousand updates of one row. */
interface Tally {
  readonly at: number;
  readonly isSeed: boolean;
  readonly source: SourceRow;
  readonly sitemap: number | undefined;
  readonly eviction: Eviction;
  readonly places: Places;
  readonly hosts: Map<string, OpenHost>;
  added: number;
  readonly dropped: Record<Refusal, number>;
}

interface Found {
  readonly tally: Tally;
  readonly host: OpenHost | undefined;
  readonly known: PlaceRow | undefined;
  /** The source has let go of it. */
  readonly own: Tombstone | undefined;
}

interface OpenHost {
  row: HostRow;
  pages: number;
  foreignDay: number;
  foreignUrls: number;
}

/**
 * How URLs come into the frontier, in SQL. A page is found by its host and 52 bits of its identity: an index over whole
 * URLs would be as large as the table. Patterns are counted only for hosts that have more pages than one pattern may.
 */
export class AdmissionStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#stores = stores;
  }

  find(host: string, hash: number): PlaceRow | undefined {
    return this.#sql.find.get(host, hash) as unknown as PlaceRow | undefined;
  }

  /** How many pages are new. */
  take({ sourceId, leads, at, isSeed = false, from }: Admission): number {
    const { hosts, sources } = this.#stores;
    const source = sources.find(sourceId);
    if (!source) return 0;
    const dropped = { maxPages: 0, hostBudget: 0, patternBudget: 0 };
    const places = new Places(source);
    const eviction = new Eviction(this.#stores, source, { at, from: from?.key, leads: leads.length, places });
    const sitemap = from?.kind === codeOf('sitemap') ? from.key : undefined;
    const tally = { source, at, isSeed, sitemap, eviction, places, hosts: new Map(), added: 0, dropped };
    for (const lead of leads) this.#hold(lead, tally);
    sources.grow(source.key, { pages: places.pages - source.pages, apart: places.apart - source.apart });
    this.#sql.count.run(tally.added, tally.added, dropped.maxPages, dropped.hostBudget, dropped.patternBudget);
    for (const { row, pages, foreignDay, foreignUrls } of tally.hosts.values()) {
      if (pages > 0) hosts.countPages(row.key, pages);
      if (foreignDay !== row.foreignDay || foreignUrls !== row.foreignUrls) {
        hosts.countForeign(row.key, foreignDay, foreignUrls);
      }
      hosts.refresh(row.key);
    }
    eviction.finish();
    return tally.added;
  }

  #hold(lead: Lead, tally: Tally): void {
    const { source, at, isSeed, sitemap } = tally;
    const host = this.#host(lead.host, tally);
    const known = host && this.#known(host.row, lead);
    if (known && !isSeed) this.#hint(known, lead, at, sitemap);
    if (known && this.#isHeld(known, source.key, lead.depth)) return;
    const tombstones = this.#stores.tombstones.tombstones(lead.hash);
    const own = tombstones.find((one) => one.source === source.key);
    if (!this.#isLetIn(lead, { tally, host, known, own })) return;
    if (own) tally.eviction.digUp(lead.hash);
    const shown = asReported(lead, isSeed ? 0 : tombstones.length);
    if (known) this.#share(known, shown, tally);
    else this.#add(shown, tally, host);
    tally.places.add(isApart(lead, known));
  }

  /** Whether the source holds it already; the smallest depth counts. */
  #isHeld(known: PlaceRow, source: number, depth: number): boolean {
    const { holders } = this.#stores;
    const before = holders.depthIn(known, source);
    if (before !== undefined && depth < before) holders.setDepth(known, source, depth);
    return before !== undefined;
  }

  /** Counts it where it is not, and makes room for it where it has to. */
  #isLetIn(lead: Lead, where: Found): boolean {
    const { tally, known } = where;
    if (tally.isSeed) return true;
    const hasPlace = tally.places.isOpenTo(isApart(lead, known));
    if (!hasPlace && isOld(lead, where.own?.at)) return false;
    const leaving = hasPlace ? undefined : tally.eviction.next(lead);
    const refusal = !hasPlace && !leaving ? 'maxPages' : this.#refusal(lead, where);
    if (refusal) tally.dropped[refusal] += 1;
    else if (leaving) tally.eviction.letGo(leaving);
    return refusal === undefined;
  }

  #host(name: string, tally: Tally): OpenHost | undefined {
    const open = tally.hosts.get(name);
    if (open) return open;
    const row = this.#stores.hosts.find(name);
    return row && opened(row, tally);
  }

  /** Pages from before identities were kept are known by their whole URL, until they are found by it. */
  #known(host: HostRow, lead: Lead): PlaceRow | undefined {
    const known = this.#sql.known.get(host.key, lead.hash) as unknown as PlaceRow | undefined;
    if (known || host.isOld === 0) return known;
    const former = this.#sql.known.get(host.key, formerHash(lead.url)) as unknown as PlaceRow | undefined;
    if (!former || wholeUrl(former.url, host.name) !== lead.url) return undefined;
    this.#sql.adopt.run(lead.hash, former.key);
    return former;
  }

  #refusal(lead: Lead, { tally: { at }, host, known }: Found): Refusal | undefined {
    if (known || !host) return undefined;
    if (host.row.pages + host.pages >= PATTERN_PAGES && this.#isPatternFull(host, bucketOf(lead.pattern))) {
      return 'patternBudget';
    }
    if (!lead.isForeign || host.foreignDay !== dayOf(at) || host.foreignUrls < foreignBudget(0)) return undefined;
    return host.foreignUrls >= foreignBudget(this.#stores.dr(lead.host)) ? 'hostBudget' : undefined;
  }

  #isPatternFull(host: OpenHost, bucket: number): boolean {
    if (host.row.isCounted === 0) {
      this.#sql.countPatterns.run(FLAG.fruitful, FLAG.fruitful, host.row.key);
      this.#sql.setCounted.run(host.row.key);
      host.row = { ...host.row, isCounted: 1 };
    }
    const found = this.#sql.pattern.get(host.row.key, bucket) as { pages: number; fruitful: number } | undefined;
    return found !== undefined && found.pages >= patternBudget(found.fruitful);
  }

  #add(lead: Lead, tally: Tally, host = opened(this.#stores.hosts.add(lead.host), tally)): void {
    const { source, at } = tally;
    const urgency = source.isPaused === 0 ? lead.urgency : ~lead.urgency;
    const bucket = bucketOf(lead.pattern);
    const flags = (lead.isBaseline ? FLAG.baseline : 0) | (isListing(lead.kind) ? FLAG.apart : 0);
    const url = shortUrl(lead.url, host.row.name);
    const place = [host.row.key, lead.hash, url, at, urgency, codeOf(lead.kind)] as const;
    this.#sql.add.run(...place, lead.depth, source.key, bucket, flags);
    tally.added += 1;
    host.pages += 1;
    if (host.row.isCounted !== 0) this.#sql.countPattern.run(host.row.key, bucket);
    if (!lead.isForeign) return;
    host.foreignUrls = host.foreignDay === dayOf(at) ? host.foreignUrls + 1 : 1;
    host.foreignDay = dayOf(at);
  }

  #share(known: PlaceRow, lead: Lead, { source, at }: Tally): void {
    const { holders, visited } = this.#stores;
    holders.add(known, source.key, lead.depth);
    const urgency = Math.max(urgencyOf(known.urgency), lead.urgency);
    const flags = lead.isBaseline ? known.flags : known.flags & ~FLAG.baseline;
    this.#sql.share.run(at, known.urgency < 0 ? ~urgency : urgency, flags | FLAG.shared, known.key);
    holders.settle(known.key);
    // Its links are known to others, not to this source.
    visited.forgetBody(known.key);
  }

  /** A page that is said to have changed since its last visit is due sooner (`dueByHint`). Who gives no date says so of a new page only. */
  #hint(known: PlaceRow, lead: Lead, at: number, sitemap: number | undefined): void {
    if (lead.urgency === URGENT.none) return;
    const state = (known.flags & FLAG.visited) === 0 ? undefined : this.#stores.visited.get(known.key);
    if (state && (lead.changedAt ?? 0) <= state.visitedAt) return;
    const urgency = Math.max(urgencyOf(known.urgency), lead.urgency);
    this.#sql.hint.run(dueByHint({ due: known.due, state }, at), known.urgency < 0 ? ~urgency : urgency, known.key);
    if (state && sitemap !== undefined && lead.urgency === URGENT.sitemap) {
      this.#stores.visited.setHintedBy(known.key, sitemap);
    }
  }
}

function isApart(lead: Lead, known: PlaceRow | undefined): boolean {
  return known ? (known.flags & FLAG.apart) !== 0 : isListing(lead.kind);
}

function opened(row: HostRow, tally: Tally): OpenHost {
  const open = { row, pages: 0, foreignDay: row.foreignDay, foreignUrls: row.foreignUrls };
  tally.hosts.set(row.name, open);
  return open;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    find: sql(
      `SELECT ${PLACE} FROM hosts JOIN pages ON pages.host = hosts.key AND pages.hash = ?2 WHERE hosts.name = ?1`,
    ),
    known: sql(`SELECT ${PLACE} FROM pages WHERE host = ? AND hash = ?`),
    adopt: sql('UPDATE pages SET hash = ? WHERE key = ?'),
    add: sql(`INSERT INTO pages (host, hash, url, due, urgency, kind, depth, source, bucket, flags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    share: sql('UPDATE pages SET due = min(due, ?), urgency = ?, flags = ? WHERE key = ?'),
    hint: sql('UPDATE pages SET due = ?, urgency = ? WHERE key = ?'),
    count: sql(`UPDATE counters SET pages = pages + ?, unvisited = unvisited + ?,
      dropped_max_pages = dropped_max_pages + ?, dropped_host = dropped_host + ?, dropped_pattern = dropped_pattern + ?`),
    pattern: sql('SELECT pages, fruitful FROM patterns WHERE host = ? AND bucket = ?'),
    countPattern: sql(`INSERT INTO patterns (host, bucket, pages, fruitful) VALUES (?, ?, 1, 0)
      ON CONFLICT DO UPDATE SET pages = pages + 1`),
    countPatterns: sql(`INSERT INTO patterns (host, bucket, pages, fruitful)
      SELECT host, bucket, count(*), sum((flags & ?) / ?) FROM pages WHERE host = ? GROUP BY bucket`),
    setCounted: sql('UPDATE hosts SET is_counted = 1 WHERE key = ?'),
  };
}

/** URLs that a step takes in. */
export const LEADS_A_STEP = 500;

export function inPortions(found: readonly Discovered[], how: Omit<Admission, 'sourceId' | 'leads'>): Admission[] {
  return found.flatMap(({ sourceId, leads }) => {
    const count = Math.ceil(leads.length / LEADS_A_STEP);
    return Array.from({ length: count }, (_, index) => {
      return { ...how, sourceId, leads: leads.slice(index * LEADS_A_STEP, (index + 1) * LEADS_A_STEP) };
    });
  });
}
