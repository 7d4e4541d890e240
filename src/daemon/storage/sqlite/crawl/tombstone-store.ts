import type { DatabaseSync } from 'node:sqlite';

/** A URL that a source has let go of, and when. */
export interface Tombstone {
  readonly source: number;
  readonly at: number;
}

export interface Expendable {
  readonly key: number;
  readonly hash: number;
  readonly due: number;
}

/**
 * What full sources let go of, in SQL: the pages that are next, and the tombstones of those that went. A tombstone is
 * three numbers. It is found by the hash of the page's identity alone and not by its host, which is forgotten with its
 * last page. A page that no link has led to since identities are kept has none, and a tombstone that nobody finds.
 */
export class TombstoneStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  tombstones(hash: number): Tombstone[] {
    return this.#sql.find.all(hash) as unknown as Tombstone[];
  }

  bury(hash: number, source: number, at: number): void {
    this.#sql.bury.run(hash, source, at);
  }

  digUp(hash: number, source: number): void {
    this.#sql.digUp.run(hash, source);
  }

  /** Those of later than now are of now. */
  bringForward(source: number, now: number): void {
    this.#sql.bringForward.run(now, source, now);
  }

  /** Forgets the oldest tombstones of the source; how many there were. */
  forgetOldest(source: number, atMost: number): number {
    return Number(this.#sql.forgetOldest.run(source, source, atMost).changes);
  }

  /**
   * Pages that the source may let go of, those apart or the others, those first whose next visit is furthest away. Of those
   * that another source was the first to hold the oldest `SHARED_AMONG` are looked at: they have no index of their own,
   * and are few.
   */
  expendable(source: number, isApart: boolean, atMost: number): Expendable[] {
    const { own: ofOwn, shared: ofShared } = isApart ? this.#sql.apart : this.#sql.others;
    const own = ofOwn.all(source, atMost) as unknown as Expendable[];
    const shared = ofShared.all(source, atMost) as unknown as Expendable[];
    return [...own, ...shared].toSorted((one, other) => other.due - one.due || other.key - one.key);
  }
}

const SHARED_AMONG = 2_000;

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    find: sql('SELECT source, at FROM retired WHERE hash = ?'),
    bury: sql('REPLACE INTO retired (hash, source, at) VALUES (?, ?, ?)'),
    digUp: sql('DELETE FROM retired WHERE hash = ? AND source = ?'),
    forgetOldest: sql(`DELETE FROM retired WHERE source = ? AND hash IN (
      SELECT hash FROM retired INDEXED BY retired_oldest WHERE source = ? ORDER BY at, hash LIMIT ?)`),
    bringForward: sql('UPDATE retired SET at = ? WHERE source = ? AND at > ?'),
    apart: prepareExpendable(database, 'pages_expendable_apart', 'pages.flags & 80 = 80'),
    others: prepareExpendable(database, 'pages_expendable', 'pages.flags & 80 = 16'),
  };
}

/** Who is asked for, or said to have changed, is not let go before the visit. */
function prepareExpendable(database: DatabaseSync, index: string, which: string) {
  const quiet = `${which} AND pages.urgency IN (0, -1)`;
  return {
    own: database.prepare(`SELECT key, hash, due FROM pages INDEXED BY ${index}
      WHERE source = ? AND depth > 0 AND ${quiet} ORDER BY due DESC, key DESC LIMIT ?`),
    shared: database.prepare(`SELECT pages.key, pages.hash, pages.due
      FROM (SELECT page, depth FROM holdings WHERE source = ? ORDER BY page LIMIT ${SHARED_AMONG}) AS held
        JOIN pages ON pages.key = held.page
      WHERE held.depth > 0 AND ${quiet} ORDER BY pages.due DESC, pages.key DESC LIMIT ?`),
  };
}
