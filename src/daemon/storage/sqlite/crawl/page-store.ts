import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type { HostState } from '../../frontier.ts';
import { type Committed, discoveredBy, type PackedVersion, type Pages, type Visit } from '../../pages.ts';
import { asDeferred, isApartAfter, isExpendable } from '../../frontier-rules.ts';
import { type DuplicateStore, type Likeness, repeats, UNKNOWN } from './duplicate-store.ts';
import { type PlaceRow } from './frontier-rows.ts';
import { codeOf, FLAG, kindOf, wholeUrl } from '../../frontier-coding.ts';
import type { GraphStore } from './ratings-store.ts';
import type { HolderRow, HolderStore } from './holder-store.ts';
import type { HostStore } from './host-store.ts';
import { inPortions, type AdmissionStore, LEADS_A_STEP } from './admission-store.ts';
import type { LogStore } from '../events/event-log-store.ts';
import type { Operations, Step } from '../worker/operation.ts';
import type { RecentChangeStore } from '../events/recent-change-store.ts';
import type { SourceStore } from './source-store.ts';
import type { VisitedRow, VisitedStore } from './visited-store.ts';

interface Stores {
  readonly duplicates: DuplicateStore;
  readonly graph: GraphStore;
  readonly holders: HolderStore;
  readonly hosts: HostStore;
  readonly admission: AdmissionStore;
  readonly log: LogStore;
  readonly recent: RecentChangeStore;
  readonly sources: SourceStore;
  readonly visited: VisitedStore;
}

/** What a visit has shown of its page. */
interface Judged {
  readonly held: readonly HolderRow[];
  readonly isForAll: boolean;
  readonly repetition: Committed['withheld'];
  readonly isFruitful: boolean;
}

