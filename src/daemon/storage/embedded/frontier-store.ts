import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Discovered, DuePage, DuePages, FrontierSource, Pages } from '../pages.ts';
import type { GraphStore } from './graph-store.ts';

/** Which pages there are, who holds them, and when each is due. */
export class FrontierStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #graph: GraphStore;

  constructor(database: DatabaseSync, graph: GraphStore) {
    this.#sql = prepare(database);
    this.#graph = graph;
  }

  addSource(source: FrontierSource, seed: string, at: number): void {
    if (this.#sql.setInterval.run(source.everyMs, source.id).changes > 0) return;
    const host = hostOf(seed);
    if (host === undefined) throw new Error(`the seed is no URL: ${seed}`);
    const { lastInsertRowid } = this.#sql.addSource.run(source.id, source.everyMs, source.maxPages);
    this.#hold(Number(lastInsertRowid), seed, host, at);
  }

  /** URLs beyond the source's `max_pages` are left out, and so is what is no URL. */
  discover({ sourceId, urls }: Discovered, at: number): void {
    const source = this.#sql.source.get(sourceId) as { key: number; room: number } | undefined;
    if (!source) return;
    let { room } = source;
    for (const url of urls) {
      if (room <= 0) return;
      const host = hostOf(url);
      if (host !== undefined && this.#hold(source.key, url, host, at)) room -= 1;
    }
  }

  /**
   * The host first, then its most overdue page, each by an index: a host with a million overdue pages costs the same
   * as one with a single page.
   */
  due({ now, atMost, busyHosts }: Parameters<Pages['due']>[0]): DuePages {
    const pages: DuePage[] = [];
    if (atMost > 0) {
      for (const host of this.#sql.dueHosts.iterate(now, JSON.stringify(busyHosts))) {
        const page = this.#mostOverdue(host as unknown as HostRow);
        if (page) pages.push(page);
        if (pages.length >= atMost) break;
      }
    }
    const { at } = this.#sql.nextAt.get(now) as { at: number | null };
    return { pages, nextAt: at ?? undefined };
  }

  /** The page, if a source still holds it. */
  page(pageId: number): PageRow | undefined {
    const page = this.#sql.page.get(pageId) as unknown as PageRow | undefined;
    return page && this.#sql.holders.get(pageId) ? page : undefined;
  }

  setDue(page: { readonly key: number; readonly host: number }, due: number): void {
    this.#sql.setDue.run(due, page.key);
    this.#sql.setHoldingsDue.run(due, page.key);
    this.#sql.refreshHost.run(page.host);
  }

  /** Makes at most `atMost` pages due now that are due later than a source of theirs wants. How many there were. */
  bringSomeForward(now: number, atMost: number): number {
    const pages = this.#sql.tooLate.all(now, atMost) as unknown as { key: number; host: number }[];
    for (const page of pages) this.setDue(page, now);
    return pages.length;
  }

  /** Whether a source holds the page that is none of these. */
  hasNewcomer(page: PageRow, sourceIds: readonly string[]): boolean {
    const holders = this.#sql.holders.all(page.key) as unknown as { id: string }[];
    return holders.some(({ id }) => !sourceIds.includes(id));
  }

  /** The next visit reads the page whatever its bytes are. */
  forgetHash(page: { readonly key: number }): void {
    this.#sql.forgetHash.run(page.key);
  }

  /** From now on nobody finds the source; its pages are left to `sweepSome`. */
  forget(sourceId: string): void {
    this.#sql.forget.run(sourceId);
  }

  hasForgotten(): boolean {
    return this.#sql.forgotten.get() !== undefined;
  }

  /** Takes forgotten sources off at most `atMost` pages; whether there may be more. */
  sweepSome(atMost: number): boolean {
    const source = this.#sql.forgotten.get() as { key: number } | undefined;
    if (source === undefined) return false;
    const held = this.#sql.held.all(source.key, atMost) as unknown as { page: number; host: number }[];
    for (const { page } of held) this.#letGo(source.key, page);
    for (const host of new Set(held.map((row) => row.host))) {
      if (this.#sql.deleteEmptyHost.run(host).changes > 0) this.#sql.deleteFurniture.run(host);
      this.#sql.refreshHost.run(host);
    }
    if (held.length < atMost) this.#sql.deleteSource.run(source.key);
    return true;
  }

  #letGo(source: number, page: number): void {
    this.#sql.deleteHolding.run(source, page);
    if (this.#sql.isHeld.get(page)) return;
    this.#sql.deleteVersion.run(page);
    this.#graph.unlink(page);
    this.#sql.deletePage.run(page);
  }

  #mostOverdue(host: HostRow): DuePage | undefined {
    const row = this.#sql.firstOf.get(host.key) as unknown as (PageRow & DueRow) | undefined;
    const holders = row && (this.#sql.holders.all(row.key) as unknown as { id: string; every: number }[]);
    // None: its source was removed a moment ago, and it is about to be swept.
    if (!row || !holders?.length) return undefined;
    return {
      id: row.key,
      url: row.url,
      host: host.name,
      due: row.due,
      everyMs: Math.min(...holders.map((holder) => holder.every)),
      sourceIds: holders.map((holder) => holder.id),
      bodyHash: row.bodyHash ?? undefined,
      failures: row.failures,
      doubtedAt: row.doubtedAt ?? undefined,
    };
  }

  /** Whether the page is new to the source; then it is due at once. */
  #hold(source: number, url: string, hostName: string, at: number): boolean {
    const urlHash = hashOf(url);
    const known = this.#find(hostName, url, urlHash);
    if (known && this.#sql.holding.get(source, known.key)) return false;
    const page = known ?? this.#newPage(hostName, url, urlHash, at);
    this.#sql.addHolding.run(source, page.key, page.due);
    this.#sql.countPage.run(source);
    // Its links are known to others, not to this source.
    if (known) this.forgetHash(page);
    if (page.due > at) this.setDue(page, at);
    return true;
  }

  #find(hostName: string, url: string, urlHash: number): PlaceRow | undefined {
    const rows = this.#sql.find.all(hostName, urlHash) as unknown as (PlaceRow & { readonly url: string })[];
    return rows.find((row) => row.url === url);
  }

  #newPage(hostName: string, url: string, urlHash: number, due: number): PlaceRow {
    const { key: host } = this.#sql.touchHost.get(hostName, due) as { key: number };
    const { lastInsertRowid } = this.#sql.addPage.run(host, urlHash, url, due);
    return { key: Number(lastInsertRowid), host, due };
  }
}

