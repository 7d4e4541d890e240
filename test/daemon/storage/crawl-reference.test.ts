import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { type HostState, NEW_HOST, UNLIMITED, URGENT } from '../../../src/daemon/storage/frontier.ts';
import { DAY_MS } from '../../../src/daemon/storage/frontier-rules.ts';
import type { Visit } from '../../../src/daemon/storage/pages.ts';
import type { RatedDomain } from '../../../src/daemon/storage/ratings.ts';
import { eventFor, identity, leadOf, seedLead, versionOf, sourceOf, visitOf } from '../../fixtures/visits.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { directPorts } from './direct-ports.ts';
import { temporaryDir } from './data-dirs.ts';

type Ports = Pick<Storage, 'frontier' | 'pages' | 'eventLog' | 'ratings' | 'robots'>;
type Command = (storage: Ports) => Promise<unknown>;

const sources = ['s1', 's2', 's3'];
const id = fc.constantFrom(...sources);
const tap = fc.constantFrom('a', 'b');
const at = fc.nat(50);
/** Most of one day: what a source may let go of is counted by the day. */
const moment = fc.oneof({ weight: 5, arbitrary: at }, { weight: 1, arbitrary: at.map((ms) => ms + DAY_MS) });
const domain = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const url = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(5))
  .map(([host, path]) => `http://${host}.example/${path === 0 ? '' : path}`);
const file = fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined });
const unreachable = { since: 7, reason: 'dns', detail: 'gone' };
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const lead = fc
  .record({
    url,
    depth: fc.nat(2),
    kind: fc.constantFrom('article', 'hub', 'feed', 'sitemap', 'minor'),
    urgency: fc.constantFrom(...Object.values(URGENT)),
    changedAt: sometimes(moment),
    pattern: fc.nat(3),
    isForeign: fc.boolean(),
    isBaseline: fc.boolean(),
  })
  .map(({ url, changedAt, ...rest }) =>
    leadOf(url, changedAt === undefined ? rest : Object.assign(rest, { changedAt })),
  );
const discovered = fc.array(fc.record({ sourceId: id, leads: fc.array(lead, { maxLength: 6 }) }), { maxLength: 2 });

const host: fc.Arbitrary<HostState> = fc
  .tuple(at, fc.nat(2), fc.nat(2), sometimes(fc.constantFrom('429', 'timeout')), fc.constantFrom(0, 20, 5_000))
  .map(([notBefore, backoff, failures, backoffReason, responseMs]) =>
    Object.assign(structuredClone(NEW_HOST), { notBefore, backoff, failures, backoffReason, responseMs }),
  );
/** Few enough that some are near to one another. */
const fingerprint = fc
  .record({ group: fc.constantFrom('one', 'other'), last: fc.constantFrom('0', '1', '7', 'f') })
  .map(({ group, last }) => ({ group, simhash: `0123456789abcde${last}` }));

