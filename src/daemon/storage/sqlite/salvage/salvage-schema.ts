import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { DamagedDatabase } from '../../../salvage/damaged-database.ts';
import { type StoredValue, type Losses, type StoredRow, treeRows } from '../../../salvage/tree-rows.ts';
import { migrations } from '../schema/migrations.ts';
import { LAYOUT, runSteps } from '../schema/database.ts';
import { openMemory } from '../schema/database-file.ts';

/** A table as a schema has it, and where its rows begin in a file. */
export interface TableShape {
  readonly name: string;
  /** The first page of its tree. */
  readonly root: number;
  /** Whether it has no rowids: its rows stand in a tree of keys. */
  readonly isIndex: boolean;
  /** As they are stored: of a table without rowids its key first. */
  readonly columns: readonly ColumnShape[];
}

interface ColumnShape {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** It is the rowid, which stands beside the row. */
  readonly isRowid: boolean;
  /** Of rows from before the column; what SQL makes of the words of its definition. */
  readonly otherwise: null | number | string;
}

/** SQLite's list of the tables that keep their highest key. */
export const SEQUENCES = 'sqlite_sequence';

/**
 * The tables of a schema, with their first pages as a file of it has them: those of a database with incremental vacuum stand at
 * its beginning in the order in which the steps made them, whatever rows came between.
 */
export function shapesOf(schema: number): readonly TableShape[] {
  const database = openMemory();
  try {
    database.exec(LAYOUT);
    runSteps(database, schema);
    const tables = database.prepare('PRAGMA table_list').all() as unknown as ListedTable[];
    const roots = database.prepare(`SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table'`).all();
    return (roots as unknown as SchemaRow[]).map(({ name, rootpage: root }) => {
      const isIndex = tables.find((table) => table.name === name)?.wr === 1;
      return { name, root, isIndex, columns: columnsOf(database, name, isIndex) };
    });
  } finally {
    database.close();
  }
}

/** What stands in the file about its own schema; either may be lost. */
export interface FoundSchema {
  /** The number in the first page. */
  readonly number: number | undefined;
  /** Of each table that is still listed, its first page. */
  readonly roots: ReadonlyMap<string, number>;
}

const MAGIC = 'SQLite format 3\0';

export function findSchema(database: DamagedDatabase): FoundSchema {
  const first = database.page(1);
  const isHeader = first?.toString('latin1', 0, MAGIC.length) === MAGIC;
  const number = isHeader ? first?.readUInt32BE(60) : undefined;
  const roots = new Map<string, number>();
  for (const row of treeRows(database, { page: 1, isIndex: false }, { pages: 0, rows: 0 })) {
    const [type, name, , root] = row?.values ?? [];
    if (type === 'table' && typeof name === 'string' && isPage(root)) roots.set(name, root);
  }
  return { number, roots };
}

