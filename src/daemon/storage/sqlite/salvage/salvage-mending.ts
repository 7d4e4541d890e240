import type { DatabaseSync } from 'node:sqlite';
import type { CatalogData } from '../../catalog.ts';

/** A database that rows are missing from, on its way to one that a daemon can go on with. */
export class Mending {
  readonly database: DatabaseSync;
  readonly catalog: CatalogData;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Rows that were whole, and meant nothing without others that are lost; by table. */
  readonly dropped = new Map<string, number>();

  constructor(database: DatabaseSync, catalog: CatalogData, now: number) {
    this.database = database;
    this.catalog = catalog;
    this.now = now;
  }

  all<Row>(sql: string, ...values: (number | string)[]): Row[] {
    return this.database.prepare(sql).all(...values) as unknown as Row[];
  }

  /** One by one: for tables that may be too large for the memory. */
  each<Row>(sql: string, ...values: (number | string)[]): Iterable<Row> {
    return this.database.prepare(sql).iterate(...values) as unknown as Iterable<Row>;
  }

  run(sql: string, ...values: (number | string | null)[]): void {
    this.database.prepare(sql).run(...values);
  }

  /** Takes rows out, and counts them. */
  drop(table: string, where: string): void {
    const { changes } = this.database.prepare(`DELETE FROM ${table} WHERE ${where}`).run();
    this.dropped.set(table, (this.dropped.get(table) ?? 0) + Number(changes));
  }
}
