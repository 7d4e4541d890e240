import { faultPoint } from '../../../fault-points.ts';
import type { AppendedEvent } from '../../event-log.ts';
import { codeOf, FLAG, kindOf, readAnswers, validatorsOf, wholeUrl, writeAnswers } from '../../frontier-coding.ts';
import { answersAfter, asDeferred, isApartAfter, isExpendable, trustAfter } from '../../frontier-rules.ts';
import type { Validators } from '../../frontier.ts';
import type { Committed, Visit } from '../../pages.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { Duplicates, type Likeness, repeats, UNKNOWN } from './duplicates.ts';
import type { EventLogStore } from '../events/event-log-store.ts';
import type { RecentChangeStore } from '../events/recent-change-store.ts';
import { flush } from './flush.ts';
import type { GraphStore, PageLinks } from './graph-store.ts';
import { type HostStore, isFenced } from './host-store.ts';
import type { HolderRow, PageRow, VisitedRow } from './rows.ts';
import { countsOf, countVisit, type SourceCounts, type SourceStore } from './source-store.ts';
import { WorkingSet } from './working-set.ts';

interface Parts {
  readonly node: string;
  readonly graph: GraphStore;
  readonly hosts: HostStore;
  readonly log: EventLogStore;
  readonly recent: RecentChangeStore;
  readonly sources: SourceStore;
}

/** Where a page is, and where the page is that it says it is, as they were before the commit. */
export interface Located {
  readonly page: number | undefined;
  readonly host: number | undefined;
  readonly kind: number;
  readonly target: number | undefined;
  readonly targetHost: number | undefined;
  /** The lease is over: nothing of this visit is written. */
  readonly isFenced: boolean;
  /** A source holds it. */
  readonly isHeld: boolean;
}

/** What a visit has come to, and what is still to be told. */
interface Judged {
  readonly visit: Visit;
  readonly answer: Omit<Committed, 'events'>;
  readonly isSaved: boolean;
  readonly isTold: boolean;
}

/**
 * The commit of a group of visits: what they need is loaded by a few statements, decided one after another, and written by a
 * few statements, so that sixty visits cost PostgreSQL hardly more statements than one. Locks are taken in one order: hosts by
 * their keys, the texts of sites, then the logs of taps.
 */
export class VisitCommit {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Where the pages of these visits are; locks nothing. */
  async locate(from: Queryable, visits: readonly Visit[]): Promise<Located[]> {
    const rows = await from.query<LocatedRow>(LOCATE, [
      visits.map(({ pageId }) => pageId),
      visits.map(({ sameAs }) => sameAs?.host ?? null),
      visits.map(({ sameAs }) => sameAs?.hash ?? null),
    ]);
    return visits.map((visit, index) => {
      const { page, host, kind, target, targetHost, leaseToken, leaseOwner, isHeld } = rows[index] ?? NOWHERE;
      const lease = { leaseToken: leaseToken ?? 0, leaseOwner };
      return {
        page: page ?? undefined,
        host: host ?? undefined,
        kind: kind ?? 0,
        target: target ?? undefined,
        targetHost: targetHost ?? undefined,
        isFenced: isFenced(host === null ? undefined : lease, { owner: visit.pageId, token: visit.lease }),
        isHeld: isHeld === true,
      };
    });
  }

