import type { DatabaseSync } from 'node:sqlite';
import type { Standing } from '../../../../shared/rating/rating.ts';
import type { RatedDomain, Ratings, RatingSummary } from '../../ratings.ts';
import { type Operations, ROWS_A_STEP, type Step, sweeping } from '../worker/operation.ts';
import type { GraphStore } from './graph-store.ts';

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

interface RatingStores {
  readonly graph: GraphStore;
  readonly ratings: RatingStore;
  readonly standing: (domain: string) => Standing;
}

export function ratingOperations({ graph, ratings, standing }: RatingStores): Operations<Ratings> {
  return {
    standing: { read: standing },
    beginRatings: { write: (name) => ratings.begin(name) },
    addRatings: { longWrite: (list, rated) => adding(ratings, list, rated) },
    publishRatings: { write: (list, at) => ratings.publish(list, at) },
    giveUpRatings: { write: (list) => ratings.giveUp(list) },
    clearRatings: { write: () => ratings.clear() },
    sweepRatings: { longWrite: () => sweeping(ratings, RATINGS_A_STEP) },
    countReferring: { longWrite: (at) => counting(graph, at) },
    ratingSummary: { read: () => ({ imported: ratings.summary(), own: graph.own() }) },
  };
}

/** Rated domains that a step adds or removes: their rows are short, and a step takes about ten milliseconds (measured). */
const RATINGS_A_STEP = 2_000;

/** An import that ended with the last process goes first; one that begins meanwhile is left alone. */
export function finishingRatings(ratings: RatingStore): () => Step<void> {
  const sweep = sweeping(ratings, RATINGS_A_STEP);
  let isFirst = true;
  return () => {
    if (isFirst) ratings.giveUpAll();
    isFirst = false;
    return sweep();
  };
}

function adding(ratings: RatingStore, list: number, rated: readonly RatedDomain[]): () => Step<number | undefined> {
  let next = 0;
  return () => {
    const domains = ratings.add(list, rated.slice(next, next + RATINGS_A_STEP));
    next += RATINGS_A_STEP;
    return { done: domains === undefined || next >= rated.length, answer: domains };
  };
}

function counting(graph: GraphStore, at: number): () => Step<void> {
  const sum = { cursor: 0, domains: 0, links: 0 };
  return () => {
    const some = graph.countSome(sum.cursor, ROWS_A_STEP);
    if (some === undefined) {
      graph.saveOwn({ at, domains: sum.domains, links: sum.links });
      return { done: true, answer: undefined };
    }
    sum.cursor = some.cursor;
    sum.domains += some.domains;
    sum.links += some.links;
    return { done: false, answer: undefined };
  };
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
