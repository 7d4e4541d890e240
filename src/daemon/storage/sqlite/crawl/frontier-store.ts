import type { DatabaseSync } from 'node:sqlite';
import type {
  Discovered,
  DuePage,
  Frontier,
  FrontierSource,
  FrontierTotals,
  Identity,
  Lead,
  PageReport,
  Taken,
  TakeQuestion,
  Urgency,
} from '../../frontier.ts';
import { CLOCK_SLACK_MS, dueFrom, LONGEST_INTERVAL_MS, nextClass } from '../../frontier-rules.ts';
import { type HostRow, hostState, PLACE, type PlaceRow } from './frontier-rows.ts';
import { FLAG, kindOf, readAnswers, urgencyOf, wholeUrl } from '../../frontier-coding.ts';
import type { HolderRow, HolderStore } from './holder-store.ts';
import { HostQueue } from './host-queue.ts';
import type { FailingStore, HostStore } from './host-store.ts';
import { inPortions, type AdmissionStore } from './admission-store.ts';
import type { SourceStore, Walk } from './source-store.ts';
import type { PageStore } from './page-store.ts';
import { forgetting, type Operations, ROWS_A_STEP, type Step, type Sweepable } from '../worker/operation.ts';
import { pageState, type VisitedStore } from './visited-store.ts';

interface Stores {
  readonly hosts: HostStore;
  readonly holders: HolderStore;
  readonly admission: AdmissionStore;
  readonly sources: SourceStore;
  readonly visited: VisitedStore;
}

/** Pages of a class that are looked at when the first ones are being removed or paused this very moment. */
const LOOKED_AT = 20;
const MOST_AHEAD = 1_000;

/** A walk that puts right what a wrong clock has scheduled: first the hosts, then the pages. */
interface ClockWalk {
  host: number | undefined;
  page: number;
  brought: number;
}