function isPage(value: StoredValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

/** The number of the schema where the first page is lost: the newest whose tables are all that are listed, or just the newest. */
export function guessSchema(roots: FoundSchema['roots']): number {
  for (let schema = migrations.length; schema > 1; schema -= 1) {
    const names = new Map(shapesOf(schema).map(({ name, root }) => [name, root]));
    if ([...roots].every(([name, root]) => names.get(name) === root)) return schema;
  }
  return migrations.length;
}

interface ListedTable {
  readonly name: string;
  readonly wr: number;
}

interface SchemaRow {
  readonly name: string;
  readonly rootpage: number;
}

interface ListedColumn {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

function columnsOf(database: DatabaseSync, table: string, isIndex: boolean): ColumnShape[] {
  const listed = database.prepare(`PRAGMA table_info(${table})`).all() as unknown as ListedColumn[];
  const keys = listed.filter(({ pk }) => pk > 0);
  const columns = listed.map(({ name, type, notnull, dflt_value: otherwise, pk }) => ({
    name,
    type,
    isRequired: notnull === 1 || pk > 0,
    isRowid: !isIndex && pk === 1 && keys.length === 1 && type === 'INTEGER',
    otherwise: literal(database, otherwise),
  }));
  if (!isIndex) return columns;
  const place = ({ name }: { readonly name: string }): number => keys.find((key) => key.name === name)?.pk ?? Infinity;
  return columns.toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}

function literal(database: DatabaseSync, text: string | null): ColumnShape['otherwise'] {
  if (text === null) return null;
  const { value } = database.prepare(`SELECT ${text} AS value`).get() as { value: null | number | string };
  return value;
}

/** Texts that are read as JSON, and would be found out only by whoever asks for them. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'events.query_ids',
  'events.document',
  'watches.options',
  'watches.tags',
  'saved_matches.rules',
  'saved_matches.document',
]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Nothing that is kept unpacks to more. */
const UNPACKED_BYTES = 256 * 1_024 * 1_024;

/** Rows of one transaction. */
const ROWS_AT_ONCE = 5_000;

/**
 * Copies what can be read of a table into the same table of a whole database. A row is left out if a value is not of its
 * column's kind, if what is packed does not unpack, or if another row has its key: then it is not what was written.
 * @param pause called every few thousand rows and pages; what it throws ends the copying
 */
export async function copyRows(
  from: DamagedDatabase,
  into: DatabaseSync,
  shape: TableShape,
  pause: () => Promise<void>,
): Promise<Losses & { saved: number }> {
  const counts = { saved: 0, rows: 0, pages: 0 };
  const names = shape.columns.map(({ name }) => `"${name}"`).join(', ');
  // What a step of the schema put there is a row of before, too.
  into.exec(`DELETE FROM ${shape.name}`);
  const insert = into.prepare(
    `INSERT INTO ${shape.name} (${names}) VALUES (${shape.columns.map(() => '?').join(', ')})`,
  );
  into.exec('BEGIN');
  let since = 0;
  for (const row of treeRows(from, { page: shape.root, isIndex: shape.isIndex }, counts)) {
    since += 1;
    if (since >= ROWS_AT_ONCE) {
      into.exec('COMMIT');
      await pause();
      into.exec('BEGIN');
      since = 0;
    }
    if (row === undefined) continue;
    const values = soundValues(row, shape);
    if (values !== undefined && isInserted(insert, values)) counts.saved += 1;
    else counts.rows += 1;
  }
  into.exec('COMMIT');
  return counts;
}

/** In the order of the columns; undefined where one cannot be what was written. */
function soundValues({ rowid, values }: StoredRow, { name, columns }: TableShape): StoredValue[] | undefined {
  if (values.length > columns.length) return undefined;
  const sound: StoredValue[] = [];
  for (const [index, column] of columns.entries()) {
    const stored = index < values.length ? values[index] : column.otherwise;
    const value = column.isRowid ? (rowid ?? null) : (stored ?? null);
    if (!isOfKind(value, column) || !isReadable(value, `${name}.${column.name}`)) return undefined;
    sound.push(value);
  }
  return sound;
}

function isOfKind(value: StoredValue, { type, isRequired }: ColumnShape): boolean {
  if (value === null) return !isRequired;
  // No value that hydrant writes is larger, and SQLite's binding for Node throws where it comes to one.
  if (type === 'INTEGER') return Number.isSafeInteger(value);
  if (type === 'REAL') return typeof value === 'number';
  if (type === 'BLOB') return value instanceof Uint8Array;
  return type !== 'TEXT' || typeof value === 'string';
}

function isReadable(value: StoredValue, column: string): boolean {
  if (value instanceof Uint8Array) return !ZSTD.equals(value.subarray(0, ZSTD.length)) || unpacks(value);
  if (typeof value !== 'string') return true;
  // No text of ours has one, and a page of zeros is nothing else.
  if (value.includes('\0')) return false;
  return !JSON_COLUMNS.has(column) || isJson(value);
}

function unpacks(bytes: Uint8Array): boolean {
  try {
    zstdDecompressSync(bytes, { maxOutputLength: UNPACKED_BYTES });
    return true;
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** SQLITE_CONSTRAINT and its kinds: another row has the key, or a CHECK refuses. */
const CONSTRAINT = 19;

function isInserted(insert: StatementSync, values: StoredValue[]): boolean {
  try {
    insert.run(...values);
    return true;
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === CONSTRAINT) return false;
    throw error;
  }
}
