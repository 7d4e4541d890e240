import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/embedded/database.ts';
import { GroupCommit, type Step } from '../../../src/daemon/storage/embedded/group-commit.ts';
import { operationsOn } from '../../../src/daemon/storage/embedded/operations.ts';
import { openMemory } from '../../../src/daemon/storage/memory/memory.ts';
import type { DuePage, Visit } from '../../../src/daemon/storage/pages.ts';
import type { RatedDomain } from '../../../src/daemon/storage/ratings.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { eventFor, versionOf, visitOf } from '../../fixtures/visits.ts';
import { temporaryDir } from './house.ts';

type Ports = Pick<Storage, 'pages' | 'eventLog' | 'ratings' | 'robots'>;
type Command = (storage: Ports) => Promise<unknown>;

const sources = ['s1', 's2', 's3'];
const id = fc.constantFrom(...sources);
const tap = fc.constantFrom('a', 'b');
const at = fc.nat(50);
const domain = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const url = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(5))
  .map(([host, path]) => `http://${host}.example/${path === 0 ? '' : path}`);

const file = fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined });
const unreachable = { since: 7, reason: 'dns', detail: 'gone' };

const visit: fc.Arbitrary<Visit> = fc
  .record({
    pageId: fc.integer({ min: 1, max: 12 }),
    sourceIds: fc.oneof({ weight: 3, arbitrary: fc.constant(sources) }, fc.subarray(sources)),
    at,
    wait: fc.nat(30),
    outcome: fc.constantFrom('changed', 'unchanged', 'failed'),
    taps: fc.array(tap, { maxLength: 3 }),
    furniture: fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined }),
    links: fc.option(fc.record({ from: domain, to: fc.uniqueArray(domain) }), { nil: undefined }),
    discovered: fc.array(fc.record({ sourceId: id, urls: fc.array(url, { maxLength: 6 }) }), { maxLength: 2 }),
  })
  .map(({ pageId, sourceIds, at, wait, outcome, taps, furniture, links, discovered }) =>
    visitOf(
      { id: pageId, sourceIds },
      {
        at,
        nextDue: at + wait,
        outcome,
        discovered,
        events: taps.map((tapId) => eventFor(tapId)),
        ...(outcome === 'failed' ? { reason: 'dns', detail: 'gone', doubtedAt: at } : { bodyHash: `hash of ${at}` }),
        ...(furniture && { furniture }),
        ...(links && { linksTo: { ...links, to: links.to.filter((name) => name !== links.from) } }),
        ...(outcome === 'changed' && { version: versionOf(`as of ${at}`, at) }),
      },
    ),
  );

/** An odd number of domains is published, an even one left half-way. */
function importing(rated: readonly RatedDomain[]): Command {
  return async ({ ratings }) => {
    const list = await ratings.beginRatings('list.csv');
    const domains = await ratings.addRatings(list, rated);
    return [domains, rated.length % 2 === 1 && (await ratings.publishRatings(list, rated.length))];
  };
}

const command: fc.Arbitrary<readonly [string, Command]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 6 }), url, at)
      .map(([id, everyMs, maxPages, seed, at]) => {
        const add: Command = (storage) => storage.pages.addSource({ id, everyMs, maxPages }, seed, at);
        return [`add ${id} every ${everyMs}, ${maxPages} pages, ${seed} at ${at}`, add] as const;
      }),
  },
  {
    weight: 1,
    arbitrary: id.map((id) => [`remove ${id}`, (storage: Ports) => storage.pages.removeSource(id)] as const),
  },
  {
    weight: 8,
    arbitrary: visit.map((one) => [JSON.stringify(one), (storage: Ports) => storage.pages.commit(one)] as const),
  },
  {
    weight: 1,
    arbitrary: at.map((now) => [`bring forward to ${now}`, ({ pages }: Ports) => pages.bringForward(now)] as const),
  },
  { weight: 1, arbitrary: at.map((at) => [`trim ${at}`, (storage: Ports) => storage.eventLog.trim(at)] as const) },
  {
    weight: 1,
    arbitrary: at.map((at) => [`count ${at}`, ({ ratings }: Ports) => ratings.countReferring(at)] as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(domain, fc.nat(100)))
      .map((rated) => [JSON.stringify(rated), importing(rated)] as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ origin: url, askedAt: at, expiresAt: at, file, unreachable: fc.constantFrom(undefined, unreachable) })
      .map((copy) => [JSON.stringify(copy), ({ robots }: Ports) => robots.saveRobotsCopy(copy)] as const),
  },
  { weight: 1, arbitrary: fc.constant(['clear', ({ ratings }: Ports) => ratings.clearRatings()] as const) },
  { weight: 1, arbitrary: fc.constant(['sweep', ({ ratings }: Ports) => ratings.sweepRatings()] as const) },
  { weight: 1, arbitrary: tap.map((id) => [`drop ${id}`, (storage: Ports) => storage.eventLog.drop(id)] as const) },
);