/** What is due, and what is known of one URL. Which URLs there are is the business of `AdmissionStore`. */
export class FrontierStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #queue: HostQueue;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#queue = new HostQueue(database, 'ready', stores.hosts);
    this.#stores = stores;
  }

  /**
   * The host first, then its most urgent page, each by an index: a host with a million overdue pages costs the same as
   * one with a single page. Nothing is written, so nobody waits for the disk.
   */
  take(question: TakeQuestion): Taken {
    const { taken, nextAt } = this.#queue.take(question, ({ key }) => {
      const host = this.#stores.hosts.get(key);
      const chosen = host && this.#mostUrgent(host, question.now);
      return chosen && { due: chosen.page, owner: chosen.page.id, isContest: chosen.isContest };
    });
    const { pull } = this.#sql.pull.get() as { pull: number };
    const pages = taken.map(({ due, token }) => Object.assign(due, { lease: token }));
    return { pages, nextAt, pull };
  }

  look(identity: Identity): PageReport | undefined {
    const { hosts, holders, visited } = this.#stores;
    const place = this.#stores.admission.find(identity.host, identity.hash);
    const host = place && hosts.get(place.host);
    if (!place || !host) return undefined;
    const held = holders.holders(place);
    if (held.length === 0) return undefined;
    const { answers = '', aliasOf = null, copyOf = null } = visited.get(place.key) ?? {};
    return {
      page: this.#duePage(host, place, held),
      answers: readAnswers(answers),
      pausedSourceIds: held.filter((holder) => holder.isPaused !== 0).map((holder) => holder.sourceId),
      isHostLeased: hosts.leases.has(host.key),
      ahead: this.#ahead(place),
      sameAs: this.#urlOf(aliasOf) ?? this.#urlOf(copyOf),
    };
  }

  prioritize(identity: Identity, at: number): boolean {
    const place = this.#stores.admission.find(identity.host, identity.hash);
    if (!place || this.#stores.holders.holders(place).length === 0) return false;
    this.#sql.prioritize.run(at, place.key);
    this.#stores.hosts.refresh(place.host);
    return true;
  }

  /** Undefined when the clock is not behind. */
  clockWalk(now: number): ClockWalk | undefined {
    const { clock } = this.#sql.clock.get() as { clock: number };
    return now >= clock - CLOCK_SLACK_MS ? undefined : { host: 0, page: 0, brought: 0 };
  }

  /** Goes on with the walk by at most `atMost` rows; whether there may be more. */
  bringSomeForward(walk: ClockWalk, now: number, atMost: number): boolean {
    const { hosts, sources, visited } = this.#stores;
    const places = this.#sql.after.all(walk.page, atMost) as unknown as PlaceRow[];
    const late = places.filter((place) => place.due > now + this.#longest(place));
    const ahead = visited.bringForward(walk.page + 1, places.at(-1)?.key ?? walk.page, now);
    const visitedAt = new Map(ahead.map((row) => [row.page, row.visitedAt]));
    const seen = places.filter(({ key }) => visitedAt.has(key));
    for (const { key, due } of seen) this.#sql.setDue.run(dueFrom(now, due, visitedAt.get(key)), key);
    for (const { key } of late) this.#sql.setDue.run(now, key);
    for (const host of new Set([...late, ...seen].map((place) => place.host))) hosts.refresh(host);
    walk.brought += late.length;
    walk.page = places.at(-1)?.key ?? walk.page;
    if (walk.host !== undefined) walk.host = hosts.shortenRests(walk.host, now, atMost);
    if (places.length > 0 || walk.host !== undefined) return true;
    sources.bringForward(now);
    this.#sql.setClock.run(now);
    return false;
  }

  totals(now: number): FrontierTotals {
    const { leases } = this.#stores.hosts;
    const { droppedMaxPages, droppedHost, droppedPattern, ...counts } = this.#sql.totals.get() as unknown as TotalsRow;
    let oldestLease: number | undefined;
    for (const { since } of leases.values()) oldestLease = Math.min(oldestLease ?? since, since);
    return {
      ...counts,
      hostsLeased: leases.size,
      oldestLease,
      oldestDue: this.#queue.longestWait(now),
      dropped: { maxPages: droppedMaxPages, hostBudget: droppedHost, patternBudget: droppedPattern },
    };
  }

  #mostUrgent(host: HostRow, now: number): { readonly page: DuePage; readonly isContest: boolean } | undefined {
    const found = new Map<Urgency, DuePage | undefined>();
    const firstOf = (urgency: Urgency): DuePage | undefined => {
      if (!found.has(urgency)) found.set(urgency, this.#firstOf(host, urgency, now));
      return found.get(urgency);
    };
    const next = nextClass((urgency) => firstOf(urgency) !== undefined, host.turn);
    const page = next && firstOf(next.urgency);
    return page && { page, isContest: next.isContest };
  }

  #firstOf(host: HostRow, urgency: Urgency, now: number): DuePage | undefined {
    for (const row of this.#sql.firstOf.iterate(host.key, urgency, now)) {
      const place = row as unknown as PlaceRow;
      const held = this.#stores.holders.holders(place);
      if (held.some((holder) => holder.isPaused === 0)) return this.#duePage(host, place, held);
    }
    return undefined;
  }

  #duePage(host: HostRow, place: PlaceRow, held: readonly HolderRow[]): DuePage {
    const active = held.filter((holder) => holder.isPaused === 0);
    const row = (place.flags & FLAG.visited) === 0 ? undefined : this.#stores.visited.get(place.key);
    const kind = kindOf(place.kind);
    const { rights: right = 0, wrongs: wrong = 0 } = row ?? {};
    return {
      id: place.key,
      url: wholeUrl(place.url, host.name),
      host: host.name,
      due: place.due,
      kind,
      urgency: urgencyOf(place.urgency),
      isBaseline: (place.flags & FLAG.baseline) !== 0,
      everyMs: shortest(active),
      holders: active.map(({ sourceId, depth }) => ({ sourceId, depth })),
      state: row && pageState(row),
      hostState: hostState(host),
      trust: kind === 'sitemap' ? { right, wrong } : undefined,
    };
  }

  #ahead({ host, urgency, due, key }: PlaceRow): number {
    if (urgency < 0) return 0;
    const { pages } = this.#sql.ahead.get(host, urgency, due, key, MOST_AHEAD) as { pages: number };
    return pages;
  }

  #urlOf(key: number | null): string | undefined {
    const place = key === null ? undefined : this.#stores.holders.place(key);
    const host = place && this.#stores.hosts.get(place.host);
    return place && host && wholeUrl(place.url, host.name);
  }

  #longest(place: PlaceRow): number {
    const active = this.#stores.holders.holders(place).filter((holder) => holder.isPaused === 0);
    return shortest(active) ?? LONGEST_INTERVAL_MS;
  }
}

type TotalsRow = Pick<
  FrontierTotals,
  'pages' | 'unvisited' | 'visits' | 'changes' | 'failures' | 'hosts' | 'hostsBackingOff'
> & { readonly droppedMaxPages: number; readonly droppedHost: number; readonly droppedPattern: number };

