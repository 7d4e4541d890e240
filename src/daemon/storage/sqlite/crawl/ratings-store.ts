import type { DatabaseSync } from 'node:sqlite';
import type { Standing } from '../../../../shared/rating/rating.ts';
import type { OwnGraph, RatedDomain, Ratings, RatingSummary } from '../../ratings.ts';
import { type Operations, ROWS_A_STEP, type Step, sweeping } from '../worker/operation.ts';
import { LINKS_PER_DOMAIN } from '../../../../shared/limits.ts';
import type { DomainLinks } from '../../../../shared/page/domain.ts';

/**
 * Imported lists in SQL. The new one grows beside the one that holds; which one that is, is a word in a row, so it
 * changes in one step however long they are. Lists that are gone wait to be swept.
 */
export class RatingStore {
  readonly #sql: ReturnType<typeof ratingStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = ratingStatements(database);
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

function ratingStatements(database: DatabaseSync) {
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

/**
 * Which domain links to which, in SQL. A row is a link of a page, so that the graph is always that of the pages as they
 * were last read: a link that has gone takes its vote along, unless another page of its domain has it too.
 */
export class GraphStore {
  readonly #sql: ReturnType<typeof graphStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = graphStatements(database);
  }

  /** Within the transaction of the visit. Links beyond those its domain may keep are left out. */
  link(page: number, { from, to }: DomainLinks): void {
    this.unlink(page);
    if (to.length === 0) return;
    const source = this.#keyOf(from);
    const { links } = this.#sql.linksOf.get(source) as { links: number };
    const kept = to.slice(0, Math.max(0, LINKS_PER_DOMAIN - links));
    for (const target of kept) this.#sql.addLink.run(this.#keyOf(target), source, page);
    this.#sql.countLinks.run(kept.length, source);
  }

  unlink(page: number): void {
    const { source } = (this.#sql.sourceOf.get(page) as { source: number } | undefined) ?? {};
    if (source === undefined) return;
    const { changes } = this.#sql.deleteLinks.run(page);
    this.#sql.countLinks.run(-Number(changes), source);
  }

  referring(domain: string): number {
    const row = this.#sql.referring.get(domain) as { referring: number } | undefined;
    return row?.referring ?? 0;
  }

  /**
   * Counts who refers to the next domains after `cursor`, at most `atMost`; domains without any link are forgotten.
   * Undefined when there is none left.
   */
  countSome(cursor: number, atMost: number): Counted | undefined {
    const rows = this.#sql.next.all(cursor, atMost) as unknown as DomainRow[];
    for (const { key, links, referring } of rows) {
      if (links === 0 && referring === 0) this.#sql.deleteDomain.run(key);
      else this.#sql.setReferring.run(referring, key);
    }
    const last = rows.at(-1);
    const referred = rows.filter(({ referring }) => referring > 0);
    const links = referred.reduce((sum, { referring }) => sum + referring, 0);
    return last && { cursor: last.key, domains: referred.length, links };
  }

  saveOwn({ at, domains, links }: OwnGraph): void {
    this.#sql.saveOwn.run(at, domains, links);
  }

  own(): OwnGraph | undefined {
    const row = this.#sql.own.get() as OwnGraph | undefined;
    return row && { ...row };
  }

  #keyOf(name: string): number {
    const known = this.#sql.key.get(name) as { key: number } | undefined;
    return known?.key ?? Number(this.#sql.addDomain.run(name).lastInsertRowid);
  }
}

interface Counted {
  readonly cursor: number;
  readonly domains: number;
  readonly links: number;
}

interface DomainRow {
  readonly key: number;
  readonly links: number;
  readonly referring: number;
}

function graphStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    key: sql('SELECT key FROM domains WHERE name = ?'),
    addDomain: sql('INSERT INTO domains (name) VALUES (?)'),
    deleteDomain: sql('DELETE FROM domains WHERE key = ?'),
    linksOf: sql('SELECT links FROM domains WHERE key = ?'),
    countLinks: sql('UPDATE domains SET links = links + ? WHERE key = ?'),
    addLink: sql('INSERT OR IGNORE INTO links (target, source, page) VALUES (?, ?, ?)'),
    sourceOf: sql('SELECT source FROM links WHERE page = ? LIMIT 1'),
    deleteLinks: sql('DELETE FROM links WHERE page = ?'),
    referring: sql('SELECT referring FROM domains WHERE name = ?'),
    next: sql(`SELECT key, links, (SELECT count(DISTINCT source) FROM links WHERE target = domains.key) AS referring
      FROM domains WHERE key > ? ORDER BY key LIMIT ?`),
    setReferring: sql('UPDATE domains SET referring = ?1 WHERE key = ?2 AND referring <> ?1'),
    own: sql('SELECT at, domains, links FROM graph'),
    saveOwn: sql('REPLACE INTO graph (id, at, domains, links) VALUES (1, ?, ?, ?)'),
  };
}
