import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { HostQueue } from '../../../src/daemon/storage/sqlite/crawl/host-queue.ts';
import type { Lease } from '../../../src/daemon/storage/sqlite/crawl/host-store.ts';
import { temporaryDir } from './data-dirs.ts';

const HOSTS = 1_000;
/** Hosts of which nothing can be taken, that one look may pass. */
const PASSED = 100;

describe('the line of hosts, where a source of a thousand is just being removed', () => {
  let database: DatabaseSync;
  let line: HostQueue;
  let looked: string[];
  let hosts: { readonly leases: Map<number, Lease>; lastToken: number; resumptions: number };
  beforeEach(() => {
    database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
    onTestFinished(() => database.close());
    const add = database.prepare('INSERT INTO hosts (name, partition, ready) VALUES (?, 0, ?)');
    database.exec('BEGIN');
    // Half of them have become due in the same moment, as those of a new source do.
    for (let host = 0; host < HOSTS; host += 1) add.run(`gone-${host}`, host < HOSTS / 2 ? 7 : host);
    for (let host = 0; host < 5; host += 1) add.run(`live-${host}`, HOSTS + host);
    database.exec('COMMIT');
    hosts = { leases: new Map<number, Lease>(), lastToken: 0, resumptions: 0 };
    line = new HostQueue(database, 'ready', hosts);
    looked = [];
  });

  const take = (now: number, atMost = 2) => {
    const { taken, nextAt } = line.take({ now, atMost, leaseMs: 60_000, except: [] }, ({ key, name }) => {
      looked.push(name);
      return name.startsWith('live') ? { due: name, owner: key, isContest: false } : undefined;
    });
    return { taken: taken.map(({ due }) => due), nextAt };
  };

  test('a look passes a hundred of them at most, and asks to be made again at once', () => {
    expect(take(5_000)).toEqual({ taken: [], nextAt: 5_000 });
    expect(looked).toHaveLength(PASSED);
  });

  test('the next look goes on there: each is looked at once until all that is due behind them is taken', () => {
    const taken: string[] = [];
    for (let look = 0; look < 13; look += 1) taken.push(...take(5_000 + look).taken);
    expect(taken).toEqual(['live-0', 'live-1', 'live-2', 'live-3', 'live-4']);
    expect(looked).toHaveLength(HOSTS + 5);
    expect(new Set(looked).size).toBe(HOSTS + 5);
  });

  test('after ten seconds the line is looked at from its beginning again, and after its end, too', () => {
    take(5_000);
    database.exec("UPDATE hosts SET name = 'live-again' WHERE name = 'gone-0'");
    expect(take(14_999).taken).toEqual([]);
    expect(take(15_000).taken).toEqual(['live-again']);
    expect(take(1).taken).toEqual([]);
    database.exec("DELETE FROM hosts WHERE name LIKE 'gone%'");
    expect(take(20_000, 5).taken).toHaveLength(5);
    database.exec("INSERT INTO hosts (name, partition, ready) VALUES ('live-first', 0, 1)");
    expect(take(20_001).taken).toEqual(['live-first']);
  });

  test('where a source is resumed, those that were passed are looked at again at once', () => {
    take(5_000);
    database.exec("UPDATE hosts SET name = 'live-again' WHERE name = 'gone-0'");
    expect(take(5_000).taken).toEqual([]);
    hosts.resumptions += 1;
    expect(take(5_000).taken).toEqual(['live-again']);
  });

  test('a host that is due goes before those that became so after it, wherever a look has begun', () => {
    database.exec("UPDATE hosts SET ready = 3 WHERE name = 'live-4'");
    expect(take(5_000, 1)).toEqual({ taken: ['live-4'], nextAt: undefined });
  });
});
