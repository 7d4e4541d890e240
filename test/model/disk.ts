import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { openMemory } from '../reference/storage/memory.ts';
import { outside } from '../../src/daemon/outside.ts';
import { Database } from '../../src/daemon/storage/postgres/connection/database.ts';
import { openPostgres } from '../../src/daemon/storage/postgres/postgres-storage.ts';
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
    this.#path = dataDir;
    this.#storage = await openSqlite({ dataDir, outside: { ...outside, now: () => 0 }, groupCommitMs: 0 });
    return this.#storage;
  }
}

/** A node's place in a database; after a crash, what was committed before its connections were cut. */
export class DatabaseDisk implements Disk {
  readonly #url: string;
  readonly #node: string;
  readonly #onClosed: () => Promise<unknown>;
  #storage: Storage | undefined;

  /** `onClosed`: what is left to do when it is closed. */
  constructor(url: string, node: string, onClosed: () => Promise<unknown> = async () => undefined) {
    this.#url = url;
    this.#node = node;
    this.#onClosed = onClosed;
  }

  async reopened(): Promise<Storage> {
    await this.#storage?.close();
    return this.#open();
  }

  async crashed(): Promise<Storage> {
    await this.#cutConnections();
    await this.#storage?.close();
    return this.#open();
  }

  async close(): Promise<void> {
    await this.#storage?.close();
    await this.#onClosed();
  }

  async #cutConnections(): Promise<void> {
    const other = new Database({ url: this.#url, connections: 1 });
    const statement = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1';
    await other.query(statement, [this.#node]);
    await other.close();
  }

  async #open(): Promise<Storage> {
    const url = `${this.#url}?application_name=${this.#node}`;
    // A crash cuts off what goes on behind the requests: that is no fault.
    const onError = (): void => undefined;
    this.#storage = await openPostgres({ url, node: this.#node, outside, onError, groupCommitMs: 0 });
    return this.#storage;
  }
}

/** Others come and go: when a token was last used is noted behind the requests. */
const FILES: ReadonlySet<string> = new Set(['catalog.json', 'hydrant.db', 'hydrant.db-wal']);

function newDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'hydrant-model-'));
}
