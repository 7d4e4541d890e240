import {
  CATALOG_KINDS,
  type CatalogData,
  type CatalogKind,
  emptyCatalog,
  frozen,
  recordChanges,
} from '../../catalog.ts';
import { CATALOG_SCHEMA, checkShape, migrate } from '../../catalog-schema.ts';
import type { Queryable, Transaction } from '../connection/database.ts';

/** The catalog as of a version, and where each record stands among those of its kind. */
export interface CatalogSnapshot {
  readonly version: number;
  readonly data: CatalogData;
  readonly positions: ReadonlyMap<CatalogKind, ReadonlyMap<string, number>>;
}

/** Versions whose changes are kept for those who follow. */
const LOGGED = 10_000;

/** What is stored is not to be trusted, or of a newer version: a daemon that went on would look like one that forgot everyone's rules. */
export class UnreadableCatalog extends Error {
  override readonly name = 'UnreadableCatalog' as const;
}

const EMPTY: CatalogSnapshot = { version: 0, data: emptyCatalog(), positions: new Map() };

/** `position` and `doc` are null where the record is gone. */
interface CatalogRow {
  readonly kind: string;
  readonly id: string;
  readonly position: number | null;
  readonly doc: unknown;
}

/** Who writes: no two processes have the same name. */
interface Writer {
  readonly node: string;
}

/**
 * All of the catalog, brought to the present schema where it has an older one.
 * @throws {UnreadableCatalog}
 */
export async function openSnapshot(transaction: Transaction, writer: Writer): Promise<CatalogSnapshot> {
  const { schema, version } = await lockCatalog(transaction);
  const rows = await transaction.query<CatalogRow>('SELECT kind, id, position, doc FROM catalog ORDER BY position');
  const known = withRows(EMPTY, version, rows);
  const migrated = migrate({ ...known.data, schema });
  if (migrated.kind === 'newer') {
    const what = `has schema ${schema}, and this version of hydrant knows ${CATALOG_SCHEMA}`;
    throw new UnreadableCatalog(`the catalog in the database ${what}: run the newer version that wrote it`);
  }
  if (migrated.kind === 'damaged') throw damaged(migrated.what);
  const data = checked(migrated.value);
  if (!migrated.changed) return known;
  await transaction.query('UPDATE catalog_state SET schema = $1', [CATALOG_SCHEMA]);
  return writeSnapshot(transaction, { before: known, data: frozen(data), ...writer });
}

/**
 * The newest state; `known` itself where nothing has changed since. By one statement: it is a state that there was.
 * @throws {UnreadableCatalog}
 */
export async function newestSnapshot(database: Queryable, known: CatalogSnapshot): Promise<CatalogSnapshot> {
  const rows = await database.query<CatalogRow & { readonly version: number; readonly isWhole: boolean }>(
    `SELECT state.version, ${MUST_READ_ALL} AS "isWhole", changed.kind, changed.id, catalog.position, catalog.doc
     FROM catalog_state AS state
       LEFT JOIN (
         SELECT kind, id FROM catalog_log WHERE version > $1
         UNION SELECT kind, id FROM catalog WHERE (SELECT ${MUST_READ_ALL} FROM catalog_state AS state)
       ) AS changed ON true
       LEFT JOIN catalog ON catalog.kind = changed.kind AND catalog.id = changed.id`,
    [known.version],
  );
  const [state] = rows;
  if (!state || state.version === known.version) return known;
  const changed = rows.filter(({ kind }) => kind !== null);
  for (const { kind, position, doc } of changed) if (position !== null) checked({ ...emptyCatalog(), [kind]: [doc] });
  return withRows(state.isWhole ? EMPTY : known, state.version, changed);
}

/** What changed is not in the log any more, or the database was restored from a backup. */
const MUST_READ_ALL = '(state.floor > $1 OR state.version < $1)';

/** Nobody else writes the catalog before the end of the transaction. */
export async function lockCatalog(
  transaction: Transaction,
): Promise<{ readonly schema: number; readonly version: number }> {
  const [state] = await transaction.query<{ schema: number; version: number }>(
    'SELECT schema, version FROM catalog_state FOR UPDATE',
  );
  if (!state) throw damaged('its row in catalog_state is missing');
  return state;
}

/** Writes what `data` has made of the state before as the next version. To be called with the lock. */
export async function writeSnapshot(
  transaction: Transaction,
  { before, data, node }: { readonly before: CatalogSnapshot; readonly data: CatalogData } & Writer,
): Promise<CatalogSnapshot> {
  const positions = positionsOf(data, before);
  const { put, gone } = rowsBetween(before, { data, positions });
  if (put.length + gone.length === 0) return before;
  const version = before.version + 1;
  await transaction.query(
    `INSERT INTO catalog (kind, id, position, doc)
     SELECT kind, id, position, doc::json
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS put (kind, id, position, doc)
     ON CONFLICT (kind, id) DO UPDATE SET position = excluded.position, doc = excluded.doc`,
    [...keysOf(put), put.map(({ position }) => position), put.map(({ doc }) => JSON.stringify(doc))],
  );
  await transaction.query(
    `DELETE FROM catalog USING unnest($1::text[], $2::text[]) AS gone (kind, id)
     WHERE catalog.kind = gone.kind AND catalog.id = gone.id`,
    keysOf(gone),
  );
  await transaction.query(
    `INSERT INTO catalog_log (version, kind, id, node)
     SELECT $1, kind, id, $2 FROM unnest($3::text[], $4::text[]) AS changed (kind, id)`,
    [version, node, ...keysOf([...put, ...gone])],
  );
  const floor = Math.max(0, version - LOGGED);
  await transaction.query('UPDATE catalog_state SET version = $1, floor = $2', [version, floor]);
  await transaction.query('DELETE FROM catalog_log WHERE version <= $1', [floor]);
  return { version, data, positions };
}

