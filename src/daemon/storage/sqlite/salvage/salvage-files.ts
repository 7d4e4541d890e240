import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../../start-failure.ts';
import type { CatalogData } from '../../catalog.ts';
import { readCatalog } from '../files/catalog.ts';
import { SECRET_BYTES } from '../files/secret.ts';
import { UPGRADE_COPY } from '../files/upgrade-copy.ts';

/** A catalog that is whole, by the present schema. */
export interface FoundCatalog {
  readonly path: string;
  readonly data: CatalogData;
}

/**
 * The newest catalog of a data directory that is whole: the file itself, the copy from before its last change, that from before
 * the last upgrade. `given`: only this one.
 * @throws {StartFailure} where none is
 */
export async function findCatalog(dataDir: string, given?: string): Promise<FoundCatalog> {
  const faults: string[] = [];
  for (const path of given === undefined ? await catalogsIn(dataDir) : [given]) {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
    if (text instanceof Error) {
      faults.push(`${path}: ${text.code === 'ENOENT' ? 'is not there' : (text.code ?? text.message)}`);
      continue;
    }
    const read = readCatalog(text);
    if (read.kind === 'whole') return { path, data: read.data };
    faults.push(`${path}: ${read.kind === 'newer' ? `is of a newer version (schema ${read.schema})` : read.what}`);
  }
  throw new StartFailure(
    'environment',
    `no catalog can be read, and rows without one belong to nobody (${faults.join('; ')}); take catalog.json out of a backup, or mend the file by hand, and give it with --catalog`,
  );
}

async function catalogsIn(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir);
  const copies = names.filter((name) => name.startsWith(UPGRADE_COPY) && !name.endsWith('.tmp'));
  return ['catalog.json', 'catalog.json.bak', ...copies.map((name) => join(name, 'catalog.json'))].map((name) =>
    join(dataDir, name),
  );
}

/** Undefined if it is lost: then no token of a tap can be read back. */
export async function findSecret(dataDir: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(join(dataDir, 'secret')).catch(() => undefined);
  return bytes?.length === SECRET_BYTES ? bytes : undefined;
}
