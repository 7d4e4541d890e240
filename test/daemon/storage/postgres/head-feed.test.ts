import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { EventLogStore } from '../../../../src/daemon/storage/postgres/events/event-log-store.ts';
import { announceHeads, HeadFeed, headsOf } from '../../../../src/daemon/storage/postgres/events/head-feed.ts';
import { eventFor } from '../../../fixtures/visits.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';

describe.skipIf(!hasPostgres)(`a feed of heads${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let database: Database;
  let log: EventLogStore;
  let feed: HeadFeed | undefined;
  beforeEach(async () => {
    url = await freshDatabase();
    database = new Database({ url });
    log = new EventLogStore(database);
  });
  afterEach(async () => {
    await feed?.close();
    await database.close();
    await returnDatabase(url);
  });

  /** Follows what another node announces, until all these heads were heard. */
  const follow = (watched: readonly string[] = []) => {
    const heard = new Map<string, number>();
    const waiting = new Set<() => void>();
    feed = new HeadFeed({
      database,
      log,
      watched: () => watched,
      heard: (heads) => {
        for (const [tapId, head] of heads) heard.set(tapId, head);
        for (const look of waiting) look();
      },
    });
    return (expected: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> => {
      const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, number>>();
      const look = (): void => {
        if ([...expected].every(([tapId, head]) => heard.get(tapId) === head)) resolve(heard);
      };
      waiting.add(look);
      look();
      return promise;
    };
  };
  const listeners = () =>
    database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
    );
  const listening = async (): Promise<number> => {
    for (;;) {
      const [listener] = await listeners();
      if (listener) return listener.pid;
    }
  };
  const append = async (...taps: string[]) => {
    const batches = [{ at: 1_000, events: taps.map((tapId) => eventFor(tapId)) }];
    const [appended = []] = await database.transaction((transaction) => log.append(transaction, batches));
    return headsOf(appended);
  };

  test('hears how far each tap has come, however many there are', async () => {
    const heard = follow();
    await listening();
    expect(await append('a', 'b', 'a')).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const many = Array.from({ length: 2_000 }, (_, index) => [`tap-${'x'.repeat(40)}-${index}`, index] as const);
    await announceHeads(database, many);
    expect(await heard(new Map(many))).toEqual(new Map(many));
  });

  test('listens again when its connection was cut', async () => {
    const heard = follow();
    const cut = await listening();
    await database.query('SELECT pg_terminate_backend($1)', [cut]);
    for (let pid = cut; pid === cut;) pid = await listening();
    await announceHeads(database, [['a', 7]]);
    expect(await heard(new Map([['a', 7]]))).toEqual(new Map([['a', 7]]));
  });

  test('looks for itself at the taps that are read here, whatever it was told', async () => {
    const heard = follow(['a', 'none']);
    await append('a', 'a', 'b');
    expect(await heard(new Map([['a', 2]]))).toEqual(new Map([['a', 2]]));
  });

  test('is not misled by others that notify on its channel', async () => {
    const heard = follow();
    await listening();
    for (const payload of ['', 'nonsense', '{"a":1}', '[["a","7"],["b"],3,["c",3]]']) {
      await database.query(`SELECT pg_notify('hydrant_heads', $1)`, [payload]);
    }
    expect(await heard(new Map([['c', 3]]))).toEqual(new Map([['c', 3]]));
  });
});
