import type { DatabaseSync } from 'node:sqlite';
import { type DueWatch, type TakenWatches, type Watches, type WatchTotals, dueAgain } from '../../watches.ts';
import { type Operations, type Step, sweeping } from '../worker/operation.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { UsageStore } from '../events/ledger-store.ts';
import type { TransactionalMaps } from '../worker/transactional-map.ts';
import { WatchCheckStore, WatchTextStore } from './watch-history-store.ts';
import { WatchCommitStore } from './watch-commit-store.ts';
import { type HoldWalk, type KnownWatch, WatchOrganizationStore, type WatchOwner, WatchStore } from './watch-store.ts';
import type { HostState, TakeQuestion } from '../../frontier.ts';
import { hostState } from '../crawl/frontier-rows.ts';
import { HostQueue } from '../crawl/host-queue.ts';
import { PARKED, STATE, type StateRow, toOptions, toState } from '../../watch-rows.ts';

/** What is kept of watches, by story. */
export interface WatchStores {
  readonly checks: WatchCheckStore;
  readonly commits: WatchCommitStore;
  readonly queue: WatchQueue;
  readonly organizations: WatchOrganizationStore;
  readonly texts: WatchTextStore;
  readonly watches: WatchStore;
}

export function watchStoresOn(
  database: DatabaseSync,
  { hosts, usage, maps }: { hosts: HostStore; usage: UsageStore; maps: TransactionalMaps },
): WatchStores {
  const organizations = new WatchOrganizationStore(database, hosts);
  const watches = new WatchStore(database, { hosts, organizations }, maps);
  const queue = new WatchQueue(database, { hosts, organizations, watches });
  const checks = new WatchCheckStore(database);
  const texts = new WatchTextStore(database);
  const commits = new WatchCommitStore(database, { checks, hosts, texts, usage, watches });
  return { checks, commits, queue, organizations, texts, watches };
}

export function watchOperations(stores: WatchStores): Operations<Watches> {
  const { checks, commits, queue, organizations, texts, watches } = stores;
  const of = <Answer>(id: string, answer: (watch: KnownWatch) => Answer): Answer | undefined => {
    const watch = watches.find(id);
    return watch && answer(watch);
  };
  return {
    addWatch: { write: (watch, mostInOrganization) => watches.add(watch, mostInOrganization) },
    watch: { read: (id) => watches.watch(id) },
    watches: { read: (question) => watches.watches(question) },
    changeWatch: { write: (id, change) => watches.change(id, change) },
    removeWatch: { longWrite: (id) => removingWatch(stores, id) },
    removeWatchesOf: { longWrite: (owner) => removingWatchesOf(stores, owner) },
    holdWatches: { longWrite: (organizationId, isHeld) => holdingWatches(stores, organizationId, isHeld) },
    heldOrganizations: { read: () => organizations.held() },
    watchMembers: { read: () => watches.members() },
    // A lease is no write: it ends with the process.
    takeWatches: { read: (question) => queue.take(question) },
    releaseWatch: { write: (id, host) => queue.release(id, host) },
    watchBaseline: { read: (id) => of(id, ({ key }) => texts.baseline(key)) },
    commitCheck: { write: (check) => commits.commit(check) },
    checks: { read: (id, question) => of(id, ({ key }) => checks.checks(key, question)) ?? [] },
    check: { read: (id, n) => of(id, ({ key }) => checks.check(key, n)) },
    watchText: { read: (id, n) => of(id, ({ key }) => (watches.checked(key) < n ? undefined : texts.text(key, n))) },
    watchExplanation: { read: (id) => of(id, ({ key }) => texts.explanation(key)) },
    watchChanges: { read: (question) => checks.changes(question) },
    countChanges: { read: (organizationId, after) => checks.countChanges(organizationId, after) },
    changeCursorAt: { read: (organizationId, at) => checks.changeCursorAt(organizationId, at) },
    newestChange: { read: () => checks.newestChange() },
    seeWatch: { write: (id, n) => watches.see(id, n) },
    rescheduleWatches: { longWrite: (now, withinMs) => reschedulingWatches(stores, now, withinMs) },
    watchTotals: { read: (now) => queue.totals(now) },
  };
}

/** Watches that one step forgets, holds or moves: each touches its host, too. About five milliseconds (measured). */
const WATCHES_A_STEP = 200;

/** Answered when it is forgotten: what is swept may be of ten thousand others. */
function removingWatch({ commits, watches }: WatchStores, id: string): () => Step<boolean> {
  const sweep = sweeping(commits);
  let isKnown: boolean | undefined;
  return () => {
    if (isKnown !== undefined) return { done: sweep().done, answer: isKnown, isAnswered: true };
    isKnown = watches.forget(id);
    return { done: !isKnown, answer: isKnown, isAnswered: true };
  };
}

/** All are forgotten before the first one is swept. */
function removingWatchesOf({ commits, watches }: WatchStores, owner: WatchOwner): () => Step<number> {
  const sweep = sweeping(commits);
  let forgotten = 0;
  let isMore = true;
  return () => {
    if (!isMore) return { done: sweep().done, answer: forgotten };
    const some = watches.forgetSome(owner, WATCHES_A_STEP);
    forgotten += some;
    isMore = some === WATCHES_A_STEP;
    return { done: forgotten === 0, answer: forgotten };
  };
}