  /**
   * All or nothing, but what each of them led to. `group`: what tells whether a commit has happened whose answer was lost.
   */
  async commit(
    transaction: Transaction,
    visits: readonly Visit[],
    located: readonly Located[],
    group: string,
  ): Promise<Committed[]> {
    const set = new WorkingSet();
    const places = located.flatMap(({ host, targetHost }) => [host, targetHost].filter((key) => key !== undefined));
    await set.lockHosts(transaction, places);
    const pages = located.flatMap(({ page, target }) => [page, target].filter((key) => key !== undefined));
    await set.loadPages(transaction, pages);
    const duplicates = await Duplicates.of(transaction, set, visits);
    const counts = new Map<number, SourceCounts>();
    const judged = visits.map((visit, index) =>
      this.#judge({ set, duplicates, counts }, visit, located[index]?.target),
    );
    faultPoint('visit:commit-page');
    await flush(transaction, set, { node: this.#parts.node, group });
    await this.#parts.sources.count(transaction, counts);
    const events = await this.#tell(transaction, judged);
    faultPoint('visit:commit-events');
    return judged.map(({ answer }, index) => Object.assign({ events: events[index] ?? [] }, answer));
  }

  /** Whether the group that this node has committed last is this one. Waits for a commit of this node that is under way still. */
  async hasCommitted(from: Queryable, group: string): Promise<boolean> {
    const [row] = await from.query<{ isLast: boolean | null }>(LAST_GROUP, [this.#parts.node, group]);
    return row?.isLast === true;
  }

  async #tell(transaction: Transaction, judged: readonly Judged[]): Promise<AppendedEvent[][]> {
    const { graph, log, recent: changes } = this.#parts;
    // Of two visits of a page the last one counts.
    const votes = new Map<number, PageLinks>();
    for (const { visit, isSaved } of judged) {
      if (visit.linksTo && isSaved) votes.set(visit.pageId, { page: visit.pageId, ...visit.linksTo });
    }
    if (votes.size > 0) await graph.link(transaction, [...votes.values()]);
    const told = judged.map(({ visit, isTold }) => {
      const { at, toldAt = at, events, recent, version } = visit;
      return isTold
        ? { at: toldAt, events, recent: recent && version && { change: recent, page: version.page } }
        : undefined;
    });
    const recent = told.flatMap((one) => (one?.recent ? [{ ...one.recent, at: one.at }] : []));
    if (recent.length > 0) await changes.add(transaction, recent);
    const batches = told.map((one) => ({ events: one?.events ?? [], at: one?.at ?? 0 }));
    if (batches.every(({ events }) => events.length === 0)) return [];
    return log.append(transaction, batches);
  }

  /** Of a page whose sources were removed meanwhile, nothing is kept but what its host can bear. */
  #judge(group: Group, visit: Visit, target: number | undefined): Judged {
    const { set } = group;
    const page = set.pages.get(visit.pageId);
    const host = page && set.hosts.get(page.host);
    const lessee = { owner: visit.pageId, token: visit.lease };
    if (isFenced(host ?? leasedFor(set, visit), lessee)) {
      return { visit, answer: { isFenced: true }, isSaved: false, isTold: false };
    }
    const saved = page && host ? this.#saved({ ...group, page, host: host.name }, visit, target) : UNSAVED;
    const rested = host ?? leasedFor(set, visit);
    if (visit.host && rested) this.#parts.hosts.rest(set, rested, lessee, visit.host);
    return { visit, ...saved };
  }

  #saved(where: Omit<Saved, 'held'>, visit: Visit, target: number | undefined): Omit<Judged, 'visit'> {
    const held = where.set.holders(where.page);
    if (held.length === 0) return UNSAVED;
    const withheld = this.#save({ ...where, held }, visit, target);
    return { answer: withheld ? { withheld } : {}, isSaved: true, isTold: withheld === undefined };
  }

  #save(where: Saved, given: Visit, targetKey: number | undefined): Committed['withheld'] {
    const { set, duplicates, counts, page, held, host } = where;
    const before = set.visited.get(page.key);
    const target = targetOf(set, page, given, targetKey);
    const isDeferred = target !== undefined && isToWait(target, before, given);
    const visit = isDeferred ? asDeferred(given) : given;
    if (target) elect(where, target, visit.at);
    const likeness = likenessAfter(where, before ?? UNKNOWN, visit, target);
    const repetition = isDeferred ? 'alias' : repetitionIn(visit, likeness);
    const isOwn = repetition === 'duplicate' && duplicates.isOwnNews(page.key, likeness, visit);
    const active = held.filter((holder) => !holder.isPaused);
    const isForAll = active.every((holder) => visit.sourceIds.includes(holder.id));
    const isFruitful = visit.version !== undefined && repetition === undefined && !set.versionsAt.has(page.key);
    place(where, visit, { isForAll, repetition, isFruitful });
    record(set, page, before, visit, { likeness, isForAll });
    keep(where, visit);
    for (const { key } of active) countVisit(counts, key, wholeUrl(page.url, host), visit);
    return isOwn ? undefined : repetition;
  }
}

const UNSAVED = { answer: {}, isSaved: false, isTold: false } as const;

interface Group {
  readonly set: WorkingSet;
  readonly duplicates: Duplicates;
  readonly counts: Map<number, SourceCounts>;
}