const visit: fc.Arbitrary<Visit> = fc
  .record({
    pageId: fc.integer({ min: 1, max: 12 }),
    sourceIds: fc.oneof({ weight: 3, arbitrary: fc.constant(sources) }, fc.subarray(sources)),
    at: moment,
    wait: fc.nat(30),
    outcome: fc.constantFrom('changed', 'unchanged', 'failed'),
    taps: fc.array(tap, { maxLength: 3 }),
    pull: fc.nat(8).map((eighths) => eighths / 8),
    host,
    isNamed: fc.boolean(),
    isMainChange: fc.boolean(),
    optional: fc.record(
      {
        kind: fc.constantFrom('article', 'sitemap', 'minor'),
        boilerplate: fc.uint8Array({ maxLength: 4 }),
        fingerprint,
        sameAs: url.map(identity),
        status: fc.constantFrom(200, 404),
        validators: fc.constantFrom({ etag: '"x"' }, { lastModified: 'yesterday' }),
        isFull: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    links: sometimes(fc.record({ from: domain, to: fc.uniqueArray(domain) })),
    discovered,
  })
  .map(({ pageId, sourceIds, at, wait, outcome, taps, pull, optional, links, ...rest }) => {
    const byOutcome =
      outcome === 'failed'
        ? { reason: 'dns', detail: 'gone', doubtedAt: at }
        : { bodyHash: at.toString(16).padStart(32, '0'), ...optional };
    const terms = { at, outcome, nextDue: at + wait, sourceIds, rate: { theta: -1.5, info: 2, pull } };
    const events = taps.map((tapId) => eventFor(tapId));
    const linksTo = links && { from: links.from, to: links.to.filter((name) => name !== links.from) };
    return visitOf(
      { id: pageId, holders: [] },
      Object.assign(
        rest,
        terms,
        { events },
        byOutcome,
        linksTo && { linksTo },
        outcome === 'changed' && { version: versionOf(`as of ${at}`, at) },
      ),
    );
  });

/** An odd number of domains is published, an even one left half-way. */
function importing(rated: readonly RatedDomain[]): Command {
  return async ({ ratings }) => {
    const list = await ratings.beginRatings('list.csv');
    const domains = await ratings.addRatings(list, rated);
    return [domains, rated.length % 2 === 1 && (await ratings.publishRatings(list, rated.length))];
  };
}

function doing<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  run: (storage: Ports, value: T) => Promise<unknown>,
): fc.Arbitrary<readonly [string, Command]> {
  return arbitrary.map((value) => [`${name} ${JSON.stringify(value)}`, (storage) => run(storage, value)] as const);
}

const put = fc.record({
  id,
  everyMs: sometimes(fc.integer({ min: 1, max: 20 })),
  maxPages: fc.integer({ min: 1, max: 6 }),
  isPaused: fc.boolean(),
  seed: url,
  at,
});
const room = fc.nat(2);
const question = fc.record({
  now: at,
  atMost: fc.nat(3),
  leaseMs: fc.nat(20),
  except: fc.subarray(['a.example', 'b.example', 'c.example']),
  most: fc.oneof(fc.constant(UNLIMITED), fc.record({ well: room, new: room, slow: room, failing: room })),
});
const copy = fc.record({
  origin: url,
  askedAt: at,
  expiresAt: at,
  file,
  unreachable: fc.constantFrom(undefined, unreachable),
});

/** Two visits of an article: what a full source may let go of. */
const known = fc.record({ url, at: moment, wait: fc.nat(30) });
async function getToKnow({ frontier, pages }: Ports, { url: one, at: now, wait }: Known): Promise<unknown> {
  const report = await frontier.look(identity(one));
  if (!report) return undefined;
  const visit = visitOf(report.page, { at: now, nextDue: now + wait, kind: 'article' });
  return [await pages.commit(visit), await pages.commit(visit)];
}
type Known = typeof known extends fc.Arbitrary<infer Value> ? Value : never;

const command: fc.Arbitrary<readonly [string, Command]> = fc.oneof(
  {
    weight: 4,
    arbitrary: doing('put', put, ({ frontier }, { seed, at, ...source }) =>
      frontier.putSource(source, [seedLead(seed)], at),
    ),
  },
  { weight: 1, arbitrary: doing('remove', id, ({ frontier }, one) => frontier.removeSource(one)) },
  { weight: 4, arbitrary: doing('take', question, ({ frontier }, one) => frontier.take(one)) },
  { weight: 8, arbitrary: doing('commit', visit, ({ pages }, one) => pages.commit(one)) },
  {
    weight: 2,
    arbitrary: doing('release', fc.tuple(fc.integer({ min: 1, max: 12 }), host), ({ frontier }, [page, state]) =>
      frontier.release(page, state),
    ),
  },
  {
    weight: 2,
    arbitrary: doing('offer', fc.tuple(discovered, moment), ({ frontier }, [found, now]) => frontier.offer(found, now)),
  },
  { weight: 8, arbitrary: doing('get to know', known, getToKnow) },
  {
    weight: 8,
    arbitrary: doing('tell', fc.tuple(id, lead, moment), ({ frontier }, [sourceId, one, now]) =>
      frontier.offer([{ sourceId, leads: [{ ...one, depth: 1, urgency: URGENT.feed, isForeign: false }] }], now),
    ),
  },
  {
    weight: 2,
    arbitrary: doing('prioritize', fc.tuple(url, at), ({ frontier }, [one, now]) =>
      frontier.prioritize(identity(one), now),
    ),
  },
  {
    weight: 1,
    arbitrary: doing('set the clock', fc.nat(3), ({ frontier }, days) => frontier.bringForward(0 - days * DAY_MS)),
  },
  { weight: 1, arbitrary: doing('trim', at, ({ eventLog }, before) => eventLog.trim(before)) },
  { weight: 1, arbitrary: doing('count', at, ({ ratings }, now) => ratings.countReferring(now)) },
  {
    weight: 1,
    arbitrary: doing('import', fc.array(fc.tuple(domain, fc.nat(100))), (storage, rated) => importing(rated)(storage)),
  },
  { weight: 2, arbitrary: doing('robots', copy, ({ robots }, one) => robots.saveRobotsCopy(one)) },
  { weight: 1, arbitrary: doing('clear', fc.constant(0), ({ ratings }) => ratings.clearRatings()) },
  { weight: 1, arbitrary: doing('sweep', fc.constant(0), ({ ratings }) => ratings.sweepRatings()) },
  { weight: 1, arbitrary: doing('drop', tap, ({ eventLog }, one) => eventLog.drop(one)) },
);

/** All that the ports can tell; leases come last, since asking gives them. */
async function everything({ frontier, pages, eventLog, ratings, robots }: Ports): Promise<unknown[]> {
  const logs = await Promise.all(
    ['a', 'b'].map(async (tapId) => [
      await eventLog.bounds(tapId),
      await eventLog.read(tapId, 2, { events: 5, bytes: 150 }),
      await Promise.all([0, 10, 30].map((time) => eventLog.firstAt(tapId, time))),
    ]),
  );
  const names = ['a.example', 'b.example', 'c.example'];
  const urls = names.flatMap((name) => ['', 1, 2, 3, 4, 5].map((path) => `http://${name}/${path}`));
  const all = { atMost: 9, leaseMs: 5, except: [] };
  return [
    logs,
    await Promise.all(urls.map(async (one) => [one, await frontier.look(identity(one))])),
    await Promise.all([0, 25, 100].map((now) => frontier.frontierTotals(now))),
    await frontier.sources(),
    await Promise.all(Array.from({ length: 12 }, (_, index) => pages.version(index + 1))),
    await Promise.all(names.map((name) => pages.boilerplate(name))),
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => ratings.standing(`${name}.example`))),
    [await ratings.ratingSummary(), await robots.robotsCopy('http://a.example/'), await robots.robotsTotals()],
    await eventLog.count(),
    [await frontier.take({ ...all, now: 25 }), await frontier.take({ ...all, now: 1_000 })],
  ];
}

