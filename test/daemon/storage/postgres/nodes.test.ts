import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addWatch, changedCheckOf } from '../../../fixtures/watches.ts';
import { dropDatabase, freshDatabase, hasPostgres, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { seed } from '../../../fixtures/visits.ts';
import { openNode } from './open-node.ts';
import { outside } from '../../../../src/daemon/outside.ts';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';

describe.skipIf(!hasPostgres)(`the nodes of a database${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let one: Storage;
  let two: Storage;
  beforeEach(async () => {
    url = await freshDatabase();
    [one, two] = [await openNode(url, 'one'), await openNode(url, 'two')];
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    await dropDatabase(url);
  });

  test('know each other once they follow the catalog, and forget one that stops', async () => {
    expect([await one.nodes.count(), await one.nodes.list()]).toEqual([1, []]);
    await one.catalog.follow(() => undefined);
    await two.catalog.follow(() => undefined);
    await expect.poll(() => [one.nodes.live, two.nodes.live], { timeout: 10_000 }).toEqual([2, 2]);
    expect(await one.nodes.list()).toMatchObject([
      { name: 'one', isThis: true, isLive: true },
      { name: 'two', isThis: false, isLive: true },
    ]);
    await two.close();
    await expect.poll(() => one.nodes.live, { timeout: 10_000 }).toBe(1);
    two = await openNode(url, 'two');
  });

  test('once both follow the catalog, what is saved on one is on the other when it is answered', async () => {
    for (const node of [one, two]) await node.catalog.follow(() => undefined);
    const createdAt = '2026-02-27T00:00:00.000Z';
    await one.catalog.update((draft) => draft.organizations.push({ id: 'o', name: 'o', plan: 'Free', createdAt }));
    expect(two.catalog.data.organizations.map(({ id }) => id)).toEqual(['o']);
  });

  describe('a change of a watch on one of them', () => {
    const told: string[] = [];
    beforeEach(() => {
      told.length = 0;
      two.nodes.follow({
        watchedTaps: () => [],
        tapsMoved: () => undefined,
        awaitedOrganizations: () => ['org'],
        watchesChanged: (organizationIds) => told.push(...organizationIds),
      });
    });

    test('is told to the others when it is announced', async () => {
      const announced = (): readonly string[] => {
        one.nodes.announceChange('another');
        return told;
      };
      await expect.poll(announced, { timeout: 10_000 }).toContain('another');
    });

    test('is noticed by those on which somebody waits for it, announced or not, and once', async () => {
      await addWatch(one.watches, 'w');
      await one.watches.commitCheck(changedCheckOf('w', ['a'], ['b']));
      await expect.poll(() => told, { timeout: 10_000 }).toEqual(['org']);
      await one.watches.commitCheck(changedCheckOf('w', ['b'], ['c']));
      await expect.poll(() => told, { timeout: 10_000 }).toEqual(['org', 'org']);
    });
  });

  test('one of them does what only one does, until it lets go or is not heard of for as long', async () => {
    expect(await one.nodes.lease('trim', 60_000)).toBe(60_000);
    expect(await two.nodes.lease('trim', 60_000)).toBe(0);
    expect(await two.nodes.lease('count', 60_000)).toBe(60_000);
    expect(await one.nodes.lease('trim', 1)).toBe(1);
    await sleep(5);
    expect(await two.nodes.lease('trim', 60_000)).toBe(60_000);
    await one.nodes.release('trim');
    expect(await one.nodes.lease('trim', 60_000)).toBe(0);
    await two.nodes.release('trim');
    expect(await one.nodes.lease('trim', 60_000)).toBe(60_000);
  });

  test('the first one’s secret counts; one with another is refused with what to do', async () => {
    const onError = (): void => undefined;
    const opened = (node: string, byte: number): Promise<Storage> =>
      openPostgres({ url, node, outside, onError, secretFingerprint: new Uint8Array(32).fill(byte) });
    const first = await opened('first', 1);
    await expect(opened('other', 2)).rejects.toThrow(/another secret .*; copy the file secret/);
    const same = await opened('same', 1);
    await Promise.all([first.close(), same.close()]);
  });

  test('a host that is held still is kept by renewing; another lease of it is not', async () => {
    await seed(one.frontier, 'a');
    const question = { atMost: 9, leaseMs: 1_000, except: [] };
    const [page] = (await one.frontier.take({ ...question, now: 10_000 })).pages;
    const lease = page?.lease ?? -1;
    expect(await one.nodes.hostLeases?.renew([{ host: 'a.example', lease }], 20_000)).toEqual(['a.example']);
    expect((await two.frontier.take({ ...question, now: 19_999 })).pages).toEqual([]);
    const [taken] = (await two.frontier.take({ ...question, now: 20_000 })).pages;
    expect([taken?.host, taken?.lease === lease]).toEqual(['a.example', false]);
    expect(await one.nodes.hostLeases?.renew([{ host: 'a.example', lease }], 90_000)).toEqual([]);
    expect((await one.frontier.take({ ...question, now: 21_000 })).pages).toHaveLength(1);
  });

  test('the clock of all of them is that of the database', async () => {
    const onError = (): void => undefined;
    const late = { ...outside, now: () => outside.now() - 3_600_000 };
    const storage = await openPostgres({ url, node: 'late', outside: late, onError });
    expect(late.now() + storage.nodes.clockAheadMs).toBeGreaterThan(outside.now() - 60_000);
    await storage.close();
  });
});
