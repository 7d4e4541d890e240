import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile, BackupManifest } from '../../shared/api/backup.ts';
import { StartFailure } from '../start-failure.ts';
import type { Receiver } from './read-backup.ts';

/** What this hydrant can read. */
export type Schemas = BackupManifest['schema'];

/** The files of a backup on their way into a directory, one at a time; each is on the disk once it has ended. */
export class RestoredFiles implements Receiver {
  readonly #directory: string;
  readonly #schemas: Schemas;
  readonly #onBegin: (manifest: BackupManifest) => Promise<void>;
  #file: FileHandle | undefined;

  constructor(directory: string, schemas: Schemas, onBegin: (manifest: BackupManifest) => Promise<void>) {
    this.#directory = directory;
    this.#schemas = schemas;
    this.#onBegin = onBegin;
  }

  async begin(manifest: BackupManifest): Promise<void> {
    const { catalog, database } = manifest.schema;
    if (catalog > this.#schemas.catalog || database > this.#schemas.database) {
      const made = `hydrant ${manifest.version} (schema ${catalog} and ${database})`;
      throw new StartFailure(
        'configuration',
        `this backup was written by a newer hydrant; restore it with that one: ${made}, this is ${this.#schemas.catalog} and ${this.#schemas.database}`,
      );
    }
    await this.#onBegin(manifest);
  }

  async receive(name: BackupFile, chunk: Uint8Array | undefined): Promise<void> {
    this.#file ??= await open(join(this.#directory, name), 'wx', 0o600);
    if (chunk !== undefined) {
      await this.#file.writeFile(chunk);
      return;
    }
    await this.#file.sync();
    await this.close();
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

/**
 * The catalog last: without it a daemon does not start on what is there, whereas with it and without the database it
 * would begin with an empty one.
 */
export async function moveIn(from: string, into: string): Promise<void> {
  for (const name of ['hydrant.db', 'secret', 'catalog.json'] as const)
    await rename(join(from, name), join(into, name));
}
