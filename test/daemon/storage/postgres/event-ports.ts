import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { GraphStore, type PageLinks } from '../../../../src/daemon/storage/postgres/crawl/graph-store.ts';
import { RatingsStore } from '../../../../src/daemon/storage/postgres/crawl/ratings-store.ts';
import { RobotsStore } from '../../../../src/daemon/storage/postgres/crawl/robots-store.ts';
import { CreditStore } from '../../../../src/daemon/storage/postgres/events/credit-store.ts';
import { DeliveryStore } from '../../../../src/daemon/storage/postgres/events/delivery-store.ts';
import { type EventBatch, EventLogStore } from '../../../../src/daemon/storage/postgres/events/event-log-store.ts';
import { LedgerStore } from '../../../../src/daemon/storage/postgres/events/ledger-store.ts';
import { ProblemStore } from '../../../../src/daemon/storage/postgres/events/problem-store.ts';
import {
  type NewChange,
  RecentChangeStore,
} from '../../../../src/daemon/storage/postgres/events/recent-change-store.ts';
import { RuleCounterStore } from '../../../../src/daemon/storage/postgres/events/rule-counter-store.ts';
import { SavedMatchStore } from '../../../../src/daemon/storage/postgres/events/saved-match-store.ts';
import { UsageStore } from '../../../../src/daemon/storage/postgres/events/usage-store.ts';
import type { AppendedEvent, NewEvent } from '../../../../src/daemon/storage/event-log.ts';
import type { Frontier } from '../../../../src/daemon/storage/frontier.ts';
import type { Pages } from '../../../../src/daemon/storage/pages.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import type { DomainLinks } from '../../../../src/shared/page/domain.ts';
import { MemoryEventLog } from '../../../reference/storage/event-log.ts';
import { MemoryFrontier } from '../../../reference/storage/frontier.ts';
import { openMemory } from '../../../reference/storage/memory.ts';
import { MemoryPages } from '../../../reference/storage/pages.ts';
import { MemoryRatings } from '../../../reference/storage/ratings.ts';
import { MemoryRecentChanges } from '../../../reference/storage/recent-changes.ts';

/** The stores of one node. */
export function storesOn(database: Database, node = 'node') {
  const credit = new CreditStore(database);
  const graph = new GraphStore(database);
  return {
    deliveries: new DeliveryStore(database, new ProblemStore(database)),
    eventLog: new EventLogStore(database),
    graph,
    ledger: new LedgerStore(database, { credit, usage: new UsageStore(database) }),
    ratings: new RatingsStore(database, graph),
    recentChanges: new RecentChangeStore(database),
    robots: new RobotsStore(database, node),
    ruleCounters: new RuleCounterStore(database),
    savedMatches: new SavedMatchStore(database),
  };
}

/**
 * What visits write into the log, the graph and the changes, on PostgreSQL. What becomes of the pages themselves the reference
 * implementation decides, which is told from the database by nothing that these ports can show.
 */
export function openEventPorts(url: string): Storage {
  const database = new Database({ url });
  const { graph, ...stores } = storesOn(database);
  const { eventLog, recentChanges } = stores;
  const written = new Written();
  const ratings = new WrittenRatings(written);
  const frontier = new MemoryFrontier(ratings);
  const pages = new MemoryPages({
    frontier,
    ratings,
    log: new WrittenLog(written),
    recent: new WrittenChanges(written),
  });
  const write = async (): Promise<AppendedEvent[]> => {
    const { batches, changes, links, unlinked } = written.take();
    return database.transaction(async (transaction) => {
      await graph.unlink(transaction, unlinked);
      await graph.link(transaction, links);
      const appended = await eventLog.append(transaction, batches);
      await recentChanges.add(transaction, changes);
      return appended.flat();
    });
  };
  const committing: Pages['commit'] = async (visit) => {
    const committed = pages.commit(visit);
    // The reference has done all of it by now, and nothing of another visit.
    const writing = write();
    return { ...(await committed), events: await writing };
  };
  const removing: Frontier['removeSource'] = async (id) => {
    await frontier.removeSource(id);
    await write();
  };
  return {
    ...openMemory(),
    ...stores,
    frontier: overridden(frontier, { removeSource: removing }),
    pages: overridden(pages, { commit: committing }),
    close: () => database.close(),
  };
}

/** The methods of a port, some of them replaced. */
function overridden<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, {
    get: (_, name) => {
      const method: unknown = Reflect.get(name in methods ? methods : port, name);
      return typeof method === 'function' ? method.bind(port) : method;
    },
  });
}

class Written {
  #batches: EventBatch[] = [];
  #changes: NewChange[] = [];
  #links: PageLinks[] = [];
  #unlinked: number[] = [];

  events(batch: EventBatch): void {
    this.#batches.push(batch);
  }

  change(change: NewChange): void {
    this.#changes.push(change);
  }

  link(links: PageLinks): void {
    this.#links.push(links);
  }

  unlink(page: number): void {
    this.#unlinked.push(page);
  }

  take() {
    const taken = { batches: this.#batches, changes: this.#changes, links: this.#links, unlinked: this.#unlinked };
    this.#batches = [];
    this.#changes = [];
    this.#links = [];
    this.#unlinked = [];
    return taken;
  }
}

class WrittenLog extends MemoryEventLog {
  readonly #written: Written;

  constructor(written: Written) {
    super('several');
    this.#written = written;
  }

  override append(events: readonly NewEvent[], at: number): AppendedEvent[] {
    this.#written.events({ events, at });
    return [];
  }
}

class WrittenChanges extends MemoryRecentChanges {
  readonly #written: Written;

  constructor(written: Written) {
    super('several');
    this.#written = written;
  }

  override add(change: Uint8Array, page: Uint8Array, at: number): void {
    this.#written.change({ change, page, at });
  }
}

class WrittenRatings extends MemoryRatings {
  readonly #written: Written;

  constructor(written: Written) {
    super();
    this.#written = written;
  }

  override link(page: number, links: DomainLinks): void {
    this.#written.link({ page, ...links });
  }

  override unlink(page: number): void {
    this.#written.unlink(page);
  }
}