/** Sources that are full, and know well what they hold: chance alone seldom gets so far. */
const fullSources = [
  ['s1', 'a'],
  ['s2', 'b'],
  ['s3', 'a'],
].map(([one = '', name]): readonly [string, Command] => {
  const urls = [1, 2, 3].map((path) => `http://${name}.example/${path}`);
  const fill: Command = async (ports) => {
    await ports.frontier.putSource(sourceOf(one, { maxPages: 3 }), [], 0);
    await ports.frontier.offer([{ sourceId: one, leads: urls.map((each) => leadOf(each)) }], 0);
    for (const [n, each] of urls.entries()) await getToKnow(ports, { url: each, at: n, wait: n });
  };
  return [`fill ${one}`, fill];
});

describe('the two implementations', () => {
  test('answer everything alike after any history', async () => {
    const history = fc.array(command, { minLength: 5, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom([], fullSources), history, async (before, commands) => {
        const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
        // What a power cut would do is not the question here, and hundreds of histories are many commits.
        database.exec('PRAGMA synchronous = OFF');
        const sqlite = directPorts(database);
        const memory = openMemory();
        for (const [name, run] of [...before, ...commands]) {
          expect([name, await run(sqlite)]).toEqual([name, await run(memory)]);
        }
        expect(await everything(sqlite)).toEqual(await everything(memory));
        database.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
