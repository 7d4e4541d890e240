import { join } from 'node:path';
import { Low } from 'lowdb';
import { type Catalog, type CatalogData, type Draft, emptyCatalog, frozen } from '../../catalog.ts';
import { CatalogChanges } from '../../catalog-changes.ts';
import { StartFailure } from '../../../start-failure.ts';
import { CATALOG_SCHEMA, type CatalogMigration, checkShape, migrate } from '../../catalog-schema.ts';
import { DurableFile } from './durable-file.ts';
import { parseJson } from './json-text.ts';
import { writtenByNewer } from '../schema/database-file.ts';

/**
 * The catalog in `catalog.json`, pretty printed, so that a person can read it, compare it and repair it. Read once,
 * at start; from then on the file follows the memory, never the other way. A file that cannot be trusted stops the
 * start: going on with an empty catalog would look like a daemon that forgot everyone's rules.
 */
export class FileCatalog implements Catalog {
  /** This process alone writes the file. */
  readonly isBehind = false;
  readonly #low: Low<string>;
  readonly #changes = new CatalogChanges((apply) => this.#save(apply(this.#data)));
  #data: CatalogData;

  /** `text` is what is in the file now. */
  constructor(file: DurableFile, text: string, data: CatalogData) {
    this.#low = new Low(file, text);
    this.#data = data;
  }

  get data(): CatalogData {
    return this.#data;
  }

  update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    return this.#changes.update(change);
  }

  /** Nobody else changes it. */
  async follow(): Promise<void> {}

  close(): Promise<void> {
    return this.#changes.close();
  }

  async #save(next: CatalogData): Promise<void> {
    const before = this.#low.data;
    const text = printCatalog(next);
    if (text !== before) {
      this.#low.data = text;
      try {
        await this.#low.write();
      } catch (error) {
        this.#low.data = before;
        throw error;
      }
    }
    this.#data = next;
  }
}

/**
 * Opens the catalog, or makes an empty one where there has been none. `databaseExists`: whether pages and events are
 * there already, in which case a missing catalog was lost and is not new.
 */
export async function openCatalog(
  dataDir: string,
  databaseExists: boolean,
  migrations?: readonly CatalogMigration[],
): Promise<FileCatalog> {
  const file = new DurableFile(join(dataDir, 'catalog.json'));
  const text = await file.read();
  if (text === null) return createCatalog(file, databaseExists);
  const read = readCatalog(text, migrations);
  if (read.kind === 'newer') throw tooNew(file, read.schema);
  if (read.kind === 'damaged') throw await damaged(file, read.what);
  const printed = printCatalog(read.data);
  if (read.migrated) await file.write(printed);
  return new FileCatalog(file, read.migrated ? printed : text, frozen(read.data));
}

async function createCatalog(file: DurableFile, databaseExists: boolean): Promise<FileCatalog> {
  const backup = await file.readBackup();
  if (backup !== null || databaseExists) throw await missing(file, backup);
  const data = emptyCatalog();
  const text = printCatalog(data);
  await file.write(text);
  return new FileCatalog(file, text, data);
}

/** As it stands in the file. */
export function printCatalog(data: CatalogData): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}

type ReadCatalog =
  | { readonly kind: 'whole'; readonly data: CatalogData; readonly migrated: boolean }
  | { readonly kind: 'newer'; readonly schema: number }
  | { readonly kind: 'damaged'; readonly what: string };

/** What the text of a catalog is. */
export function readCatalog(text: string, migrations?: readonly CatalogMigration[]): ReadCatalog {
  const parsed = parseJson(text);
  if (!parsed.ok) return { kind: 'damaged', what: parsed.what };
  const migrated = migrate(parsed.value, migrations);
  if (migrated.kind !== 'current') return migrated;
  const checked = checkShape(migrated.value);
  if (!checked.ok) return { kind: 'damaged', what: checked.what };
  return { kind: 'whole', data: checked.data, migrated: migrated.changed };
}

function tooNew({ path }: DurableFile, schema: number): StartFailure {
  return new StartFailure('configuration', writtenByNewer(path, schema, CATALOG_SCHEMA));
}

async function damaged(file: DurableFile, what: string): Promise<StartFailure> {
  const wayOut = await recovery(file, await file.readBackup());
  return new StartFailure('configuration', `${file.path} is damaged: ${what}; ${wayOut}`);
}

async function missing(file: DurableFile, backup: string | null): Promise<StartFailure> {
  const wayOut = await recovery(file, backup);
  return new StartFailure('configuration', `${file.path} is missing, although the database exists; ${wayOut}`);
}

async function recovery({ path, backupPath }: DurableFile, backup: string | null): Promise<string> {
  const elsewhere = 'restore the data directory from a backup, or start with a new --data-dir';
  if (backup === null) return `there is no copy of it (${backupPath}): ${elsewhere}`;
  const read = readCatalog(backup);
  if (read.kind === 'whole') return `restore the copy from before the last change: cp ${backupPath} ${path}`;
  const flaw = read.kind === 'damaged' ? read.what : `schema ${read.schema}`;
  return `its copy ${backupPath} is damaged too (${flaw}): repair either by hand, or ${elsewhere}`;
}