/** Visits in SQL: what one of them brings is written here, all of it within the transaction of its group. */
export class PageStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#stores = stores;
  }

  /** The page, if a source still holds it. */
  held(pageId: number): PlaceRow | undefined {
    const page = this.#stores.holders.place(pageId);
    return page && this.#stores.holders.holders(page).length > 0 ? page : undefined;
  }

  release(pageId: number, host: HostState, lease: number | undefined): void {
    if (this.isFenced({ pageId, lease })) return;
    this.#stores.hosts.rest(pageId, this.#stores.holders.place(pageId)?.host, host);
  }

  /** Whether the lease that the visit was made under is over. */
  isFenced({ pageId, lease }: { readonly pageId: number; readonly lease?: number | undefined }): boolean {
    return this.#stores.hosts.isFenced(lease, pageId, this.#stores.holders.place(pageId)?.host);
  }

  /** All but the URLs it led to. Of a page whose sources were removed meanwhile, nothing but what its host can bear. */
  commit(visit: Visit): Committed {
    const { holders, hosts } = this.#stores;
    const page = holders.place(visit.pageId);
    const held = page ? holders.holders(page) : [];
    const withheld = page && held.length > 0 ? this.#save(page, held, visit) : 'gone';
    faultPoint('visit:commit-page');
    if (visit.host) hosts.rest(visit.pageId, page?.host, visit.host);
    else if (page) hosts.refresh(page.host);
    if (withheld === 'gone') return { events: [] };
    return withheld ? { events: [], withheld } : { events: this.#tell(visit) };
  }

  #tell({ at, toldAt = at, events, recent, version }: Visit): Committed['events'] {
    if (recent && version) this.#stores.recent.add(recent, version.page, toldAt);
    const appended = this.#stores.log.append(events, toldAt);
    faultPoint('visit:commit-events');
    return appended;
  }

  #save(page: PlaceRow, held: readonly HolderRow[], given: Visit): Committed['withheld'] {
    const { duplicates, graph, hosts, sources, visited } = this.#stores;
    const before = visited.get(page.key);
    const target = this.#target(page, given);
    const isDeferred = target !== undefined && this.#isDeferred(target, before, given);
    const visit = isDeferred ? asDeferred(given) : given;
    const likeness = this.#likeness(page, before, visit, target);
    const repetition = isDeferred ? 'alias' : repetitionIn(visit, likeness);
    const isOwn = repetition === 'duplicate' && duplicates.isOwnNews(page.key, likeness, visit);
    const active = held.filter((holder) => holder.isPaused === 0);
    const isForAll = active.every((holder) => visit.sourceIds.includes(holder.sourceId));
    const isFruitful = this.#isFruitful(page, visit, repetition);
    this.#place(page, visit, { held, isForAll, repetition, isFruitful });
    this.#visited(page, before, visit, { likeness, isForAll });
    if (visit.version) this.#saveVersion(page.key, visit.version);
    if (visit.linksTo) graph.link(page.key, visit.linksTo);
    if (visit.boilerplate) hosts.saveBoilerplate(page.host, visit.boilerplate);
    const url = wholeUrl(page.url, hosts.get(page.host)?.name ?? '');
    sources.countVisit(
      active.map((holder) => holder.key),
      url,
      visit,
    );
    return isOwn ? undefined : repetition;
  }

  version(pageId: number): PackedVersion | undefined {
    const row = this.#sql.version.get(pageId) as unknown as PackedVersion | undefined;
    return row && { ...row };
  }

  /** The page that this one says it is, where that is another one. */
  #target(page: PlaceRow, { outcome, sameAs, isNamed }: Visit): PlaceRow | undefined {
    if (outcome === 'failed' || isNamed || sameAs === undefined) return undefined;
    const target = this.#stores.admission.find(sameAs.host, sameAs.hash);
    return target?.key === page.key ? undefined : target;
  }

  /** From now on it is nobody's copy, but of a page that others have named, too. */
  #elect(target: PlaceRow, at: number): void {
    if ((target.flags & FLAG.canonical) === 0) this.#sql.elect.run(FLAG.canonical, target.key);
    if (!this.#stores.duplicates.release(target.key)) return;
    this.#sql.hurry.run(at, target.key);
    this.#stores.hosts.refresh(target.host);
  }

  #isDeferred(target: PlaceRow, before: VisitedRow | undefined, { version, host }: Visit): boolean {
    const isFirst = before === undefined && version !== undefined && host !== undefined;
    return isFirst && (target.flags & FLAG.visited) === 0 && target.urgency >= 0;
  }

  #likeness(page: PlaceRow, before: VisitedRow | undefined, visit: Visit, target: PlaceRow | undefined): Likeness {
    if (target) this.#elect(target, visit.at);
    if (visit.outcome === 'failed') return before ?? UNKNOWN;
    const isCanonical = (page.flags & FLAG.canonical) !== 0;
    return this.#stores.duplicates.after(page.key, before ?? UNKNOWN, visit, {
      target: target?.key ?? null,
      isCanonical,
    });
  }

  /** Its first version, and it is nobody else's. */
  #isFruitful(page: PlaceRow, { version }: Visit, repetition: Committed['withheld']): boolean {
    return version !== undefined && repetition === undefined && this.#sql.hasVersion.get(page.key) === undefined;
  }

  #place(page: PlaceRow, visit: Visit, { held, isForAll, repetition, isFruitful }: Judged): void {
    const kind = repetition ? 'minor' : (visit.kind ?? kindOf(page.kind));
    const [isVisited, wasApart] = [FLAG.visited, FLAG.apart].map((flag) => (page.flags & flag) !== 0);
    const isApart = isApartAfter(visit, kind, isVisited ? wasApart : undefined);
    const mayGo = isExpendable(kind, isVisited || visit.outcome === 'failed');
    const flags = flagsAfter(page.flags, { mayGo, isApart, isFruitful });
    const due = isForAll ? visit.nextDue : visit.at;
    this.#sql.place.run(due, page.urgency < 0 ? ~0 : 0, codeOf(kind), flags, page.key);
    if (isFruitful) this.#sql.countFruitful.run(page.host, page.bucket);
    if (isApart === wasApart) return;
    for (const { key } of held) this.#stores.sources.grow(key, { apart: isApart ? 1 : -1 });
  }

  #visited(
    page: PlaceRow,
    before: VisitedRow | undefined,
    visit: Visit,
    { likeness, isForAll }: { likeness: Likeness; isForAll: boolean },
  ): void {
    const { visited } = this.#stores;
    visited.save(page.key, before, visit, likeness, isForAll);
    const hintedBy = before?.hintedBy ?? null;
    if (hintedBy !== null && visit.outcome !== 'failed') visited.judge(hintedBy, visit.isMainChange);
    const pull = page.urgency < 0 ? 0 : visit.rate.pull - (before?.pull ?? 0);
    const [changes, failures] = [visit.outcome === 'changed', visit.outcome === 'failed'].map(Number);
    this.#sql.count.run(changes ?? 0, failures ?? 0, before ? 0 : 1, pull, visit.at);
  }

  #saveVersion(page: number, { url, contentType, extractor, at, history, page: text, body }: PackedVersion): void {
    this.#sql.saveVersion.run(page, url, contentType, extractor, at, history, text, body);
  }
}

