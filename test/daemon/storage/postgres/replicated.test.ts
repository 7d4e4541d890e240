import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
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
  beforeEach(async () => {
    url = await freshDatabase();
    operator = new Database({ url, connections: 1 });
    await operator.query(`ALTER DATABASE ${url.slice(url.lastIndexOf('/') + 1)} SET synchronous_commit = on`);
    storage = await openNode(url);
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

  test('a commit whose connection ends while it waits for the replica is answered once the replica has it', async () => {
    const page = await seed(storage.frontier, 'a');
    await storage.pages.commit(visitOf(page));
    await change(AWAY);
    const answers: unknown[] = [];
    const committing = storage.pages.commit(visitOf(page, { events: [eventFor('t')] })).then((answer) => {
      answers.push(answer);
      return answer;
    });
    await expect.poll(waiting, SOON).toHaveLength(1);
    const [committed = 0] = await waiting();
    await operator.query('SELECT pg_terminate_backend($1)', [committed]);
    // It is there, and may be lost with the server: nobody is told before that is over.
    await expect.poll(async () => (await storage.eventLog.bounds('t')).head, SOON).toBe(1);
    await expect.poll(async () => (await waiting()).filter((pid) => pid !== committed), SOON).toHaveLength(1);
    expect(answers).toEqual([]);
    await change(GIVEN_UP);
    expect((await committing).events).toMatchObject([{ offset: 0 }]);
    expect((await storage.eventLog.bounds('t')).head).toBe(1);
  });
});