/**
 * Whether this process has written a version, although its COMMIT was not answered. Waits for the write that may still be under
 * way: it has the lock.
 */
export async function wasWritten(transaction: Transaction, version: number, { node }: Writer): Promise<boolean> {
  await lockCatalog(transaction);
  const rows = await transaction.query('SELECT 1 FROM catalog_log WHERE version = $1 AND node = $2 LIMIT 1', [
    version,
    node,
  ]);
  return rows.length > 0;
}

/** Lists that no row is of stay the same lists: whoever has made an index of one keeps it. */
function withRows(before: CatalogSnapshot, version: number, rows: readonly CatalogRow[]): CatalogSnapshot {
  const lists: Partial<Record<CatalogKind, readonly unknown[]>> = {};
  const positions = new Map(before.positions);
  for (const [kind, changed] of Map.groupBy(rows, (row) => row.kind)) {
    // A kind that only a newer version knows is its own affair.
    if (!isKind(kind)) continue;
    const known = before.positions.get(kind);
    const records = new Map<string, { readonly doc: unknown; readonly position: number }>(
      before.data[kind].map((doc) => [doc.id, { doc, position: known?.get(doc.id) ?? 0 }]),
    );
    for (const { id, position, doc } of changed) {
      if (position === null) records.delete(id);
      else if (idOf(doc) === id) records.set(id, { doc: frozen(doc), position });
      else throw damaged(`record ${id} of ${kind}: its document has another id`);
    }
    const ordered = [...records].toSorted(([, one], [, other]) => one.position - other.position);
    lists[kind] = Object.freeze(ordered.map(([, { doc }]) => doc));
    positions.set(kind, new Map(ordered.map(([id, { position }]) => [id, position])));
  }
  return { version, data: Object.freeze({ ...before.data, ...lists }) as CatalogData, positions };
}

function isKind(kind: string): kind is CatalogKind {
  return (CATALOG_KINDS as readonly string[]).includes(kind);
}

/** A record keeps its position if that is behind the one before it: what is added at the end is one row. */
function positionsOf(data: CatalogData, before: CatalogSnapshot): CatalogSnapshot['positions'] {
  return new Map(
    CATALOG_KINDS.map((kind) => {
      const known = before.positions.get(kind);
      const positions = new Map<string, number>();
      let last = 0;
      for (const { id } of data[kind]) {
        last = Math.max(last + 1, known?.get(id) ?? 0);
        positions.set(id, last);
      }
      return [kind, positions];
    }),
  );
}

interface RowKey {
  readonly kind: CatalogKind;
  readonly id: string;
}

function keysOf(rows: readonly RowKey[]): readonly [string[], string[]] {
  return [rows.map(({ kind }) => kind), rows.map(({ id }) => id)];
}

interface WrittenRow extends RowKey {
  readonly position: number;
  readonly doc: object;
}

/** The rows to write, and those to delete. */
function rowsBetween(
  before: CatalogSnapshot,
  after: Pick<CatalogSnapshot, 'data' | 'positions'>,
): { readonly put: readonly WrittenRow[]; readonly gone: readonly RowKey[] } {
  const changes = recordChanges(before.data, after.data);
  const changed = new Set(changes.map(({ kind, id }) => `${kind} ${id}`));
  const put: WrittenRow[] = [];
  for (const kind of CATALOG_KINDS) {
    const known = before.positions.get(kind);
    for (const doc of after.data[kind]) {
      const { id } = doc;
      const position = after.positions.get(kind)?.get(id) ?? 0;
      if (position !== known?.get(id) || changed.has(`${kind} ${id}`)) put.push({ kind, id, position, doc });
    }
  }
  return { put, gone: changes.filter(({ after: record }) => record === undefined) };
}

function idOf(doc: unknown): string | undefined {
  const { id } = (doc ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** @throws {UnreadableCatalog} */
function checked(document: unknown): CatalogData {
  const shape = checkShape(document);
  if (shape.ok) return shape.data;
  // The place in a list says little to whoever looks for a row.
  const what = shape.what.replace(/^\/(\w+)\/(\d+)/, (place, kind: string, index: string) => {
    const id = idOf((document as Record<string, unknown[]>)[kind]?.[Number(index)]);
    return id === undefined ? place : `record ${id} of ${kind}:`;
  });
  throw damaged(what);
}

function damaged(what: string): UnreadableCatalog {
  const wayOut = 'repair its row in the table "catalog", or restore the database from a backup';
  return new UnreadableCatalog(`the catalog in the database is damaged: ${what}; ${wayOut}`);
}
