import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outside } from '../../../../src/daemon/outside.ts';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { endpointsOf } from '../../../../src/daemon/storage/postgres/connection/endpoints.ts';
import { openPostgres, type PostgresOptions } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import { StorageUnavailable } from '../../../../src/daemon/storage/unavailable.ts';
import {
  dropDatabase,
  emptyDatabase,
  freshDatabase,
  hasPostgres,
  WITHOUT_POSTGRES,
} from '../../../postgres-cluster.ts';

describe('the servers of a connection string', () => {
  test('are each a string of their own, in order, named without user and password', () => {
    expect(endpointsOf('postgres://me:secret@one,two:6432,[::1]:7000/db?sslmode=require')).toEqual([
      { name: 'one', connectionString: 'postgres://me:secret@one/db?sslmode=require' },
      { name: 'two:6432', connectionString: 'postgres://me:secret@two:6432/db?sslmode=require' },
      { name: '[::1]:7000', connectionString: 'postgres://me:secret@[::1]:7000/db?sslmode=require' },
    ]);
    expect(endpointsOf('postgresql:///db?host=/run/postgresql')).toMatchObject([{ name: 'the local socket' }]);
  });

  test.each([
    'mysql://me:secret@one/db',
    'one,two',
    'postgres://me:secret@one:x/db',
    `postgres://${'a,'.repeat(20)}a/`,
  ])('what is none is refused, and no password repeated: %s', (url) => {
    expect(() => endpointsOf(url)).toThrow(TypeError);
    expect(() => endpointsOf(url)).not.toThrow(/secret/);
  });
});

