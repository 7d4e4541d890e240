import { zstdDecompressSync } from 'node:zlib';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DamagedDatabase } from '../../../salvage/damaged-database.ts';
import type { StoredValue } from '../../../salvage/record.ts';
import { type Losses, type StoredRow, treeRows } from '../../../salvage/tree-rows.ts';
import type { ColumnShape, TableShape } from './salvage-schema.ts';

/** Texts that are read as JSON, and would be found out only by whoever asks for them. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'events.query_ids',
  'events.document',
  'watches.options',
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
