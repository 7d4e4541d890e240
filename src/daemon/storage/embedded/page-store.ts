import type { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AppendedEvent } from '../event-log.ts';
import type { LastVisit, PageTotals, SourceSummary, StoredVersion, Visit } from '../pages.ts';
import type { FrontierStore, PageRow } from './frontier-store.ts';
import type { GraphStore } from './graph-store.ts';
import type { LogStore } from './log-store.ts';

/** Visits in SQL: what one of them brings is written here, all of it within the transaction of its group. */
export class PageStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #frontier: FrontierStore;
  readonly #graph: GraphStore;
  readonly #log: LogStore;

  constructor(database: DatabaseSync, stores: { frontier: FrontierStore; graph: GraphStore; log: LogStore }) {
    this.#sql = prepare(database);
    this.#frontier = stores.frontier;
    this.#graph = stores.graph;
    this.#log = stores.log;
  }

  /** A page whose source was removed while it was being fetched: nothing is written, nobody is told. */
  commit(visit: Visit): AppendedEvent[] {
    const page = this.#frontier.page(visit.pageId);
    if (!page) return [];
    this.#sql.record.run(visit.outcome, visit.bodyHash ?? null, visit.doubtedAt ?? null, page.key);
    if (visit.furniture) this.#sql.saveFurniture.run(page.host, visit.furniture);
    if (visit.version) this.#saveVersion(page.key, visit.version);
    if (visit.linksTo) this.#graph.link(page.key, visit.linksTo);
    this.#count(page, visit);
    const isForAll = !this.#frontier.hasNewcomer(page, visit.sourceIds);
    if (!isForAll) this.#frontier.forgetHash(page);
    this.#frontier.setDue(page, isForAll ? visit.nextDue : visit.at);
    for (const found of visit.discovered) this.#frontier.discover(found, visit.at);
    return this.#log.append(visit.events, visit.at);
  }

  version(pageId: number): StoredVersion | undefined {
    const row = this.#sql.version.get(pageId) as unknown as VersionRow | undefined;
    if (!row) return undefined;
    const { url, contentType, extractor, at, history } = row;
    const page = zstdDecompressSync(row.text).toString();
    return { url, contentType, extractor, at, page, history, body: new Uint8Array(zstdDecompressSync(row.body)) };
  }

  furniture(host: string): Uint8Array | undefined {
    const row = this.#sql.furniture.get(host) as { readonly seen: Uint8Array } | undefined;
    return row?.seen;
  }

  summaries(): SourceSummary[] {
    const rows = this.#sql.summaries.all() as unknown as SummaryRow[];
    return rows.map(({ id, pages, visits, nextDue, ...last }) => {
      return { id, pages, visits, nextDue: nextDue ?? undefined, last: lastVisit(last) };
    });
  }

  totals(now: number): PageTotals {
    const { oldestDue, ...counts } = this.#sql.totals.get(now) as unknown as TotalsRow;
    return { ...counts, oldestDue: oldestDue ?? undefined };
  }

  #saveVersion(page: number, version: StoredVersion): void {
    const { url, contentType, extractor, at, history } = version;
    const [text, body] = [compress(Buffer.from(version.page)), compress(version.body)];
    this.#sql.saveVersion.run(page, url, contentType, extractor, at, history, text, body);
  }

  #count(page: PageRow, { at, outcome, reason, detail }: Visit): void {
    this.#sql.countVisit.run(Number(outcome === 'changed'), Number(outcome === 'failed'));
    this.#sql.countForSources.run(page.key);
    this.#sql.setLast.run(at, page.url, outcome, reason ?? null, detail ?? null, page.key, at);
  }
}

type LastRow = { readonly [Key in keyof LastVisit]-?: Exclude<LastVisit[Key], undefined> | null };
type SummaryRow = LastRow & {
  readonly id: string;
  readonly pages: number;
  readonly visits: number;
  readonly nextDue: number | null;
};
type VersionRow = Omit<StoredVersion, 'page'> & { readonly text: Uint8Array };
type TotalsRow = Omit<PageTotals, 'oldestDue'> & { readonly oldestDue: number | null };

function lastVisit({ url, at, outcome, reason, detail }: LastRow): LastVisit | undefined {
  if (url === null || at === null || outcome === null) return undefined;
  return { url, at, outcome, ...(reason !== null && { reason }), ...(detail !== null && { detail }) };
}

/** zstd at its default level: the ratio of gzip at about four times the speed (measured on page texts). */
function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    record: sql(`UPDATE pages SET failures = iif(?1 = 'failed', failures + 1, 0), body_hash = coalesce(?2, body_hash),
      doubted_at = ?3 WHERE key = ?4`),
    version: sql(`SELECT url, content_type AS contentType, extractor, at, history, text, body
      FROM versions WHERE page = ?`),
    furniture: sql('SELECT seen FROM furniture WHERE host = (SELECT key FROM hosts WHERE name = ?)'),
    saveFurniture: sql('REPLACE INTO furniture (host, seen) VALUES (?, ?)'),
    saveVersion: sql(
      'REPLACE INTO versions (page, url, content_type, extractor, at, history, text, body) VALUES (?,?,?,?,?,?,?,?)',
    ),
    countVisit: sql('UPDATE counters SET visits = visits + 1, changes = changes + ?, failures = failures + ?'),
    countForSources: sql(`UPDATE sources SET visits = visits + 1
      WHERE key IN (SELECT source FROM holdings WHERE page = ?)`),
    setLast: sql(`UPDATE sources SET last_at = ?1, last_url = ?2, last_outcome = ?3, last_reason = ?4, last_detail = ?5
      WHERE key IN (SELECT source FROM holdings WHERE page = ?6) AND coalesce(last_at, ?7) <= ?7`),
    summaries: sql(`SELECT id, pages, visits, last_at AS at, last_url AS url, last_outcome AS outcome,
        last_reason AS reason, last_detail AS detail,
        (SELECT min(due) FROM holdings WHERE source = sources.key) AS nextDue
      FROM sources WHERE id IS NOT NULL ORDER BY key`),
    totals: sql(`SELECT (SELECT count(*) FROM pages) AS pages, visits, changes, failures,
        (SELECT min(due) FROM pages WHERE due <= ?) AS oldestDue
      FROM counters`),
  };
}
