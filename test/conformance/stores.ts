import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { Api } from '../daemon/http/api.ts';
import { openNode } from '../daemon/storage/postgres/open-node.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { openMemory } from '../reference/storage/memory.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

export type OpenApi = (options?: Omit<NonNullable<Parameters<typeof Api.open>[0]>, 'storages'>) => Promise<Api>;
/** A cluster is started, or a database copied: on a busy machine a matter of many seconds. */
export const HOOK_MS = 60_000;
type Storages = readonly [Storage, ...Storage[]];

/**
 * The tests of `define`, on each storage there is; on PostgreSQL also with three daemons, of which another one is asked each time.
 * Who opens an API closes it.
 */
export function onEachStore(define: (open: OpenApi) => void): void {
  const on = (storages: () => Promise<Storages>): void =>
    define(async (options) => Api.open({ ...options, storages: await storages() }));
  describe('in memory', () => {
    on(async () => [openMemory()]);
  });
  describe('on SQLite', () => {
    on(async () => [await sqlite()]);
  });
  const missing = hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`;
  describe.skipIf(!hasPostgres)(`on PostgreSQL${missing}`, () => {
    on(() => postgres());
  });
  describe.skipIf(!hasPostgres)(`on PostgreSQL, by three daemons${missing}`, () => {
    on(() => postgres('two', 'three'));
  });
}

async function sqlite(): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-conformance-'));
  return closedWith(await openSqlite({ dataDir, outside, groupCommitMs: 0 }), () => rm(dataDir, { recursive: true }));
}

async function postgres(...others: readonly string[]): Promise<Storages> {
  const url = await freshDatabase();
  const first = closedWith(await openNode(url, 'one'), () => returnDatabase(url));
  return [first, ...(await Promise.all(others.map((name) => openNode(url, name))))];
}

function closedWith(storage: Storage, after: () => Promise<void>): Storage {
  return { ...storage, close: () => storage.close().then(after) };
}
