import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import type { SalvageReport } from '../../src/shared/api/backup.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { readerFrom, type SseReader } from './sse-reader.ts';

/** Everything that is to be closed. */
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close();
});

const PAGE_BYTES = 8_192;
const flags = [...loopback, '--log-level', 'error'];

function aDaemon(): RealDaemon {
  const daemon = new RealDaemon(flags);
  open.push({ close: () => daemon.dispose() });
  return daemon;
}

async function follow(daemon: RealDaemon, token: string, lastId?: string): Promise<SseReader> {
  const reader = await readerFrom(daemon.notice.url, token, lastId);
  open.push(reader);
  return reader;
}

/** Overwrites the first page that the events stand below, and one with page versions. */
function damage(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const roots = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name IN ('events', 'hosts')`).all();
  database.close();
  const bytes = readFileSync(path);
  for (const { rootpage } of roots as unknown as { rootpage: number }[]) {
    bytes.fill(0xa5, (rootpage - 1) * PAGE_BYTES, rootpage * PAGE_BYTES);
  }
  writeFileSync(path, bytes);
}

test('a daemon whose disk lied is told by its start and by doctor, and what hydrant salvage makes of it goes on', async () => {
  const site = await ChangingSite.start(4, 60);
  open.push(site);
  const daemon = aDaemon();
  await daemon.start();
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--no-quality']);
  await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
  await daemon.hydrant(['watch', 'add', site.urls[0] ?? '', '--every', '1h']);
  const token = (await daemon.hydrant(['tap', 'token', 'news'])).trim();
  const before = await follow(daemon, token);
  await until('there are events on several pages', () => before.updates().length >= 24);
  const { lastId } = before;
  const running = await daemon.run('hydrant', ['salvage', join(daemon.dataDir, '..', 'not-made')]);
  expect([running.exitCode, running.stderr]).toEqual([1, expect.stringContaining('is using')]);
  await daemon.stop();
  const told = before.documents();

  damage(join(daemon.dataDir, 'hydrant.db'));
  const start = await daemon.run('hydrantd', ['--port', '0']);
  expect([start.exitCode, start.all]).toEqual([78, expect.stringContaining('hydrant salvage')]);
  const doctor = await daemon.run('hydrant', ['doctor', '--json']);
  expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringContaining('hydrant salvage')]);

  const other = aDaemon();
  const report = JSON.parse(await daemon.hydrant(['salvage', other.dataDir, '--json'])) as SalvageReport;
  const saved = Object.fromEntries(report.tables.map((table) => [table.name, table]));
  expect(report.renewed_taps).toEqual([]);
  expect(saved['events']).toMatchObject({ pages: 1, broken: 0, dropped: 0 });
  expect(saved['events']?.saved).toBeGreaterThanOrEqual(24);
  // Their names stood on the page that is gone; what was read of them tells these.
  expect(saved['pages']).toMatchObject({ saved: 4, dropped: 0 });

  await other.start();
  expect((await other.hydrant(['tap', 'token', 'news'])).trim()).toBe(token);
  const after = await follow(other, token, lastId);
  await until('all that was told is there, and more comes', () => after.updates().length > told.length + 4);
  expect(after.documents().slice(0, told.length)).toEqual(told);
  expect(await other.hydrant(['watch', 'list', '--json'])).toContain(site.urls[0]);
  expect((await other.run('hydrant', ['doctor', '--json'])).stdout).toMatch(/"name":"store","state":"ok"/);
});
