import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { leadOf, pageAt, seedLead, sourceOf, visitOf } from '../../fixtures/visits.ts';
import type { Ports } from '../../../src/daemon/storage/storage.ts';
import { directPorts } from './direct-ports.ts';
import { temporaryDir } from './data-dirs.ts';

/** Rows that one step removes at most, and steps of all removals in one group. */
const ROWS_A_GROUP = 2 * 200;
const BYSTANDER = 'http://bystander.example/';

describe('beside a removal', () => {
  let ports: Ports;
  beforeEach(async () => {
    const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
    onTestFinished(() => database.close());
    // What a power cut would do is not the question here.
    database.exec('PRAGMA synchronous = OFF');
    ports = directPorts(database);
  });

  const pages = async (): Promise<number> => (await ports.frontier.frontierTotals(0)).pages;
  const addPages = async (id: string, hosts: number, pagesEach: number): Promise<void> => {
    await ports.frontier.putSource(sourceOf(id, { maxPages: 10_000 }), [], 0);
    const urls = Array.from({ length: hosts * pagesEach }, (_, n) => `http://${id}-${n % hosts}.example/${n}`);
    await ports.frontier.offer([{ sourceId: id, leads: urls.map((url, n) => leadOf(url, { pattern: n })) }], 0);
  };
  const addBystander = (): Promise<void> => ports.frontier.putSource(sourceOf('bystander'), [seedLead(BYSTANDER)], 9);
  const take = (now: number) => ports.frontier.take({ now, atMost: 8, leaseMs: 1e9, except: [] });

  test('of two hundred sources at once a commit waits for a few steps, and the next one, too', async () => {
    for (let source = 0; source < 200; source += 1) await addPages(`s${source}`, 1, 20);
    await addBystander();
    const bystander = await pageAt(ports.frontier, BYSTANDER);
    const before = await pages();
    const removed = Promise.all(Array.from({ length: 200 }, (_, source) => ports.frontier.removeSource(`s${source}`)));
    await ports.pages.commit(visitOf(bystander));
    const between = await pages();
    expect(before - between).toBeLessThanOrEqual(ROWS_A_GROUP);
    await ports.pages.commit(visitOf(bystander));
    expect(between - (await pages())).toBeLessThanOrEqual(2 * ROWS_A_GROUP);
    await removed;
    expect(await ports.frontier.frontierTotals(1e9)).toMatchObject({ pages: 1, hosts: 1 });
  });

  test.each(['removed', 'paused'])(
    'what is due of others is taken while a source of 2,000 due hosts is %s, in looks of a few rows',
    async (what) => {
      await addPages('large', 2_000, 1);
      await addBystander();
      const removed =
        what === 'removed'
          ? ports.frontier.removeSource('large')
          : ports.frontier.putSource(sourceOf('large', { maxPages: 10_000, isPaused: true }), [], 9);
      // It has begun, and its hosts stand before the one that is still wanted.
      await ports.frontier.prioritize({ host: 'nobody.example', hash: 1 }, 0);
      let looks = 0;
      for (let taken = await take(10); taken.pages.length === 0; taken = await take(10)) {
        expect(taken.nextAt).toBe(10);
        looks += 1;
      }
      expect(looks).toBeGreaterThan(0);
      expect(looks).toBeLessThanOrEqual(2_000 / 100);
      await removed;
      expect(await take(10)).toMatchObject({ pages: [] });
    },
  );
});
