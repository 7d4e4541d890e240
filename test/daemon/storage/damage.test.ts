import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { DAEMON_NOTICE } from '../../../src/shared/daemon-notice.ts';
import { organization } from '../../contract/catalog.ts';
import { append, eventFor, seed, versionOf, visitOf } from '../../fixtures/visits.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

/** A directory with an organization, and with events and a version of a page in its database. */
async function used(): Promise<string> {
  const dataDir = temporaryDir();
  const storage = await openIn(dataDir);
  await storage.catalog.update((draft) => draft.organizations.push(organization));
  const page = await seed(storage.frontier, 's');
  const events = Array.from({ length: 200 }, () => eventFor('t', 'x'.repeat(500)));
  await storage.pages.commit(visitOf(page, { version: versionOf('kept'), events }));
  await storage.close();
  return dataDir;
}

const PAGE = 8_192;

describe('a database that is damaged stops the start with the way out, and is not touched', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['its beginning is overwritten', (bytes) => bytes.fill(0xa5, 0, 100)],
    ['the list of its tables is', (bytes) => bytes.fill(0xa5, 100, 400)],
    ['pages in its middle are', (bytes) => bytes.fill(0xa5, 3 * PAGE, 12 * PAGE)],
    ['it is cut off in the middle', (bytes) => bytes.subarray(0, Math.floor(bytes.length / PAGE / 2) * PAGE)],
    ['it is cut off within a page', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2) + 77)],
    ['it is cut off after its first page', (bytes) => bytes.subarray(0, PAGE)],
    ['its last page is gone', (bytes) => bytes.subarray(0, bytes.length - PAGE)],
    ['it is all zeros', (bytes) => bytes.fill(0)],
    ['it is empty', (bytes) => bytes.subarray(0, 0)],
  ])('%s', async (_, damage) => {
    const dataDir = await used();
    const path = join(dataDir, 'hydrant.db');
    const damaged = damage(readFileSync(path));
    writeFileSync(path, damaged);
    const failure = (await openIn(dataDir).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ name: 'StartFailure', kind: 'configuration' });
    expect(failure.message).toMatch(
      /hydrant\.db is (?:damaged|empty).*restore the data directory from a backup, .*or continue/,
    );
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  test('the way out without a backup keeps the catalog, and ids of the former log are told from those of the new one', async () => {
    const dataDir = await used();
    const path = join(dataDir, 'hydrant.db');
    truncateSync(path, 3 * PAGE);
    await expect(openIn(dataDir)).rejects.toThrow(`mv ${path} ${path}.damaged`);
    await execa('mv', [path, `${path}.damaged`]);
    const storage = await openIn(dataDir);
    expect(storage.catalog.data.organizations).toEqual([organization]);
    expect(await append(storage, 1, 't')).toMatchObject([{ offset: 0 }]);
  });
});

describe('a journal that is gone', () => {
  test('after a kill begins a new partition, since ids of its commits would be given again', async () => {
    const dataDir = await used();
    writeFileSync(join(dataDir, DAEMON_NOTICE), '{}');
    const storage = await openIn(dataDir);
    const { partition, head } = await storage.eventLog.bounds('t');
    expect(partition).toBeGreaterThan(1_000_000);
    expect(head).toBe(200);
    await storage.close();
    expect(await (await openIn(dataDir)).eventLog.bounds('t')).toMatchObject({ partition });
  });

  async function killed(): Promise<string> {
    const dataDir = await used();
    writeFileSync(join(dataDir, DAEMON_NOTICE), '{}');
    const script = `const { DatabaseSync } = require('node:sqlite'); const database = new DatabaseSync(process.argv[1]);
      database.exec("UPDATE counters SET visits = 99"); process.kill(process.pid, 'SIGKILL')`;
    await execa(process.execPath, ['-e', script, join(dataDir, 'hydrant.db')], { reject: false });
    return dataDir;
  }

  test('one that a killed daemon has left behind is read, and nothing begins anew', async () => {
    const storage = await openIn(await killed());
    expect(await storage.eventLog.bounds('t')).toMatchObject({ partition: 0 });
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ visits: 99 });
  });

  test('one that a start has taken in before it failed is not taken for lost by the next start', async () => {
    const dataDir = await killed();
    await (await openIn(dataDir)).close();
    expect(await (await openIn(dataDir)).eventLog.bounds('t')).toMatchObject({ partition: 0 });
  });
});
