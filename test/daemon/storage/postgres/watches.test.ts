import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import type { DueWatch } from '../../../../src/daemon/storage/watches.ts';
import { watchesContract } from '../../../contract/watches.ts';
import { addWatch, changedCheckOf } from '../../../fixtures/watches.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { CutConnections } from './cut-connections.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`watches in PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  watchesContract(async () => {
    const url = await freshDatabase();
    const storage = await openNode(url);
    return { ...storage, close: async () => storage.close().then(() => returnDatabase(url)) };
  });
});

describe.skipIf(!hasPostgres)(`a check that is cut off${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let proxy: CutConnections;
  let storage: Storage;
  let due: DueWatch;
  beforeEach(async () => {
    url = await freshDatabase();
    proxy = await CutConnections.open(url);
    storage = await openNode(proxy.url);
    await addWatch(storage.watches, 'w');
    const { watches } = await storage.watches.takeWatches({ now: 1, atMost: 1, leaseMs: 60_000, except: [] });
    [due] = watches as [DueWatch];
  });
  afterEach(async () => {
    await storage.close();
    await proxy.close();
    await returnDatabase(url);
  });

  test.each(['commit', 'before-commit'] as const)('in its COMMIT (%s) is recorded once, and answered', async (cut) => {
    const { watches, ledger } = storage;
    proxy.cutNext(cut);
    const check = changedCheckOf('w', ['a'], ['b'], { lease: due.lease ?? 0 });
    expect(await watches.commitCheck(check)).toEqual({ n: 1, checksThisMonth: 1, change: 1 });
    expect(await watches.checks('w', { atMost: 9 })).toHaveLength(1);
    expect(await ledger.checks('org', check.month)).toBe(1);
    expect(await watches.watchTotals(0)).toMatchObject({ checks: 1, changes: 1 });
  });
});