function flagsAfter(
  before: number,
  { mayGo, isApart, isFruitful }: { mayGo: boolean; isApart: boolean; isFruitful: boolean },
): number {
  const judged = (mayGo ? FLAG.expendable : 0) | (isApart ? FLAG.apart : 0) | (isFruitful ? FLAG.fruitful : 0);
  return (before & ~(FLAG.expendable | FLAG.apart)) | judged | FLAG.visited;
}

function repetitionIn({ outcome }: Visit, likeness: Likeness): Committed['withheld'] {
  return outcome === 'failed' ? undefined : repeats(likeness);
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    version: sql(`SELECT url, content_type AS contentType, extractor, at, history, text AS page, body
      FROM versions WHERE page = ?`),
    hasVersion: sql('SELECT 1 FROM versions WHERE page = ?'),
    saveVersion: sql(
      'REPLACE INTO versions (page, url, content_type, extractor, at, history, text, body) VALUES (?,?,?,?,?,?,?,?)',
    ),
    place: sql('UPDATE pages SET due = ?, urgency = ?, kind = ?, flags = ? WHERE key = ?'),
    elect: sql('UPDATE pages SET flags = flags | ? WHERE key = ?'),
    hurry: sql('UPDATE pages SET due = min(due, ?) WHERE key = ?'),
    countFruitful: sql('UPDATE patterns SET fruitful = fruitful + 1 WHERE host = ? AND bucket = ?'),
    count: sql(`UPDATE counters SET visits = visits + 1, changes = changes + ?, failures = failures + ?,
      unvisited = unvisited - ?, pull = pull + ?, clock = max(clock, ?)`),
  };
}

interface PageStores {
  readonly hosts: HostStore;
  readonly admission: AdmissionStore;
  readonly pages: PageStore;
}

export function pageOperations(stores: PageStores): Operations<Pages> {
  return {
    version: { read: (pageId) => stores.pages.version(pageId) },
    boilerplate: { read: (host) => stores.hosts.boilerplate(host) },
    commit: { longWrite: (visit) => committing(stores, visit) },
  };
}

/**
 * One step for most visits. Where a page leads to thousands of URLs they come first, in steps of their own, and the visit
 * last: if the process ends in between the visit is made again, and URLs that are known already do no harm.
 */
function committing({ admission, pages }: PageStores, visit: Visit): () => Step<Committed> {
  const portions = inPortions(discoveredBy(visit), { at: visit.at });
  return () => {
    if (pages.isFenced(visit)) return { done: true, answer: { events: [], isFenced: true } };
    const page = pages.held(visit.pageId);
    if (!page) return { done: true, answer: pages.commit(visit) };
    for (let urls = 0; portions[0] && (urls === 0 || urls + portions[0].leads.length <= LEADS_A_STEP);) {
      urls += portions[0].leads.length;
      admission.take({ ...portions[0], from: page });
      portions.shift();
    }
    if (portions.length > 0) return { done: false, answer: { events: [] } };
    faultPoint('visit:commit-leads');
    return { done: true, answer: pages.commit(visit) };
  };
}