describe.skipIf(!hasPostgres)(`the database${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let database: Database;
  beforeEach(async () => {
    url = await emptyDatabase();
    database = new Database({ url });
    await database.query('CREATE TABLE things (key integer PRIMARY KEY, amount bigint NOT NULL)');
  });
  afterEach(async () => {
    await database.close();
    await dropDatabase(url);
  });

  const amounts = async (): Promise<number[]> => {
    const rows = await database.query<{ amount: number }>('SELECT amount FROM things ORDER BY key');
    return rows.map(({ amount }) => amount);
  };

  test('large numbers arrive as numbers, bytes as bytes, documents as objects', async () => {
    const [row] = await database.query(
      `SELECT 9007199254740991::bigint AS large, sum(n) AS total, $1::bytea AS bytes, '{"a":[1]}'::jsonb AS document
       FROM unnest($2::bigint[]) AS n`,
      [Uint8Array.of(0, 255, 10), [2, 3]],
    );
    expect(row).toEqual({
      large: Number.MAX_SAFE_INTEGER,
      total: 5,
      bytes: Uint8Array.of(0, 255, 10),
      document: { a: [1] },
    });
    await expect(database.query('SELECT 9007199254740993::bigint AS n')).rejects.toThrow('beyond 2^53');
  });

  test('a transaction that throws has not happened', async () => {
    await database.transaction((tx) => tx.query('INSERT INTO things VALUES (1, 1)'));
    const failing = database.transaction(async (tx) => {
      await tx.query('UPDATE things SET amount = 2');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await amounts()).toEqual([1]);
    // The connection is of use again.
    await database.transaction((tx) => tx.query('UPDATE things SET amount = 3'));
    expect(await amounts()).toEqual([3]);
  });

  test('of two transactions in a deadlock one is made again', async () => {
    await database.query('INSERT INTO things VALUES (1, 0), (2, 0)');
    const hold = Promise.withResolvers<void>();
    let waiting = 2;
    let tries = 0;
    // The rows of the one that is made again are nobody's for a moment: it must not be there before the other one wakes up.
    const first = Promise.withResolvers<void>();
    const both = [
      [1, 2],
      [2, 1],
    ].map((keys) =>
      database.transaction(async (tx) => {
        tries += 1;
        if (tries > 2) await first.promise;
        for (const [index, key] of keys.entries()) {
          await tx.query('UPDATE things SET amount = amount + 1 WHERE key = $1', [key]);
          if (index === 0 && (waiting -= 1) === 0) hold.resolve();
          await hold.promise;
        }
      }),
    );
    await Promise.race(both).then(first.resolve);
    await Promise.all(both);
    expect(await amounts()).toEqual([2, 2]);
    expect(tries).toBe(3);
  });

  test('what runs when the connection breaks off fails with StorageUnavailable, and the next call connects again', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.query('INSERT INTO things VALUES (1, 1)');
      const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [own?.pid]);
      await tx.query('SELECT 1');
    });
    await expect(failing).rejects.toThrow(StorageUnavailable);
    expect(await amounts()).toEqual([]);
  });

  test('a transaction that stands still lets go of what it has locked, and nothing of it has happened', async () => {
    await database.query('INSERT INTO things VALUES (1, 1)');
    const stopped = new Database({ url, statementMs: 1_000 });
    const [locked, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failing = stopped.transaction(async (tx) => {
      await tx.query('UPDATE things SET amount = 2');
      locked.resolve();
      await hold.promise;
      await tx.query('SELECT 1');
    });
    await locked.promise;
    await database.query('UPDATE things SET amount = 3');
    hold.resolve();
    await expect(failing).rejects.toThrow(StorageUnavailable);
    expect(await amounts()).toEqual([3]);
    await stopped.close();
  });

  test('who waits for a connection when another one breaks off is served', async () => {
    const narrow = new Database({ url, connections: 1 });
    const [{ pid = 0 } = {}] = await narrow.query<{ pid?: number }>('SELECT pg_backend_pid() AS pid');
    const sleeping = narrow.query('SELECT pg_sleep(600)').catch((error: unknown) => error);
    const waiting = [1, 2].map((n) => narrow.query('SELECT $1::integer AS n', [n]));
    const underWay = `SELECT FROM pg_stat_activity WHERE pid = $1 AND query LIKE 'SELECT pg_sleep%'`;
    while ((await database.query(underWay, [pid])).length === 0) {
      // Until the statement has reached that server.
    }
    await database.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await sleeping).toBeInstanceOf(StorageUnavailable);
    expect(await Promise.all(waiting)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    await narrow.close();
  });

  test('servers are tried in turn, and each is named where none answers', async () => {
    const [, server = '', name = ''] = /@([^/]+)\/(.+)$/.exec(url) ?? [];
    const several = new Database({ url: `postgres://hydrant@127.0.0.1:1,${server}/${name}` });
    expect(await several.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await several.close();
    const none = new Database({ url: 'postgres://hydrant:secret@127.0.0.1:1,127.0.0.1:2/x' });
    await expect(none.query('SELECT 1')).rejects.toThrow(/127\.0\.0\.1:1: .*; 127\.0\.0\.1:2: /);
    await expect(none.query('SELECT 1')).rejects.not.toThrow(/secret/);
    await none.close();
  });

  test('who waits behind others for longer than connecting may take has lost nothing', async () => {
    const narrow = new Database({ url, connections: 1, connectMs: 2_000 });
    await narrow.query('SELECT 1');
    const waiting = [1, 2, 3].map((n) => narrow.query('SELECT $1::integer AS n, pg_sleep(1.2)', [n]));
    expect(await Promise.all(waiting)).toMatchObject([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    await narrow.close();
  });

  test('who waits for a connection when it is closed is answered before it ends', async () => {
    const narrow = new Database({ url, connections: 1 });
    await narrow.query('SELECT 1');
    const asked = [1, 2, 3].map((n) => narrow.query('SELECT $1::integer AS n', [n]));
    await Promise.all([
      narrow.close(),
      expect(Promise.all(asked)).resolves.toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]),
    ]);
  });

  test('who waits behind a connection that breaks off has lost nothing', async () => {
    const narrow = new Database({ url, connections: 1 });
    const [{ pid = 0 } = {}] = await narrow.query<{ pid?: number }>('SELECT pg_backend_pid() AS pid');
    const asked = Promise.allSettled([
      narrow.query('SELECT pg_terminate_backend($1)', [pid]),
      narrow.query('SELECT 2 AS n'),
    ]);
    expect(await asked).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: [{ n: 2 }] }]);
    await narrow.close();
  });

  test('a connection that breaks off while it is closed ends nothing else', async () => {
    const other = new Database({ url });
    const [{ pid = 0 } = {}] = await other.query<{ pid?: number }>('SELECT pg_backend_pid() AS pid');
    const sleeping = other.query('SELECT pg_sleep(600)');
    const underWay = `SELECT FROM pg_stat_activity WHERE pid = $1 AND query LIKE 'SELECT pg_sleep%'`;
    while ((await database.query(underWay, [pid])).length === 0) {
      // Until the statement has reached that server.
    }
    const closing = other.close();
    const terminating = database.query('SELECT pg_terminate_backend($1)', [pid]);
    await Promise.all([expect(sleeping).rejects.toThrow(StorageUnavailable), closing, terminating]);
    await expect(other.query('SELECT 1')).rejects.toThrow('has been closed');
  });

  test('a statement that takes too long is ended', async () => {
    const hasty = new Database({ url, statementMs: 50 });
    await expect(hasty.query('SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
    await hasty.close();
  });
});

describe.skipIf(!hasPostgres)('the schema', () => {
  test('is made once by several that start together, and a newer one is refused', async () => {
    const url = await emptyDatabase();
    const opened = await Promise.all(['a', 'b', 'c'].map((node) => openPostgres(optionsOf(url, node))));
    await Promise.all(opened.map((storage) => storage.close()));
    const database = new Database({ url });
    await database.query('UPDATE schema_version SET version = version + 1');
    await expect(openPostgres(optionsOf(url))).rejects.toThrow(/the database has schema \d+, and this version/);
    await database.close();
    await dropDatabase(url);
  });

  test('a database that cannot keep all text is refused', async () => {
    const url = await emptyDatabase(`ENCODING 'LATIN1' TEMPLATE template0`);
    await expect(openPostgres(optionsOf(url))).rejects.toThrow('the database has the encoding LATIN1');
    await dropDatabase(url);
  });

  test('an address that is none is refused, and one where nobody answers', async () => {
    await expect(openPostgres(optionsOf('file:///x'))).rejects.toThrow('the address of the database is not');
    const url = await freshDatabase();
    await dropDatabase(url);
    await expect(openPostgres(optionsOf(url))).rejects.toThrow('does not exist');
  });
});

function optionsOf(url: string, node = 'a'): PostgresOptions {
  return { url, node, outside, onError: () => undefined };
}
