import type { DatabaseSync } from 'node:sqlite';
import { siteOf } from '../../../../shared/page/domain.ts';
import { ratingOf, type Standing } from '../../../../shared/rating/rating.ts';
import { ChargeStore, CreditStore, UsageStore } from '../events/ledger-store.ts';
import { DuplicateStore } from '../crawl/duplicate-store.ts';
import { FailingStore, HostStore } from '../crawl/host-store.ts';
import { FrontierStore } from '../crawl/frontier-store.ts';
import { GraphStore, RatingStore } from '../crawl/ratings-store.ts';
import { HolderStore } from '../crawl/holder-store.ts';
import { AdmissionStore } from '../crawl/admission-store.ts';
import { LogStore } from '../events/event-log-store.ts';
import { PageStore } from '../crawl/page-store.ts';
import { RecentChangeStore } from '../events/recent-change-store.ts';
import { TombstoneStore } from '../crawl/tombstone-store.ts';
import { TransactionalMaps } from './transactional-map.ts';
import { RobotsStore } from '../crawl/robots-store.ts';
import { RuleCounterStore } from '../events/rule-counter-store.ts';
import { SavedMatchStore } from '../events/saved-match-store.ts';
import { SourceStore } from '../crawl/source-store.ts';
import { VisitedStore } from '../crawl/visited-store.ts';
import { WatchCheckStore, WatchTextStore } from '../watch/watch-history-store.ts';
import { WatchCommitStore } from '../watch/watch-commit-store.ts';
import { WatchQueue } from '../watch/watch-queue.ts';
import { WatchOrganizationStore, WatchStore } from '../watch/watch-store.ts';

interface Stores {
  readonly charges: ChargeStore;
  readonly credit: CreditStore;
  readonly failing: FailingStore;
  readonly frontier: FrontierStore;
  readonly graph: GraphStore;
  readonly hosts: HostStore;
  readonly admission: AdmissionStore;
  readonly log: LogStore;
  /** What of them is in memory. */
  readonly maps: TransactionalMaps;
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
  const maps = new TransactionalMaps();
  const log = new LogStore(database);
  const credit = new CreditStore(database);
  const usage = new UsageStore(database);
  const charges = new ChargeStore(database, { credit, usage });
  const graph = new GraphStore(database);
  const ratings = new RatingStore(database);
  const robots = new RobotsStore(database);
  const hosts = new HostStore(database, maps);
  const duplicates = new DuplicateStore(database);
  const recent = new RecentChangeStore(database);
  const tombstones = new TombstoneStore(database);
  const visited = new VisitedStore(database);
  const holders = new HolderStore(database, { hosts, duplicates, graph });
  const sources = new SourceStore(database, { hosts, holders, tombstones, visited }, maps);
  const standing = (domain: string): Standing => {
    const imported = ratings.imported(domain);
    return { ...(imported !== undefined && { imported }), referring: graph.referring(domain) };
  };
  const dr = (host: string): number => ratingOf(standing(siteOf(`http://${host}/`) ?? host)) ?? 0;
  const admission = new AdmissionStore(database, { hosts, holders, tombstones, sources, visited, dr });
  const frontier = new FrontierStore(database, { hosts, holders, admission, sources, visited });
  const pages = new PageStore(database, {
    duplicates,
    graph,
    holders,
    hosts,
    admission,
    log,
    recent,
    sources,
    visited,
  });
  const crawl = { frontier, graph, hosts, admission, pages, ratings, recent, robots, sources, standing };
  const failing = new FailingStore(database);
  const ruleCounts = new RuleCounterStore(database);
  const savedMatches = new SavedMatchStore(database);
  const watching = watchStoresOn(database, { hosts, usage, maps });
  return { ...crawl, charges, credit, failing, log, maps, ruleCounts, savedMatches, usage, watching };
}

/** What is kept of watches, by story. */
export interface WatchStores {
  readonly checks: WatchCheckStore;
  readonly commits: WatchCommitStore;
  readonly queue: WatchQueue;
  readonly organizations: WatchOrganizationStore;
  readonly texts: WatchTextStore;
  readonly watches: WatchStore;
}

function watchStoresOn(
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
