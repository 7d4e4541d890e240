import { join } from 'node:path';
import { Low } from 'lowdb';
import { applied, type Catalog, type CatalogData, type Draft, emptyCatalog, frozen } from '../../catalog.ts';
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
  #data: CatalogData;
  #waiting: Waiting[] = [];
  #turn: Promise<void> | undefined;
  #closed = false;

  /** `text` is what is in the file now. */
  constructor(file: DurableFile, text: string, data: CatalogData) {
    this.#low = new Low(file, text);
    this.#data = data;
  }

  get data(): CatalogData {
    return this.#data;
  }

  update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(new Error('the catalog is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const attempt = (data: CatalogData): Outcome => {
      const { result, data: next } = applied(data, change);
      const checked = checkShape(next);
      // Written all the same, it would stop the next start.
      if (!checked.ok) throw new Error(`a change would damage the catalog: ${checked.what}`);
      return { data: next, answer: () => resolve(result) };
    };
    this.#waiting.push({ attempt, reject });
    this.#turn ??= this.#work();
    return promise;
  }

  follow(): void {
    // Nobody else changes it.
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
  }

  /** One write after another; each takes all the changes that came while the last one was under way. */
  async #work(): Promise<void> {
    // Not in this turn of the event loop: what is asked for together is written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0));
    this.#turn = undefined;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    let next = this.#data;
    const answers: (() => void)[] = [];
    for (const { attempt, reject } of group) {
      try {
        const outcome = attempt(next);
        next = outcome.data;
        answers.push(outcome.answer);
      } catch (error) {
        // Answered after the write: it may have been refused for what a neighbour did, and that may not last.
        answers.push(() => reject(error));
      }
    }
    try {
      await this.#save(next);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const answer of answers) answer();
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

interface Waiting {
  readonly attempt: (data: CatalogData) => Outcome;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly data: CatalogData;
  readonly answer: () => void;
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
