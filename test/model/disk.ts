import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { openMemory } from '../reference/storage/memory.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

/** What outlives a system. */
export interface Disk {
  /** Closes the storage, if it is open, and opens it again. */
  reopened(): Promise<Storage>;
  /** Opens what a crash at this moment would leave. */
  crashed(): Promise<Storage>;
  close(): Promise<void>;
}

/** Storage in memory lives on, whatever becomes of the rooms above it. */
export function memoryDisk(): Disk {
  const storage = openMemory();
  const same = (): Promise<Storage> => Promise.resolve(storage);
  return { reopened: same, crashed: same, close: () => Promise.resolve() };
}

/** A directory; after a crash, a copy of what its files were while the storage was still open. */
export class DirectoryDisk implements Disk {
  #path: string | undefined;
  #storage: Storage | undefined;

  async reopened(): Promise<Storage> {
    await this.#storage?.close();
    return this.#open((this.#path ??= await newDirectory()));
  }

  async crashed(): Promise<Storage> {
    const [path, storage, left] = [this.#path, this.#storage, await newDirectory()];
    if (path === undefined) throw new Error('nothing was opened before the crash');
    await cp(path, left, { recursive: true, filter: (file) => file === path || FILES.has(basename(file)) });
    await storage?.close();
    await rm(path, { recursive: true });
    return this.#open(left);
  }

  async close(): Promise<void> {
    await this.#storage?.close();
    if (this.#path !== undefined) await rm(this.#path, { recursive: true });
  }

  async #open(dataDir: string): Promise<Storage> {
    const outside = { now: () => 0, uuid: randomUUID, randomBytes: (size: number) => randomBytes(size) };
    this.#path = dataDir;
    this.#storage = await openSqlite({ dataDir, outside, groupCommitMs: 0 });
    return this.#storage;
  }
}

/** Others come and go: when a token was last used is noted behind the requests. */
const FILES: ReadonlySet<string> = new Set(['catalog.json', 'hydrant.db', 'hydrant.db-wal']);

function newDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'hydrant-model-'));
}
