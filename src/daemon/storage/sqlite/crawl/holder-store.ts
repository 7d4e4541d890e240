import type { DatabaseSync } from 'node:sqlite';
import type { Holder } from '../../frontier.ts';
import { PLACE, type PlaceRow } from './frontier-rows.ts';
import { FLAG } from '../../frontier-coding.ts';
import type { DuplicateStore } from './duplicate-store.ts';
import type { GraphStore } from './ratings-store.ts';
import type { HostStore } from './host-store.ts';

export interface HolderRow extends Holder {
  readonly key: number;
  readonly everyMs: number;
  readonly isPaused: number;
}

/**
 * Who holds a page. The first holder stands in the page's own row, since most pages have only that one. A page whose
 * holders are all paused is parked: its urgency is below zero, where nobody who looks for due pages ever comes.
 */
export class HolderStore {
  readonly #sql: ReturnType<typeof prepareHolders>;
  readonly #hosts: HostStore;
  readonly #duplicates: DuplicateStore;
  readonly #graph: GraphStore;

  constructor(database: DatabaseSync, stores: { hosts: HostStore; duplicates: DuplicateStore; graph: GraphStore }) {
    this.#sql = prepareHolders(database);
    this.#hosts = stores.hosts;
    this.#duplicates = stores.duplicates;
    this.#graph = stores.graph;
  }

  place(key: number): PlaceRow | undefined {
    return this.#sql.place.get(key) as unknown as PlaceRow | undefined;
  }

  /** Of sources that have not been removed, in the order they were added. */
  holders(page: PlaceRow): HolderRow[] {
    const first = this.#sql.source.all(page.depth, page.source) as unknown as HolderRow[];
    if ((page.flags & FLAG.shared) === 0) return first;
    const others = this.#sql.others.all(page.key) as unknown as HolderRow[];
    return [...first, ...others].toSorted((one, other) => one.key - other.key);
  }

  depthIn(page: PlaceRow, source: number): number | undefined {
    if (page.source === source) return page.depth;
    if ((page.flags & FLAG.shared) === 0) return undefined;
    return (this.#sql.holding.get(source, page.key) as { depth: number } | undefined)?.depth;
  }

  setDepth(page: PlaceRow, source: number, depth: number): void {
    if (page.source === source) this.#sql.setDepth.run(depth, page.key);
    else this.#sql.setHoldingDepth.run(depth, source, page.key);
  }

  add(page: PlaceRow, source: number, depth: number): void {
    this.#sql.addHolding.run(source, page.key, depth);
    this.#sql.addFlag.run(FLAG.shared, page.key);
  }

  /** Parks the page when all its holders are paused, and else brings it back. The host's `ready` is left to the caller. */
  settle(key: number): void {
    const page = this.place(key);
    if (!page) return;
    const isParked = page.urgency < 0;
    const shouldBe = this.holders(page).every((holder) => holder.isPaused !== 0);
    if (isParked === shouldBe) return;
    this.#sql.setUrgency.run(~page.urgency, key);
    this.#sql.sharePull.run(isParked ? 1 : -1, key);
  }

  /** Takes the source off the page; a page that nobody holds any more goes, with all that is known of it. */
  letGo(page: PlaceRow, source: number): void {
    if (page.source === source) {
      const next = this.#sql.nextHolder.get(page.key) as { source: number; depth: number } | undefined;
      if (!next) {
        this.#remove(page);
        return;
      }
      this.#sql.setFirst.run(next.source, next.depth, page.key);
      this.#sql.deleteHolding.run(next.source, page.key);
    } else this.#sql.deleteHolding.run(source, page.key);
    if (!this.#sql.nextHolder.get(page.key)) this.#sql.dropFlag.run(FLAG.shared, page.key);
    this.settle(page.key);
  }

  #remove(page: PlaceRow): void {
    const isVisited = (page.flags & FLAG.visited) !== 0;
    if (isVisited) {
      if (page.urgency >= 0) this.#sql.sharePull.run(-1, page.key);
      this.#duplicates.forget(page.key);
      this.#sql.deleteVisited.run(page.key);
      this.#sql.deleteVersion.run(page.key);
      this.#graph.unlink(page.key);
    }
    this.#sql.uncountPattern.run((page.flags & FLAG.fruitful) / FLAG.fruitful, page.host, page.bucket);
    this.#sql.deletePage.run(page.key);
    this.#sql.countPages.run(-1, isVisited ? 0 : -1);
    this.#hosts.countPages(page.host, -1);
  }
}

function prepareHolders(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const terms = 'sources.key, sources.id AS sourceId, sources.every_ms AS everyMs, sources.is_paused AS isPaused';
  return {
    place: sql(`SELECT ${PLACE} FROM pages WHERE key = ?`),
    source: sql(`SELECT ${terms}, ? AS depth FROM sources WHERE key = ? AND id IS NOT NULL`),
    others: sql(`SELECT ${terms}, holdings.depth FROM holdings JOIN sources ON sources.key = holdings.source
      WHERE holdings.page = ? AND sources.id IS NOT NULL`),
    holding: sql('SELECT depth FROM holdings WHERE source = ? AND page = ?'),
    nextHolder: sql('SELECT source, depth FROM holdings WHERE page = ? ORDER BY source LIMIT 1'),
    setDepth: sql('UPDATE pages SET depth = ? WHERE key = ?'),
    setHoldingDepth: sql('UPDATE holdings SET depth = ? WHERE source = ? AND page = ?'),
    addHolding: sql('INSERT INTO holdings (source, page, depth) VALUES (?, ?, ?)'),
    deleteHolding: sql('DELETE FROM holdings WHERE source = ? AND page = ?'),
    setFirst: sql('UPDATE pages SET source = ?, depth = ? WHERE key = ?'),
    addFlag: sql('UPDATE pages SET flags = flags | ? WHERE key = ?'),
    dropFlag: sql('UPDATE pages SET flags = flags & ~? WHERE key = ?'),
    setUrgency: sql('UPDATE pages SET urgency = ? WHERE key = ?'),
    sharePull: sql('UPDATE counters SET pull = pull + ?1 * coalesce((SELECT pull FROM visited WHERE page = ?2), 0)'),
    deletePage: sql('DELETE FROM pages WHERE key = ?'),
    deleteVisited: sql('DELETE FROM visited WHERE page = ?'),
    deleteVersion: sql('DELETE FROM versions WHERE page = ?'),
    uncountPattern: sql('UPDATE patterns SET pages = pages - 1, fruitful = fruitful - ? WHERE host = ? AND bucket = ?'),
    countPages: sql('UPDATE counters SET pages = pages + ?, unvisited = unvisited + ?'),
  };
}

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
  readonly #sql: ReturnType<typeof prepareTombstones>;

  constructor(database: DatabaseSync) {
    this.#sql = prepareTombstones(database);
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

function prepareTombstones(database: DatabaseSync) {
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
