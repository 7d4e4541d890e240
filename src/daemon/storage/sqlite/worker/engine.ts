import type { DatabaseSync } from 'node:sqlite';
import type { Ports } from '../../storage.ts';
import { ChargeStore, CreditStore, ledgerOperations, UsageStore } from '../events/ledger-store.ts';
import { frontierOperations, FrontierStore, settling } from '../crawl/frontier-store.ts';
import { pageOperations, PageStore } from '../crawl/page-store.ts';
import { finishingRatings, GraphStore, ratingOperations, RatingStore } from '../crawl/ratings-store.ts';
import { recentChangeOperations, RecentChangeStore } from '../events/recent-change-store.ts';
import { robotsOperations, RobotsStore } from '../crawl/robots-store.ts';
import { deliveryOperations, DeliveryStore, ProblemStore } from '../events/delivery-store.ts';
import { eventLogOperations, LogStore } from '../events/event-log-store.ts';
import { ruleCounterOperations, RuleCounterStore } from '../events/rule-counter-store.ts';
import { savedMatchOperations, SavedMatchStore } from '../events/saved-match-store.ts';
import { settlingHold, watchOperations, type WatchStores, watchStoresOn } from '../watch/watch-stores.ts';
import { type Operation, type Operations, type Step, sweeping } from './operation.ts';
import type { Methods } from './operation.ts';
import { siteOf } from '../../../../shared/page/domain.ts';
import { ratingOf, type Standing } from '../../../../shared/rating/rating.ts';
import { DuplicateStore } from '../crawl/duplicate-store.ts';
import { FailingStore, HostStore } from '../crawl/host-store.ts';
import { HolderStore, TombstoneStore } from '../crawl/holder-store.ts';
import { AdmissionStore } from '../crawl/admission-store.ts';
import { TransactionalMaps } from './transactional-map.ts';
import { SourceStore } from '../crawl/source-store.ts';
import { VisitedStore } from '../crawl/visited-store.ts';

/** All that the storage thread does for the ports; the main thread makes its side from the names (`portsOver`). */
type OperationTable = { readonly [Port in keyof Ports]: Operations<Ports[Port]> };

/** The storage on an open database. */
interface Engine {
  readonly operations: OperationTable;
  /** What the stores keep in memory: it changes and rolls back with the transactions. */
  readonly maps: TransactionalMaps;
  /** Long writes that the last process began and did not finish. */
  readonly leftovers: readonly (() => Step)[];
}

export function engineOn(database: DatabaseSync): Engine {
  const stores = storesOn(database);
  const { log, ratings, sources, watching } = stores;
  const removed = [sources, log, watching.commits];
  return {
    operations: {
      deliveries: deliveryOperations(stores),
      eventLog: eventLogOperations(database, stores),
      frontier: frontierOperations({ ...stores, removed }),
      ledger: ledgerOperations(stores),
      pages: pageOperations(stores),
      ratings: ratingOperations(stores),
      recentChanges: recentChangeOperations(stores.recent),
      robots: robotsOperations(stores.robots),
      ruleCounters: ruleCounterOperations(stores.ruleCounts),
      savedMatches: savedMatchOperations(stores.savedMatches),
      watches: watchOperations(watching),
    },
    maps: stores.maps,
    leftovers: [
      ...removed.filter((store) => store.hasForgotten()).map((store) => sweeping(store)),
      ...sources.unfinished().map((id) => settling(sources, id)),
      ...watching.organizations.unfinished().map((id) => settlingHold(watching, id)),
      ...(ratings.hasLeftover() ? [finishingRatings(ratings)] : []),
    ],
  };
}

export function methodsOf(operations: OperationTable): Methods {
  return Object.fromEntries(Object.entries(operations).map(([port, table]) => [port, Object.keys(table)]));
}

/** A read is answered with what this returns, a write after its steps. */
type Work = { readonly answer: unknown } | { readonly step: () => Step };

/** The operations by the names that calls have, `pages.commit`. */
export function workByName(operations: OperationTable): (name: string, args: readonly unknown[]) => Work {
  const byName = new Map<string, UntypedOperation>();
  for (const [port, table] of Object.entries(operations)) {
    for (const [method, operation] of Object.entries(table)) byName.set(`${port}.${method}`, operation);
  }
  return (name, args) => {
    const operation = byName.get(name);
    if (!operation) throw new TypeError(`the storage has no operation ${name}`);
    if ('read' in operation) return { answer: operation.read(...args) };
    if ('longWrite' in operation) return { step: operation.longWrite(...args) };
    return { step: () => ({ done: true, answer: operation.write(...args) }) };
  };
}

/** Both threads are typed by the ports; across a message the compiler cannot see that. */
type UntypedOperation = Operation<(...args: readonly unknown[]) => Promise<unknown>>;

interface Stores {
  readonly charges: ChargeStore;
  readonly credit: CreditStore;
  readonly deliveries: DeliveryStore;
  readonly failing: FailingStore;
  readonly frontier: FrontierStore;
  readonly graph: GraphStore;
  readonly hosts: HostStore;
  readonly admission: AdmissionStore;
  readonly log: LogStore;
  /** What of them is in memory. */
  readonly maps: TransactionalMaps;
  readonly pages: PageStore;
  readonly problems: ProblemStore;
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
  const sinks = { deliveries: new DeliveryStore(database), problems: new ProblemStore(database) };
  const watching = watchStoresOn(database, { hosts, usage, maps });
  return { ...crawl, ...sinks, charges, credit, failing, log, maps, ruleCounts, savedMatches, usage, watching };
}
