import type { FailingPage } from '../../frontier.ts';
import {
  type ChangeQuestion,
  type ChangeRecord,
  type Check,
  type CheckQuestion,
  type CheckRecord,
  type Failure,
  TAGGED_AMONG,
} from '../../watches.ts';
import {
  checkColumns,
  type CheckRow,
  codeOf,
  FAILURE_OF_ENTRY,
  type FailingWatchRow,
  NO_STATUS,
  toCheck,
  toFailingPage,
  toLabels,
} from '../../watch-rows.ts';
import { columnsOf, storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';

/** Entries that one commit, or one step, removes at most. */
const TRIMMED_AT_ONCE = 200;

/** A check on its way into the history of a watch, as the n-th. */
export interface Entry {
  readonly watch: number;
  readonly n: number;
  readonly check: Check;
  /** Failures in a row that it ends. */
  readonly recovered: number;
}

/** The history of each watch, and the changes among its entries. */
export class WatchHistoryStore {
  async addEntries(transaction: Transaction, entries: readonly Entry[]): Promise<void> {
    const more: (number | null)[] = [];
    for (const { check, recovered } of entries) {
      const ended = recovered > 0 ? recovered : null;
      more.push(check.failure ? await addFailure(transaction, check.failure) : ended);
    }
    const columns = columnsOf(
      entries,
      ({ watch }) => watch,
      ({ n }) => n,
      ({ check }) => check.at,
      ({ check }) => codeOf(check),
      ({ check }) => check.status ?? null,
    );
    await transaction.query(ADD_ENTRIES, [...columns, more]);
  }

  /** The cursor of the change. The organization has no other one before this transaction is over. */
  async addChange(
    transaction: Transaction,
    { key, organization }: { readonly key: number; readonly organization: string },
    n: number,
    { inserted, deleted, packed }: NonNullable<Check['diff']>,
    title?: string,
  ): Promise<number> {
    const [row] = await transaction.query<{ cursor: number }>(
      `WITH next AS (INSERT INTO watch_cursors AS newest (organization, cursor) VALUES ($1, 1)
        ON CONFLICT (organization) DO UPDATE SET cursor = newest.cursor + 1 RETURNING cursor)
      INSERT INTO watch_changes (organization, cursor, watch, n, inserted, deleted, title, packed)
      SELECT $1, cursor, $2, $3, $4, $5, $6, $7 FROM next RETURNING cursor`,
      [organization, key, n, inserted, deleted, storable(title) ?? null, packed],
    );
    if (!row) throw new Error('a change has no cursor');
    return row.cursor;
  }

  /** Removes entries of watches up to `last`, the oldest first; where any went, the number of the first that is left. */
  async trim(
    transaction: Transaction,
    watches: readonly { readonly watch: number; readonly last: number }[],
  ): Promise<Map<number, number>> {
    const old = watches.filter(({ last }) => last > 0);
    if (old.length === 0) return new Map();
    const columns = columnsOf(
      old,
      ({ watch }) => watch,
      ({ last }) => last,
    );
    const rows = await transaction.query<{ watch: number; newest: number }>(TRIM, columns);
    return new Map(rows.map(({ watch, newest }) => [watch, newest + 1]));
  }

  async checks(from: Queryable, id: string, question: CheckQuestion): Promise<CheckRecord[]> {
    const { before = Number.MAX_SAFE_INTEGER, atMost, onlyChanges = false, withDiffs = false } = question;
    const text = (onlyChanges ? CHANGED : ENTRIES)[withDiffs ? 'whole' : 'short'];
    return (await from.query<CheckRow>(text, [storable(id), before, atMost])).map(toCheck);
  }

  async check(from: Queryable, id: string, n: number): Promise<CheckRecord | undefined> {
    const [row] = await from.query<CheckRow>(`${entries('change.packed')} AND entry.n = $2::bigint`, [storable(id), n]);
    return row && toCheck(row);
  }

  async changes(from: Queryable, question: ChangeQuestion): Promise<ChangeRecord[]> {
    const { organizationId, after = 0, newest = false, atMost } = question;
    const [watchId, tag] = [storable(question.watchId), storable(question.tag)];
    const order = newest ? 'newest' : 'oldest';
    // What is not asked of a tag may be all there is.
    const limit = Math.min(atMost, Number.MAX_SAFE_INTEGER);
    const ask = (): Promise<ChangeRow[]> => {
      if (watchId !== undefined) return from.query<ChangeRow>(OF_WATCH[order], [organizationId, after, limit, watchId]);
      if (tag !== undefined) return from.query<ChangeRow>(OF_TAG, [organizationId, after, limit, tag]);
      return from.query<ChangeRow>(OF_ORGANIZATION[order], [organizationId, after, limit]);
    };
    return (await ask()).map(toChange);
  }

  /** Those that are active and whose newest check failed, the oldest watch first. */
  async failing(from: Queryable, atMost: number): Promise<readonly FailingPage[]> {
    return (await from.query<FailingWatchRow>(FAILING, [atMost])).map(toFailingPage);
  }

  async newestChange(from: Queryable, organizationId: string): Promise<number> {
    const [row] = await from.query<{ cursor: number }>('SELECT cursor FROM watch_cursors WHERE organization = $1', [
      organizationId,
    ]);
    return row?.cursor ?? 0;
  }

  async countChanges(from: Queryable, organizationId: string, after: number): Promise<number> {
    const [row] = await from.query<{ changes: number }>(
      `SELECT count(*) AS changes FROM watch_changes AS change JOIN watches ON watches.key = change.watch
      WHERE change.organization = $1 AND change.cursor > $2 AND watches.id IS NOT NULL`,
      [organizationId, after],
    );
    return row?.changes ?? 0;
  }

  async changeCursorAt(from: Queryable, organizationId: string, at: number): Promise<number> {
    const [row] = await from.query<{ cursor: number }>(
      `SELECT coalesce(
        (SELECT change.cursor - 1 FROM watch_changes AS change
          JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n
          JOIN watches ON watches.key = change.watch
        WHERE change.organization = $1 AND entry.at >= $2 AND watches.id IS NOT NULL ORDER BY change.cursor LIMIT 1),
        (SELECT cursor FROM watch_cursors WHERE organization = $1), 0) AS cursor`,
      [organizationId, at],
    );
    return row?.cursor ?? 0;
  }
}

async function addFailure(transaction: Transaction, { reason, detail, status = NO_STATUS }: Failure): Promise<number> {
  const [row] = await transaction.query<{ key: number }>(
    'INSERT INTO watch_failures (reason, detail, status) VALUES ($1, $2, $3) RETURNING key',
    [storable(reason), storable(detail), status],
  );
  if (!row) throw new Error('a failure has no key');
  return row.key;
}

interface ChangeRow extends CheckRow {
  readonly cursor: number;
  readonly watchId: string;
  readonly url: string;
  readonly watchTitle: string | null;
  readonly watchTags: string | null;
  readonly title: string | null;
}

function toChange({ cursor, watchId, url, watchTitle, watchTags, title, ...check }: ChangeRow): ChangeRecord {
  const { title: name, tags } = toLabels({ title: watchTitle, tags: watchTags });
  const labels = { ...(name !== undefined && { watchTitle: name }), ...(tags !== undefined && { watchTags: tags }) };
  return { cursor, watchId, url, ...labels, ...(title !== null && { title }), check: toCheck(check) };
}

const ADD_ENTRIES = `INSERT INTO watch_checks (watch, n, at, code, status, more)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::smallint[], $5::smallint[], $6::bigint[])`;

/** Entries with their changes, and the failures that they alone have. */
const TRIM = `WITH old AS (
    SELECT wanted.watch, entry.n FROM unnest($1::bigint[], $2::bigint[]) AS wanted (watch, last) CROSS JOIN LATERAL (
      SELECT n FROM watch_checks WHERE watch = wanted.watch AND n <= wanted.last ORDER BY n LIMIT ${TRIMMED_AT_ONCE}) AS entry),
  gone AS (
    DELETE FROM watch_checks USING old WHERE watch_checks.watch = old.watch AND watch_checks.n = old.n
    RETURNING watch_checks.watch, watch_checks.n, code, more),
  failures AS (
    DELETE FROM watch_failures USING gone WHERE gone.code % 4 = 3 AND watch_failures.key = gone.more),
  changes AS (
    DELETE FROM watch_changes USING gone WHERE watch_changes.watch = gone.watch AND watch_changes.n = gone.n)
  SELECT watch, max(n) AS newest FROM gone GROUP BY watch`;

type Packed = 'change.packed' | 'NULL';

function entries(packed: Packed): string {
  return `SELECT ${checkColumns(packed)} FROM watches JOIN watch_checks AS entry ON entry.watch = watches.key
    ${FAILURE_OF_ENTRY} LEFT JOIN watch_changes AS change ON change.watch = entry.watch AND change.n = entry.n
    WHERE watches.id = $1`;
}

const newestFirst = (packed: Packed): string =>
  `${entries(packed)} AND entry.n < $2::bigint ORDER BY entry.n DESC LIMIT $3`;
const ENTRIES = { short: newestFirst('NULL'), whole: newestFirst('change.packed') };

const changed = (packed: Packed): string => `SELECT ${checkColumns(packed)}
  FROM watches JOIN watch_changes AS change ON change.watch = watches.key
    JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n ${FAILURE_OF_ENTRY}
  WHERE watches.id = $1 AND change.n < $2::bigint ORDER BY change.n DESC LIMIT $3`;
const CHANGED = { short: changed('NULL'), whole: changed('change.packed') };

const FAILING = `SELECT watches.id, watches.target AS url, state.failures, state.checked_at AS at, state.failing_since AS since,
    failure.reason, failure.detail, failure.status
  FROM watch_states AS state JOIN watches ON watches.key = state.watch
    LEFT JOIN watch_checks AS newest ON newest.watch = state.watch AND newest.n = state.checks
    LEFT JOIN watch_failures AS failure ON failure.key = newest.more
  WHERE state.failures > 0 AND state.parked = 0 AND watches.id IS NOT NULL ORDER BY state.watch LIMIT $1`;

const LISTED = `SELECT change.cursor, watches.id AS "watchId", watches.url, watches.title AS "watchTitle",
    watches.tags AS "watchTags", change.title, ${checkColumns('change.packed')}
  FROM watch_changes AS change JOIN watches ON watches.key = change.watch
    JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n ${FAILURE_OF_ENTRY}
  WHERE change.organization = $1 AND change.cursor > $2 AND watches.id IS NOT NULL`;

const OF_ORGANIZATION = {
  oldest: `${LISTED} ORDER BY change.cursor LIMIT $3`,
  newest: `${LISTED} ORDER BY change.cursor DESC LIMIT $3`,
};

const OF_WATCH = {
  oldest: `${LISTED} AND watches.id = $4 ORDER BY change.n LIMIT $3`,
  newest: `${LISTED} AND watches.id = $4 ORDER BY change.n DESC LIMIT $3`,
};

const OF_TAG = `${LISTED} AND watches.tags::jsonb ? $4
    AND change.cursor > coalesce((SELECT cursor FROM watch_changes WHERE organization = $1
      ORDER BY cursor DESC LIMIT 1 OFFSET ${TAGGED_AMONG}), 0)
  ORDER BY change.cursor DESC LIMIT $3`;
