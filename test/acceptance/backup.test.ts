import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { BackupManifest } from '../../src/shared/api/backup.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { readerFrom, type SseReader } from './sse-reader.ts';

/** Everything that is to be closed. */
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close();
});

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-backups-'));
  open.push({ close: () => rmSync(directory, { recursive: true }) });
  return directory;
}

/** A daemon whose pages change all the time, and the token of its tap. */
async function busy(): Promise<{ daemon: RealDaemon; site: ChangingSite; token: string }> {
  const site = await ChangingSite.start(4, 60);
  const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
  open.push(site, { close: () => daemon.dispose() });
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--no-quality']);
  await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
  return { daemon, site, token: (await daemon.hydrant(['tap', 'token', 'news'])).trim() };
}

async function follow(daemon: RealDaemon, token: string, lastId?: string): Promise<SseReader> {
  const reader = await readerFrom(daemon.notice.url, token, lastId);
  open.push(reader);
  return reader;
}

function offsetOf(id: string | undefined): number {
  return Number(id?.split('-')[1]);
}

test('a backup of a daemon at work, restored elsewhere, goes on where it was: taps, tokens, events, streams', async () => {
  const { daemon, site, token } = await busy();
  const file = join(place(), 'hydrant.tar.zst');
  const before = await follow(daemon, token);
  await until('there are events', () => before.updates().length >= 12);
  const manifest = JSON.parse(await daemon.hydrant(['backup', file, '--json'])) as BackupManifest;
  expect(manifest.holds).toMatchObject({ taps: 1, rules: 1, sources: 4 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const had = before.updates().length;
  await until('there are more', () => before.updates().length >= had + 8);
  const lastId = before.lastId;
  site.close();
  await daemon.stop();

  const other = new RealDaemon([...loopback, '--log-level', 'error']);
  open.push({ close: () => other.dispose() });
  await other.hydrant(['restore', file]);
  await other.start();
  expect((await other.hydrant(['tap', 'token', 'news'])).trim()).toBe(token);
  // It has seen more than the backup holds: recognized, and given everything from the oldest event on.
  const after = await follow(other, token, lastId);
  await until('the events of the backup are there again', () => after.updates().length >= 12);
  const kept = after.documents();
  expect(before.documents().slice(0, kept.length)).toEqual(kept);
  expect(new Set(after.updates().map(({ id }) => id?.split('-')[0])).size).toBe(1);
  expect(after.updates()[0]?.id).not.toBe(before.updates()[0]?.id);
  // An id of its new life resumes right behind it.
  const fifth = after.updates()[4]?.id;
  const resumed = await follow(other, token, fifth);
  await until('the stream goes on', () => resumed.updates().length > 0);
  expect(offsetOf(resumed.updates()[0]?.id)).toBe(offsetOf(fifth) + 1);
});

test('a backup that is killed leaves the one before it, and the next one takes its remains away', async () => {
  const { daemon } = await busy();
  const directory = place();
  const file = join(directory, 'hydrant.tar.gz');
  await daemon.hydrant(['backup', file]);
  const remains = (): string[] => readdirSync(directory).filter((name) => name.startsWith('.hydrant-backup-'));
  const killed = daemon.run('hydrant', ['backup', file, '--force']);
  await until('it has begun', () => remains().length > 0);
  killed.kill('SIGKILL');
  await killed;
  const restored = new RealDaemon();
  open.push({ close: () => restored.dispose() });
  await restored.hydrant(['restore', file]);
  expect(existsSync(join(restored.dataDir, 'catalog.json'))).toBe(true);
  await daemon.hydrant(['backup', file, '--force']);
  expect(remains()).toEqual([]);
});

test('a backup is not written over, a full directory is not restored into, and a daemon at rest has one too', async () => {
  const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
  open.push({ close: () => daemon.dispose() });
  const file = join(place(), 'hydrant.tar');
  await daemon.hydrant(['backup', file]);
  const again = await daemon.run('hydrant', ['backup', file]);
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  const full = await daemon.run('hydrant', ['restore', file]);
  expect([full.exitCode, full.stderr]).toEqual([78, expect.stringContaining('is not empty')]);
  await daemon.stop();
  // At rest, too.
  await daemon.hydrant(['backup', join(place(), 'rest.tgz')]);
});
