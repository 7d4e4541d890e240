import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { outside } from '../../../src/daemon/outside.ts';
import { type SqliteOptions, openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';

/** A directory of the test's own; gone when the test is. */
export function temporaryDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'hydrant-storage-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** SQLite storage that is closed when the test is done, before its directory goes. */
export async function openIn(dataDir: string, different: Partial<SqliteOptions> = {}): Promise<Storage> {
  const storage = await openSqlite({ dataDir, outside, groupCommitMs: 0, ...different });
  onTestFinished(() => storage.close());
  return storage;
}
