import type { DatabaseSync } from 'node:sqlite';
import type { ChangeQuestion, ChangeRecord, Check, CheckQuestion, CheckRecord, Failure } from '../../watches.ts';
import type { KnownWatch } from './watch-store.ts';
import { checkColumns, type CheckRow, codeOf, FAILURE_OF_ENTRY, isFailed, NO_STATUS, toCheck } from './watch-rows.ts';

/** Entries that one commit, or one step, removes at most. */
const TRIMMED_AT_ONCE = 200;

/** The history of each watch, and the changes among its entries. */
export class WatchCheckStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  /** `recovered`: failures in a row that it ends. */
  addEntry(watch: number, n: number, check: Check, recovered: number): void {
    const { at, status = null, failure } = check;
    const more = failure ? this.#failureKey(failure) : recovered;
    this.#sql.addEntry.run(watch, n, at, codeOf(check), status, failure || recovered > 0 ? more : null);
  }

  /** The cursor of the change. */
  addChange({ key, organization }: KnownWatch, n: number, diff: NonNullable<Check['diff']>, title?: string): number {
    const { inserted, deleted, packed } = diff;
    const row = this.#sql.addChange.get(organization, key, n, inserted, deleted, title ?? null, packed);
    return (row as { cursor: number }).cursor;
  }

  /** Removes entries up to `last`, the oldest first; the number of the first that is left, if any went. */
  trim(watch: number, last: number): number | undefined {
    if (last <= 0) return undefined;
    const rows = this.#sql.oldest.all(watch, last) as unknown as Pick<CheckRow, 'n' | 'code' | 'more'>[];
    const newest = rows.at(-1)?.n;
    if (newest === undefined) return undefined;
    for (const { code, more } of rows) if (isFailed(code) && more !== null) this.#forgetFailure(more);
    this.#sql.removeEntries.run(watch, newest);
    this.#sql.removeChanges.run(watch, newest);
    return newest + 1;
  }

  /** Of a watch that is forgotten; whether there may be more. */
  sweepSome(watch: number): boolean {
    return this.trim(watch, Number.MAX_SAFE_INTEGER) !== undefined;
  }

  checks(watch: number, question: CheckQuestion): CheckRecord[] {
    const { before = Number.MAX_SAFE_INTEGER, atMost, onlyChanges = false, withDiffs = false } = question;
    const statements = onlyChanges ? this.#sql.changed : this.#sql.entries;
    const rows = statements[withDiffs ? 'whole' : 'short'].all(watch, before, atMost);
    return rows.map((row) => toCheck(row as unknown as CheckRow));
  }

  check(watch: number, n: number): CheckRecord | undefined {
    const row = this.#sql.entry.get(watch, n) as unknown as CheckRow | undefined;
    return row && toCheck(row);
  }

  changes({ organizationId, watchId, after = 0, newest = false, atMost }: ChangeQuestion): ChangeRecord[] {
    const order = newest ? 'newest' : 'oldest';
    const rows =
      watchId === undefined
        ? this.#sql.ofOrganization[order].all(organizationId, after, atMost)
        : this.#sql.ofWatch[order].all(watchId, organizationId, after, atMost);
    return rows.map((row) => toChange(row as unknown as ChangeRow));
  }

  newestChange(): number {
    const row = this.#sql.newestChange.get() as { seq: number } | undefined;
    return row?.seq ?? 0;
  }

  #failureKey({ reason, detail, status = NO_STATUS }: Failure): number {
    return (this.#sql.addFailure.get(reason, detail, status) as { key: number }).key;
  }

  #forgetFailure(key: number): void {
    const { refs } = this.#sql.lessFailures.get(key) as { refs: number };
    if (refs === 0) this.#sql.removeFailure.run(key);
  }
}

interface ChangeRow extends CheckRow {
  readonly cursor: number;
  readonly watchId: string;
  readonly url: string;
  readonly title: string | null;
}

function toChange({ cursor, watchId, url, title, ...check }: ChangeRow): ChangeRecord {
  return { cursor, watchId, url, ...(title !== null && { title }), check: toCheck(check) };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const entries = (packed: 'change.packed' | 'NULL') => `SELECT ${checkColumns(packed)} FROM watch_checks AS entry
    ${FAILURE_OF_ENTRY} LEFT JOIN watch_changes AS change ON change.watch = entry.watch AND change.n = entry.n
    WHERE entry.watch = ?`;
  const newestFirst = (packed: 'change.packed' | 'NULL') =>
    sql(`${entries(packed)} AND entry.n < ? ORDER BY entry.n DESC LIMIT +?`);
  const changed = (packed: 'change.packed' | 'NULL') =>
    sql(`SELECT ${checkColumns(packed)} FROM watch_changes AS change
      CROSS JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n ${FAILURE_OF_ENTRY}
      WHERE change.watch = ? AND change.n < ? ORDER BY change.n DESC LIMIT +?`);
  const told = `SELECT change.cursor, watches.id AS watchId, watches.url, change.title, ${checkColumns('change.packed')}`;
  const entryOf = `CROSS JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n
    ${FAILURE_OF_ENTRY}`;
  const ofOrganization = `${told} FROM watch_changes AS change CROSS JOIN watches ON watches.key = change.watch ${entryOf}
    WHERE change.organization = ? AND change.cursor > ? AND watches.id IS NOT NULL ORDER BY change.cursor`;
  // The changes of a watch have their cursors in the order of its checks.
  const ofWatch = `${told} FROM watches CROSS JOIN watch_changes AS change ON change.watch = watches.key ${entryOf}
    WHERE watches.id = ? AND watches.organization = ? AND change.cursor > ? ORDER BY change.n`;
  return {
    addEntry: sql('INSERT INTO watch_checks (watch, n, at, code, status, more) VALUES (?, ?, ?, ?, ?, ?)'),
    addFailure: sql(`INSERT INTO watch_failures (refs, reason, detail, status) VALUES (1, ?, ?, ?)
      ON CONFLICT (reason, detail, status) DO UPDATE SET refs = refs + 1 RETURNING key`),
    lessFailures: sql('UPDATE watch_failures SET refs = refs - 1 WHERE key = ? RETURNING refs'),
    removeFailure: sql('DELETE FROM watch_failures WHERE key = ?'),
    addChange: sql(`INSERT INTO watch_changes (organization, watch, n, inserted, deleted, title, packed)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING cursor`),
    oldest: sql(
      `SELECT n, code, more FROM watch_checks WHERE watch = ? AND n <= ? ORDER BY n LIMIT ${TRIMMED_AT_ONCE}`,
    ),
    removeEntries: sql('DELETE FROM watch_checks WHERE watch = ? AND n <= ?'),
    removeChanges: sql('DELETE FROM watch_changes WHERE watch = ? AND n <= ?'),
    entries: { short: newestFirst('NULL'), whole: newestFirst('change.packed') },
    changed: { short: changed('NULL'), whole: changed('change.packed') },
    entry: sql(`${entries('change.packed')} AND entry.n = ?`),
    ofOrganization: { oldest: sql(`${ofOrganization} LIMIT +?`), newest: sql(`${ofOrganization} DESC LIMIT +?`) },
    ofWatch: { oldest: sql(`${ofWatch} LIMIT +?`), newest: sql(`${ofWatch} DESC LIMIT +?`) },
    newestChange: sql("SELECT seq FROM sqlite_sequence WHERE name = 'watch_changes'"),
  };
}
