import type { HeapUse } from '../collect-garbage.ts';
import type { Catalog } from './catalog.ts';
import type { Deliveries } from './deliveries.ts';
import type { EventLog } from './event-log.ts';
import type { Frontier } from './frontier.ts';
import type { Ledger } from './ledger.ts';
import type { Nodes } from './nodes.ts';
import type { Pages } from './pages.ts';
import type { Ratings } from './ratings.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { RobotsCopies } from './robots-copies.ts';
import type { RuleCounters } from './rule-counters.ts';
import type { SavedMatches } from './saved-matches.ts';
import type { Watches } from './watches.ts';

/**
 * What the storage keeps beside the catalog, behind ports cut by access pattern: `deliveries` (cursors
 * of sinks, messages that wait, the log of problems), `eventLog` (append, read from), `frontier`
 * (what is due), `ledger` (what deliveries cost), `pages` (versions, the commit of a visit), `ratings` (looked up by domain,
 * replaced whole), `recentChanges` (written by visits, read newest first, cut off at the end), `robots` (looked up by
 * origin, replaced one by one), `ruleCounters` (added to, summed up), `savedMatches` (kept, searched), `watches` (URLs
 * checked at their times, the commit of a check). Every method is asynchronous and takes and returns plain data, which can
 * go to another thread or another machine.
 */
export interface Ports {
  readonly deliveries: Deliveries;
  readonly eventLog: EventLog;
  readonly frontier: Frontier;
  readonly ledger: Ledger;
  readonly pages: Pages;
  readonly ratings: Ratings;
  readonly recentChanges: RecentChanges;
  readonly robots: RobotsCopies;
  readonly ruleCounters: RuleCounters;
  readonly savedMatches: SavedMatches;
  readonly watches: Watches;
}

/**
 * Everything that survives a restart: the ports, and the catalog, whose small records every process keeps in memory. `sqlite/`
 * and the reference implementation pass the same contract tests (test/contract); only daemon.ts and upkeep.ts name one.
 */
export interface Storage extends Ports {
  readonly catalog: Catalog;
  /** The processes that share it. */
  readonly nodes: Nodes;
  /** What was found lost when it was opened, a sentence each, for the operator. */
  readonly losses: readonly string[];
  /** What it holds in threads of its own. */
  heapUse(): Promise<HeapUse>;
  /** Lets go of memory that holds nothing but garbage and what is cheap to read again. */
  release(): void;
  /** Finishes what is under way, then lets go of the files. */
  close(): Promise<void>;
}
