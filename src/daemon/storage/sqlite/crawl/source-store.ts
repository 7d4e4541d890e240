import type { DatabaseSync } from 'node:sqlite';
import type { FrontierSource, LastVisit, SourceSummary } from '../../frontier.ts';
import { answersAfter } from '../../frontier-rules.ts';
import type { Visit } from '../../pages.ts';
import { PLACE, type PlaceRow } from './frontier-rows.ts';
import { FLAG } from '../../frontier-coding.ts';
import type { HolderStore, TombstoneStore } from './holder-store.ts';
import type { HostStore } from './host-store.ts';
import type { TransactionalMaps } from '../worker/transactional-map.ts';
import type { VisitedStore } from './visited-store.ts';

/** What a change of terms still has to bring to the pages of the source: bits of `sources.todo`. */
const TODO = { settle: 1, bringForward: 2, readShared: 4, readAll: 8 } as const;

export interface SourceRow {
  readonly key: number;
  readonly id: string;
  readonly everyMs: number;
  readonly isPaused: number;
  readonly maxPages: number;
  /** All that it holds, and how many of them take no place (`Places`). */
  readonly pages: number;
  readonly apart: number;
  readonly todo: number;
  /** When it first had no room and nothing to let go of; null, not yet. */
  readonly fullAt: number | null;
  /** Days since 1970 (UTC), and the pages let go on that day. */
  readonly leftDay: number;
  readonly leftPages: number;
  readonly tombstones: number;
}

interface Stores {
  readonly hosts: HostStore;
  readonly holders: HolderStore;
  readonly tombstones: TombstoneStore;
  readonly visited: VisitedStore;
}

/** Where a walk over the pages of a source is: first those that it was the first to hold, then the others. */
export interface Walk {
  isShared: boolean;
  after: number;
}