interface Saved extends Group {
  readonly page: PageRow;
  readonly held: readonly HolderRow[];
  readonly host: string;
}

/** The page is gone; its host may be there, and leased for it. */
function leasedFor(set: WorkingSet, { pageId }: Visit) {
  return [...set.hosts.values()].find(({ leaseOwner }) => leaseOwner === `p${pageId}`);
}

/** The page that this one says it is, where that is another one. */
function targetOf(
  set: WorkingSet,
  page: PageRow,
  { outcome, isNamed }: Visit,
  target: number | undefined,
): PageRow | undefined {
  if (outcome === 'failed' || isNamed || target === undefined || target === page.key) return undefined;
  return set.pages.get(target);
}

/** For the page that it says it is: nobody has visited that one yet, and somebody will. */
function isToWait(target: PageRow, before: VisitedRow | undefined, { version, host }: Visit): boolean {
  const isFirst = before === undefined && version !== undefined && host !== undefined;
  return isFirst && (target.flags & FLAG.visited) === 0 && target.urgency >= 0;
}

/** From now on it is nobody's copy, but of a page that others have named, too. */
function elect({ set, duplicates }: Group, target: PageRow, at: number): void {
  if ((target.flags & FLAG.canonical) === 0) set.changePage(target, { flags: target.flags | FLAG.canonical });
  if (duplicates.release(target.key)) set.changePage(target, { due: Math.min(target.due, at) });
}

/** What a failed visit has not read is as like others as it was. */
function likenessAfter(
  { duplicates, page }: Saved,
  before: Likeness,
  visit: Visit,
  target: PageRow | undefined,
): Likeness {
  return visit.outcome === 'failed' ? before : duplicates.after(page, before, visit, target);
}

function keep({ set, page }: Saved, { version, boilerplate }: Visit): void {
  if (version) {
    set.newVersions.set(page.key, version);
    set.versionsAt.set(page.key, version.at);
  }
  if (boilerplate) set.newBoilerplate.set(page.host, boilerplate);
}

function repetitionIn({ outcome }: Visit, likeness: Likeness): Committed['withheld'] {
  return outcome === 'failed' ? undefined : repeats(likeness);
}

interface Shown {
  readonly isForAll: boolean;
  readonly repetition: Committed['withheld'];
  readonly isFruitful: boolean;
}

function place({ set, page, held, counts }: Saved, visit: Visit, { isForAll, repetition, isFruitful }: Shown): void {
  const kind = repetition ? 'minor' : (visit.kind ?? kindOf(page.kind));
  const [isVisited, wasApart] = [FLAG.visited, FLAG.apart].map((flag) => (page.flags & flag) !== 0);
  const isApart = isApartAfter(visit, kind, isVisited ? wasApart : undefined);
  const mayGo = isExpendable(kind, isVisited || visit.outcome === 'failed');
  set.changePage(page, {
    due: isForAll ? visit.nextDue : visit.at,
    urgency: page.urgency < 0 ? ~0 : 0,
    kind: codeOf(kind),
    flags: flagsAfter(page.flags, { mayGo, isApart, isFruitful }),
  });
  if (isFruitful) set.countPattern(page.host, page.bucket, { fruitful: 1 });
  if (isApart === wasApart) return;
  for (const { key } of held) countsOf(counts, key).apart += isApart ? 1 : -1;
}

function flagsAfter(
  before: number,
  { mayGo, isApart, isFruitful }: { readonly mayGo: boolean; readonly isApart: boolean; readonly isFruitful: boolean },
): number {
  const judged = (mayGo ? FLAG.expendable : 0) | (isApart ? FLAG.apart : 0) | (isFruitful ? FLAG.fruitful : 0);
  return (before & ~(FLAG.expendable | FLAG.apart)) | judged | FLAG.visited;
}

function record(
  set: WorkingSet,
  page: PageRow,
  before: VisitedRow | undefined,
  visit: Visit,
  { likeness, isForAll }: { readonly likeness: Likeness; readonly isForAll: boolean },
): void {
  const row = visitedAfter(before ?? { ...NEVER, page: page.key }, visit, isForAll);
  const { simhash, site, copyOf, aliasOf } = likeness;
  set.saveVisit({ ...row, simhash, site, copyOf, aliasOf }, before);
  settleHint(set, before?.hintedBy ?? null, visit);
  const { counts } = set;
  counts.visits += 1;
  if (visit.outcome === 'changed') counts.changes += 1;
  if (visit.outcome === 'failed') counts.failures += 1;
  if (!before) counts.unvisited -= 1;
  if (page.urgency >= 0) counts.pull += visit.rate.pull - (before?.pull ?? 0);
  counts.clock = Math.max(counts.clock, visit.at);
}

