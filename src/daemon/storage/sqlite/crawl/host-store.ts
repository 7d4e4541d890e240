import type { DatabaseSync } from 'node:sqlite';
import { type FailingPage, failingSince, type MovedPage, type HostState, type UnhealthyHost } from '../../frontier.ts';
import { restAfterClock } from '../../frontier-rules.ts';
import { HOST, type HostRow, partitionOf, HOST_CLASS } from './frontier-rows.ts';
import { readAnswers, wholeUrl } from '../../frontier-coding.ts';
import type { TransactionalMaps } from '../worker/transactional-map.ts';
import { type FailingWatchRow, toFailingPage } from '../../watch-rows.ts';

/** As the table of what is boilerplate of a host is called on people's disks. */
export const BOILERPLATE_TABLE = 'furniture';

/** A page by its number, a watch by its id. */
type LeaseOwner = number | string;

/** Who has the host, for which page or watch, and until when at most. */
export interface Lease {
  readonly owner: LeaseOwner;
  /** Never given twice. */
  readonly token: number;
  readonly since: number;
  readonly until: number;
  /** Whether sitemap entries and others both waited: it counts as a turn. */
  readonly isContest: boolean;
}

/**
 * Hosts in SQL, and their leases. `ready` is when a page of the host can be taken: the earliest due time of those that
 * are not parked, and not before it has rested; `watch_ready` is the same of its watches. Each is one indexed number, kept
 * up with whatever it depends on, so that nobody looks at ten million due times.
 *
 * Leases are in memory: whoever has one is a fetch of this process, and ends with it. On the disk they would cost a
 * write for each page that is taken, and every start would have to end them. One ends with the COMMIT of what ends it: a
 * visit that could not be recorded does not leave its host without a lease.
 */
export class HostStore {
  readonly leases: Map<number, Lease>;
  /** That of the last lease. */
  lastToken = 0;
  /** How often a source was resumed: hosts of which nothing could be taken have something again. */
  resumptions = 0;
  readonly #sql: ReturnType<typeof hostStatements>;

  constructor(database: DatabaseSync, maps: TransactionalMaps) {
    this.#sql = hostStatements(database);
    this.leases = maps.map();
  }

  find(name: string): HostRow | undefined {
    return this.#sql.find.get(name) as unknown as HostRow | undefined;
  }

  get(key: number): HostRow | undefined {
    return this.#sql.get.get(key) as unknown as HostRow | undefined;
  }

  add(name: string): HostRow {
    this.#sql.countHosts.run(1);
    return this.#sql.add.get(name, partitionOf(name)) as unknown as HostRow;
  }

  /** To be called when due times or the number of pages or watches of the host have changed. */
  refresh(key: number): void {
    this.#sql.refresh.run(key);
  }

  countPages(key: number, more: number): void {
    this.#sql.countPages.run(more, key);
  }

  countWatches(key: number, more: number): void {
    this.#sql.countWatches.run(more, key);
  }

  countForeign(key: number, day: number, urls: number): void {
    this.#sql.countForeign.run(day, urls, key);
  }

  /**
   * Ends the lease that was given for this page or watch, and keeps what the host can bear. `host`: where the owner is
   * known.
   */
  rest(owner: LeaseOwner, host: number | undefined, state: HostState): void {
    const key = host ?? this.#leasedTo(owner);
    if (key === undefined) return;
    const lease = this.endLease(owner, key);
    const { notBefore, backoff, backoffAt, backoffReason = null, failures, responseMs, day, fetches, bytes } = state;
    const figures = [failures, responseMs, day, fetches, bytes] as const;
    const turns = Number(lease?.isContest === true);
    this.#sql.rest.run(key, notBefore, backoff, backoffAt, backoffReason, ...figures, turns);
  }

  /** The lease, if it was this owner's. */
  endLease(owner: LeaseOwner, key = this.#leasedTo(owner)): Lease | undefined {
    const lease = key === undefined ? undefined : this.leases.get(key);
    if (key === undefined || lease?.owner !== owner) return undefined;
    this.leases.delete(key);
    return lease;
  }

  /** Whether the lease that was given with this token is over, or another one has taken its place. */
  isFenced(token: number | undefined, owner: LeaseOwner, host = this.#leasedTo(owner)): boolean {
    if (token === undefined) return false;
    return host === undefined || this.leases.get(host)?.token !== token;
  }

  isLeasedTo(owner: LeaseOwner): boolean {
    return this.#leasedTo(owner) !== undefined;
  }

  unhealthy(atMost: number): UnhealthyHost[] {
    const rows = this.#sql.unhealthy.all(atMost) as unknown as UnhealthyRow[];
    return rows.map(({ backoffReason, readyAt, ...row }) =>
      Object.assign(row, { backoffReason: backoffReason ?? undefined, readyAt: readyAt ?? undefined }),
    );
  }

