import {
  type Discovered,
  type DuePage,
  type FailingPage,
  failingSince,
  type Frontier,
  type FrontierSource,
  type FrontierTotals,
  type HostState,
  type Identity,
  type Lead,
  type MovedPage,
  type PageReport,
  type SourceSummary,
  type Taken,
  type TakeQuestion,
  type UnhealthyHost,
  URGENT,
} from '../../frontier.ts';
import { readAnswers, wholeUrl } from '../../frontier-coding.ts';
import { CLOCK_SLACK_MS, dueFrom, LONGEST_INTERVAL_MS, restAfterClock } from '../../frontier-rules.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import type { Admission, AdmissionStore } from './admission.ts';
import { duePage, mostUrgent, shortest } from './due-pages.ts';
import { flush } from './flush.ts';
import { HostQueue } from './host-queue.ts';
import { type HostStore, isFenced } from './host-store.ts';
import type { PagePlace, SourceStore } from './source-store.ts';
import { lockedPages, type SourceWalks, visitedNow } from './source-walks.ts';
import { WorkingSet } from './working-set.ts';

interface Parts {
  readonly database: Database;
  readonly node: string;
  readonly admission: AdmissionStore;
  readonly hosts: HostStore;
  readonly sources: SourceStore;
  readonly walks: SourceWalks;
  readonly failingWatches: (from: Queryable, atMost: number) => Promise<readonly FailingPage[]>;
}

const ROWS_AT_ONCE = 200;
const MOST_AHEAD = 1_000;

