/**
 * How one table stands in both databases: what is read of either is in the shape of the other, so that rows pass through as
 * they are. Names of columns are PostgreSQL's where the two differ, and SQLite's in `toSqlite`.
 */
export interface TableMap {
  /** Its name in PostgreSQL, and in what is reported. */
  readonly name: string;
  /** Its name in SQLite, where that is another one. */
  readonly sqlite?: string;
  /** Columns that both call alike and mean the same by. */
  readonly both: readonly string[];
  /** The others of either, each as an expression over the row of the other one. */
  readonly toPostgres?: Readonly<Record<string, string>>;
  readonly toSqlite?: Readonly<Record<string, string>>;
  /** What comes after FROM, where that is more than the table. */
  readonly from?: { readonly sqlite?: string; readonly postgres?: string };
  /** Rows that may be megabytes: few are held at once. */
  readonly isWide?: boolean;
  /** It is made for this one alone: what it says stands elsewhere in the other. */
  readonly only?: Engine;
  /** Keys that must not come back, although their rows are gone. */
  readonly sequence?: Sequence;
}

/** Names in one text, however it is broken into lines. */
export function columns(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}

export type Engine = 'postgres' | 'sqlite';

/** The highest key that was given: `sqlite_sequence` in SQLite, that of the identity column in PostgreSQL unless it says otherwise. */
interface Sequence {
  readonly column: string;
  /** A statement that answers it as `highest`, and one that keeps `$1`. */
  readonly postgres?: { readonly read: string; readonly write: string };
}

/** What to read of `from`, and what the columns are called that it is written to. */
export interface Reading {
  readonly columns: readonly string[];
  readonly sql: string;
}

export function readingOf(map: TableMap, to: Engine): Reading {
  const { name, sqlite = name, both, from = {} } = map;
  const [table, source, more = {}] =
    to === 'postgres' ? [sqlite, from.sqlite, map.toPostgres] : [name, from.postgres, map.toSqlite];
  const columns = [...both, ...Object.keys(more)];
  const read = [
    ...both.map((column) => `"${table}"."${column}"`),
    ...Object.entries(more).map(([column, expression]) => `${expression} AS "${column}"`),
  ];
  return { columns, sql: `SELECT ${read.join(', ')} FROM ${source ?? `"${table}"`}` };
}

/** Its name there. */
export function tableIn({ name, sqlite = name }: TableMap, engine: Engine): string {
  return engine === 'postgres' ? name : sqlite;
}

export function isMadeFor({ only }: TableMap, engine: Engine): boolean {
  return only === undefined || only === engine;
}
