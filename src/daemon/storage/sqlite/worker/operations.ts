import type { DatabaseSync } from 'node:sqlite';
import type { Ports } from '../../storage.ts';
import { ledgerOperations } from '../events/ledger-store.ts';
import { frontierOperations, settling } from '../crawl/frontier-store.ts';
import { pageOperations } from '../crawl/page-store.ts';
import { finishingRatings, ratingOperations } from '../crawl/ratings-store.ts';
import { recentChangeOperations } from '../events/recent-change-store.ts';
import { robotsOperations } from '../crawl/robots-store.ts';
import { eventLogOperations } from '../events/event-log-store.ts';
import { ruleCounterOperations } from '../events/rule-counter-store.ts';
import { savedMatchOperations } from '../events/saved-match-store.ts';
import { settlingHold, watchOperations } from '../watch/watch-operations.ts';
import { type Operation, type Operations, type Step, sweeping } from './operation.ts';
import type { Methods } from './protocol.ts';
import type { TransactionalMaps } from './transactional-map.ts';
import { storesOn } from './stores.ts';

/** All that the storage thread does for the ports; the main thread makes its side from the names (`portsOver`). */
export type OperationTable = { readonly [Port in keyof Ports]: Operations<Ports[Port]> };

/** The storage on an open database. */
export interface Engine {
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
export type Work = { readonly answer: unknown } | { readonly step: () => Step };

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
