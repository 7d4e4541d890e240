import type { Outside } from '../../outside.ts';
import { StartFailure } from '../../start-failure.ts';
import { crawlMaps } from './crawl-maps.ts';
import { eventMaps } from './event-maps.ts';
import { Batch, type Row, RowSum } from './rows.ts';
import { type Engine, isMadeFor, type Reading, readingOf, tableIn, type TableMap } from './table-map.ts';
import { watchMaps } from './watch-maps.ts';

/** What is moved, and between what. */
export interface MovePlan {
  readonly dataDir: string;
  readonly url: string;
  readonly outside: Outside;
  readonly onStep: OnStep;
}

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

/** One table, as it was read and as it was found again. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** 16 hexadecimal digits over all rows. */
  readonly checksum: string;
}

/** What was moved. */
export interface Moved {
  /** Without user and password. */
  readonly database: string;
  /** The first part of event ids, which go on on the other side. */
  readonly partition: number;
  /** Offsets that were given in all taps, whether or not their events are still kept. */
  readonly offsets: number;
  /** Those that were made on the other side; of all it is known that both sides say the same. */
  readonly tables: readonly CopiedTable[];
}

/** What is under way, and rows of it that are done; what it throws ends the work. */
export type OnStep = (what: string, rows: number) => Promise<void>;

/** All of both databases but for what only daemons that run have: nodes, leases, and who has read how far. */
export const tableMaps: readonly TableMap[] = [...eventMaps, ...crawlMaps, ...watchMaps];

/**
 * Copies all tables, with their keys, reads them again from where they were written, and compares.
 * @throws {StartFailure} where a table differs
 */
export async function copyTables(from: Store, to: Store, onStep: OnStep): Promise<CopiedTable[]> {
  const made = tableMaps.filter((map) => isMadeFor(map, to.engine));
  const copied: (CopiedTable & { readonly map: TableMap })[] = [];
  for (const map of made) {
    const { rows, checksum } = await copyTable(map, from, to, onStep);
    copied.push({ map, name: map.name, rows, checksum });
  }
  const different: string[] = [];
  for (const { map, rows, checksum } of copied) {
    const found = await sumOf(map, to, onStep);
    if (found.rows !== rows) different.push(`${map.name} (${rows} rows read, ${found.rows} written)`);
    else if (found.checksum !== checksum) different.push(`${map.name} (its rows are not those that were read)`);
  }
  if (different.length > 0) {
    const what = `what was written differs from what was read: ${different.join(', ')}`;
    throw new StartFailure('environment', `${what}; nothing was kept. Please report this; the data is where it was`);
  }
  return copied.map(({ name, rows, checksum }) => ({ name, rows, checksum }));
}

/** Keys go on above all that were given. To be called when nothing refers to tables that are not there yet. */
export async function keepKeys(from: Store, to: Store): Promise<void> {
  for (const map of tableMaps) {
    if (map.sequence && isMadeFor(map, to.engine)) await to.keepAbove(map, await from.highest(map));
  }
}

/** How event ids go on, as the store says that was written. */
export async function idsIn(store: Store): Promise<Pick<Moved, 'partition' | 'offsets'>> {
  const columns = ['partition', 'offsets'];
  const sql = 'SELECT partition, (SELECT coalesce(sum(head), 0) FROM taps) AS offsets FROM log';
  for await (const [partition, offsets] of store.read({ columns, sql }, false)) {
    return { partition: Number(partition), offsets: Number(offsets) };
  }
  throw new Error('the log has no row');
}

async function copyTable(map: TableMap, from: Store, to: Store, onStep: OnStep): Promise<RowSum> {
  const reading = readingOf(map, to.engine);
  const table = tableIn(map, to.engine);
  const [batch, sum] = [new Batch(), new RowSum()];
  const shape = await to.shaper(table, reading.columns);
  const flush = async (): Promise<void> => {
    const rows = batch.take();
    if (rows.length > 0) await to.write(table, reading.columns, rows);
    await onStep(`copying ${map.name}`, sum.rows);
  };
  await to.clear(table);
  for await (const row of from.read(reading, map.isWide === true)) {
    const shaped: Row = shape(row);
    sum.add(shaped);
    batch.add(shaped);
    if (batch.isFull) await flush();
  }
  await flush();
  return sum;
}

/** Rows between two reports. */
const REPORTED_ROWS = 1_000;

async function sumOf(map: TableMap, store: Store, onStep: OnStep): Promise<RowSum> {
  const { columns } = readingOf(map, store.engine);
  const names = columns.map((column) => `"${column}"`).join(', ');
  const reading = { columns, sql: `SELECT ${names} FROM "${tableIn(map, store.engine)}"` };
  const sum = new RowSum();
  for await (const row of store.read(reading, map.isWide === true)) {
    sum.add(row);
    if (sum.rows % REPORTED_ROWS === 0) await onStep(`comparing ${map.name}`, sum.rows);
  }
  await onStep(`comparing ${map.name}`, sum.rows);
  return sum;
}