/** The frontier in PostgreSQL. A page is found by its host and 52 bits of its identity, what is due by its host. */
export class FrontierStore implements Frontier {
  readonly #parts: Parts;
  readonly #database: Database;
  readonly #queue: HostQueue;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#database = parts.database;
    this.#queue = new HostQueue(parts.database, 'ready');
  }

  /** The terms and the first seeds together, then whatever the terms mean for pages that are there. */
  async putSource(source: FrontierSource, seeds: readonly Lead[], at: number): Promise<void> {
    const { admission, sources, walks } = this.#parts;
    await this.#database.transaction((transaction) => sources.put(transaction, source));
    await this.#admit([{ sourceId: source.id, leads: seeds, at, isSeed: true }], admission);
    await walks.settle(source.id);
  }

  async removeSource(sourceId: string): Promise<void> {
    await this.#parts.sources.forget(this.#database, sourceId);
    await this.#parts.walks.sweep();
  }

  sources(): Promise<SourceSummary[]> {
    return this.#parts.sources.summaries(this.#database);
  }

  /** The host first, then its most urgent page, each by an index. */
  async take(question: TakeQuestion): Promise<Taken> {
    const { taken, nextAt } = await this.#queue.take<DuePage>(question, (transaction, hosts) =>
      mostUrgent(transaction, hosts, question.now),
    );
    const [row] = await this.#database.query<{ pull: number | null }>('SELECT sum(pull) AS pull FROM crawl_counters');
    return { pages: taken, nextAt, pull: row?.pull ?? 0 };
  }

  async release(pageId: number, state: HostState, lease?: number): Promise<void> {
    const { hosts, node } = this.#parts;
    await this.#database.transaction(async (transaction) => {
      const [page] = await transaction.query<PagePlace>('SELECT key, host FROM pages WHERE key = $1', [pageId]);
      const key = page?.host ?? (await hosts.leasedFor(transaction, pageId));
      if (key === undefined) return;
      const set = new WorkingSet();
      await set.lockHosts(transaction, [key]);
      const host = set.hosts.get(key);
      const lessee = { owner: pageId, token: lease };
      if (!host || isFenced(host, lessee)) return;
      hosts.rest(set, host, lessee, state);
      await flush(transaction, set, { node });
    });
  }

  async offer(found: readonly Discovered[], at: number): Promise<number> {
    const admissions = found.map(({ sourceId, leads }) => ({ sourceId, leads, at }));
    return this.#admit(admissions, this.#parts.admission);
  }

  async prioritize(identity: Identity, at: number): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const place = await find(transaction, identity);
      if (!place) return false;
      const set = await lockedPages(transaction, [place]);
      const page = set.pages.get(place.key);
      if (!page || set.holders(page).length === 0) return false;
      const urgency = page.urgency < 0 ? ~URGENT.asked : URGENT.asked;
      set.changePage(page, { due: Math.min(page.due, at), urgency });
      await flush(transaction, set, this.#parts);
      return true;
    });
  }

  async look(identity: Identity): Promise<PageReport | undefined> {
    const place = await find(this.#database, identity);
    if (!place) return undefined;
    const set = new WorkingSet();
    await set.loadPages(this.#database, [place.key]);
    await set.loadHosts(this.#database, [place.host]);
    const [page, host] = [set.pages.get(place.key), set.hosts.get(place.host)];
    const held = page ? set.holders(page) : [];
    if (!page || !host || held.length === 0) return undefined;
    const { answers = '', aliasOf = null, copyOf = null } = set.visited.get(page.key) ?? {};
    return {
      page: duePage(set, page, host),
      answers: readAnswers(answers),
      pausedSourceIds: held.filter((holder) => holder.isPaused).map(({ id }) => id),
      isHostLeased: host.leaseOwner !== null,
      ahead: page.urgency < 0 ? 0 : await this.#ahead([page.host, page.urgency, page.due, page.key]),
      sameAs: (await this.#urlOf(aliasOf)) ?? (await this.#urlOf(copyOf)),
    };
  }

  async bringForward(now: number): Promise<number> {
    const { hosts, sources } = this.#parts;
    if (now >= (await hosts.clock(this.#database)) - CLOCK_SLACK_MS) return 0;
    await this.#inSteps((transaction, after) => this.#shortenRests(transaction, after, now));
    let brought = 0;
    await this.#inSteps(async (transaction, after) => {
      const { last, late } = await this.#bringSomeForward(transaction, after, now);
      return { last, done: () => (brought += late) };
    });
    await this.#database.transaction(async (transaction) => {
      await sources.bringForward(transaction, now);
      await transaction.query('UPDATE crawl_counters SET clock = $1 WHERE clock > $1', [now]);
    });
    return brought;
  }

  async tidy(now: number): Promise<void> {
    await this.#parts.walks.finish();
    await this.#parts.walks.forgetEmpty(now);
  }

  async frontierTotals(now: number): Promise<FrontierTotals> {
    const [row] = await this.#database.query<TotalsRow>(TOTALS);
    const { maxPages = 0, hostBudget = 0, patternBudget = 0, oldestLease = null, ...counts } = row ?? NO_TOTALS;
    return {
      ...counts,
      oldestLease: oldestLease ?? undefined,
      oldestDue: await this.#queue.longestWait(now),
      dropped: { maxPages, hostBudget, patternBudget },
    };
  }

  unhealthyHosts(atMost: number): Promise<readonly UnhealthyHost[]> {
    return this.#parts.hosts.unhealthy(this.#database, atMost);
  }

  async failingPages(atMost: number): Promise<readonly FailingPage[]> {
    const seeds = await this.#database.query<SeedRow>(seedsThat('visited.failures > 0'), [atMost]);
    const watches = await this.#parts.failingWatches(this.#database, atMost);
    return [...seeds.map(failingSeed), ...watches].slice(0, atMost);
  }

  /** In what is written of the newest visit no blank is left but those between its parts; a sentence may follow the last. */
  async movedPages(atMost: number): Promise<readonly MovedPage[]> {
    const seeds = await this.#database.query<SeedRow>(
      seedsThat(`visited.failures = 0 AND visited.answers LIKE '% >%'`),
      [atMost],
    );
    return seeds.flatMap(({ id, host, url, answers }) => {
      const [newest] = readAnswers(answers);
      if (newest?.movedTo === undefined) return [];
      return [{ id, url: wholeUrl(url, host), movedTo: newest.movedTo, at: newest.at }];
    });
  }

  async #admit(found: readonly Admission[], admission: AdmissionStore): Promise<number> {
    let taken = 0;
    for (const portion of await admission.pending(this.#database, found)) {
      taken += await this.#database.transaction((transaction) => admission.take(transaction, portion));
    }
    return taken;
  }

  /** Transactions over keys in their order, until there are no more. */
  async #inSteps(
    step: (transaction: Transaction, after: number) => Promise<{ last: number | undefined; done?: () => void }>,
  ): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const { last, done } = await this.#database.transaction((transaction) => step(transaction, from));
      done?.();
      after = last;
    }
  }

  async #shortenRests(transaction: Transaction, after: number, now: number): Promise<{ last: number | undefined }> {
    const rows = await transaction.query<{ key: number }>(
      'SELECT key FROM hosts WHERE key > $1 ORDER BY key LIMIT $2',
      [after, ROWS_AT_ONCE],
    );
    const set = new WorkingSet();
    await set.lockHosts(
      transaction,
      rows.map(({ key }) => key),
    );
    for (const host of set.hosts.values()) {
      set.changeHost(host.key, { notBefore: restAfterClock(host, now) ?? host.notBefore });
    }
    await flush(transaction, set, this.#parts);
    return { last: rows.at(-1)?.key };
  }

  async #bringSomeForward(
    transaction: Transaction,
    after: number,
    now: number,
  ): Promise<{ last: number | undefined; late: number }> {
    const rows = await transaction.query<PagePlace>(
      'SELECT key, host FROM pages WHERE key > $1 ORDER BY key LIMIT $2',
      [after, ROWS_AT_ONCE],
    );
    const set = await lockedPages(transaction, rows);
    const pages = [...set.pages.values()];
    const late = pages.filter((page) => {
      const active = set.holders(page).filter((holder) => !holder.isPaused);
      return page.due > now + (shortest(active) ?? LONGEST_INTERVAL_MS);
    });
    const ahead = pages.filter(({ key }) => (set.visited.get(key)?.visitedAt ?? now) > now);
    for (const page of ahead) {
      set.changePage(page, { due: dueFrom(now, page.due, set.visited.get(page.key)?.visitedAt) });
    }
    for (const page of late) set.changePage(page, { due: now });
    await visitedNow(
      transaction,
      ahead.map(({ key }) => key),
      now,
    );
    await flush(transaction, set, this.#parts);
    return { last: rows.at(-1)?.key, late: late.length };
  }

  async #ahead(place: readonly number[]): Promise<number> {
    const [row] = await this.#database.query<{ pages: number }>(AHEAD, [...place, MOST_AHEAD]);
    return row?.pages ?? 0;
  }

  async #urlOf(key: number | null): Promise<string | undefined> {
    if (key === null) return undefined;
    const [row] = await this.#database.query<{ url: string; host: string }>(
      'SELECT pages.url, hosts.name AS host FROM pages JOIN hosts ON hosts.key = pages.host WHERE pages.key = $1',
      [key],
    );
    return row && wholeUrl(row.url, row.host);
  }
}

