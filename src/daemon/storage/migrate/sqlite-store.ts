import { createHash } from 'node:crypto';
import type { Row } from './rows.ts';
import type { Store } from './copy.ts';
import type { openReader } from '../sqlite/schema/database-file.ts';
import { type Reading, tableIn, type TableMap } from './table-map.ts';

type DatabaseSync = ReturnType<typeof openReader>;
type StatementSync = ReturnType<DatabaseSync['prepare']>;

/** `hydrant.db`, at rest. */
export class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #inserts = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    // SQLite has none of its own.
    database.function('sha256', { deterministic: true }, (text) => createHash('sha256').update(String(text)).digest());
  }

  async *read({ sql, columns }: Reading): AsyncGenerator<Row> {
    for (const row of this.#database.prepare(sql).iterate()) yield columns.map((column) => row[column] ?? null) as Row;
  }

  async shaper(): Promise<(row: Row) => Row> {
    return (row) => row;
  }

  async write(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    const insert = this.#insert(table, columns);
    for (const row of rows) insert.run(...row);
  }

  async clear(table: string): Promise<void> {
    this.#database.exec(`DELETE FROM "${table}"`);
  }

  async highest(map: TableMap): Promise<number> {
    const table = tableIn(map, this.engine);
    const given = this.#number('SELECT seq AS n FROM sqlite_sequence WHERE name = ?', table);
    return Math.max(given, this.#largest(table, map));
  }

  async keepAbove(map: TableMap, highest: number): Promise<void> {
    const table = tableIn(map, this.engine);
    const isKept = this.#number(
      `SELECT count(*) AS n FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'`,
      table,
    );
    const most = Math.max(highest, this.#largest(table, map));
    if (isKept === 0 || most === 0) return;
    this.#database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    this.#database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, most);
  }

  #largest(table: string, { sequence }: TableMap): number {
    return sequence ? this.#number(`SELECT coalesce(max("${sequence.column}"), 0) AS n FROM "${table}"`) : 0;
  }

  #number(sql: string, ...values: string[]): number {
    return Number(this.#database.prepare(sql).get(...values)?.['n'] ?? 0);
  }

  #insert(table: string, columns: readonly string[]): StatementSync {
    const known = this.#inserts.get(table);
    if (known) return known;
    const names = columns.map((column) => `"${column}"`).join(', ');
    const places = columns.map(() => '?').join(', ');
    const made = this.#database.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`);
    this.#inserts.set(table, made);
    return made;
  }
}