/** Everything that can be asked. Hosts due at the same moment come in any order, and so do a page's sources. */
async function everything({ pages, eventLog, ratings, robots }: Ports): Promise<unknown> {
  const dues = await Promise.all(
    [0, 20, 40, 200].map(async (now) => {
      const answer = await pages.due({ now, atMost: 10, busyHosts: now === 40 ? ['b.example'] : [] });
      expect(answer.pages.map((page) => page.due)).toEqual(answer.pages.map((page) => page.due).toSorted(byNumber));
      return [answer.nextAt, answer.pages.map(inOrder).toSorted(byUrl)];
    }),
  );
  const logs = await Promise.all(
    ['a', 'b'].map(async (tapId) => [
      await eventLog.bounds(tapId),
      await eventLog.read(tapId, 2, { events: 5, bytes: 150 }),
      await Promise.all([0, 10, 30].map((at) => eventLog.firstAt(tapId, at))),
    ]),
  );
  const versions = await Promise.all([1, 2, 3, 4, 5].map((pageId) => pages.version(pageId)));
  const furniture = await Promise.all(['a.example', 'b.example'].map((host) => pages.furniture(host)));
  const standings = await Promise.all(['a', 'b', 'c', 'd'].map((name) => ratings.standing(`${name}.example`)));
  const copies = [await robots.robotsCopy('http://a.example/'), await robots.robotsTotals()];
  const rated = [standings, await ratings.ratingSummary()];
  return [
    dues,
    logs,
    versions,
    furniture,
    rated,
    copies,
    await pages.sources(),
    await pages.totals(25),
    await eventLog.count(),
  ];
}

const byNumber = (one: number, other: number): number => one - other;
const byUrl = (one: DuePage, other: DuePage): number => one.url.localeCompare(other.url);

const inOrder = (page: DuePage): DuePage => ({ ...page, sourceIds: page.sourceIds.toSorted() });

/** The embedded ports without the thread between: the same operations and commits, some hundred histories faster. */
function portsOn(database: DatabaseSync): Ports {
  const { reads, writes } = operationsOn(database);
  const commits = new GroupCommit(database, 0);
  const write = <Answer>(step: () => Step<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      commits.add({ step, resolve: (answer) => resolve(answer as Answer), reject });
    });
  return {
    pages: {
      addSource: (...args) => write(writes.addSource(...args)),
      removeSource: (...args) => write(writes.removeSource(...args)),
      sources: async () => reads.sources(),
      due: async (...args) => reads.due(...args),
      bringForward: (...args) => write(writes.bringForward(...args)),
      version: async (...args) => reads.version(...args),
      furniture: async (...args) => reads.furniture(...args),
      commit: (...args) => write(writes.commit(...args)),
      totals: async (...args) => reads.totals(...args),
    },
    eventLog: {
      bounds: async (...args) => reads.bounds(...args),
      read: async (...args) => reads.read(...args),
      firstAt: async (...args) => reads.firstAt(...args),
      trim: (...args) => write(writes.trim(...args)),
      drop: (...args) => write(writes.drop(...args)),
      count: async () => reads.count(),
    },
    ratings: {
      standing: async (...args) => reads.standing(...args),
      beginRatings: (...args) => write(writes.beginRatings(...args)),
      addRatings: (...args) => write(writes.addRatings(...args)),
      publishRatings: (...args) => write(writes.publishRatings(...args)),
      giveUpRatings: (...args) => write(writes.giveUpRatings(...args)),
      clearRatings: (...args) => write(writes.clearRatings(...args)),
      sweepRatings: (...args) => write(writes.sweepRatings(...args)),
      countReferring: (...args) => write(writes.countReferring(...args)),
      ratingSummary: async () => reads.ratingSummary(),
    },
    robots: {
      robotsCopy: async (...args) => reads.robotsCopy(...args),
      saveRobotsCopy: (...args) => write(writes.saveRobotsCopy(...args)),
      robotsTotals: async () => reads.robotsTotals(),
    },
  };
}

describe('the two implementations', () => {
  test('answer everything alike after any history', async () => {
    const history = fc.array(command, { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, async (commands) => {
        const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
        // What a power cut would do is not the question here, and hundreds of histories are many commits.
        database.exec('PRAGMA synchronous = OFF');
        const embedded = portsOn(database);
        const memory = openMemory();
        for (const [name, run] of commands) {
          expect([name, await run(embedded)]).toEqual([name, await run(memory)]);
        }
        expect(await everything(embedded)).toEqual(await everything(memory));
        database.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
