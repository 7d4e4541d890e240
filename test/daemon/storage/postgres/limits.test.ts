import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IpGate, type Entry } from '../../../../src/daemon/crawl/ip-gate.ts';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { AddressPlaceStore } from '../../../../src/daemon/storage/postgres/limits/address-places.ts';
import { RequestCountStore } from '../../../../src/daemon/storage/postgres/limits/request-counts.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';

const MINUTE_MS = 60_000;
const place = (address: string, at: number) => ({ address, place: at });

describe.skipIf(!hasPostgres)(`limits of all nodes${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let database: Database;
  const open: { close(): Promise<unknown> }[] = [];
  beforeEach(async () => {
    url = await freshDatabase();
    database = new Database({ url });
  }, MINUTE_MS);
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await database.close();
    await returnDatabase(url);
  }, MINUTE_MS);

  /** As if all of them had been held for so long. */
  const later = (ms: number) =>
    database.query(`UPDATE address_places SET until = until - $1 * interval '1 millisecond'`, [ms]);

  describe('places at an address', () => {
    test('are one node’s until it lets go, and another’s after a pause', async () => {
      const [one, other] = [new AddressPlaceStore(database, 'one'), new AddressPlaceStore(database, 'other')];
      expect(await one.take([place('b', 0), place('a', 0)])).toEqual([place('a', 0), place('b', 0)]);
      expect(await other.take([place('a', 0), place('a', 1)])).toEqual([place('a', 1)]);
      await one.release([place('a', 0), place('a', 1)]);
      expect(await other.take([place('a', 0)])).toEqual([]);
      await later(250);
      expect(await other.take([place('a', 0)])).toEqual([place('a', 0)]);
      expect(await one.renew([place('a', 0), place('b', 0)])).toEqual([place('b', 0)]);
    });

    test('of a node that is not heard of any more are free after a minute, and its own at once when it is back', async () => {
      const [one, other] = [new AddressPlaceStore(database, 'one'), new AddressPlaceStore(database, 'other')];
      await one.take([place('a', 0), place('a', 1)]);
      await later(MINUTE_MS / 2);
      expect(await one.renew([place('a', 0)])).toEqual([place('a', 0)]);
      await later(MINUTE_MS / 2);
      expect(await other.take([place('a', 0), place('a', 1)])).toEqual([place('a', 1)]);
      expect(await new AddressPlaceStore(database, 'one').take([place('a', 0), place('a', 1)])).toEqual([
        place('a', 0),
      ]);
    });

    test('are two for all nodes, whatever they ask for at the same moment', async () => {
      const now = Date.now();
      const gate = (node: string): IpGate => {
        const made = new IpGate({
          locate: async () => ['192.0.2.1'],
          isOpened: () => false,
          sharedIps: [],
          outside: { now: () => now },
          places: new AddressPlaceStore(database, node),
        });
        open.push(made);
        return made;
      };
      const gates = ['a', 'b', 'c'].map(gate);
      const entered = async (): Promise<Entry[]> =>
        (await Promise.all(gates.flatMap((one) => [one.enter('x.test'), one.enter('y.test')]))).filter(
          ({ opensAt }) => opensAt === undefined,
        );
      const inside = await entered();
      expect(inside).toHaveLength(2);
      expect(await entered()).toEqual([]);
    });
  });

  describe('requests of a client', () => {
    const counts = (most?: number) => new RequestCountStore(database, most);

    test('are counted once each, and their window ends for all nodes at the same time', async () => {
      const answers = await Promise.all(
        [0, 40, 80].flatMap((ahead) => Array.from({ length: 10 }, () => counts().count('t', 1_000 + ahead, MINUTE_MS))),
      );
      expect(answers.map(({ current }) => current).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      const [row] = await database.query<{ until: number }>('SELECT until FROM request_counts');
      const until = row?.until ?? 0;
      expect(await counts().count('t', until - 1, MINUTE_MS)).toEqual({ current: 31, ttl: 1 });
      expect(await counts().count('t', until, MINUTE_MS)).toEqual({ current: 1, ttl: MINUTE_MS });
    });

    test('begin anew when the clock was set back', async () => {
      await counts().count('t', 7_200_000, MINUTE_MS);
      expect(await counts().count('t', 3_600_000, MINUTE_MS)).toEqual({ current: 1, ttl: MINUTE_MS });
    });

    test('are forgotten beyond the most that are counted, those first whose windows end first', async () => {
      const few = counts(3);
      for (let n = 0; n < 1_000; n += 1) await few.count(`t${n % 10}`, n, MINUTE_MS);
      const kept = await database.query<{ client: string }>('SELECT client FROM request_counts ORDER BY client');
      expect(kept.map(({ client }) => client)).toEqual(['t7', 't8', 't9']);
    });
  });
});
