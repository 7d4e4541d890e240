import type { DatabaseSync } from 'node:sqlite';
import { siteOf } from '../../../../shared/page/domain.ts';
import { ratingOf, type Standing } from '../../../../shared/rating/rating.ts';
import { ChargeStore } from '../accounts/charge-store.ts';
import { CopyStore } from '../crawl/copy-store.ts';
import { CreditStore } from '../accounts/credit-store.ts';
import { FailingStore } from '../crawl/failing-store.ts';
import { FrontierStore } from '../crawl/frontier-store.ts';
import { GraphStore } from '../crawl/graph-store.ts';
import { HolderStore } from '../crawl/holder-store.ts';
import { HostStore } from '../crawl/host-store.ts';
import { IntakeStore } from '../crawl/intake-store.ts';
import { LogStore } from '../events/log-store.ts';
import { PageStore } from '../crawl/page-store.ts';
import { RatingStore } from '../crawl/rating-store.ts';
import { RecentChangeStore } from '../crawl/recent-change-store.ts';
import { RetiredStore } from '../crawl/retired-store.ts';
import { RevocableMaps } from './revocable-map.ts';
import { RobotsStore } from '../crawl/robots-store.ts';
import { RuleCounterStore } from '../events/rule-counter-store.ts';
import { SavedMatchStore } from '../events/saved-match-store.ts';
import { SourceStore } from '../crawl/source-store.ts';
import { UsageStore } from '../accounts/usage-store.ts';
import { VisitedStore } from '../crawl/visited-store.ts';
import { type WatchStores, watchStoresOn } from './watch-stores.ts';

export interface Stores {
  readonly charges: ChargeStore;
  readonly credit: CreditStore;
  readonly failing: FailingStore;
  readonly frontier: FrontierStore;
  readonly graph: GraphStore;
  readonly hosts: HostStore;
  readonly intake: IntakeStore;
  readonly log: LogStore;
  /** What of them is in memory. */
  readonly maps: RevocableMaps;
  readonly pages: PageStore;
  readonly ratings: RatingStore;
  readonly recent: RecentChangeStore;
  readonly robots: RobotsStore;
  readonly ruleCounts: RuleCounterStore;
  readonly savedMatches: SavedMatchStore;
  readonly sources: SourceStore;
  readonly standing: (domain: string) => Standing;
  readonly usage: UsageStore;
  readonly watching: WatchStores;
}

/** One store a group of tables; who needs another gets it here. */
export function storesOn(database: DatabaseSync): Stores {
  const maps = new RevocableMaps();
  const log = new LogStore(database);
  const credit = new CreditStore(database);
  const usage = new UsageStore(database);
  const charges = new ChargeStore(database, { credit, usage });
  const graph = new GraphStore(database);
  const ratings = new RatingStore(database);
  const robots = new RobotsStore(database);
  const hosts = new HostStore(database, maps);
  const copies = new CopyStore(database);
  const recent = new RecentChangeStore(database);
  const retired = new RetiredStore(database);
  const visited = new VisitedStore(database);
  const holders = new HolderStore(database, { hosts, copies, graph });
  const sources = new SourceStore(database, { hosts, holders, retired, visited }, maps);
  const standing = (domain: string): Standing => {
    const imported = ratings.imported(domain);
    return { ...(imported !== undefined && { imported }), referring: graph.referring(domain) };
  };
  const dr = (host: string): number => ratingOf(standing(siteOf(`http://${host}/`) ?? host)) ?? 0;
  const intake = new IntakeStore(database, { hosts, holders, retired, sources, visited, dr });
  const frontier = new FrontierStore(database, { hosts, holders, intake, sources, visited });
  const pages = new PageStore(database, { copies, graph, holders, hosts, intake, log, recent, sources, visited });
  const crawl = { frontier, graph, hosts, intake, pages, ratings, recent, robots, sources, standing };
  const failing = new FailingStore(database);
  const ruleCounts = new RuleCounterStore(database);
  const savedMatches = new SavedMatchStore(database);
  const watching = watchStoresOn(database, { hosts, usage, maps });
  return { ...crawl, charges, credit, failing, log, maps, ruleCounts, savedMatches, usage, watching };
}
