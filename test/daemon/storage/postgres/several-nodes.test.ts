import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outside } from '../../../../src/daemon/outside.ts';
import type { DuePage, TakeQuestion } from '../../../../src/daemon/storage/frontier.ts';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import { eventFor, leadOf, sourceOf, versionOf, visitOf } from '../../../fixtures/visits.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';

type Node = Awaited<ReturnType<typeof openPostgres>>;

const HOSTS = 40;

describe.skipIf(!hasPostgres)(`three nodes on one database${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let nodes: Node[];
  beforeEach(async () => {
    url = await freshDatabase();
    const onError = (what: string, cause: unknown): never => {
      throw new Error(what, { cause });
    };
    nodes = await Promise.all(
      ['a', 'b', 'c'].map((node) => openPostgres({ url, node, outside, onError, groupCommitMs: 1 })),
    );
    const leads = Array.from({ length: HOSTS }, (_, n) => leadOf(`http://h${n}.example/`));
    await nodes[0]?.frontier.putSource(sourceOf('s', { maxPages: 1_000 }), [], 0);
    await nodes[0]?.frontier.offer([{ sourceId: 's', leads }], 0);
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await returnDatabase(url);
  });

  const ofEach = <T>(work: (node: Node, index: number) => Promise<T>): Promise<T[]> => Promise.all(nodes.map(work));
  const question = (now: number, atMost: number): TakeQuestion => ({ now, atMost, leaseMs: 1_000, except: [] });
  /** Takes some at a time, until the node gets none in a row of looks. */
  const takeAll = async (node: Node, now: number): Promise<DuePage[]> => {
    const taken: DuePage[] = [];
    for (let misses = 0; misses < 3;) {
      const { pages } = await node.frontier.take(question(now, 3));
      taken.push(...pages);
      misses = pages.length === 0 ? misses + 1 : 0;
    }
    return taken;
  };

  test('no host is leased twice, and each is leased once', async () => {
    const taken = (await ofEach((node) => takeAll(node, 10))).flat();
    expect(new Set(taken.map(({ host }) => host)).size).toBe(HOSTS);
    expect(taken).toHaveLength(HOSTS);
    expect(new Set(taken.map(({ lease }) => lease)).size).toBe(HOSTS);
  });

  test('events of all nodes for one tap are dense, and each visit is counted once', async () => {
    const offsets = await ofEach(async (node) => {
      const taken = await takeAll(node, 10);
      const committed = await Promise.all(
        taken.map((page) => node.pages.commit(visitOf(page, { lease: page.lease ?? 0, events: [eventFor('t')] }))),
      );
      return committed.flatMap(({ events }) => events.map(({ offset }) => offset));
    });
    const all = offsets.flat().toSorted((one, other) => one - other);
    expect(all).toEqual(Array.from({ length: HOSTS }, (_, n) => n));
    expect(await nodes[1]?.frontier.frontierTotals(10)).toMatchObject({ visits: HOSTS, hostsLeased: 0, unvisited: 0 });
    expect(await nodes[2]?.frontier.sources()).toMatchObject([{ pages: HOSTS, visits: HOSTS }]);
  });

  test('a node that was paused past its leases commits nothing, whoever has them now', async () => {
    const [paused, other] = nodes;
    if (!paused || !other) throw new Error('there are three');
    const stale = await takeAll(paused, 0);
    const live = await takeAll(other, 2_000);
    expect(live.map(({ id }) => id).toSorted()).toEqual(stale.map(({ id }) => id).toSorted());
    const news = { events: [eventFor('t')], version: versionOf('x') };
    const commits = async (node: Node, taken: readonly DuePage[]) =>
      Promise.all(taken.map((page) => node.pages.commit(visitOf(page, { ...news, lease: page.lease ?? 0 }))));
    const [late, well] = await Promise.all([commits(paused, stale), commits(other, live)]);
    expect(late.every(({ isFenced, events }) => isFenced === true && events.length === 0)).toBe(true);
    expect(well.every(({ isFenced, events }) => isFenced === undefined && events.length === 1)).toBe(true);
    expect(await paused.eventLog.bounds('t')).toMatchObject({ head: HOSTS });
  });

  test('the last places of a source are given away once', async () => {
    await nodes[0]?.frontier.putSource(sourceOf('small', { maxPages: 25 }), [], 0);
    const taken = await ofEach((node, index) => {
      const leads = Array.from({ length: 20 }, (_, n) => leadOf(`http://h${n}.example/${index}`));
      return node.frontier.offer([{ sourceId: 'small', leads }], 5);
    });
    expect(taken.reduce((sum, some) => sum + some, 0)).toBe(25);
    expect(await nodes[0]?.frontier.sources()).toMatchObject([{ id: 's' }, { id: 'small', pages: 25 }]);
    expect(await nodes[0]?.frontier.frontierTotals(5)).toMatchObject({ dropped: { maxPages: 35 } });
  });

  test('the same new URLs found by all are known once', async () => {
    const leads = Array.from({ length: 60 }, (_, n) => leadOf(`http://new${n}.example/`));
    const taken = await ofEach((node) => node.frontier.offer([{ sourceId: 's', leads }], 5));
    expect(taken.reduce((sum, some) => sum + some, 0)).toBe(60);
    expect(await nodes[0]?.frontier.frontierTotals(5)).toMatchObject({ pages: HOSTS + 60, hosts: HOSTS + 60 });
  });
});