/** Of those that have a fixed interval. */
function shortest(holders: readonly HolderRow[]): number | undefined {
  const fixed = holders.map((holder) => holder.everyMs).filter((everyMs) => everyMs > 0);
  return fixed.length === 0 ? undefined : Math.min(...fixed);
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    firstOf: sql(`SELECT ${PLACE} FROM pages WHERE host = ? AND urgency = ? AND due <= ? ORDER BY due, key
      LIMIT ${LOOKED_AT}`),
    ahead: sql(`SELECT count(*) AS pages FROM (SELECT 1 FROM pages WHERE host = ?1 AND urgency >= ?2
      AND (urgency > ?2 OR due < ?3 OR (due = ?3 AND key < ?4)) LIMIT ?5)`),
    pull: sql('SELECT pull FROM counters'),
    prioritize: sql('UPDATE pages SET due = min(due, ?), urgency = iif(urgency < 0, ~3, 3) WHERE key = ?'),
    setDue: sql('UPDATE pages SET due = ? WHERE key = ?'),
    after: sql(`SELECT ${PLACE} FROM pages WHERE key > ? ORDER BY key LIMIT ?`),
    clock: sql('SELECT clock FROM counters'),
    setClock: sql('UPDATE counters SET clock = ?'),
    totals: sql(`SELECT pages, unvisited, visits, changes, failures, hosts,
      (SELECT count(*) FROM hosts WHERE backoff > 0) AS hostsBackingOff,
      dropped_max_pages AS droppedMaxPages, dropped_host AS droppedHost, dropped_pattern AS droppedPattern FROM counters`),
  };
}

interface OperationStores {
  readonly failing: FailingStore;
  readonly frontier: FrontierStore;
  readonly hosts: HostStore;
  readonly admission: AdmissionStore;
  readonly pages: PageStore;
  readonly sources: SourceStore;
  /** Where removals leave rows to sweep. */
  readonly removed: readonly Removed[];
}

export interface Removed extends Sweepable {
  hasForgotten(): boolean;
}

export function frontierOperations(stores: OperationStores): Operations<Frontier> {
  const { failing, frontier, hosts, pages, sources } = stores;
  return {
    putSource: { longWrite: (source, seeds, at) => puttingSource(stores, source, seeds, at) },
    removeSource: { longWrite: (id) => forgetting(() => sources.forget(id), sources) },
    sources: { read: () => sources.summaries() },
    // A lease is no write: it ends with the process.
    take: { read: (question) => frontier.take(question) },
    release: { write: (pageId, host, lease) => pages.release(pageId, host, lease) },
    offer: { longWrite: (found, at) => offering(stores, found, at) },
    prioritize: { write: (identity, at) => frontier.prioritize(identity, at) },
    look: { read: (identity) => frontier.look(identity) },
    bringForward: { longWrite: (now) => bringingForward(frontier, now) },
    tidy: { longWrite: (now) => tidying(stores, now) },
    frontierTotals: { read: (now) => frontier.totals(now) },
    unhealthyHosts: { read: (atMost) => hosts.unhealthy(atMost) },
    failingPages: { read: (atMost) => failing.pages(atMost) },
    movedPages: { read: (atMost) => failing.moved(atMost) },
  };
}

/** The terms and the seeds first, then whatever the terms mean for pages that are there. */
function puttingSource(
  { sources, admission }: OperationStores,
  source: FrontierSource,
  seeds: readonly Lead[],
  at: number,
): () => Step<void> {
  const portions = inPortions([{ sourceId: source.id, leads: seeds }], { at, isSeed: true });
  const settle = settling(sources, source.id);
  let needsSettling: boolean | undefined;
  return () => {
    const isNew = needsSettling === undefined;
    needsSettling ??= sources.put(source).todo !== 0;
    const portion = portions.shift();
    if (portion) admission.take(portion);
    else if (!isNew) return settle();
    return { done: portions.length === 0 && !needsSettling, answer: undefined };
  };
}

/** Brings the terms of a source to its pages; also what the former process began, and could not finish. */
export function settling(sources: SourceStore, id: string): () => Step<void> {
  let walk: Walk | undefined;
  return () => {
    walk ??= sources.walk(id);
    return { done: !sources.settleSome(id, walk, ROWS_A_STEP), answer: undefined };
  };
}

function offering({ admission }: OperationStores, found: readonly Discovered[], at: number): () => Step<number> {
  const portions = inPortions(found, { at });
  let taken = 0;
  return () => {
    const portion = portions.shift();
    if (portion) taken += admission.take(portion);
    return { done: portions.length === 0, answer: taken };
  };
}

function bringingForward(frontier: FrontierStore, now: number): () => Step<number> {
  let walk: ClockWalk | undefined;
  return () => {
    walk ??= frontier.clockWalk(now);
    if (!walk) return { done: true, answer: 0 };
    const isMore = frontier.bringSomeForward(walk, now, ROWS_A_STEP);
    return { done: !isMore, answer: walk.brought };
  };
}

/** What removals left because a full disk, say, cut them short; then empty hosts that are past their crawl delay. */
function tidying({ hosts, removed }: OperationStores, now: number): () => Step<void> {
  return () => {
    const left = removed.find((store) => store.hasForgotten());
    if (left) left.sweepSome(ROWS_A_STEP);
    return { done: !left && !hosts.forgetEmpty(ROWS_A_STEP, now), answer: undefined };
  };
}
