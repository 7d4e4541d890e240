import type { PackedText, WatchBaseline } from '../../watches.ts';
import { storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';

/** What checks have read: the texts with the checks that brought them, what the next check compares with, how it came about. */
export class WatchTextStore {
  /** A text that is there is locked: whoever frees it meanwhile looks again, and finds this version. */
  async addText(
    transaction: Transaction,
    watch: number,
    n: number,
    at: number,
    { hash, packed }: PackedText,
  ): Promise<void> {
    await transaction.query(
      `WITH text AS (INSERT INTO watch_texts (hash, packed) VALUES ($4, $5)
        ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING key)
      INSERT INTO watch_versions (watch, n, at, text) SELECT $1, $2, $3, key FROM text`,
      [watch, n, at, Buffer.from(hash, 'hex'), packed],
    );
  }

  /** As check `n` left it. */
  async text(
    from: Queryable,
    watch: number,
    n: number,
  ): Promise<{ n: number; at: number; text: PackedText } | undefined> {
    const [row] = await from.query<{ n: number; at: number; hash: Uint8Array; packed: Uint8Array }>(
      `SELECT version.n, version.at, text.hash, text.packed
      FROM watch_versions AS version JOIN watch_texts AS text ON text.key = version.text
      WHERE version.watch = $1 AND version.n <= $2::bigint ORDER BY version.n DESC LIMIT 1`,
      [watch, n],
    );
    if (!row) return undefined;
    const { hash, packed, ...version } = row;
    return { ...version, text: { hash: Buffer.from(hash).toString('hex'), packed } };
  }

  /** No check before `first` is there any more: what none of the others left is forgotten. */
  async trim(transaction: Transaction, watch: number, first: number): Promise<void> {
    const gone = await transaction.query<{ text: number }>(
      `DELETE FROM watch_versions WHERE watch = $1
        AND n < (SELECT max(n) FROM watch_versions WHERE watch = $1 AND n <= $2) RETURNING text`,
      [watch, first],
    );
    await this.#free(transaction, gone);
  }

  async saveBaseline(transaction: Transaction, watch: number, baseline: WatchBaseline): Promise<void> {
    const { url, contentType, extractor, reading, at, history, page, body } = baseline;
    await transaction.query(
      `INSERT INTO watch_baselines (watch, url, content_type, extractor, reading, at, history, page, body)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (watch) DO UPDATE SET url = excluded.url, content_type = excluded.content_type,
        extractor = excluded.extractor, reading = excluded.reading, at = excluded.at, history = excluded.history,
        page = excluded.page, body = excluded.body`,
      [watch, storable(url), storable(contentType), extractor, storable(reading), at, storable(history), page, body],
    );
  }

  async baseline(from: Queryable, id: string): Promise<WatchBaseline | undefined> {
    const [row] = await from.query<WatchBaseline>(
      `SELECT baseline.url, content_type AS "contentType", extractor, reading, at, page, history, body
      FROM watches JOIN watch_baselines AS baseline ON baseline.watch = watches.key WHERE watches.id = $1`,
      [storable(id)],
    );
    return row;
  }

  async saveExplanation(transaction: Transaction, watch: number, n: number, explanation: string): Promise<void> {
    await transaction.query(
      `INSERT INTO watch_explanations (watch, n, explanation) VALUES ($1, $2, $3)
      ON CONFLICT (watch) DO UPDATE SET n = excluded.n, explanation = excluded.explanation`,
      [watch, n, storable(explanation)],
    );
  }

  async explanation(from: Queryable, id: string): Promise<{ n: number; explanation: string } | undefined> {
    const [row] = await from.query<{ n: number; explanation: string }>(
      `SELECT n, explanation FROM watches JOIN watch_explanations ON watch = key WHERE id = $1`,
      [storable(id)],
    );
    return row;
  }

  /** Of a watch that is forgotten; whether there may be more. */
  async sweepSome(transaction: Transaction, watch: number, atMost: number): Promise<boolean> {
    const gone = await transaction.query<{ text: number }>(
      `DELETE FROM watch_versions WHERE watch = $1
        AND n IN (SELECT n FROM watch_versions WHERE watch = $1 ORDER BY n LIMIT $2) RETURNING text`,
      [watch, atMost],
    );
    await this.#free(transaction, gone);
    if (gone.length === atMost) return true;
    await transaction.query('DELETE FROM watch_baselines WHERE watch = $1', [watch]);
    await transaction.query('DELETE FROM watch_explanations WHERE watch = $1', [watch]);
    return false;
  }

  /** Texts that no version has any more. Locked first, and looked for by a statement that sees what was committed until then. */
  async #free(transaction: Transaction, versions: readonly { readonly text: number }[]): Promise<void> {
    if (versions.length === 0) return;
    const keys = [...new Set(versions.map(({ text }) => text))];
    await transaction.query('SELECT key FROM watch_texts WHERE key = ANY ($1::bigint[]) ORDER BY key FOR UPDATE', [
      keys,
    ]);
    await transaction.query(
      `DELETE FROM watch_texts WHERE key = ANY ($1::bigint[])
        AND NOT EXISTS (SELECT 1 FROM watch_versions WHERE text = watch_texts.key)`,
      [keys],
    );
  }
}
