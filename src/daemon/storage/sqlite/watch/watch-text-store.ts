import type { DatabaseSync } from 'node:sqlite';
import type { PackedText, WatchBaseline } from '../../watches.ts';

/** What checks have read: the texts with the checks that brought them, what the next check compares with, how it came about. */
export class WatchTextStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
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

function prepare(database: DatabaseSync) {
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
