import type { Standing } from '../../../../shared/rating/rating.ts';
import type { RatedDomain, Ratings, RatingSummary } from '../../ratings.ts';
import { columnsOf, storable } from '../connection/columns.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import type { GraphStore } from './graph-store.ts';

/** Rated domains that one transaction adds or removes: their rows are short. */
const RATINGS_A_STEP = 2_000;

/**
 * Imported lists on PostgreSQL. The new one grows beside the one that holds; which one that is, is a word in a row, so it changes in
 * one step however long they are. What changes that word is done one after another, whichever node does it.
 */
export class RatingsStore implements Ratings {
  readonly #database: Database;
  readonly #graph: GraphStore;

  constructor(database: Database, graph: GraphStore) {
    this.#database = database;
    this.#graph = graph;
  }

  async standing(domain: string): Promise<Standing> {
    const standings = await this.standings(this.#database, [domain]);
    return standings.get(domain) ?? { referring: 0 };
  }

  /** Of many domains, by their names. */
  async standings(from: Queryable, domains: readonly string[]): Promise<Map<string, Standing>> {
    const rows = await from.query<StandingRow>(STANDINGS, [domains]);
    return new Map(
      rows.map(({ name, imported, referring }) => [name, { ...(imported !== null && { imported }), referring }]),
    );
  }

  async beginRatings(name: string): Promise<number> {
    return this.#oneByOne(async (transaction) => {
      await transaction.query(`UPDATE rating_lists SET state = 'gone' WHERE state = 'coming'`);
      const [list] = await transaction.query<{ key: number }>(
        `INSERT INTO rating_lists (state, name) VALUES ('coming', $1) RETURNING key`,
        [storable(name)],
      );
      if (!list) throw new Error('the list that was added has no key');
      return list.key;
    });
  }

  async addRatings(list: number, rated: readonly RatedDomain[]): Promise<number | undefined> {
    let next = 0;
    for (;;) {
      const some = rated.slice(next, next + RATINGS_A_STEP);
      next += RATINGS_A_STEP;
      const domains = await this.#database.transaction((transaction) => this.#addSome(transaction, list, some));
      if (domains === undefined || next >= rated.length) return domains;
    }
  }

  async publishRatings(list: number, at: number): Promise<boolean> {
    return this.#oneByOne(async (transaction) => {
      const [coming] = await transaction.query(LOCK_COMING, [list]);
      if (!coming) return false;
      await transaction.query(`UPDATE rating_lists SET state = 'gone' WHERE state = 'current'`);
      await transaction.query(`UPDATE rating_lists SET state = 'current', at = $1 WHERE key = $2`, [at, list]);
      return true;
    });
  }

  async giveUpRatings(list: number): Promise<void> {
    await this.#database.query(`UPDATE rating_lists SET state = 'gone' WHERE key = $1 AND state = 'coming'`, [list]);
  }

  async clearRatings(): Promise<void> {
    await this.#oneByOne((transaction) =>
      transaction.query(`UPDATE rating_lists SET state = 'gone' WHERE state = 'current'`),
    );
  }

  async sweepRatings(): Promise<void> {
    await this.#database.query(GIVE_UP_STALE);
    const gone = await this.#database.query<{ key: number }>(`SELECT key FROM rating_lists WHERE state = 'gone'`);
    for (const { key } of gone) {
      for (let after: string | undefined = ''; after !== undefined;) {
        const [swept]: { last: string | null }[] = await this.#database.query(SWEEP, [key, after, RATINGS_A_STEP]);
        after = swept?.last ?? undefined;
      }
      await this.#database.query('DELETE FROM rating_lists WHERE key = $1', [key]);
    }
  }

  async countReferring(at: number): Promise<void> {
    await this.#graph.count(at);
  }

  async ratingSummary(): Promise<RatingSummary> {
    const [imported] = await this.#database.query<NonNullable<RatingSummary['imported']>>(
      `SELECT name, at, domains FROM rating_lists WHERE state = 'current'`,
    );
    return { imported, own: await this.#graph.own() };
  }

  /** Domains of the list; undefined when it is not, or no more, one that comes. */
  async #addSome(transaction: Transaction, list: number, rated: readonly RatedDomain[]): Promise<number | undefined> {
    const [coming] = await transaction.query(LOCK_COMING, [list]);
    if (!coming) return undefined;
    const best = new Map<string, number>();
    for (const [domain, rating] of rated) best.set(domain, Math.max(rating, best.get(domain) ?? 0));
    const columns = columnsOf(
      [...best],
      ([domain]) => storable(domain),
      ([, rating]) => rating,
    );
    const [added] = await transaction.query<{ domains: number }>(ADD, [list, ...columns]);
    await transaction.query(RAISE, [list, ...columns]);
    const [grown] = await transaction.query<{ domains: number }>(GROW, [list, added?.domains ?? 0]);
    return grown?.domains;
  }

  #oneByOne<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock(hashtextextended('rating_lists', 0))`);
      return work(transaction);
    });
  }
}

interface StandingRow {
  readonly name: string;
  readonly imported: number | null;
  readonly referring: number;
}

const STANDINGS = `SELECT asked.name, rating AS imported, coalesce(referring, 0) AS referring
  FROM unnest($1::text[]) AS asked (name) LEFT JOIN domains ON domains.name = asked.name
  LEFT JOIN ratings ON list = (SELECT key FROM rating_lists WHERE state = 'current') AND domain = asked.name`;

const LOCK_COMING = `SELECT FROM rating_lists WHERE key = $1 AND state = 'coming' FOR UPDATE`;

const ADD = `WITH added AS (
    INSERT INTO ratings (list, domain, rating) SELECT $1, domain, rating
    FROM unnest($2::text[], $3::smallint[]) AS rated (domain, rating) ON CONFLICT (list, domain) DO NOTHING RETURNING 1
  ) SELECT count(*) AS domains FROM added`;

const RAISE = `UPDATE ratings SET rating = rated.rating FROM unnest($2::text[], $3::smallint[]) AS rated (domain, rating)
  WHERE list = $1 AND ratings.domain = rated.domain AND ratings.rating < rated.rating`;

const GROW = `UPDATE rating_lists SET domains = domains + $2, touched_at = now() WHERE key = $1 RETURNING domains`;

/** An import ends with the process that makes it, and no other can tell. */
const GIVE_UP_STALE = `UPDATE rating_lists SET state = 'gone'
  WHERE state = 'coming' AND touched_at < now() - interval '1 hour'`;

/** Behind the last domain that went: those before it are in the index until the next vacuum. */
const SWEEP = `WITH swept AS (
    DELETE FROM ratings WHERE list = $1 AND domain > $2 AND domain <= (
      SELECT max(domain) FROM (
        SELECT domain FROM ratings WHERE list = $1 AND domain > $2 ORDER BY domain LIMIT $3
      ) AS portion
    ) RETURNING domain
  ) SELECT max(domain) AS last FROM swept`;
