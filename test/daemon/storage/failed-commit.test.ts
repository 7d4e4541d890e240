import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { NEW_HOST, type TakeQuestion } from '../../../src/daemon/storage/frontier.ts';
import { eventFor, seed, visitOf } from '../../fixtures/visits.ts';
import { addWatch, checkOf, EVERY_MS } from '../../fixtures/watches.ts';
import type { Ports } from '../../../src/daemon/storage/storage.ts';
import { directPorts } from './direct-ports.ts';
import { temporaryDir } from './data-dirs.ts';

const LEASE_MS = 300_000;

describe('where a COMMIT fails, as on a full disk', () => {
  let database: DatabaseSync;
  let ports: Ports;
  beforeEach(() => {
    database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
    onTestFinished(() => database.close());
    ports = directPorts(database);
    // What is written to a host is fine until the COMMIT, which then refuses the whole group.
    database.exec(`
      CREATE TABLE room (id INTEGER PRIMARY KEY);
      CREATE TABLE refused (room INTEGER REFERENCES room DEFERRABLE INITIALLY DEFERRED);
    `);
  });

  const fill = (): void =>
    database.exec('CREATE TRIGGER full AFTER UPDATE ON hosts BEGIN INSERT INTO refused VALUES (1); END');
  const empty = (): void => database.exec('DROP TRIGGER full');
  const question = (now: number): TakeQuestion => ({ now, atMost: 10, leaseMs: LEASE_MS, except: [] });
  const pages = async (now: number): Promise<string[]> =>
    (await ports.frontier.take(question(now))).pages.map(({ url }) => url);
  const watches = async (now: number): Promise<string[]> =>
    (await ports.watches.takeWatches(question(now))).watches.map(({ id }) => id);
  const refusal = /FOREIGN KEY constraint failed/;

  test('a page is visited once at most in a lease', async () => {
    const page = await seed(ports.frontier, 's');
    expect(await pages(1)).toEqual([page.url]);
    fill();
    await expect(ports.pages.commit(visitOf(page))).rejects.toThrow(refusal);
    await expect(ports.frontier.release(page.id, NEW_HOST)).rejects.toThrow(refusal);
    expect(await ports.frontier.frontierTotals(2)).toMatchObject({ visits: 0, hostsLeased: 1 });
    expect(await pages(LEASE_MS)).toEqual([]);
    expect(await pages(1 + LEASE_MS)).toEqual([page.url]);
  });

  test('a watch is checked once at most in a lease', async () => {
    await addWatch(ports.watches, 'w');
    const due = EVERY_MS;
    expect(await watches(due)).toEqual(['w']);
    fill();
    await expect(ports.watches.commitCheck(checkOf('w', { host: NEW_HOST }))).rejects.toThrow(refusal);
    await expect(ports.watches.commitCheck(checkOf('w'))).rejects.toThrow(refusal);
    await expect(ports.watches.releaseWatch('w', NEW_HOST)).rejects.toThrow(refusal);
    expect(await watches(due + LEASE_MS - 1)).toEqual([]);
    expect(await watches(due + LEASE_MS)).toEqual(['w']);
  });

  test('the lease ends with the first commit that there is room for', async () => {
    const page = await seed(ports.frontier, 's');
    await pages(1);
    fill();
    await expect(ports.pages.commit(visitOf(page))).rejects.toThrow(refusal);
    empty();
    await ports.frontier.release(page.id, { ...NEW_HOST, notBefore: 60_000 });
    expect(await pages(59_999)).toEqual([]);
    expect(await pages(60_000)).toEqual([page.url]);
  });

  test('what others of the group have ended is as it was, too', async () => {
    const other = await seed(ports.frontier, 'other');
    const page = await seed(ports.frontier, 's');
    await pages(1);
    fill();
    const both = await Promise.allSettled([ports.pages.commit(visitOf(other)), ports.pages.commit(visitOf(page))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await pages(LEASE_MS)).toEqual([]);
  });

  test('a write that fails alone takes back its own changes, and those of no other', async () => {
    const other = await seed(ports.frontier, 'other');
    const page = await seed(ports.frontier, 's');
    await pages(1);
    // The events of a visit come last, when the lease is over.
    database.exec(`CREATE TRIGGER broken BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'broken'); END`);
    const [good, bad] = await Promise.allSettled([
      ports.pages.commit(visitOf(other, { nextDue: 2 })),
      ports.pages.commit(visitOf(page, { events: [eventFor('t')] })),
    ]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
    expect(await pages(2)).toEqual([other.url]);
  });

  test('a due time that was set while the watch was taken is not lost with a check that could not be recorded', async () => {
    await addWatch(ports.watches, 'w');
    await watches(EVERY_MS);
    await ports.watches.changeWatch('w', { due: 5 });
    fill();
    await expect(ports.watches.removeWatch('w')).rejects.toThrow(refusal);
    empty();
    await ports.watches.commitCheck(checkOf('w', { nextDue: 9_000_000 }));
    expect(await ports.watches.watch('w')).toMatchObject({ due: 5 });
  });
});