function holdingWatches(stores: WatchStores, organizationId: string, isHeld: boolean): () => Step<void> {
  const settle = settlingHold(stores, organizationId);
  let isNew = true;
  return () => {
    if (!isNew) return settle();
    isNew = false;
    stores.organizations.hold(organizationId, isHeld);
    return { done: false, answer: undefined };
  };
}

/** Also what the former process began, and could not finish. */
export function settlingHold({ organizations }: WatchStores, organizationId: string): () => Step<void> {
  let walk: HoldWalk | undefined;
  return () => {
    walk ??= organizations.walk(organizationId);
    return { done: !organizations.settleSome(walk, WATCHES_A_STEP), answer: undefined };
  };
}

function reschedulingWatches({ queue }: WatchStores, now: number, withinMs: number): () => Step<number> {
  const walk = { after: 0, moved: 0 };
  return () => {
    const isMore = queue.rescheduleSome(walk, now, withinMs, WATCHES_A_STEP);
    return { done: !isMore, answer: walk.moved };
  };
}

interface Stores {
  readonly hosts: HostStore;
  readonly organizations: WatchOrganizationStore;
  readonly watches: WatchStore;
}

/** A walk that gives watches another due time, in the order of their keys. */
interface RescheduleWalk {
  after: number;
  moved: number;
}

/** Watches as what is due. */
class WatchQueue {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #queue: HostQueue;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#queue = new HostQueue(database, 'watch_ready', stores.hosts);
    this.#stores = stores;
  }

  /** As the frontier's: the host first, then its watch, each by an index; nothing is written. */
  take(question: TakeQuestion): TakenWatches {
    const { hosts, watches } = this.#stores;
    const { taken, nextAt } = this.#queue.take(question, ({ key, name }) => {
      const host = hosts.get(key);
      const row = this.#sql.firstOf.get(key, question.now) as unknown as DueRow | undefined;
      if (!host || !row) return undefined;
      watches.taken(row.watch);
      return { due: dueWatch(row, name, hostState(host)), owner: row.id, isContest: false };
    });
    return { watches: taken.map(({ due }) => due), nextAt };
  }

  release(id: string, state: HostState): void {
    const watch = this.#stores.watches.find(id);
    const row = watch && (this.#sql.hostOf.get(watch.key) as { host: number });
    this.#stores.hosts.rest(id, row?.host, state);
  }

  /** Goes on with the walk by at most `atMost` watches; whether there may be more. */
  rescheduleSome(walk: RescheduleWalk, now: number, withinMs: number, atMost: number): boolean {
    const rows = this.#sql.after.all(walk.after, atMost) as unknown as SlotRow[];
    const moved = new Set<number>();
    for (const row of rows) {
      const due = dueAgain(row, now, withinMs);
      if (due === row.due) continue;
      this.#sql.setDue.run(due, row.key);
      moved.add(row.host);
      walk.moved += 1;
    }
    for (const host of moved) this.#stores.hosts.refresh(host);
    walk.after = rows.at(-1)?.key ?? walk.after;
    return rows.length === atMost;
  }

  totals(now: number): WatchTotals {
    const { watches } = this.#stores.organizations.totals();
    const counts = this.#sql.totals.get() as unknown as Omit<WatchTotals, 'watches' | 'oldestDue'>;
    return { ...counts, watches, oldestDue: this.#queue.longestWait(now) };
  }
}

interface DueRow
  extends StateRow, Pick<DueWatch, 'id' | 'organizationId' | 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly watch: number;
  readonly target: string;
  readonly options: string;
}

interface SlotRow extends Pick<DueWatch, 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly key: number;
  readonly host: number;
}

function dueWatch(row: DueRow, host: string, state: HostState): DueWatch {
  const { id, organizationId, everyMs, jitterMs, createdAt, due, target } = row;
  const terms = { everyMs, jitterMs, createdAt, options: toOptions(row.options) };
  return { kind: 'watch', id, organizationId, host, ...terms, url: target, due, hostState: state, state: toState(row) };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    firstOf: sql(`SELECT state.watch, watches.id, watches.organization AS organizationId, watches.target,
        watches.every_ms AS everyMs, watches.jitter_ms AS jitterMs, watches.created_at AS createdAt, watches.options,
        state.due, ${STATE}
      FROM watch_states AS state JOIN watches ON watches.key = state.watch
      WHERE state.host = ? AND state.parked = 0 AND state.due <= ? ORDER BY state.due, state.watch LIMIT 1`),
    hostOf: sql('SELECT host FROM watch_states WHERE watch = ?'),
    after: sql(`SELECT state.watch AS key, state.host, state.due, watches.every_ms AS everyMs,
        watches.jitter_ms AS jitterMs, watches.created_at AS createdAt
      FROM watch_states AS state JOIN watches ON watches.key = state.watch
      WHERE state.watch > ? ORDER BY state.watch LIMIT +?`),
    setDue: sql('UPDATE watch_states SET due = ? WHERE watch = ?'),
    totals: sql(`SELECT (SELECT count(*) FROM watch_states WHERE parked = 0) AS active,
      (SELECT count(*) FROM watch_states WHERE failures > 0) AS failing,
      (SELECT count(*) FROM watch_states WHERE parked >= ${PARKED.held}) AS held,
      watch_checks AS checks, watch_changes AS changes, watch_texts AS texts, watch_text_bytes AS textBytes
      FROM counters`),
  };
}
