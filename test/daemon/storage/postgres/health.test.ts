import { beforeEach, describe, expect, test } from 'vitest';
import { readHealth } from '../../../../src/daemon/storage/postgres/health.ts';
import { SCHEMA_VERSION } from '../../../../src/daemon/storage/postgres/schema/migrations.ts';
import {
  dropDatabase,
  emptyDatabase,
  freshDatabase,
  hasPostgres,
  returnDatabase,
  WITHOUT_POSTGRES,
} from '../../../postgres-cluster.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`what a database says of itself${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  beforeEach(async () => {
    url = await freshDatabase();
    return () => returnDatabase(url);
  });

  test('its release, schema, promises and limits; on loopback nothing is remote', async () => {
    const health = await readHealth(url, Date.now);
    expect(health.release).toBeGreaterThanOrEqual(150_000);
    // The one of the tests does not wait for its disk.
    expect(health).toMatchObject({
      schema: SCHEMA_VERSION,
      knownSchema: SCHEMA_VERSION,
      fsync: false,
      synchronousCommit: 'off',
      synchronousStandbys: '',
      replicas: [],
      isRemote: false,
      isEncrypted: false,
      autovacuum: true,
      nodes: 0,
    });
    expect(health.place).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(health.connections).toBeGreaterThanOrEqual(1);
    expect(health.connections).toBeLessThan(health.maxConnections);
    expect(health.hotTables.map(({ name }) => name)).toContain('hosts');
  });

  test('how far its clock is from ours', async () => {
    const { clockAheadMs } = await readHealth(url, () => Date.now() - 3_600_000);
    expect(Math.round(clockAheadMs / 60_000)).toBe(60);
  });

  test('which daemons live', async () => {
    const node = await openNode(url);
    // From then on it counts.
    await node.catalog.follow(() => undefined);
    await expect.poll(async () => (await readHealth(url, Date.now)).nodes).toBe(1);
    await node.close();
  });

  test('of an empty one, that nothing is there; nothing is made', async () => {
    const empty = await emptyDatabase();
    expect(await readHealth(empty, Date.now)).toMatchObject({ schema: undefined, nodes: 0, hotTables: [] });
    expect(await readHealth(empty, Date.now)).toMatchObject({ schema: undefined });
    await dropDatabase(empty);
  });

  test('is asked by an address that is one', async () => {
    await expect(readHealth('mysql://x/y', Date.now)).rejects.toThrow(/the setting store is not of the form postgres:/);
    await expect(readHealth('postgres://127.0.0.1:1/none', Date.now)).rejects.toThrow(
      /cannot be reached: 127\.0\.0\.1:1/,
    );
  });
});
