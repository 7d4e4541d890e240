import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinWhileWriting } from '../daemon/stream/joining-readers.ts';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { seeded } from '../fixtures/series.ts';

const READERS = 400;

/** 400 readers join anywhere, rest, break off and come back while so many events are written to the database. */
export async function readers(events: number): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-soak-'));
  const storage = await openSqlite({ dataDir, outside });
  try {
    const begin = performance.now();
    const faults = await joinWhileWriting({ storage, readers: READERS, events, random: seeded(6) });
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    return [`${events} events, ${READERS} readers, ${seconds} s`, ...faults.map((fault) => `FAULT: ${fault}`)];
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
}
