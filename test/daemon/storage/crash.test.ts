import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { Acknowledged } from '../../fixtures/storage-writer.ts';
import { seed, textOf } from '../../fixtures/visits.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

const writer = join(import.meta.dirname, '../../fixtures/storage-writer.ts');
/** `npm run soak -- kills` takes thousands. */
const ROUNDS = 5;

/** Lets the writer work on the directory, kills it with SIGKILL after some lines, and answers what it had said. */
async function writeAndKill(dataDir: string, what: 'visits' | 'catalog'): Promise<unknown[]> {
  const killAfter = 1 + Math.floor(Math.random() * 60);
  const child = execa(process.execPath, [writer, dataDir, what], { reject: false });
  const said: unknown[] = [];
  for await (const line of child) {
    said.push(JSON.parse(line));
    if (said.length === killAfter) child.kill('SIGKILL');
  }
  const { signal, stderr } = await child;
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  return said;
}

async function documents({ eventLog }: Storage, tapId: string): Promise<Omit<Acknowledged, 'offset'>[]> {
  const events = await eventLog.read(tapId, 0, { events: 1_000_000, bytes: 1e9 });
  expect(events.map((event) => event.offset)).toEqual(events.map((_, index) => index));
  return events.map((event) => JSON.parse(event.document) as Omit<Acknowledged, 'offset'>);
}

describe('after kill -9 at random moments', () => {
  test('every acknowledged event is there, none is doubled, and version and events agree', async () => {
    const dataDir = temporaryDir();
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      acknowledged.push(...((await writeAndKill(dataDir, 'visits')) as Acknowledged[]));
      const storage = await openIn(dataDir);
      const everyPage = await documents(storage, 'every page');
      for (const { page, n, offset } of acknowledged) expect(everyPage[offset]).toEqual({ page, n });
      for (const page of ['a', 'b', 'c', 'd']) {
        const own = await documents(storage, page);
        expect(own.map(({ n }) => n)).toEqual(own.map((_, index) => index + 1));
        expect(everyPage.filter((event) => event.page === page)).toEqual(own);
        const version = await storage.pages.version((await seed(storage.frontier, page)).id);
        expect(version && textOf(version)).toEqual(own.length === 0 ? undefined : String(own.length));
      }
      expect(await storage.frontier.frontierTotals(0)).toMatchObject({ visits: everyPage.length });
      await storage.close();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
  }, 120_000);

  test('the catalog is whole and has at least the last acknowledged update', async () => {
    const dataDir = temporaryDir();
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = (await writeAndKill(dataDir, 'catalog')) as number[];
      const storage = await openIn(dataDir);
      const count = Number(storage.catalog.data.organizations[0]?.name);
      expect(count).toBeGreaterThanOrEqual(said.at(-1)!);
      // One that was written and could not be acknowledged any more.
      expect(count).toBeLessThanOrEqual(said.at(-1)! + 1);
      await storage.close();
    }
  }, 120_000);
});