export interface PageRow {
  readonly key: number;
  readonly host: number;
  readonly url: string;
}

interface PlaceRow {
  readonly key: number;
  readonly host: number;
  readonly due: number;
}

interface DueRow {
  readonly due: number;
  readonly bodyHash: string | null;
  readonly failures: number;
  readonly doubtedAt: number | null;
}

interface HostRow {
  readonly key: number;
  readonly name: string;
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** 32 bits are enough beside the host; whoever makes two URLs collide only makes us compare two texts. */
function hashOf(url: string): number {
  return hash('sha256', url, 'buffer').readUInt32BE();
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    setInterval: sql('UPDATE sources SET every_ms = ? WHERE id = ?'),
    addSource: sql('INSERT INTO sources (id, every_ms, max_pages) VALUES (?, ?, ?)'),
    source: sql('SELECT key, max_pages - pages AS room FROM sources WHERE id = ?'),
    countPage: sql('UPDATE sources SET pages = pages + 1 WHERE key = ?'),
    forget: sql('UPDATE sources SET id = NULL WHERE id = ?'),
    forgotten: sql('SELECT key FROM sources WHERE id IS NULL LIMIT 1'),
    deleteSource: sql('DELETE FROM sources WHERE key = ?'),

    dueHosts: sql(`SELECT key, name FROM hosts
      WHERE due <= ? AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY due, key`),
    firstOf: sql(`SELECT key, host, url, due, body_hash AS bodyHash, failures, doubted_at AS doubtedAt FROM pages
      WHERE host = ? ORDER BY due, key LIMIT 1`),
    nextAt: sql('SELECT min(due) AS at FROM pages WHERE due > ?'),
    touchHost: sql(`INSERT INTO hosts (name, due) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET due = min(due, excluded.due) RETURNING key`),
    deleteFurniture: sql('DELETE FROM furniture WHERE host = ?'),
    deleteEmptyHost: sql('DELETE FROM hosts WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM pages WHERE host = ?1)'),
    refreshHost: sql('UPDATE hosts SET due = (SELECT min(due) FROM pages WHERE host = ?1) WHERE key = ?1'),

    page: sql('SELECT key, host, url FROM pages WHERE key = ?'),
    find: sql(`SELECT pages.key, pages.host, pages.due, pages.url FROM hosts
      JOIN pages ON pages.host = hosts.key AND pages.url_hash = ?2 WHERE hosts.name = ?1`),
    addPage: sql('INSERT INTO pages (host, url_hash, url, due) VALUES (?, ?, ?, ?)'),
    // By source, because each has its own interval, and within it by time: pages that are in order are not looked at.
    tooLate: sql(`SELECT DISTINCT pages.key, pages.host FROM sources
      CROSS JOIN holdings ON holdings.source = sources.key AND holdings.due > ?1 + sources.every_ms
      CROSS JOIN pages ON pages.key = holdings.page
      WHERE sources.id IS NOT NULL LIMIT ?2`),
    forgetHash: sql('UPDATE pages SET body_hash = NULL WHERE key = ?'),
    setDue: sql('UPDATE pages SET due = ? WHERE key = ?'),
    deletePage: sql('DELETE FROM pages WHERE key = ?'),
    deleteVersion: sql('DELETE FROM versions WHERE page = ?'),

    holders: sql(`SELECT sources.id, sources.every_ms AS every FROM holdings
      JOIN sources ON sources.key = holdings.source
      WHERE holdings.page = ? AND sources.id IS NOT NULL ORDER BY sources.key`),
    held: sql(`SELECT holdings.page, pages.host FROM holdings JOIN pages ON pages.key = holdings.page
      WHERE holdings.source = ? LIMIT ?`),
    holding: sql('SELECT 1 FROM holdings WHERE source = ? AND page = ?'),
    isHeld: sql('SELECT 1 FROM holdings WHERE page = ? LIMIT 1'),
    addHolding: sql('INSERT INTO holdings (source, page, due) VALUES (?, ?, ?)'),
    setHoldingsDue: sql('UPDATE holdings SET due = ? WHERE page = ?'),
    deleteHolding: sql('DELETE FROM holdings WHERE source = ? AND page = ?'),
  };
}
