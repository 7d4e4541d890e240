import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { noOtherNodes } from '../../../src/daemon/storage/nodes.ts';
import { MemoryCatalog } from './catalog.ts';
import { MemoryDeliveries } from './deliveries.ts';
import { MemoryEventLog, type Writers } from './event-log.ts';
import { MemoryFrontier } from './frontier.ts';
import { MemoryLedger } from './ledger.ts';
import { MemoryPages } from './pages.ts';
import { MemoryRatings } from './ratings.ts';
import { MemoryRecentChanges } from './recent-changes.ts';
import { MemoryRobotsCopies } from './robots-copies.ts';
import { MemoryRuleCounters } from './rule-counters.ts';
import { MemorySavedMatches } from './saved-matches.ts';
import { MemoryWatches } from './watches.ts';

/**
 * Storage that forgets: the ports in plain maps, for the tests of every other room. It passes the same exam as
 * the sqlite one, and it is the reference that one is compared with: where the two disagree, the port's sentence
 * decides which is wrong.
 *
 * Each call does its work in one go before its promise is answered, so a call is a transaction. What comes in is
 * copied first: a caller that goes on writing into its own object changes nothing here, as with a disk.
 */
export function openMemory(writers: Writers = 'one'): Storage {
  const catalog = new MemoryCatalog();
  const eventLog = new MemoryEventLog(writers);
  const ledger = new MemoryLedger(eventLog);
  eventLog.onDrop((tapId) => ledger.forget(tapId));
  const ratings = new MemoryRatings();
  const robots = new MemoryRobotsCopies();
  const frontier = new MemoryFrontier(ratings);
  const recentChanges = new MemoryRecentChanges(writers);
  const pages = new MemoryPages({ frontier, log: eventLog, ratings, recent: recentChanges });
  const watches = new MemoryWatches(frontier, ledger);
  const records = { recentChanges, ruleCounters: new MemoryRuleCounters(), savedMatches: new MemorySavedMatches() };
  const deliveries = new MemoryDeliveries();
  const crawl = { deliveries, frontier, pages, ratings, robots, watches };
  return {
    catalog,
    eventLog,
    ledger,
    ...crawl,
    ...records,
    nodes: noOtherNodes,
    losses: [],
    heapUse: async () => ({ heap: 0, external: 0 }),
    release: () => undefined,
    close: () => catalog.close(),
  };
}