async function find(from: Queryable, { host, hash }: Identity): Promise<PagePlace | undefined> {
  const [row] = await from.query<PagePlace>(
    `SELECT pages.key, pages.host FROM hosts JOIN pages ON pages.host = hosts.key AND pages.hash = $2
    WHERE hosts.name = $1`,
    [host, hash],
  );
  return row;
}

interface SeedRow {
  readonly id: string;
  readonly host: string;
  readonly url: string;
  readonly failures: number;
  readonly answers: string;
}

function failingSeed({ id, host, url, failures, answers }: SeedRow): FailingPage {
  const known = readAnswers(answers);
  const { at = 0, reason = 'failed', status, detail } = known[0] ?? {};
  const since = failingSince(known, failures);
  return { kind: 'source', id, url: wholeUrl(url, host), reason, status, detail, failures, at, since };
}

/** By the indexes of seeds: a look or two for each source, whatever it holds. */
function seedsThat(which: string): string {
  const seeds = (
    pages: string,
  ) => `SELECT sources.key AS place, sources.id, hosts.name AS host, pages.url, visited.failures,
      visited.answers
    FROM sources JOIN ${pages} JOIN visited ON visited.page = pages.key JOIN hosts ON hosts.key = pages.host
    WHERE sources.id IS NOT NULL AND NOT sources.is_paused AND ${which}`;
  return `SELECT id, host, url, failures, answers FROM (
      ${seeds('pages ON pages.source = sources.key AND pages.depth = 0')} UNION ALL
      ${seeds(`holdings ON holdings.source = sources.key AND holdings.depth = 0 JOIN pages ON pages.key = holdings.page`)}
    ) AS seeds ORDER BY place LIMIT $1`;
}

type TotalsRow = Omit<FrontierTotals, 'dropped' | 'oldestDue' | 'oldestLease'> &
  FrontierTotals['dropped'] & { readonly oldestLease: number | null };

const NO_TOTALS: Partial<TotalsRow> & Omit<FrontierTotals, 'dropped' | 'oldestDue' | 'oldestLease'> = {
  pages: 0,
  unvisited: 0,
  visits: 0,
  changes: 0,
  failures: 0,
  hosts: 0,
  hostsBackingOff: 0,
  hostsLeased: 0,
};

const TOTALS = `SELECT leased.*, (SELECT count(*) FROM hosts WHERE backoff > 0) AS "hostsBackingOff", sums.*
  FROM (SELECT count(*) AS "hostsLeased", min(lease_since) AS "oldestLease" FROM hosts WHERE lease_owner IS NOT NULL) AS leased,
    (SELECT ${[
      ['pages', 'pages'],
      ['unvisited', 'unvisited'],
      ['visits', 'visits'],
      ['changes', 'changes'],
      ['failures', 'failures'],
      ['hosts', 'hosts'],
      ['dropped_max_pages', '"maxPages"'],
      ['dropped_host', '"hostBudget"'],
      ['dropped_pattern', '"patternBudget"'],
    ]
      .map(([column, name]) => `coalesce(sum(${column}), 0) AS ${name}`)
      .join(', ')} FROM crawl_counters) AS sums`;

const AHEAD = `SELECT count(*) AS pages FROM (SELECT 1 FROM pages WHERE host = $1 AND urgency >= $2
  AND (urgency > $2 OR due < $3 OR (due = $3 AND key < $4)) LIMIT $5::integer) AS before`;
