import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinWhileWriting } from './joining-readers.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { seeded } from '../../fixtures/series.ts';

const asked = { readers: 40, events: 4_000 };

test('readers that join anywhere while events are written see each offset once, in order', async () => {
  expect(await joinWhileWriting({ ...asked, storage: openMemory(), random: seeded(7) })).toEqual([]);
});

test('the same on the database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-readers-'));
  const storage = await openSqlite({ dataDir, outside });
  try {
    expect(await joinWhileWriting({ ...asked, storage, random: seeded(8) })).toEqual([]);
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
});
