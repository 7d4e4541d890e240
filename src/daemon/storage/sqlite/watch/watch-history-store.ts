import type { DatabaseSync } from 'node:sqlite';
import {
  type ChangeQuestion,
  type ChangeRecord,
  type Check,
  type CheckQuestion,
  type CheckRecord,
  type Failure,
  type PackedText,
  TAGGED_AMONG,
  type WatchBaseline,
} from '../../watches.ts';
import type { KnownWatch } from './watch-store.ts';
import {
  checkColumns,
  type CheckRow,
  codeOf,
  FAILURE_OF_ENTRY,
  isFailed,
  NO_STATUS,
  toCheck,
  toLabels,
} from '../../watch-rows.ts';

/** Entries that one commit, or one step, removes at most. */
const TRIMMED_AT_ONCE = 200;

/** The history of each watch, and the changes among its entries. */
export class WatchCheckStore {
  readonly #sql: ReturnType<typeof checkStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = checkStatements(database);
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

  changes(question: ChangeQuestion): ChangeRecord[] {
    return this.#changes(question).map((row) => toChange(row as unknown as ChangeRow));
  }

  #changes({ organizationId, watchId, tag, after = 0, newest = false, atMost }: ChangeQuestion): object[] {
    const order = newest ? 'newest' : 'oldest';
    if (watchId !== undefined) return this.#sql.ofWatch[order].all(watchId, organizationId, after, atMost);
    if (tag !== undefined) {
      const row = this.#sql.nthNewest.get(organizationId, TAGGED_AMONG) as { cursor: number } | undefined;
      return this.#sql.ofTag.all(organizationId, Math.max(after, row?.cursor ?? 0), tag, atMost);
    }
    return this.#sql.ofOrganization[order].all(organizationId, after, atMost);
  }

  newestChange(): number {
    const row = this.#sql.newestChange.get() as { seq: number } | undefined;
    return row?.seq ?? 0;
  }

  countChanges(organizationId: string, after: number): number {
    return (this.#sql.countChanges.get(organizationId, after) as { changes: number }).changes;
  }

  changeCursorAt(organizationId: string, at: number): number {
    const row = this.#sql.changeAt.get(organizationId, at) as { cursor: number } | undefined;
    return row === undefined ? this.newestChange() : row.cursor - 1;
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
  readonly watchTitle: string | null;
  readonly watchTags: string | null;
  readonly title: string | null;
}

function toChange({ cursor, watchId, url, watchTitle, watchTags, title, ...check }: ChangeRow): ChangeRecord {
  const { title: name, tags } = toLabels({ title: watchTitle, tags: watchTags });
  const labels = { ...(name !== undefined && { watchTitle: name }), ...(tags !== undefined && { watchTags: tags }) };
  return { cursor, watchId, url, ...labels, ...(title !== null && { title }), check: toCheck(check) };
}

function checkStatements(database: DatabaseSync) {
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
  const listed = `SELECT change.cursor, watches.id AS watchId, watches.url, watches.title AS watchTitle,
    watches.tags AS watchTags, change.title, ${checkColumns('change.packed')}`;
  const entryOf = `CROSS JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n
    ${FAILURE_OF_ENTRY}`;
  const ofOrganization = `${listed} FROM watch_changes AS change CROSS JOIN watches ON watches.key = change.watch ${entryOf}
    WHERE change.organization = ? AND change.cursor > ? AND watches.id IS NOT NULL`;
  // The changes of a watch have their cursors in the order of its checks.
  const ofWatch = `${listed} FROM watches CROSS JOIN watch_changes AS change ON change.watch = watches.key ${entryOf}
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
    ofOrganization: {
      oldest: sql(`${ofOrganization} ORDER BY change.cursor LIMIT +?`),
      newest: sql(`${ofOrganization} ORDER BY change.cursor DESC LIMIT +?`),
    },
    ofWatch: { oldest: sql(`${ofWatch} LIMIT +?`), newest: sql(`${ofWatch} DESC LIMIT +?`) },
    ofTag: sql(`${ofOrganization} AND EXISTS (SELECT 1 FROM json_each(watches.tags) WHERE value = ?)
      ORDER BY change.cursor DESC LIMIT +?`),
    nthNewest: sql('SELECT cursor FROM watch_changes WHERE organization = ? ORDER BY cursor DESC LIMIT 1 OFFSET +?'),
    countChanges: sql(`SELECT count(*) AS changes FROM watch_changes AS change
      CROSS JOIN watches ON watches.key = change.watch
      WHERE change.organization = ? AND change.cursor > ? AND watches.id IS NOT NULL`),
    changeAt: sql(`SELECT change.cursor FROM watch_changes AS change
      CROSS JOIN watch_checks AS entry ON entry.watch = change.watch AND entry.n = change.n
      CROSS JOIN watches ON watches.key = change.watch
      WHERE change.organization = ? AND entry.at >= ? AND watches.id IS NOT NULL ORDER BY change.cursor LIMIT 1`),
    newestChange: sql("SELECT seq FROM sqlite_sequence WHERE name = 'watch_changes'"),
  };
}

/** What checks have read: the texts with the checks that brought them, what the next check compares with, how it came about. */
export class WatchTextStore {
  readonly #sql: ReturnType<typeof textStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = textStatements(database);
  }

  addText(watch: number, n: number, at: number, { hash, packed }: PackedText): void {
    this.#sql.addVersion.run(watch, n, at, this.#textKey(Buffer.from(hash, 'hex'), packed));
  }

  /** As check `n` left it. */
  text(watch: number, n: number): { n: number; at: number; text: PackedText } | undefined {
    const row = this.#sql.standing.get(watch, n) as unknown as TextRow | undefined;
    if (!row) return undefined;
    const { hash, packed, ...version } = row;
    return { ...version, text: { hash: Buffer.from(hash).toString('hex'), packed } };
  }

  /** No check before `first` is there any more: what none of the others left is forgotten. */
  trim(watch: number, first: number): void {
    this.#free(this.#sql.trim.all(watch, first));
  }

  saveBaseline(watch: number, baseline: WatchBaseline): void {
    const { url, contentType, extractor, reading, at, history, page, body } = baseline;
    this.#sql.saveBaseline.run(watch, url, contentType, extractor, reading, at, history, page, body);
  }

  baseline(watch: number): WatchBaseline | undefined {
    const row = this.#sql.baseline.get(watch) as unknown as WatchBaseline | undefined;
    return row && { ...row };
  }

  saveExplanation(watch: number, n: number, explanation: string): void {
    this.#sql.saveExplanation.run(watch, n, explanation);
  }

  explanation(watch: number): { n: number; explanation: string } | undefined {
    const row = this.#sql.explanation.get(watch) as { n: number; explanation: string } | undefined;
    return row && { ...row };
  }

  /** Of a watch that is forgotten; whether there may be more. */
  sweepSome(watch: number, atMost: number): boolean {
    const versions = this.#sql.sweep.all(watch, atMost);
    this.#free(versions);
    if (versions.length === atMost) return true;
    this.#sql.removeBaseline.run(watch);
    this.#sql.removeExplanation.run(watch);
    return false;
  }

  #textKey(hash: Uint8Array, packed: Uint8Array): number {
    const known = this.#sql.find.get(hash) as { key: number } | undefined;
    if (known) return known.key;
    this.#sql.count.run(1, packed.length);
    return (this.#sql.addText.get(hash, packed) as { key: number }).key;
  }

  /** Texts that no version has any more; an index knows. */
  #free(versions: readonly unknown[]): void {
    for (const version of versions) {
      const gone = this.#sql.free.get((version as { text: number }).text) as { bytes: number } | undefined;
      if (gone) this.#sql.count.run(-1, -gone.bytes);
    }
  }
}

interface TextRow {
  readonly n: number;
  readonly at: number;
  readonly hash: Uint8Array;
  readonly packed: Uint8Array;
}

function textStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    find: sql('SELECT key FROM watch_texts WHERE hash = ?'),
    addText: sql('INSERT INTO watch_texts (hash, packed) VALUES (?, ?) RETURNING key'),
    count: sql('UPDATE counters SET watch_texts = watch_texts + ?, watch_text_bytes = watch_text_bytes + ?'),
    addVersion: sql('INSERT INTO watch_versions (watch, n, at, text) VALUES (?, ?, ?, ?)'),
    standing: sql(`SELECT version.n, version.at, text.hash, text.packed
      FROM watch_versions AS version JOIN watch_texts AS text ON text.key = version.text
      WHERE version.watch = ? AND version.n <= ? ORDER BY version.n DESC LIMIT 1`),
    trim: sql(`DELETE FROM watch_versions WHERE watch = ?1
      AND n < (SELECT max(n) FROM watch_versions WHERE watch = ?1 AND n <= ?2) RETURNING text`),
    free: sql(`DELETE FROM watch_texts WHERE key = ?1
      AND NOT EXISTS (SELECT 1 FROM watch_versions WHERE text = ?1) RETURNING length(packed) AS bytes`),
    sweep: sql(`DELETE FROM watch_versions WHERE watch = ?1
      AND n IN (SELECT n FROM watch_versions WHERE watch = ?1 ORDER BY n LIMIT +?2) RETURNING text`),
    saveBaseline:
      sql(`REPLACE INTO watch_baselines (watch, url, content_type, extractor, reading, at, history, page, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    baseline: sql(`SELECT url, content_type AS contentType, extractor, reading, at, page, history, body
      FROM watch_baselines WHERE watch = ?`),
    removeBaseline: sql('DELETE FROM watch_baselines WHERE watch = ?'),
    saveExplanation: sql('REPLACE INTO watch_explanations (watch, n, explanation) VALUES (?, ?, ?)'),
    explanation: sql('SELECT n, explanation FROM watch_explanations WHERE watch = ?'),
    removeExplanation: sql('DELETE FROM watch_explanations WHERE watch = ?'),
  };
}
