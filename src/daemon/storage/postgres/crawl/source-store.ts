import type { FrontierSource, LastVisit, SourceSummary } from '../../frontier.ts';
import { answersAfter } from '../../frontier-rules.ts';
import type { Visit } from '../../pages.ts';
import { columnsOf, storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import type { TermsRow } from './rows.ts';

/** What a change of terms still has to bring to the pages of the source: bits of `sources.todo`. */
export const TODO = { settle: 1, bringForward: 2, readShared: 4, readAll: 8 } as const;

/** A source that this transaction has locked: nobody else adds to its pages, or lets go of any. */
export interface SourceRow extends TermsRow {
  readonly maxPages: number;
  readonly todo: number;
  /** Raised by each change of its terms. */
  readonly version: number;
  /** All that it holds, and how many of them take no place (`Places`). */
  pages: number;
  apart: number;
  /** When it first had no room and nothing to let go of; null, not yet. */
  fullAt: number | null;
  /** Days since 1970 (UTC), and the pages let go on that day. */
  leftDay: number;
  leftPages: number;
  tombstones: number;
}

const SOURCE = `sources.key, sources.id, sources.every_ms AS "everyMs", sources.is_paused AS "isPaused",
  sources.max_pages AS "maxPages", sources.todo, sources.version, sources.pages, sources.full_at AS "fullAt", sources.left_day AS "leftDay",
  sources.left_pages AS "leftPages", sources.tombstones,
  sources.apart + (SELECT coalesce(sum(apart), 0)::integer FROM source_counts WHERE source = sources.key) AS apart`;

/** Sources in SQL. Their terms and pages are of one row each, their visits counted a row a node. */
export class SourceStore {
  readonly #node: string;

  constructor(node: string) {
    this.#node = node;
  }

  /** In the order of their keys, before any host. */
  async lock(transaction: Transaction, ids: readonly string[]): Promise<Map<string, SourceRow>> {
    const rows = await transaction.query<SourceRow>(
      `SELECT ${SOURCE} FROM sources WHERE id = ANY ($1::text[]) ORDER BY key FOR NO KEY UPDATE OF sources`,
      [[...new Set(ids)]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async find(from: Queryable, id: string): Promise<SourceRow | undefined> {
    const [row] = await from.query<SourceRow>(`SELECT ${SOURCE} FROM sources WHERE id = $1`, [id]);
    return row;
  }

  /** The source with its new terms; `todo` tells whether its pages have to be gone through. */
  async put(transaction: Transaction, given: FrontierSource): Promise<SourceRow> {
    const { id, everyMs = 0, maxPages, isPaused } = given;
    const known = (await this.lock(transaction, [id])).get(id);
    const todo = known ? changeOf(known, given) : 0;
    await transaction.query(
      `INSERT INTO sources AS known (id, every_ms, max_pages, is_paused, todo) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO UPDATE SET every_ms = excluded.every_ms,
        full_at = CASE WHEN excluded.max_pages > known.max_pages THEN NULL ELSE known.full_at END,
        max_pages = excluded.max_pages, is_paused = excluded.is_paused, todo = known.todo | excluded.todo,
        version = known.version + 1`,
      [id, everyMs, maxPages, isPaused, todo],
    );
    const row = await this.find(transaction, id);
    if (!row) throw new Error(`source ${id} was not written`);
    return row;
  }

  /** Of locked sources: what has changed of their pages. */
  async save(transaction: Transaction, changes: readonly SourceChange[]): Promise<void> {
    if (changes.length === 0) return;
    await transaction.query(
      `UPDATE sources SET pages = sources.pages + changed.pages, apart = sources.apart + changed.apart,
        full_at = changed.full_at, left_day = changed.left_day, left_pages = changed.left_pages,
        tombstones = changed.tombstones
      FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bigint[], $5::integer[], $6::integer[], $7::integer[])
        AS changed (key, pages, apart, full_at, left_day, left_pages, tombstones)
      WHERE sources.key = changed.key`,
      columnsOf(
        changes,
        ({ row }) => row.key,
        ({ pages }) => pages,
        ({ apart }) => apart,
        ({ row }) => row.fullAt,
        ({ row }) => row.leftDay,
        ({ row }) => row.leftPages,
        ({ row }) => row.tombstones,
      ),
    );
  }

  /** Adds what a group of visits has counted. */
  async count(transaction: Transaction, counts: ReadonlyMap<number, SourceCounts>): Promise<void> {
    if (counts.size === 0) return;
    const rows = [...counts].toSorted(([one], [other]) => one - other);
    await transaction.query(
      `INSERT INTO source_counts AS sums (source, node, apart, visits, last_at, last_url, last_outcome, last_reason,
        last_detail, last_status)
      SELECT source, $1, apart, visits, last_at, last_url, last_outcome, last_reason, last_detail, last_status
      FROM unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::integer[]) AS more (source, apart, visits, last_at, last_url, last_outcome, last_reason, last_detail, last_status)
      ON CONFLICT (source, node) DO UPDATE SET apart = sums.apart + excluded.apart, visits = sums.visits + excluded.visits,
        ${['at', 'url', 'outcome', 'reason', 'detail', 'status']
          .map((name) => `last_${name} = CASE WHEN ${IS_NEWER} THEN excluded.last_${name} ELSE sums.last_${name} END`)
          .join(', ')}`,
      [
        this.#node,
        ...columnsOf(
          rows,
          ([source]) => source,
          ([, { apart }]) => apart,
          ([, { visits }]) => visits,
          ([, { last }]) => last?.at ?? 0,
          ([, { last }]) => storable(last?.url ?? null),
          ([, { last }]) => last?.outcome ?? null,
          ([, { last }]) => storable(last?.reason ?? null),
          ([, { last }]) => storable(last?.detail ?? null),
          ([, { last }]) => last?.status ?? null,
        ),
      ],
    );
  }

  /** From now on nobody finds the source; its pages are left to `sweeping`. */
  async forget(from: Queryable, id: string): Promise<void> {
    await from.query('UPDATE sources SET id = NULL WHERE id = $1', [id]);
  }

  /** The oldest that was forgotten and that nobody else is sweeping at this moment. */
  async lockForgotten(transaction: Transaction): Promise<number | undefined> {
    const [row] = await transaction.query<{ key: number }>(
      'SELECT key FROM sources WHERE id IS NULL ORDER BY key LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    return row?.key;
  }

  /** Sources with terms that their pages do not have yet: what a process began and could not finish. */
  async unfinished(from: Queryable): Promise<string[]> {
    const rows = await from.query<{ id: string }>('SELECT id FROM sources WHERE todo <> 0 AND id IS NOT NULL');
    return rows.map(({ id }) => id);
  }

  /** Its pages have these terms, unless there are newer ones by now. */
  async done(from: Queryable, { key, version }: Pick<SourceRow, 'key' | 'version'>): Promise<void> {
    await from.query('UPDATE sources SET todo = 0 WHERE key = $1 AND version = $2', [key, version]);
  }

  async remove(transaction: Transaction, key: number): Promise<void> {
    await transaction.query('DELETE FROM source_counts WHERE source = $1', [key]);
    await transaction.query('DELETE FROM sources WHERE key = $1', [key]);
  }

  /** After a clock was ahead: nothing has happened later than now. */
  async bringForward(transaction: Transaction, now: number): Promise<void> {
    await transaction.query('UPDATE sources SET full_at = $1 WHERE full_at > $1', [now]);
    await transaction.query('UPDATE source_counts SET last_at = $1 WHERE last_at > $1', [now]);
    await transaction.query('UPDATE retired SET at = $1 WHERE at > $1', [now]);
  }

  /**
   * The next pages of a source, each once: first those that it was the first to hold, then the others. None: it has no more. The
   * walk is where it was until whoever walks says that these are done.
   */
  async pages(from: Queryable, key: number, walk: Walk, atMost: number): Promise<{ pages: PagePlace[]; walk: Walk }> {
    const pages = await from.query<PagePlace>(walk.isShared ? SHARED_PAGES : OWN_PAGES, [key, walk.after, atMost]);
    const last = pages.at(-1);
    if (last) return { pages, walk: { ...walk, after: last.key } };
    return walk.isShared ? { pages, walk } : this.pages(from, key, { isShared: true, after: 0 }, atMost);
  }

  async summaries(from: Queryable): Promise<SourceSummary[]> {
    const rows = await from.query<SummaryRow>(SUMMARIES);
    return rows.map(({ id, pages, visits, nextDue, ...last }) => {
      return { id, pages, visits, nextDue: nextDue ?? undefined, last: lastVisit(last) };
    });
  }
}

/** Where a walk over the pages of a source is. */
export interface Walk {
  readonly isShared: boolean;
  readonly after: number;
}

export const BEGINNING: Walk = { isShared: false, after: 0 };

export interface PagePlace {
  readonly key: number;
  readonly host: number;
}

const OWN_PAGES = 'SELECT key, host FROM pages WHERE source = $1 AND key > $2 ORDER BY key LIMIT $3';
const SHARED_PAGES = `SELECT pages.key, pages.host FROM holdings JOIN pages ON pages.key = holdings.page
  WHERE holdings.source = $1 AND holdings.page > $2 ORDER BY holdings.page LIMIT $3`;

/** More pages of a locked source, and more of them apart; less where below zero. The rest is as its row has it now. */
export interface SourceChange {
  readonly row: SourceRow;
  readonly pages: number;
  readonly apart: number;
}

export interface SourceCounts {
  apart: number;
  visits: number;
  last: LastVisit | undefined;
}

/** Counts a visit for a source. */
export function countVisit(counts: Map<number, SourceCounts>, key: number, url: string, visit: Visit): void {
  const sums = countsOf(counts, key);
  sums.visits += 1;
  const [newest] = answersAfter([], visit);
  if (newest && (!sums.last || sums.last.at <= newest.at)) sums.last = { ...newest, url };
}

export function countsOf(counts: Map<number, SourceCounts>, key: number): SourceCounts {
  const sums = counts.get(key) ?? { apart: 0, visits: 0, last: undefined };
  counts.set(key, sums);
  return sums;
}

const IS_NEWER = 'excluded.last_url IS NOT NULL AND excluded.last_at >= sums.last_at';

function changeOf(before: SourceRow, { everyMs = 0, isPaused, isWider }: FrontierSource): number {
  const isShorter = everyMs > 0 && (before.everyMs === 0 || everyMs < before.everyMs);
  const settle = before.isPaused === isPaused ? 0 : TODO.settle;
  // While it was paused, the others' visits did not look for its links.
  const readAgain = (before.isPaused && !isPaused ? TODO.readShared : 0) | (isWider === true ? TODO.readAll : 0);
  return settle | (isShorter ? TODO.bringForward : 0) | readAgain;
}

type LastRow = { readonly [Key in Exclude<keyof LastVisit, 'movedTo'>]-?: Exclude<LastVisit[Key], undefined> | null };
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

const SUMMARIES = `SELECT sources.id, sources.pages - least(sources.apart + sums.apart, sources.max_pages) AS pages, sums.visits,
    last.last_at AS at, last.last_url AS url, last.last_outcome AS outcome, last.last_reason AS reason,
    last.last_detail AS detail, last.last_status AS status,
    (SELECT min(due) FROM (
      (SELECT due FROM pages WHERE source = sources.key AND depth = 0 ORDER BY due LIMIT 1) UNION ALL
      (SELECT min(pages.due) FROM holdings JOIN pages ON pages.key = holdings.page
        WHERE holdings.source = sources.key AND holdings.depth = 0)) AS seeds) AS "nextDue"
  FROM sources
    CROSS JOIN LATERAL (SELECT coalesce(sum(apart), 0)::integer AS apart, coalesce(sum(visits), 0) AS visits
      FROM source_counts WHERE source = sources.key) AS sums
    LEFT JOIN LATERAL (SELECT * FROM source_counts WHERE source = sources.key AND last_url IS NOT NULL
      ORDER BY last_at DESC LIMIT 1) AS last ON true
  WHERE sources.id IS NOT NULL ORDER BY sources.key`;