/** All but of whom it is a copy. */
function visitedAfter(former: VisitedRow, visit: Visit, isForAll: boolean): VisitedRow {
  const hasFailed = visit.outcome === 'failed';
  const bodyHash = visit.bodyHash ?? former.bodyHash;
  const { etag = null, lastModified = null } = validatorsAfter(former, visit);
  return {
    ...former,
    ...visit.rate,
    visitedAt: visit.at,
    fullAt: visit.isFull === true ? visit.at : former.fullAt,
    doubtedAt: visit.doubtedAt ?? null,
    hintedBy: hasFailed ? former.hintedBy : null,
    failures: hasFailed ? former.failures + 1 : 0,
    bodyHash: isForAll ? bodyHash : null,
    etag,
    lastModified,
    answers: writeAnswers(answersAfter(readAnswers(former.answers), visit)),
  };
}

function validatorsAfter(former: VisitedRow, visit: Visit): Validators {
  if (visit.validators) return visit.validators;
  return visit.bodyHash === undefined ? (validatorsOf(former) ?? {}) : {};
}

/** A hint of a sitemap was checked by this visit. */
function settleHint(set: WorkingSet, hintedBy: number | null, { outcome, isMainChange }: Visit): void {
  const sitemap = hintedBy === null || outcome === 'failed' ? undefined : set.visited.get(hintedBy);
  if (!sitemap) return;
  set.judge(sitemap, trustAfter({ right: sitemap.rights, wrong: sitemap.wrongs }, isMainChange));
}

const NEVER: Omit<VisitedRow, 'page'> = {
  ...UNKNOWN,
  visitedAt: 0,
  fullAt: 0,
  doubtedAt: null,
  theta: 0,
  info: 0,
  pull: 0,
  hintedBy: null,
  failures: 0,
  rights: 0,
  wrongs: 0,
  bodyHash: null,
  etag: null,
  lastModified: null,
  answers: '',
};

interface LocatedRow {
  readonly page: number | null;
  readonly host: number | null;
  readonly kind: number | null;
  readonly target: number | null;
  readonly targetHost: number | null;
  readonly leaseToken: number | null;
  readonly leaseOwner: string | null;
  readonly isHeld: boolean | null;
}

const NOWHERE: LocatedRow = {
  page: null,
  host: null,
  kind: null,
  target: null,
  targetHost: null,
  leaseToken: null,
  leaseOwner: null,
  isHeld: null,
};

/** A write (`settledBy`), also where there is no row yet. */
const LAST_GROUP = `INSERT INTO crawl_counters AS sums (node) VALUES ($1)
  ON CONFLICT (node) DO UPDATE SET last_group = sums.last_group RETURNING last_group = $2 AS "isLast"`;

/** The host of a page that is gone is the one that is leased for it. */
const LOCATE = `SELECT pages.key AS page, hosts.key AS host, pages.kind, target.key AS target, target.host AS "targetHost",
    hosts.lease_token AS "leaseToken", hosts.lease_owner AS "leaseOwner",
    EXISTS (SELECT 1 FROM sources WHERE sources.key = pages.source AND sources.id IS NOT NULL) OR
    EXISTS (SELECT 1 FROM holdings JOIN sources ON sources.key = holdings.source
      WHERE holdings.page = pages.key AND pages.flags & ${FLAG.shared} <> 0 AND sources.id IS NOT NULL) AS "isHeld"
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS visit (page, same_host, same_hash, n)
    LEFT JOIN pages ON pages.key = visit.page
    LEFT JOIN hosts ON hosts.key = coalesce(pages.host,
      (SELECT leased.key FROM hosts AS leased WHERE pages.key IS NULL AND leased.lease_owner = 'p' || visit.page))
    LEFT JOIN hosts AS named ON named.name = visit.same_host
    LEFT JOIN pages AS target ON target.host = named.key AND target.hash = visit.same_hash
  ORDER BY visit.n`;
