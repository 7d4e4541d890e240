import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import type { TapBounds } from '../../../../src/daemon/storage/event-log.ts';
import { urlOf } from '../../../fixtures/full-store.ts';
import { identity } from '../../../fixtures/visits.ts';

interface Answers {
  readonly bounds: Readonly<Record<string, TapBounds>>;
  /** Whatever else is compared. */
  readonly [port: string]: unknown;
}

/** What all ports say of a store of `fillEveryTable`: the same on either side of a move. */
export async function answersOf(storage: Storage): Promise<Answers> {
  const { catalog, deliveries, eventLog, frontier, ledger, pages, ratings, recentChanges, robots } = storage;
  const { partition, taps } = await eventLog.allBounds();
  const events = await Promise.all(
    catalog.data.taps.map(({ id }) => eventLog.read(id, 0, { events: 1_000, bytes: 1e9 })),
  );
  const looked = await Promise.all(
    [urlOf(0), urlOf(77), 'https://twins.example/b', 'http://plain.example/x'].map((url) =>
      frontier.look(identity(url)),
    ),
  );
  const visited = looked.flatMap((found) => (found ? [found.page] : []));
  return {
    bounds: Object.fromEntries(taps.map((tap) => [tap.tapId, tap])),
    partition,
    events,
    looked,
    catalog: catalog.data,
    extent: await eventLog.extent(),
    sources: (await frontier.sources()).toSorted((one, other) => one.id.localeCompare(other.id)),
    frontier: await frontier.frontierTotals(20_000),
    versions: await Promise.all(visited.map(({ id }) => pages.version(id))),
    moved: await frontier.movedPages(10),
    failing: await frontier.failingPages(100),
    hosts: await frontier.unhealthyHosts(10),
    account: await ledger.account('o1', 10),
    prepaid: (await ledger.prepaid()).toSorted(),
    history: await ledger.creditHistory('o1', 10),
    isCharged: await Promise.all([0, 49, 50, 105].map((offset) => ledger.isCharged('t1', offset))),
    usage: await ledger.usage({ organizationId: 'o1', by: 'tap', since: 0, atMost: 10 }),
    checksOfMonth: await ledger.checks('o1', '2026-02'),
    sink: await deliveries.sinkState('sink'),
    cursors: await deliveries.cursors('sink'),
    attempts: await deliveries.attempts('sink', { atMost: 10 }),
    parked: await deliveries.parkedMessages('sink', { atMost: 10 }),
    message: await deliveries.nextMessage('sink'),
    problems: [
      await deliveries.openProblems(),
      await deliveries.problemBounds(),
      await deliveries.problemEvents(0, 10),
    ],
    ratings: [
      await ratings.ratingSummary(),
      await ratings.standing('a.example'),
      await ratings.standing('linked.example'),
    ],
    recent: await recentChanges.recentChanges({ since: 0, atMost: { changes: 1_000, bytes: 1e9 } }),
    robots: [await robots.robotsTotals(), await robots.robotsCopy('https://h1.example')],
    rules: await storage.ruleCounters.ruleFigures(['r-t1'], 0),
    saved: await storage.savedMatches.savedMatch('o1', 'm'),
    watches: await watchesOf(storage),
  };
}

async function watchesOf({ watches }: Storage): Promise<unknown> {
  const found = [
    ...(await watches.watches({ organizationId: 'o1', atMost: 100 })),
    ...(await watches.watches({ organizationId: 'o2', atMost: 100 })),
  ];
  return {
    found,
    totals: await watches.watchTotals(20_000),
    checks: await Promise.all(found.map(({ id }) => watches.checks(id, { atMost: 100 }))),
    baselines: await Promise.all(found.map(({ id }) => watches.watchBaseline(id))),
    changes: [
      await watches.watchChanges({ organizationId: 'o1', after: 0, atMost: 100 }),
      await watches.watchChanges({ organizationId: 'o2', after: 0, atMost: 100 }),
    ],
    explanation: await watches.watchExplanation('v'),
  };
}
