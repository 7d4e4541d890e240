import type { Watches } from '../../watches.ts';
import { once, type Synchronous, type WriteOf } from './calls.ts';
import type { KnownWatch } from '../watch/watch-store.ts';
import { holdingWatches, removingWatch, removingWatchesOf, reschedulingWatches } from './watch-steps.ts';
import type { WatchStores } from './watch-stores.ts';

/** The calls of `Watches`; two of them under names that no other port has. */
export type WatchOperations = Omit<Synchronous<Watches>, 'check' | 'checks'> & {
  watchCheck: Synchronous<Watches>['check'];
  watchChecks: Synchronous<Watches>['checks'];
};

export type WatchWriteName =
  | 'addWatch'
  | 'changeWatch'
  | 'removeWatch'
  | 'removeWatchesOf'
  | 'holdWatches'
  | 'releaseWatch'
  | 'commitCheck'
  | 'seeWatch'
  | 'rescheduleWatches';

export function watchReads(stores: WatchStores): Omit<WatchOperations, WatchWriteName> {
  const { checks, line, organizations, texts, watches } = stores;
  const of = <Answer>(id: string, answer: (watch: KnownWatch) => Answer): Answer | undefined => {
    const watch = watches.find(id);
    return watch && answer(watch);
  };
  return {
    watch: (id) => watches.watch(id),
    watches: (question) => watches.watches(question),
    heldOrganizations: () => organizations.held(),
    watchMembers: () => watches.members(),
    // A lease is no write: it ends with the process.
    takeWatches: (question) => line.take(question),
    watchBaseline: (id) => of(id, ({ key }) => texts.baseline(key)),
    watchChecks: (id, question) => of(id, ({ key }) => checks.checks(key, question)) ?? [],
    watchCheck: (id, n) => of(id, ({ key }) => checks.check(key, n)),
    watchText: (id, n) => of(id, ({ key }) => (watches.checked(key) < n ? undefined : texts.text(key, n))),
    watchExplanation: (id) => of(id, ({ key }) => texts.explanation(key)),
    watchChanges: (question) => checks.changes(question),
    newestChange: () => checks.newestChange(),
    watchTotals: (now) => line.totals(now),
  };
}

export function watchWrites(stores: WatchStores): { [Name in WatchWriteName]: WriteOf<WatchOperations[Name]> } {
  const { commits, line, watches } = stores;
  return {
    addWatch: (watch, mostInOrganization) => once(() => watches.add(watch, mostInOrganization)),
    changeWatch: (id, change) => once(() => watches.change(id, change)),
    removeWatch: (id) => removingWatch(stores, id),
    removeWatchesOf: (owner) => removingWatchesOf(stores, owner),
    holdWatches: (organizationId, isHeld) => holdingWatches(stores, organizationId, isHeld),
    releaseWatch: (id, host) => once(() => line.release(id, host)),
    commitCheck: (check) => once(() => commits.commit(check)),
    seeWatch: (id, n) => once(() => watches.see(id, n)),
    rescheduleWatches: (now, withinMs) => reschedulingWatches(stores, now, withinMs),
  };
}
