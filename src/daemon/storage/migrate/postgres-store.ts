import { packedBytes, storable } from '../postgres/connection/columns.ts';
import type { Database } from '../postgres/connection/database.ts';
import type { Row, Value } from './rows.ts';
import type { Store } from './copy.ts';
import { type Reading, tableIn, type TableMap } from './table-map.ts';

/** A connection outside of the pool. */
export type Connection = Awaited<ReturnType<Database['dedicated']>>;

/** Rows of one answer. */
const ROWS_AT_ONCE = 1_000;
/** Of rows that may be megabytes. */
const WIDE_ROWS_AT_ONCE = 32;

/** The tables of a PostgreSQL database, within a transaction. */
export class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly #client: Connection;
  readonly #inserts = new Map<string, Insert>();

  constructor(client: Connection) {
    this.#client = client;
  }

  async *read({ sql, columns }: Reading, isWide: boolean): AsyncGenerator<Row> {
    await this.#client.query(`DECLARE migrated NO SCROLL CURSOR FOR ${sql}`);
    const fetch = `FETCH ${isWide ? WIDE_ROWS_AT_ONCE : ROWS_AT_ONCE} FROM migrated`;
    for (;;) {
      const { rows } = await this.#client.query<Record<string, Value | boolean>>(fetch);
      if (rows.length === 0) break;
      for (const row of rows) yield columns.map((column) => plain(row[column] ?? null));
    }
    await this.#client.query('CLOSE migrated');
  }

  /** PostgreSQL keeps no U+0000 in a text. */
  async shaper(table: string, columns: readonly string[]): Promise<(row: Row) => Row> {
    await this.#insert(table, columns);
    return (row) => row.map((value) => (typeof value === 'string' ? storable(value) : value));
  }

  async write(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    const { sql, types } = await this.#insert(table, columns);
    const values = types.flatMap((type, index) =>
      parameters(
        type,
        rows.map((row) => row[index] ?? null),
      ),
    );
    await this.#client.query({ name: `migrate ${table}`.slice(0, 60), text: sql, values });
  }

  async clear(table: string): Promise<void> {
    await this.#client.query(`DELETE FROM "${table}"`);
  }

  async highest(map: TableMap): Promise<number> {
    const { sequence } = map;
    if (!sequence) return 0;
    const { rows } = await this.#client.query<{ highest: number | null }>(
      sequence.postgres?.read ??
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS highest FROM ${await this.#sequenceOf(map)}`,
    );
    return rows[0]?.highest ?? 0;
  }

  async keepAbove(map: TableMap, highest: number): Promise<void> {
    const { sequence } = map;
    if (!sequence || highest === 0) return;
    if (sequence.postgres) await this.#client.query(sequence.postgres.write, [highest]);
    else await this.#client.query('SELECT setval($1::regclass, $2)', [await this.#sequenceOf(map), highest]);
  }

  async #sequenceOf(map: TableMap): Promise<string> {
    const { rows } = await this.#client.query<{ name: string | null }>(
      'SELECT pg_get_serial_sequence($1, $2) AS name',
      [tableIn(map, this.engine), map.sequence?.column],
    );
    const name = rows[0]?.name ?? undefined;
    if (name === undefined) throw new Error(`${map.name} has no sequence`);
    return name;
  }

  async #insert(table: string, columns: readonly string[]): Promise<Insert> {
    const known = this.#inserts.get(table);
    if (known) return known;
    const { rows } = await this.#client.query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [`"${table}"`],
    );
    const typeOf = new Map(rows.map(({ name, type }) => [name, type]));
    const types = columns.map((column) => {
      const type = typeOf.get(column);
      if (type === undefined) throw new Error(`${table} has no column ${column}`);
      return type;
    });
    const made = { types, sql: insertStatement(table, columns, types) };
    this.#inserts.set(table, made);
    return made;
  }
}

interface Insert {
  readonly sql: string;
  /** Of the columns. */
  readonly types: readonly string[];
}

const BYTES = 'bytea';

/** Rows as arrays of their columns; byte strings as one, and where each begins and how long it is. */
function insertStatement(table: string, columns: readonly string[], types: readonly string[]): string {
  const names: string[] = [];
  const arrays: string[] = [];
  const values: string[] = [];
  let parameter = 0;
  for (const [index, column] of columns.entries()) {
    if (types[index] === BYTES) {
      const blob = (parameter += 1);
      arrays.push(`$${(parameter += 1)}::integer[]`, `$${(parameter += 1)}::integer[]`);
      names.push(`"${column} start"`, `"${column} length"`);
      values.push(`substring($${blob}::bytea FROM "${column} start" FOR "${column} length")`);
    } else {
      arrays.push(`$${(parameter += 1)}::${types[index]}[]`);
      names.push(`"${column}"`);
      values.push(`"${column}"`);
    }
  }
  return `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${values.join(', ')} FROM unnest(${arrays.join(', ')}) AS given (${names.join(', ')})`;
}

function parameters(type: string, values: readonly Value[]): unknown[] {
  if (type === 'boolean') return [values.map((value) => value !== null && value !== 0)];
  if (type !== BYTES) return [values];
  const { blob, starts, lengths } = packedBytes(values.map((value) => (value instanceof Uint8Array ? value : NOTHING)));
  return [blob, starts.map((start, index) => (values[index] === null ? null : start)), lengths];
}

const NOTHING = new Uint8Array();

function plain(value: Value | boolean): Value {
  return typeof value === 'boolean' ? Number(value) : value;
}