  boilerplate(name: string): Uint8Array | undefined {
    const row = this.#sql.boilerplate.get(name) as { readonly seen: Uint8Array } | undefined;
    return row?.seen;
  }

  saveBoilerplate(key: number, seen: Uint8Array): void {
    this.#sql.saveBoilerplate.run(key, seen);
  }

  /** To be called when pages or watches of the host have gone. */
  left(key: number): void {
    this.refresh(key);
    this.#sql.deleteBoilerplate.run(key);
  }

  /**
   * Forgets at most `atMost` hosts without pages and watches; whether there may be more. One that still rests stays: a source
   * that is removed and added again is no way around a Retry-After.
   * @param now absent: the time of the last commit
   */
  forgetEmpty(atMost: number, now = (this.#sql.clock.get() as { clock: number }).clock): boolean {
    const rows = this.#sql.empty.all(now, atMost) as unknown as { key: number }[];
    const idle = rows.filter(({ key }) => (this.leases.get(key)?.until ?? 0) <= now);
    for (const { key } of idle) {
      this.leases.delete(key);
      this.#sql.remove.run(key);
      this.#sql.deletePatterns.run(key);
      this.#sql.countHosts.run(-1);
    }
    return rows.length === atMost && idle.length > 0;
  }

  /** Of hosts whose rest a wrong clock has made too long; in key order. Undefined when there is none left. */
  shortenRests(after: number, now: number, atMost: number): number | undefined {
    const rows = this.#sql.after.all(after, atMost) as unknown as RestRow[];
    for (const row of rows) {
      const notBefore = restAfterClock(row, now);
      if (notBefore !== undefined) this.#sql.setNotBefore.run(notBefore, row.key);
      this.refresh(row.key);
    }
    return rows.at(-1)?.key;
  }

  #leasedTo(owner: LeaseOwner): number | undefined {
    for (const [key, lease] of this.leases) if (lease.owner === owner) return key;
    return undefined;
  }
}

type UnhealthyRow = Omit<UnhealthyHost, 'backoffReason' | 'readyAt'> & {
  readonly backoffReason: string | null;
  readonly readyAt: number | null;
};

type RestRow = Pick<HostState, 'notBefore' | 'backoffAt'> & { readonly key: number };

function hostStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const earliest = [0, 1, 2, 3].map(
    (urgency) => `SELECT min(due) AS due FROM pages WHERE host = ?1 AND urgency = ${urgency}`,
  );
  const ready = (notBefore: string) => `
    ready = (SELECT max(min(due), ${notBefore}) FROM (${earliest.join(' UNION ALL ')})),
    watch_ready = (SELECT max(min(due), ${notBefore}) FROM watch_states WHERE host = ?1 AND parked = 0)`;
  return {
    find: sql(`SELECT ${HOST} FROM hosts WHERE name = ?`),
    get: sql(`SELECT ${HOST} FROM hosts WHERE key = ?`),
    add: sql(`INSERT INTO hosts (name, partition) VALUES (?, ?) RETURNING ${HOST}`),
    remove: sql('DELETE FROM hosts WHERE key = ?'),
    countHosts: sql('UPDATE counters SET hosts = hosts + ?'),
    countPages: sql('UPDATE hosts SET pages = pages + ? WHERE key = ?'),
    countForeign: sql('UPDATE hosts SET foreign_day = ?, foreign_urls = ? WHERE key = ?'),
    countWatches: sql('UPDATE hosts SET watches = watches + ? WHERE key = ?'),
    refresh: sql(`UPDATE hosts SET ${ready('not_before')} WHERE key = ?1`),
    rest: sql(`UPDATE hosts SET not_before = ?2, backoff = ?3, backoff_at = ?4, backoff_reason = ?5, failures = ?6,
      response_ms = ?7, day = ?8, fetches = ?9, bytes = ?10, turn = (turn + ?11) % 10, ${ready('?2')} WHERE key = ?1`),
    setNotBefore: sql('UPDATE hosts SET not_before = ? WHERE key = ?'),
    after: sql(
      'SELECT key, not_before AS notBefore, backoff_at AS backoffAt FROM hosts WHERE key > ? ORDER BY key LIMIT ?',
    ),
    clock: sql('SELECT clock FROM counters'),
    // Those that rest stand at the end of this index, and are not looked at.
    empty: sql(
      `SELECT key FROM hosts WHERE pages = 0 AND watches = 0 AND not_before <= ? ORDER BY not_before LIMIT +?`,
    ),
    // Each by an index: by class those that anything is to be asked of, and those that back off.
    unhealthy: sql(`SELECT name, backoff, backoff_reason AS backoffReason, failures, response_ms AS responseMs,
        min(coalesce(ready, watch_ready), coalesce(watch_ready, ready)) AS readyAt
      FROM hosts WHERE pages + watches > 0 AND key IN (
        SELECT key FROM hosts WHERE ${HOST_CLASS} = 3 AND ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE ${HOST_CLASS} = 2 AND ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE ${HOST_CLASS} = 3 AND watch_ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE ${HOST_CLASS} = 2 AND watch_ready IS NOT NULL UNION
        SELECT key FROM hosts WHERE backoff > 0)
      ORDER BY readyAt IS NULL, readyAt, key LIMIT +?`),
    deletePatterns: sql('DELETE FROM patterns WHERE host = ?'),
    boilerplate: sql('SELECT seen FROM furniture WHERE host = (SELECT key FROM hosts WHERE name = ?)'),
    saveBoilerplate: sql('REPLACE INTO furniture (host, seen) VALUES (?, ?)'),
    deleteBoilerplate: sql(`DELETE FROM furniture WHERE host = ?1
      AND EXISTS (SELECT 1 FROM hosts WHERE key = ?1 AND pages = 0 AND watches = 0)`),
  };
}

