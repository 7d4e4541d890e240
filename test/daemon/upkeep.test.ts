import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outside } from '../../src/daemon/outside.ts';
import { DataDirLock, openSecret } from '../../src/daemon/storage/sqlite/files/data-dir.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { backUp, checkStore, restore } from '../../src/daemon/upkeep.ts';

let root: string;
let dataDir: string;
let storage: Storage;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'hydrant-upkeep-'));
  dataDir = join(root, 'data');
  storage = await openSqlite({ dataDir, outside });
  await openSecret(dataDir, outside);
});
afterEach(async () => {
  await storage.close();
  rmSync(root, { recursive: true });
});

async function backup(name = 'work'): Promise<Buffer> {
  const workDir = join(root, name);
  mkdirSync(workDir, { mode: 0o700 });
  const { archive } = await backUp({ dataDir, workDir, onProgress: () => undefined });
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function restored(bytes: Buffer, into = join(root, 'new')) {
  return restore({ archive: whole(bytes), dataDir: into, onBegin: () => undefined });
}

describe('a backup that is restored', () => {
  test('is the data directory it was made of, while that is open', async () => {
    await storage.ledger.setCredit({ organizationId: 'o', amount: 5_000, at: 1 });
    const bytes = await backup();
    await storage.ledger.setCredit({ organizationId: 'o', amount: 7_000, at: 2 });
    const manifest = await restored(bytes);
    expect(manifest.holds.organizations).toBe(storage.catalog.data.organizations.length);
    const other = await openSqlite({ dataDir: join(root, 'new'), outside });
    expect((await other.ledger.account('o', 3)).balance).toBe(5_000);
    expect(other.catalog.data).toEqual(storage.catalog.data);
    await other.close();
    expect(readFileSync(join(root, 'new/secret'))).toEqual(readFileSync(join(dataDir, 'secret')));
  });

  test('is readable by its owner alone, and nothing else lies beside it', async () => {
    await restored(await backup());
    expect(readdirSync(join(root, 'new')).sort()).toEqual(['catalog.json', 'hydrant.db', 'lock', 'secret']);
    for (const name of readdirSync(join(root, 'new'))) {
      expect([name, statSync(join(root, 'new', name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(statSync(join(root, 'new')).mode & 0o777).toBe(0o700);
  });

  test('gives its log a partition that no id had before, so that ids of its former life are recognized', async () => {
    const before = await storage.eventLog.bounds('t');
    await restored(await backup());
    const other = await openSqlite({ dataDir: join(root, 'new'), outside });
    const after = await other.eventLog.bounds('t');
    await other.close();
    expect(after.partition).toBeGreaterThan(before.partition);
    expect(after).toMatchObject({ floor: before.floor, head: before.head });
  });
});

describe('a restore that is refused', () => {
  test('because something is there touches nothing', async () => {
    const bytes = await backup();
    const into = join(root, 'new');
    mkdirSync(into);
    writeFileSync(join(into, 'photo.jpg'), 'x');
    await expect(restored(bytes, into)).rejects.toThrow(`${into} is not empty (photo.jpg)`);
    expect(readdirSync(into)).toEqual(['photo.jpg']);
    await expect(restored(bytes, dataDir)).rejects.toThrow('is not empty');
  });

  test('because a newer hydrant wrote it says which', async () => {
    const bytes = await backup();
    const newer = Buffer.from(bytes.toString('latin1').replace(/"catalog": \d/, '"catalog": 9'), 'latin1');
    await expect(restored(newer)).rejects.toThrow(/written by a newer hydrant.*schema 9/);
    expect(readdirSync(join(root, 'new'))).toEqual(['lock']);
  });

  test('because a byte of it is wrong leaves the directory as good as empty', async () => {
    const bytes = await backup();
    const at = bytes.indexOf('SQLite format 3') + 200;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 255, at);
    await expect(restored(bytes)).rejects.toThrow('hydrant.db differs from what was written');
    expect(readdirSync(join(root, 'new'))).toEqual(['lock']);
    // And so the next one can begin.
    await restored(await backup('again'));
  });
});

test('a directory that is locked has the lock in it and nothing else, so that a kill leaves no more', () => {
  const lock = DataDirLock.take(root);
  expect(readdirSync(root).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
  lock.release();
});

test('what a restore that was killed has left is no hindrance', async () => {
  const into = join(root, 'new');
  mkdirSync(join(into, 'restore.tmp'), { recursive: true });
  writeFileSync(join(into, 'restore.tmp/hydrant.db'), 'half');
  await restored(await backup(), into);
  expect(readdirSync(into)).not.toContain('restore.tmp');
});

test('the database of a daemon that runs can be checked, and damage is found', async () => {
  const { uid } = statSync(join(dataDir, 'hydrant.db'));
  expect(checkStore(dataDir, uid)).toEqual([]);
  const other = join(root, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'hydrant.db'), 'this is no database'.repeat(100));
  expect(checkStore(other, uid)).toEqual([expect.stringContaining('not a database')]);
  expect(() => checkStore(dataDir, uid + 1)).toThrow(/belongs to the user with id/);
});

test('who looks at a directory while another one does takes nobody for a daemon, and sees a damaged journal', () => {
  const left = join(root, 'left');
  mkdirSync(left);
  writeFileSync(join(left, 'hydrant.db'), '');
  writeFileSync(join(left, 'hydrant.db-wal'), 'no journal'.repeat(10));
  DataDirLock.take(left).release();
  const { uid } = statSync(left);
  const other = DataDirLock.share(left);
  expect(checkStore(left, uid)).toEqual([expect.stringContaining('it has no valid header')]);
  other.release();
  const daemon = DataDirLock.take(left);
  expect(() => DataDirLock.share(left)).toThrow(/another hydrantd is using/);
  daemon.release();
});

test('a directory without data says so instead of making an empty backup', async () => {
  mkdirSync(join(root, 'work'));
  const nothing = backUp({ dataDir: root, workDir: join(root, 'work'), onProgress: () => undefined });
  await expect(nothing).rejects.toThrow('it has no hydrant.db');
});
