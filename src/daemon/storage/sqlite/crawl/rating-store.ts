import type { DatabaseSync } from 'node:sqlite';
import type { RatedDomain, RatingSummary } from '../../ratings.ts';

/**
 * Imported lists in SQL. The new one grows beside the one that holds; which one that is, is a word in a row, so it
 * changes in one step however long they are. Lists that are gone wait to be swept.
 */
export class RatingStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  imported(domain: string): number | undefined {
    const row = this.#sql.rating.get(domain) as { rating: number } | undefined;
    return row?.rating;
  }

  begin(name: string): number {
    this.#sql.giveUpAll.run();
    return Number(this.#sql.begin.run(name).lastInsertRowid);
  }

  /** Domains of the list; undefined when it is not, or no more, one that comes. */
  add(list: number, rated: readonly RatedDomain[]): number | undefined {
    if (!this.#sql.isComing.get(list)) return undefined;
    let added = 0;
    for (const [domain, rating] of rated) {
      if (this.#sql.add.run(list, domain, rating).changes > 0) added += 1;
      else this.#sql.raise.run(rating, list, domain);
    }
    const { domains } = this.#sql.grow.get(added, list) as { domains: number };
    return domains;
  }

  publish(list: number, at: number): boolean {
    if (!this.#sql.isComing.get(list)) return false;
    this.#sql.clear.run();
    this.#sql.publish.run(at, list);
    return true;
  }

  giveUp(list: number): void {
    this.#sql.giveUp.run(list);
  }

  giveUpAll(): void {
    this.#sql.giveUpAll.run();
  }

  clear(): void {
    this.#sql.clear.run();
  }

  hasLeftover(): boolean {
    return this.#sql.leftover.get() !== undefined;
  }

  /** Removes at most `atMost` domains of lists that are gone; whether there may be more. */
  sweepSome(atMost: number): boolean {
    const list = this.#sql.gone.get() as { key: number } | undefined;
    if (list === undefined) return false;
    // A range and not each by its name: neighbours on the disk go together, which is twenty times as fast (measured).
    const last = this.#sql.nth.get(list.key, atMost - 1) as { domain: string } | undefined;
    if (last !== undefined) this.#sql.deleteUpTo.run(list.key, last.domain);
    else {
      this.#sql.deleteAll.run(list.key);
      this.#sql.deleteList.run(list.key);
    }
    return true;
  }

  summary(): RatingSummary['imported'] {
    const row = this.#sql.current.get() as NonNullable<RatingSummary['imported']> | undefined;
    return row && { ...row };
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    rating: sql(`SELECT rating FROM ratings
      WHERE list = (SELECT key FROM rating_lists WHERE state = 'current') AND domain = ?`),
    begin: sql(`INSERT INTO rating_lists (state, name) VALUES ('coming', ?)`),
    isComing: sql(`SELECT 1 FROM rating_lists WHERE key = ? AND state = 'coming'`),
    add: sql('INSERT OR IGNORE INTO ratings (list, domain, rating) VALUES (?, ?, ?)'),
    raise: sql('UPDATE ratings SET rating = max(rating, ?) WHERE list = ? AND domain = ?'),
    grow: sql('UPDATE rating_lists SET domains = domains + ? WHERE key = ? RETURNING domains'),
    publish: sql(`UPDATE rating_lists SET state = 'current', at = ? WHERE key = ?`),
    giveUp: sql(`UPDATE rating_lists SET state = 'gone' WHERE key = ? AND state = 'coming'`),
    giveUpAll: sql(`UPDATE rating_lists SET state = 'gone' WHERE state = 'coming'`),
    clear: sql(`UPDATE rating_lists SET state = 'gone' WHERE state = 'current'`),
    current: sql(`SELECT name, at, domains FROM rating_lists WHERE state = 'current'`),
    leftover: sql(`SELECT 1 FROM rating_lists WHERE state <> 'current' LIMIT 1`),
    gone: sql(`SELECT key FROM rating_lists WHERE state = 'gone' LIMIT 1`),
    nth: sql('SELECT domain FROM ratings WHERE list = ? ORDER BY domain LIMIT 1 OFFSET ?'),
    deleteUpTo: sql('DELETE FROM ratings WHERE list = ? AND domain <= ?'),
    deleteAll: sql('DELETE FROM ratings WHERE list = ?'),
    deleteList: sql('DELETE FROM rating_lists WHERE key = ?'),
  };
}
