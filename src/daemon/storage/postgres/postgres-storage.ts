import { siteOf } from '../../../shared/page/domain.ts';
import { ratingOf } from '../../../shared/rating/rating.ts';
import type { Outside } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import type { AppendedEvent } from '../event-log.ts';
import type { Ports, Storage } from '../storage.ts';
import { StorageUnavailable } from '../unavailable.ts';
import { PostgresCatalog } from './catalog/catalog.ts';
import { NodeRows, refuseOtherSecret } from './catalog/nodes.ts';
import { type Database, isRefusal, openDatabase, type Queryable } from './connection/database.ts';
import { AdmissionStore } from './crawl/admission.ts';
import { FrontierStore } from './crawl/frontier-store.ts';
import { GraphStore } from './crawl/graph-store.ts';
import { HostStore } from './crawl/host-store.ts';
import { PageStore } from './crawl/page-store.ts';
import { RatingsStore } from './crawl/ratings-store.ts';
import { RobotsStore } from './crawl/robots-store.ts';
import { SourceStore } from './crawl/source-store.ts';
import { SourceWalks } from './crawl/source-walks.ts';
import { VisitCommit } from './crawl/visit-commit.ts';
import { VisitGroups } from './crawl/visit-groups.ts';
import { CreditStore } from './events/credit-store.ts';
import { DeliveryStore } from './events/delivery-store.ts';
import { EventLogStore } from './events/event-log-store.ts';
import { announceHeads, headsOf } from './events/head-feed.ts';
import { LedgerStore } from './events/ledger-store.ts';
import { ProblemStore } from './events/problem-store.ts';
import { RecentChangeStore } from './events/recent-change-store.ts';
import { RuleCounterStore } from './events/rule-counter-store.ts';
import { SavedMatchStore } from './events/saved-match-store.ts';
import { UsageStore } from './events/usage-store.ts';
import { PostgresNodes } from './nodes.ts';
import { migrate } from './schema/migrations.ts';
import { WatchCommit } from './watch/watch-commit.ts';
import { WatchHistoryStore } from './watch/watch-history.ts';
import { WatchOrderStore } from './watch/watch-orders.ts';
import { WatchStore } from './watch/watch-store.ts';
import { WatchTextStore } from './watch/watch-texts.ts';

export interface PostgresOptions {
  /** `postgres://user:password@one:5432,two:5432/database`. */
  readonly url: string;
  /** What this process is called among those that share the database: no two have the same. */
  readonly node: string;
  readonly outside: Pick<Outside, 'now' | 'uuid'>;
  /** SHA-256 of the secret that this node seals with; the first node of a database decides. Absent: it is not looked at. */
  readonly secretFingerprint?: Uint8Array;
  /** What went wrong where nobody waits for an answer. */
  readonly onError: (what: string, error: unknown) => void;
  /** Milliseconds in which visits gather for one commit; 0 commits at once. */
  readonly groupCommitMs?: number;
}

/** What the threads of another storage would hold. */
const IN_NO_THREAD = { losses: [], heapUse: async () => ({ heap: 0, external: 0 }), release: () => undefined };

/** More than SQLite's, since a group costs the database nearly as much as two of them; nobody notices it in a visit. */
const GROUP_COMMIT_MS = 50;

