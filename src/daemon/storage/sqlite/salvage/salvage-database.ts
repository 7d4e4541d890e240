import type { DatabaseSync } from 'node:sqlite';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SalvagedTable, SalvageReport } from '../../../../shared/api/backup.ts';
import { DamagedDatabase } from '../../../salvage/damaged-database.ts';
import { type Losses, treeRows } from '../../../salvage/tree-rows.ts';
import { StartFailure } from '../../../start-failure.ts';
import type { CatalogData } from '../../catalog.ts';
import { LAYOUT, openDatabase, runSteps } from '../schema/database.ts';
import { migrations } from '../schema/migrations.ts';
import { countHosts, Repair, repairCrawl, repairLog, repairWatches } from './repair.ts';
import {
  copyRows,
  findSchema,
  type FoundSchema,
  guessSchema,
  SEQUENCES,
  shapesOf,
  type TableShape,
} from './salvage-schema.ts';
import { openFile, writtenByNewer } from '../schema/database-file.ts';
import { readCatalog } from '../files/catalog.ts';
import { SECRET_BYTES } from '../files/data-dir.ts';
import { UPGRADE_COPY } from '../files/data-copy.ts';

interface DatabaseSalvage {
  /** The damaged file, which is only read; it may be missing. */
  readonly from: string;
  /** The new one, which must not be there. */
  readonly to: string;
  readonly catalog: CatalogData;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Between two steps, with the table that is read; what it throws ends the work. */
  readonly onStep: (table: string) => Promise<void>;
}

/**
 * A new database of all rows that can be read of a damaged one, in three steps: the rows, table by table, into tables of
 * the schema they were written by; the steps of an upgrade, where that is an older one; and whatever has to hold among rows.
 * @throws {StartFailure} for one of a newer version
 */
export async function salvageDatabase(
  plan: DatabaseSalvage,
): Promise<Pick<SalvageReport, 'journal_cut' | 'schema' | 'tables'>> {
  const damaged = new DamagedDatabase(plan.from);
  try {
    const found = findSchema(damaged);
    const schema = schemaOf(found, plan.from);
    const losses = await copyAll(plan, damaged, { schema, found });
    const database = openDatabase(plan.to, 0);
    try {
      await plan.onStep('');
      const dropped = repaired(database, plan);
      await plan.onStep('');
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return { schema, journal_cut: damaged.isJournalCut, tables: tablesOf(database, losses, dropped) };
    } finally {
      database.close();
    }
  } finally {
    damaged.close();
  }
}

/** A number that no schema has is as lost as one that cannot be read, unless the rest of the page says that it is meant. */
function schemaOf({ number, roots }: FoundSchema, path: string): number {
  if (number === undefined || number === 0) return guessSchema(roots);
  if (number > migrations.length) {
    throw new StartFailure('configuration', writtenByNewer(path, number, migrations.length));
  }
  return number;
}

type AllLosses = Map<string, Losses>;

async function copyAll(
  { to, onStep }: DatabaseSalvage,
  damaged: DamagedDatabase,
  { schema, found }: { readonly schema: number; readonly found: FoundSchema },
): Promise<AllLosses> {
  const database = openFile(to, {});
  const losses: AllLosses = new Map();
  try {
    // Nobody has anything of it before it is whole; the last words of openDatabase are what is kept.
    database.exec(`${LAYOUT} PRAGMA synchronous = OFF`);
    runSteps(database, schema);
    const placed = (shape: TableShape): TableShape => ({ ...shape, root: found.roots.get(shape.name) ?? shape.root });
    const shapes = shapesOf(schema).map(placed);
    for (const shape of shapes) {
      const pause = async (): Promise<void> => onStep(shape.name);
      if (shape.name !== SEQUENCES) losses.set(shape.name, await copyRows(damaged, database, shape, pause));
    }
    const sequences = shapes.find(({ name }) => name === SEQUENCES);
    if (sequences) keepSequences(damaged, database, sequences);
  } finally {
    database.close();
  }
  return losses;
}

/** As far as keys may have gone beyond the last one that is known, where the list of them is lost. */
const BEYOND = 1_000_000;

/** Keys that must not come back are given on from the highest there was. */
function keepSequences(damaged: DamagedDatabase, database: DatabaseSync, shape: TableShape): void {
  const highest = new Map<string, number>();
  const losses = { pages: 0, rows: 0 };
  for (const row of treeRows(damaged, { page: shape.root, isIndex: false }, losses)) {
    const [name, key] = row?.values ?? [];
    if (typeof name === 'string' && typeof key === 'number') highest.set(name, key);
  }
  const isLost = losses.pages + losses.rows > 0;
  const tables = database
    .prepare(`SELECT name, coalesce((SELECT seq FROM ${SEQUENCES} WHERE name = listed.name), 0) AS key
      FROM sqlite_schema AS listed WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`)
    .all() as unknown as { name: string; key: number }[];
  const [remove, insert] = [
    `DELETE FROM ${SEQUENCES} WHERE name = ?`,
    `INSERT INTO ${SEQUENCES} (name, seq) VALUES (?, ?)`,
  ];
  for (const { name, key } of tables) {
    const known = highest.get(name) ?? (isLost ? key + BEYOND : 0);
    database.prepare(remove).run(name);
    database.prepare(insert).run(name, Math.max(key, known));
  }
}

function repaired(database: DatabaseSync, { catalog, now }: DatabaseSalvage): ReadonlyMap<string, number> {
  const repair = new Repair(database, catalog, now);
  database.exec('BEGIN');
  repairLog(repair);
  repairCrawl(repair);
  repairWatches(repair);
  countHosts(repair);
  database.exec('COMMIT');
  return repair.dropped;
}

function tablesOf(
  database: DatabaseSync,
  losses: AllLosses,
  dropped: ReadonlyMap<string, number>,
): readonly SalvagedTable[] {
  const names = shapesOf(migrations.length).map(({ name }) => name);
  const tables = names
    .filter((name) => name !== SEQUENCES)
    .map((name) => {
      const { saved } = database.prepare(`SELECT count(*) AS saved FROM ${name}`).get() as { saved: number };
      const { rows: broken = 0, pages = 0 } = losses.get(name) ?? {};
      return { name, saved, dropped: dropped.get(name) ?? 0, broken, pages };
    });
  return tables.filter(({ saved, dropped: gone, broken, pages }) => saved + gone + broken + pages > 0);
}

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
    `no catalog can be read, and without one the rows have no owner (${faults.join('; ')}); extract catalog.json from a backup, or repair the file by hand, and give it with --catalog`,
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
