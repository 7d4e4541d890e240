import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DuePage } from '../../../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { StorageUnavailable } from '../../../../src/daemon/storage/unavailable.ts';
import { eventFor, leadOf, sourceOf, visitOf } from '../../../fixtures/visits.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { CutConnections } from './cut-connections.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`visits whose connection is lost${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let proxy: CutConnections;
  let storage: Storage;
  let due: readonly DuePage[];
  beforeEach(async () => {
    url = await freshDatabase();
    proxy = await CutConnections.open(url);
    storage = await openNode(proxy.url);
    const { frontier } = storage;
    await frontier.putSource(
      sourceOf('s', { maxPages: 9 }),
      ['a', 'b'].map((name) => leadOf(`http://${name}.example/`)),
      0,
    );
    due = (await frontier.take({ now: 1, atMost: 9, leaseMs: 60_000, except: [] })).pages;
  });
  afterEach(async () => {
    await storage.close();
    await proxy.close();
    await returnDatabase(url);
  });

  const commitAll = () =>
    Promise.all(
      due.map((page) => storage.pages.commit(visitOf(page, { events: [eventFor('t')], lease: page.lease ?? 0 }))),
    );

  test.each(['commit', 'before-commit'] as const)('in its COMMIT (%s) are recorded once, and answered', async (cut) => {
    proxy.cutNext(cut);
    const answers = await commitAll();
    expect(answers.map(({ events, isFenced }) => [events.length, isFenced])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
    expect(await storage.eventLog.bounds('t')).toMatchObject({ floor: 0, head: 2 });
    expect(await storage.frontier.frontierTotals(1)).toMatchObject({ visits: 2, hostsLeased: 0 });
  });

  test('wait for a database that is away for a moment, and are recorded when it is back', async () => {
    proxy.down();
    const committing = commitAll();
    await expect(storage.eventLog.bounds('t')).rejects.toThrow(StorageUnavailable);
    proxy.up();
    expect((await committing).flatMap(({ events }) => events).map(({ offset }) => offset)).toEqual([0, 1]);
    expect(await storage.frontier.frontierTotals(1)).toMatchObject({ visits: 2, hostsLeased: 0 });
  });

  test('are given up when the storage closes while the database is away', async () => {
    proxy.down();
    const committing = commitAll();
    const refused = committing.catch((error: unknown) => error);
    await storage.close();
    expect(await refused).toBeInstanceOf(StorageUnavailable);
    proxy.up();
    storage = await openNode(proxy.url);
    expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
  });
});