/**
 * Storage in a PostgreSQL database that several daemons share: events, pages, leases and counters change in one transaction, and
 * nothing of it is in the memory of a process. The schema is created and migrated here.
 *
 * Throws StartFailure with one line that says what is wrong and what to do.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const database = openDatabase({ url: options.url });
  const rows = new NodeRows(database, options.node, () => options.outside.now());
  try {
    await migrate(database);
    if (options.secretFingerprint) await refuseOtherSecret(database, options.secretFingerprint);
    await rows.readClock();
    const catalog = await PostgresCatalog.open({ ...options, database, nodes: rows });
    const log = new EventLogStore(database);
    const nodes = new PostgresNodes({ database, node: options.node, rows, log });
    const { ports, closing } = portsOn(database, log, options);
    const close = async (): Promise<void> => {
      await Promise.all([...closing, nodes, catalog].map((part) => part.close()));
      await database.close();
    };
    return { ...ports, ...IN_NO_THREAD, catalog, nodes, close };
  } catch (error) {
    await database.close();
    throw asStartFailure(error);
  }
}

/** What PostgreSQL says of it names the right or the limit that is missing. */
function asStartFailure(error: unknown): unknown {
  if (error instanceof StorageUnavailable) {
    const how = 'check that it runs, and the host, port, user and password of the setting store';
    return new StartFailure('environment', `${error.message}; ${how}`, { cause: error });
  }
  if (!isRefusal(error)) return error;
  const how = 'the user of the setting store has to own the database, or may create tables in it';
  return new StartFailure('environment', `PostgreSQL refuses to begin: ${error.message}; ${how}`, { cause: error });
}

function portsOn(
  database: Database,
  log: EventLogStore,
  { node, outside, onError, groupCommitMs: gatherMs = GROUP_COMMIT_MS }: PostgresOptions,
): { readonly ports: Ports; readonly closing: readonly { close(): Promise<void> }[] } {
  const graph = new GraphStore(database);
  const rated = new RatingsStore(database, graph);
  const recent = new RecentChangeStore(database);
  const hosts = new HostStore();
  const sources = new SourceStore(node);
  const unlink: GraphStore['unlink'] = (transaction, pages) => graph.unlink(transaction, pages);
  const ratings = (from: Queryable, names: readonly string[]) => domainRatings(rated, from, names);
  const admission = new AdmissionStore({ node, hosts, sources, ratings, unlink });
  const walks = new SourceWalks({ database, node, hosts, sources, unlink });
  const commit = new VisitCommit({ node, graph, hosts, log, recent, sources });
  const appended = (events: readonly AppendedEvent[]): void => {
    // A hint to other nodes: whoever misses it looks by itself.
    void announceHeads(database, headsOf(events)).catch(() => undefined);
  };
  const groups = new VisitGroups({ database, admission, commit, uuid: () => outside.uuid(), gatherMs, appended });
  const credit = new CreditStore(database);
  const usage = new UsageStore(database);
  const [history, texts] = [new WatchHistoryStore(), new WatchTextStore()];
  const checks = new WatchCommit({ node, history, hosts, texts, usage });
  const orders = new WatchOrderStore(node);
  const watches = new WatchStore({ database, node, commit: checks, history, hosts, orders, texts, onError, gatherMs });
  const failingWatches = (from: Queryable, atMost: number) => history.failing(from, atMost);
  const ports = {
    deliveries: new DeliveryStore(database, new ProblemStore(database)),
    eventLog: log,
    frontier: new FrontierStore({ database, node, admission, hosts, sources, walks, failingWatches }),
    ledger: new LedgerStore(database, { credit, usage }),
    pages: new PageStore({ database, hosts, groups }),
    ratings: rated,
    recentChanges: recent,
    robots: new RobotsStore(database, node),
    ruleCounters: new RuleCounterStore(database),
    savedMatches: new SavedMatchStore(database),
    watches,
  };
  return { ports, closing: [groups, watches] };
}

/** Domain Ratings of hosts, of those that are known at all. */
async function domainRatings(
  ratings: RatingsStore,
  from: Queryable,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (hosts.length === 0) return new Map();
  const domainOf = (host: string): string => siteOf(`http://${host}/`) ?? host;
  const standings = await ratings.standings(from, [...new Set(hosts.map(domainOf))]);
  return new Map(
    hosts.flatMap((host) => {
      const standing = standings.get(domainOf(host));
      const rating = standing && ratingOf(standing);
      return rating === undefined ? [] : [[host, rating] as const];
    }),
  );
}
