import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import type { DuePage } from '../../../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { eventFor, seed, visitOf } from '../../../fixtures/visits.ts';
import { dropDatabase, freshDatabase, hasPostgres, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { openNode } from './open-node.ts';

const SOON = { timeout: 20_000 };

/** Of the cluster, and so of nobody else: the tests' other databases wait for no commit. */
const AWAY = `ALTER SYSTEM SET synchronous_standby_names = 'a_replica_that_is_away'`;
const GIVEN_UP = 'ALTER SYSTEM RESET synchronous_standby_names';

describe.skipIf(!hasPostgres)(`a synchronous replica${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let operator: Database;
  let storage: Storage;
  let page: DuePage;
  beforeEach(async () => {
    url = await freshDatabase();
    operator = new Database({ url, connections: 1 });
    await operator.query(`ALTER DATABASE ${url.slice(url.lastIndexOf('/') + 1)} SET synchronous_commit = on`);
    storage = await openNode(url);
    page = await seed(storage.frontier, 'a');
    await storage.pages.commit(visitOf(page));
  });
  afterEach(async () => {
    await change(GIVEN_UP);
    await storage.close();
    await operator.close();
    await dropDatabase(url);
  });

  async function change(statement: string): Promise<void> {
    // Would wait for the replica itself.
    await operator.query('SET synchronous_commit = local');
    await operator.query(statement);
    await operator.query('SELECT pg_reload_conf()');
  }

  /** Connections whose commit waits for the replica. */
  async function waiting(): Promise<number[]> {
    const rows = await operator.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'`,
    );
    return rows.map(({ pid }) => pid);
  }

  const visit = async (): Promise<unknown> => storage.pages.commit(visitOf(page, { events: [eventFor('t')] }));
  const rule = async (): Promise<unknown> =>
    storage.catalog.update((draft) => {
      draft.filters.push({
        id: 'f',
        organizationId: 'o',
        name: 'foxes',
        value: 'fox',
        createdAt: '2026-02-27T00:00:00.000Z',
      });
    });

  // It is there, and may be lost with the server: nobody is told before that is over.
  test.each([
    ['visits', visit, 'SELECT FROM events'],
    ['a change of the catalog', rule, 'SELECT FROM catalog'],
  ])(
    '%s, whose connection ends in the wait for the replica, are answered once it has them',
    async (_, write, there) => {
      await change(AWAY);
      const answers: unknown[] = [];
      const committing = write().then((answer) => answers.push(answer));
      await expect.poll(waiting, SOON).toHaveLength(1);
      const [committed = 0] = await waiting();
      await operator.query('SELECT pg_terminate_backend($1)', [committed]);
      await expect.poll(() => operator.query(there), SOON).toHaveLength(1);
      await expect.poll(async () => (await waiting()).filter((pid) => pid !== committed), SOON).toHaveLength(1);
      expect(answers).toEqual([]);
      await change(GIVEN_UP);
      await committing;
      expect(await operator.query(there)).toHaveLength(1);
    },
  );
});