/** Sources in SQL. What concerns all pages of one goes in steps, and is written down until it is done. */
export class SourceStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #walks: Map<string, Walk>;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores, maps: TransactionalMaps) {
    this.#sql = prepare(database);
    this.#stores = stores;
    this.#walks = maps.map();
  }

  find(id: string): SourceRow | undefined {
    return this.#sql.find.get(id) as unknown as SourceRow | undefined;
  }

  /** The source with its new terms; `todo` tells whether its pages have to be gone through. */
  put(given: FrontierSource): SourceRow {
    const { id, everyMs = 0, maxPages, isPaused } = given;
    const known = this.find(id);
    const todo = known ? changeOf(known, given) : 0;
    if (known?.isPaused === 1 && !isPaused) this.#stores.hosts.resumptions += 1;
    return this.#sql.put.get(id, everyMs, maxPages, Number(isPaused), todo) as unknown as SourceRow;
  }

  /** More pages than before, and more of them apart; less where below zero. */
  grow(key: number, { pages = 0, apart = 0 }: Partial<Pick<SourceRow, 'pages' | 'apart'>>): void {
    this.#sql.grow.run(pages, apart, key);
  }

  countLeft(
    key: number,
    { fullAt, leftDay, leftPages, tombstones }: Pick<SourceRow, 'fullAt' | 'leftDay' | 'leftPages' | 'tombstones'>,
  ): void {
    this.#sql.countLeft.run(fullAt, leftDay, leftPages, tombstones, key);
  }

  /** From the first page on, with the terms as they are now: a walk that is under way ends, since this one does its work. */
  walk(id: string): Walk {
    const walk = { isShared: false, after: 0 };
    this.#walks.set(id, walk);
    return walk;
  }

  unfinished(): string[] {
    return (this.#sql.unfinished.all() as unknown as { id: string }[]).map(({ id }) => id);
  }

  /** Brings the terms to at most `atMost` pages of the source; whether there may be more. */
  settleSome(id: string, walk: Walk, atMost: number): boolean {
    const source = this.find(id);
    if (!source || this.#walks.get(id) !== walk) return false;
    const pages = this.#some(source.key, walk, atMost);
    for (const page of pages) this.#settle(page, source);
    for (const host of new Set(pages.map((page) => page.host))) this.#stores.hosts.refresh(host);
    if (pages.length > 0) return true;
    if (source.isPaused === 0) this.#stores.hosts.resumptions += 1;
    this.#sql.done.run(source.key);
    this.#walks.delete(id);
    return false;
  }

  /** From now on nobody finds the source; its pages are left to `sweepSome`. */
  forget(id: string): void {
    this.#walks.delete(id);
    this.#sql.forget.run(id);
  }

  hasForgotten(): boolean {
    return this.#sql.forgotten.get() !== undefined;
  }

  /** Takes forgotten sources off at most `atMost` pages; whether there may be more. */
  sweepSome(atMost: number): boolean {
    const source = this.#sql.forgotten.get() as { key: number } | undefined;
    if (source === undefined) return false;
    const pages = this.#some(source.key, { isShared: false, after: 0 }, atMost);
    for (const page of pages) this.#stores.holders.letGo(page, source.key);
    for (const host of new Set(pages.map((page) => page.host))) this.#stores.hosts.left(host);
    if (pages.length === 0 && this.#stores.tombstones.forgetOldest(source.key, atMost) === 0) {
      this.#sql.remove.run(source.key);
    }
    this.#stores.hosts.forgetEmpty(atMost);
    return true;
  }

  /** Counts a visit for these sources. */
  countVisit(keys: readonly number[], url: string, visit: Visit): void {
    const [newest] = answersAfter([], visit);
    const { at, outcome, reason = null, detail = null, status = null } = newest ?? visit;
    for (const key of keys) {
      this.#sql.countVisit.run(key);
      this.#sql.setLast.run(at, url, outcome, reason, detail, status, key, at);
    }
  }

  /** After a clock was ahead: nothing has happened later than now. */
  bringForward(now: number): void {
    this.#sql.bringForward.run(now);
    for (const { key } of this.#sql.keys.all() as unknown as { key: number }[])
      this.#stores.tombstones.bringForward(key, now);
  }

  summaries(): SourceSummary[] {
    const rows = this.#sql.summaries.all() as unknown as SummaryRow[];
    return rows.map(({ id, pages, visits, nextDue, ...last }) => {
      return { id, pages, visits, nextDue: nextDue ?? undefined, last: lastVisit(last) };
    });
  }

  #settle(page: PlaceRow, { todo, everyMs }: SourceRow): void {
    const { holders, visited } = this.#stores;
    if ((todo & TODO.settle) !== 0) holders.settle(page.key);
    const isReadAgain =
      (todo & TODO.readAll) !== 0 || ((todo & TODO.readShared) !== 0 && (page.flags & FLAG.shared) !== 0);
    if (isReadAgain) visited.forgetBody(page.key);
    if ((todo & TODO.bringForward) === 0) return;
    const visitedAt = visited.get(page.key)?.visitedAt;
    if (visitedAt !== undefined) this.#sql.hurry.run(visitedAt + everyMs, page.key);
  }

  /** The next pages of the source, each once. An empty answer is the end of those it was the first to hold. */
  #some(source: number, walk: Walk, atMost: number): PlaceRow[] {
    const query = walk.isShared ? this.#sql.shared : this.#sql.own;
    const pages = query.all(source, walk.after, atMost) as unknown as PlaceRow[];
    const last = pages.at(-1);
    if (last) walk.after = last.key;
    else if (!walk.isShared) {
      walk.isShared = true;
      walk.after = 0;
      return this.#some(source, walk, atMost);
    }
    return pages;
  }
}

