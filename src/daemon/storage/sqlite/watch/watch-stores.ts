import type { DatabaseSync } from 'node:sqlite';
import type { Watches } from '../../watches.ts';
import { type Operations, type Step, sweeping } from '../worker/operation.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { UsageStore } from '../events/ledger-store.ts';
import type { TransactionalMaps } from '../worker/transactional-map.ts';
import { WatchCheckStore, WatchTextStore } from './watch-history-store.ts';
import { WatchCommitStore } from './watch-commit-store.ts';
import { WatchQueue } from './watch-queue.ts';
import { type HoldWalk, type KnownWatch, WatchOrganizationStore, type WatchOwner, WatchStore } from './watch-store.ts';

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
