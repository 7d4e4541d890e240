import type { DatabaseSync } from 'node:sqlite';
import type { EventLog } from '../../event-log.ts';
import type { Frontier } from '../../frontier.ts';
import type { Ledger } from '../../ledger.ts';
import type { Pages } from '../../pages.ts';
import type { Ratings } from '../../ratings.ts';
import type { RecentChanges } from '../../recent-changes.ts';
import type { RobotsCopies } from '../../robots-copies.ts';
import type { RuleCounters } from '../../rule-counters.ts';
import type { SavedMatches } from '../../saved-matches.ts';
import { once, type Synchronous, type WriteOf } from './calls.ts';
import type { Step } from './group-commit.ts';
import type { RevocableMaps } from './revocable-map.ts';
import {
  addingRatings,
  bringingForward,
  committing,
  counting,
  finishing,
  forgetting,
  offering,
  puttingSource,
  repairingTimes,
  retaining,
  savingRobots,
  settling,
  sweeping,
  sweepingRatings,
  tidying,
  trimming,
  trimmingChanges,
} from './steps.ts';
import { type Stores, storesOn } from './stores.ts';
import { type WatchOperations, watchReads, watchWrites, type WatchWriteName } from './watch-operations.ts';
import { settlingHold } from './watch-steps.ts';

/** What can be asked of the storage thread: the calls of its ports, by name. */
export type Operations = Synchronous<EventLog> &
  Synchronous<Frontier> &
  Synchronous<Ledger> &
  Synchronous<Pages> &
  Synchronous<Ratings> &
  Synchronous<RecentChanges> &
  Synchronous<RobotsCopies> &
  Synchronous<RuleCounters> &
  Synchronous<SavedMatches> &
  WatchOperations;

export type WriteName =
  | 'trim'
  | 'repairTimes'
  | 'drop'
  | 'retain'
  | 'putSource'
  | 'removeSource'
  | 'release'
  | 'offer'
  | 'hasten'
  | 'bringForward'
  | 'tidy'
  | 'commit'
  | 'trimRecentChanges'
  | 'repairChangeTimes'
  | 'saveRobotsCopy'
  | 'grantCredit'
  | 'setCredit'
  | 'unlimitCredit'
  | 'charge'
  | 'countCheck'
  | 'trimUsage'
  | 'addRuleCounts'
  | 'trimRuleCounts'
  | 'saveMatch'
  | 'noteSavedMatch'
  | 'removeSavedMatch'
  | Exclude<keyof Ratings, 'standing' | 'ratingSummary'>
  | WatchWriteName;
export type ReadName = Exclude<keyof Operations, WriteName>;
export type Reads = Pick<Operations, ReadName>;
export type Writes = { [Name in WriteName]: WriteOf<Operations[Name]> };

export interface Answering {
  readonly reads: Reads;
  readonly writes: Writes;
  /** What they keep in memory: it goes with the transactions. */
  readonly maps: RevocableMaps;
  /** What the last life forgot, or began, and had no time to finish. */
  readonly leftovers: readonly (() => Step)[];
}

/** The operations, on an open database. */
export function operationsOn(database: DatabaseSync): Answering {
  const stores = storesOn(database);
  const { log, ratings, sources, watching } = stores;
  return {
    reads: readsOf(stores),
    writes: writesOf(database, stores),
    maps: stores.maps,
    leftovers: [
      ...[sources, log, watching.commits].filter((store) => store.hasForgotten()).map((store) => sweeping(store)),
      ...sources.unfinished().map((id) => settling(sources, id)),
      ...watching.organizations.unfinished().map((id) => settlingHold(watching, id)),
      ...(ratings.hasLeftover() ? [finishing(ratings)] : []),
    ],
  };
}

