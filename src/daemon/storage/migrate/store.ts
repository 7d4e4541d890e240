import type { Row } from './rows.ts';
import type { Engine, Reading, TableMap } from './table-map.ts';

/** One of the two databases, as rows are read from it and written to it: within one transaction, by one connection. */
export interface Store {
  readonly engine: Engine;
  /** In the order of the statement, as they come; whatever the number of rows, few are held. */
  read(reading: Reading, isWide: boolean): AsyncIterable<Row>;
  /** What it makes of a row that is written there, such as a text without U+0000. */
  shaper(table: string, columns: readonly string[]): Promise<(row: Row) => Row>;
  write(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** What the schema itself has put there. */
  clear(table: string): Promise<void>;
  /** The highest key that was ever given; 0: none. */
  highest(map: TableMap): Promise<number>;
  /** The next key is above this one, and above all that are there. */
  keepAbove(map: TableMap, highest: number): Promise<void>;
}