/**
 * Pages that the operator or a member named and that cannot be had, although their hosts are not among the unhealthy; and those that
 * are somewhere else now.
 */
export class FailingStore {
  readonly #sql: ReturnType<typeof failingStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = failingStatements(database);
  }

  pages(atMost: number): FailingPage[] {
    const seeds = this.#sql.seeds.all(atMost) as unknown as SeedRow[];
    const watches = this.#sql.watches.all(atMost) as unknown as FailingWatchRow[];
    return [...seeds.map(ofSource), ...watches.map(toFailingPage)].slice(0, atMost);
  }

  moved(atMost: number): MovedPage[] {
    const seeds = this.#sql.moved.all(atMost) as unknown as Omit<SeedRow, 'failures'>[];
    return seeds.flatMap(({ id, host, url, answers }) => {
      const [newest] = readAnswers(answers);
      if (newest?.movedTo === undefined) return [];
      return [{ id, url: wholeUrl(url, host), movedTo: newest.movedTo, at: newest.at }];
    });
  }
}

interface SeedRow {
  readonly id: string;
  readonly host: string;
  readonly url: string;
  readonly failures: number;
  readonly answers: string;
}

function ofSource({ id, host, url, failures, answers }: SeedRow): FailingPage {
  const known = readAnswers(answers);
  const { at = 0, reason = 'failed', status, detail } = known[0] ?? {};
  const since = failingSince(known, failures);
  return { kind: 'source', id, url: wholeUrl(url, host), reason, status, detail, failures, at, since };
}

function failingStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const seedsOf = (
    pages: string,
    which: string,
  ) => `SELECT sources.key AS place, sources.id, hosts.name AS host, pages.url,
      visited.failures, visited.answers
    FROM sources CROSS JOIN ${pages} CROSS JOIN visited ON visited.page = pages.key CROSS JOIN hosts ON hosts.key = pages.host
    WHERE sources.id IS NOT NULL AND sources.is_paused = 0 AND ${which}`;
  // By the indexes of seeds: a look or two for each source, whatever it holds.
  const seeds = (which: string) =>
    sql(`SELECT id, host, url, failures, answers FROM (
        ${seedsOf('pages ON pages.source = sources.key AND pages.depth = 0', which)} UNION ALL
        ${seedsOf(
          `holdings ON holdings.source = sources.key AND holdings.depth = 0
          CROSS JOIN pages ON pages.key = holdings.page`,
          which,
        )})
      ORDER BY place LIMIT ?`);
  return {
    seeds: seeds('visited.failures > 0'),
    // In what is written of the newest visit no blank is left but those between its parts; a sentence may follow the last.
    moved: seeds(`visited.failures = 0 AND visited.answers LIKE '% >%'`),
    watches: sql(`SELECT watches.id, watches.target AS url, watch_states.failures, watch_states.checked_at AS at,
        watch_states.failing_since AS since, failure.reason, failure.detail, failure.status
      FROM watch_states INDEXED BY watch_states_failing CROSS JOIN watches ON watches.key = watch_states.watch
        LEFT JOIN watch_checks AS newest ON newest.watch = watch_states.watch AND newest.n = watch_states.checks
        LEFT JOIN watch_failures AS failure ON failure.key = newest.more
      WHERE watch_states.failures > 0 AND watch_states.parked = 0 AND watches.id IS NOT NULL
      ORDER BY watch_states.watch LIMIT ?`),
  };
}