function changeOf(before: SourceRow, { everyMs = 0, isPaused, isWider }: FrontierSource): number {
  const isShorter = everyMs > 0 && (before.everyMs === 0 || everyMs < before.everyMs);
  const wasPaused = before.isPaused !== 0;
  const settle = wasPaused === isPaused ? 0 : TODO.settle;
  // While it was paused, the others' visits did not look for its links.
  const readAgain = (wasPaused && !isPaused ? TODO.readShared : 0) | (isWider === true ? TODO.readAll : 0);
  return settle | (isShorter ? TODO.bringForward : 0) | readAgain;
}

type LastRow = { readonly [Key in keyof LastVisit]-?: Exclude<LastVisit[Key], undefined> | null };
type SummaryRow = LastRow & Omit<SourceSummary, 'last' | 'nextDue'> & { readonly nextDue: number | null };

function lastVisit({ url, at, outcome, reason, detail, status }: LastRow): LastVisit | undefined {
  if (url === null || at === null || outcome === null) return undefined;
  return {
    url,
    at,
    outcome,
    ...(reason !== null && { reason }),
    ...(detail !== null && { detail }),
    ...(status !== null && { status }),
  };
}

const TERMS = `key, id, every_ms AS everyMs, is_paused AS isPaused, max_pages AS maxPages, pages, apart, todo,
  full_at AS fullAt, left_day AS leftDay, left_pages AS leftPages, tombstones`;

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    find: sql(`SELECT ${TERMS} FROM sources WHERE id = ?`),
    put: sql(`INSERT INTO sources (id, every_ms, max_pages, is_paused, todo) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET every_ms = excluded.every_ms,
        full_at = iif(excluded.max_pages > max_pages, NULL, full_at), max_pages = excluded.max_pages,
        is_paused = excluded.is_paused, todo = todo | excluded.todo
      RETURNING ${TERMS}`),
    grow: sql('UPDATE sources SET pages = pages + ?, apart = apart + ? WHERE key = ?'),
    countLeft: sql('UPDATE sources SET full_at = ?, left_day = ?, left_pages = ?, tombstones = ? WHERE key = ?'),
    unfinished: sql('SELECT id FROM sources WHERE todo <> 0 AND id IS NOT NULL'),
    keys: sql('SELECT key FROM sources'),
    done: sql('UPDATE sources SET todo = 0 WHERE key = ?'),
    forget: sql('UPDATE sources SET id = NULL WHERE id = ?'),
    forgotten: sql('SELECT key FROM sources WHERE id IS NULL LIMIT 1'),
    remove: sql('DELETE FROM sources WHERE key = ?'),
    own: sql(`SELECT ${PLACE} FROM pages WHERE source = ? AND key > ? ORDER BY key LIMIT ?`),
    shared: sql(`SELECT ${PLACE} FROM holdings JOIN pages ON pages.key = holdings.page
      WHERE holdings.source = ? AND holdings.page > ? ORDER BY holdings.page LIMIT ?`),
    hurry: sql('UPDATE pages SET due = min(due, ?) WHERE key = ?'),
    countVisit: sql('UPDATE sources SET visits = visits + 1 WHERE key = ?'),
    setLast: sql(`UPDATE sources SET last_at = ?, last_url = ?, last_outcome = ?, last_reason = ?, last_detail = ?,
      last_status = ? WHERE key = ? AND coalesce(last_at, 0) <= ?`),
    bringForward: sql('UPDATE sources SET last_at = min(last_at, ?1), full_at = min(full_at, ?1)'),
    summaries:
      sql(`SELECT id, pages - min(apart, max_pages) AS pages, visits, last_at AS at, last_url AS url, last_outcome AS outcome,
        last_reason AS reason, last_detail AS detail, last_status AS status,
        (SELECT min(due) FROM (
          SELECT min(due) AS due FROM pages WHERE source = sources.key AND depth = 0 UNION ALL
          SELECT min(pages.due) FROM holdings JOIN pages ON pages.key = holdings.page
            WHERE holdings.source = sources.key AND holdings.depth = 0)) AS nextDue
      FROM sources WHERE id IS NOT NULL ORDER BY key`),
  };
}