function readsOf(stores: Stores): Reads {
  const { credit, failing, frontier, graph, hosts, log, pages, ratings, robots, sources, standing, usage } = stores;
  const { recent, ruleCounts, savedMatches } = stores;
  return {
    bounds: (tapId) => log.bounds(tapId),
    read: (tapId, from, atMost) => log.read(tapId, from, atMost),
    firstAt: (tapId, at) => log.firstAt(tapId, at),
    count: () => log.count(),
    sources: () => sources.summaries(),
    // A lease is no write: it ends with the process.
    take: (question) => frontier.take(question),
    look: (identity) => frontier.look(identity),
    frontierTotals: (now) => frontier.totals(now),
    unhealthyHosts: (atMost) => hosts.unhealthy(atMost),
    failingPages: (atMost) => failing.pages(atMost),
    version: (pageId) => pages.version(pageId),
    furniture: (host) => hosts.furniture(host),
    standing,
    ratingSummary: () => ({ imported: ratings.summary(), own: graph.own() }),
    robotsCopy: (origin) => robots.copy(origin),
    robotsTotals: () => robots.totals(),
    answeredLast: (atMost) => robots.answeredLast(atMost),
    prepaid: () => credit.prepaid(),
    account: (organizationId, at) => credit.account(organizationId, at),
    creditHistory: (organizationId, atMost) => credit.history(organizationId, atMost),
    usage: (question) => usage.usage(question),
    checks: (organizationId, month) => usage.checks(organizationId, month),
    recentChanges: (question) => recent.changes(question),
    ruleFigures: (ruleIds, since) => ruleCounts.figures(ruleIds, since),
    savedMatch: (organizationId, id) => savedMatches.match(organizationId, id),
    savedMatches: (question) => savedMatches.matches(question),
    ...watchReads(stores.watching),
  };
}

function writesOf(database: DatabaseSync, stores: Stores): Writes {
  const { charges, credit, frontier, graph, log, pages, ratings, robots, sources, usage } = stores;
  return {
    commit: (visit) => committing(stores, visit),
    putSource: (source, seeds, at) => puttingSource(stores, source, seeds, at),
    removeSource: (id) => forgetting(() => sources.forget(id), sources),
    release: (pageId, host) => () => ({ done: true, answer: pages.release(pageId, host) }),
    offer: (found, at) => offering(stores, found, at),
    hasten: (identity, at) => () => ({ done: true, answer: frontier.hasten(identity, at) }),
    bringForward: (now) => bringingForward(frontier, now),
    tidy: (now) => tidying(stores, now),
    drop: (tapId) => {
      const forget = (): void => {
        charges.forget(tapId);
        log.forget(tapId);
      };
      return forgetting(forget, log);
    },
    retain: (tapIds) => retaining(stores, tapIds),
    repairTimes: (now) => repairingTimes(log.times, now),
    repairChangeTimes: (now) => repairingTimes(stores.recent.times, now),
    trim: (before, mostBytes) => trimming(database, log, before, mostBytes),
    trimRecentChanges: (before, mostBytes) => trimmingChanges(stores.recent, before, mostBytes),
    beginRatings: (name) => () => ({ done: true, answer: ratings.begin(name) }),
    addRatings: (list, rated) => addingRatings(ratings, list, rated),
    publishRatings: (list, at) => () => ({ done: true, answer: ratings.publish(list, at) }),
    giveUpRatings: (list) => () => ({ done: true, answer: ratings.giveUp(list) }),
    clearRatings: () => () => ({ done: true, answer: ratings.clear() }),
    sweepRatings: () => sweepingRatings(ratings),
    countReferring: (at) => counting(graph, at),
    saveRobotsCopy: (copy) => savingRobots(robots, copy),
    grantCredit: (grant) => once(() => credit.grant(grant)),
    setCredit: (grant) => once(() => credit.set(grant)),
    unlimitCredit: (organizationId, at) => once(() => credit.unlimit(organizationId, at)),
    charge: (charge) => once(() => charges.charge(charge)),
    countCheck: (organizationId, month) => once(() => usage.countCheck(organizationId, month)),
    trimUsage: (before) => once(() => usage.trim(before)),
    ...recordWrites(stores),
    ...watchWrites(stores.watching),
  };
}

function recordWrites({
  ruleCounts,
  savedMatches,
}: Stores): Pick<Writes, 'addRuleCounts' | 'trimRuleCounts' | 'saveMatch' | 'noteSavedMatch' | 'removeSavedMatch'> {
  return {
    addRuleCounts: (counts) => once(() => ruleCounts.add(counts)),
    trimRuleCounts: (before, living) => once(() => ruleCounts.trim(before, living)),
    saveMatch: (match, text, limit) => once(() => savedMatches.save(match, text, limit)),
    noteSavedMatch: (organizationId, id, note, text) => once(() => savedMatches.note(organizationId, id, note, text)),
    removeSavedMatch: (organizationId, id) => once(() => savedMatches.remove(organizationId, id)),
  };
}
