import type { Queryable, Transaction } from '../connection/database.ts';
import { FLAG, urgencyOf } from '../../frontier-coding.ts';
import { bandsOf } from '../../frontier-rules.ts';
import type { PackedVersion } from '../../pages.ts';
import type { Trust } from '../../frontier.ts';
import {
  type HolderRow,
  type Holding,
  HOST,
  type HostRow,
  PAGE,
  type PageRow,
  TERMS,
  type TermsRow,
  VISITED,
  type VisitedRow,
} from './rows.ts';

/** Counters that a transaction adds to: the row of its node has the sums. */
export interface Counts {
  visits: number;
  changes: number;
  failures: number;
  pages: number;
  unvisited: number;
  hosts: number;
  pull: number;
  clock: number;
  maxPages: number;
  hostBudget: number;
  patternBudget: number;
}

export interface PatternChange {
  readonly host: number;
  readonly bucket: number;
  pages: number;
  fruitful: number;
}

/** A part of the simhash of a page: what near ones are found by. */
export interface Band {
  readonly site: number;
  readonly band: number;
  readonly page: number;
}

/**
 * The rows of the frontier that one transaction is about, as it finds and leaves them: loaded by a few statements, changed in
 * memory one decision after another, so that the second visit of a group sees what the first has done, and written by a few
 * statements (`flush.ts`). What is changed here belongs to hosts that the transaction has locked.
 */
export class WorkingSet {
  readonly hosts = new Map<number, HostRow>();
  readonly pages = new Map<number, PageRow>();
  readonly visited = new Map<number, VisitedRow>();
  /** Of shared pages all holders but the first. */
  readonly holdings = new Map<number, Holding[]>();
  readonly terms = new Map<number, TermsRow>();
  /** When the last version of a page was made. */
  readonly versionsAt = new Map<number, number>();
  readonly counts: Counts = {
    visits: 0,
    changes: 0,
    failures: 0,
    pages: 0,
    unvisited: 0,
    hosts: 0,
    pull: 0,
    clock: 0,
    maxPages: 0,
    hostBudget: 0,
    patternBudget: 0,
  };

  readonly changedHosts = new Set<HostRow>();
  readonly newHosts = new Set<HostRow>();
  /** Their boilerplate goes where neither pages nor watches are left. */
  readonly leftHosts = new Set<number>();
  readonly changedPages = new Set<PageRow>();
  readonly newPages = new Set<PageRow>();
  readonly removedPages = new Set<PageRow>();
  readonly savedVisits = new Set<VisitedRow>();
  /** The next visit reads them whatever their bytes are. */
  readonly forgottenBodies = new Set<number>();
  /** By page: the sitemap. */
  readonly hints = new Map<number, number>();
  /** Sitemaps whose word was checked. */
  readonly judged = new Set<VisitedRow>();
  /** Of pages that others' visits have made, or no longer make, a copy. */
  readonly recopied = new Set<VisitedRow>();
  readonly newHoldings = new Set<Holding>();
  readonly changedHoldings = new Set<Holding>();
  readonly removedHoldings = new Set<Holding>();
  readonly patterns = new Map<string, PatternChange>();
  readonly newVersions = new Map<number, PackedVersion>();
  readonly newBoilerplate = new Map<number, Uint8Array>();
  readonly newBands = new Set<Band>();
  readonly removedBands = new Set<Band>();
  readonly #byIdentity = new Map<string, PageRow>();
  /** They are still in the database until this is written. */
  readonly #removed = new Set<number>();

  /** Locks hosts, in the order of their keys, and loads what they are now. */
  async lockHosts(transaction: Transaction, keys: Iterable<number>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.hosts.has(key));
    if (missing.length === 0) return;
    const rows = await transaction.query<HostRow>(
      `SELECT ${HOST} FROM hosts WHERE key = ANY ($1::bigint[]) ORDER BY key FOR NO KEY UPDATE`,
      [missing],
    );
    for (const row of rows) this.hosts.set(row.key, row);
  }

  /** Hosts as they are, to be read and not to be changed. */
  async loadHosts(from: Queryable, keys: readonly number[]): Promise<void> {
    const rows = await from.query<HostRow>(`SELECT ${HOST} FROM hosts WHERE key = ANY ($1::bigint[])`, [keys]);
    for (const row of rows) this.hosts.set(row.key, row);
  }

  /** The same of those that nobody else has locked. */
  async lockFreeHosts(transaction: Transaction, keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    const rows = await transaction.query<HostRow>(
      `SELECT ${HOST} FROM hosts WHERE key = ANY ($1::bigint[]) ORDER BY key FOR NO KEY UPDATE SKIP LOCKED`,
      [keys],
    );
    for (const row of rows) this.hosts.set(row.key, row);
  }

  /** The same of hosts by their names. */
  async lockHostsNamed(transaction: Transaction, names: readonly string[]): Promise<void> {
    const rows = await transaction.query<HostRow>(
      `SELECT ${HOST} FROM hosts WHERE name = ANY ($1::text[]) ORDER BY key FOR NO KEY UPDATE`,
      [names],
    );
    for (const row of rows) this.hosts.set(row.key, row);
  }

  /** Pages that are not here yet, with what visits have left of them and who holds them. */
  async loadPages(from: Queryable, keys: Iterable<number>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.pages.has(key));
    if (missing.length === 0) return;
    const rows = await from.query<PageRow & { [Key in keyof VisitedRow]: VisitedRow[Key] | null } & VersionTime>(
      `SELECT ${PAGE}, ${VISITED}, versions.at AS "versionAt" FROM pages
        LEFT JOIN visited ON visited.page = pages.key LEFT JOIN versions ON versions.page = pages.key
      WHERE pages.key = ANY ($1::bigint[])`,
      [missing],
    );
    await this.#takeIn(from, rows);
  }

  /** Pages by host and identity. */
  async loadPagesByIdentity(from: Queryable, hosts: readonly number[], hashes: readonly number[]): Promise<void> {
    const rows = await from.query<PageRow & { [Key in keyof VisitedRow]: VisitedRow[Key] | null } & VersionTime>(
      `SELECT ${PAGE}, ${VISITED}, versions.at AS "versionAt"
      FROM unnest($1::bigint[], $2::bigint[]) AS wanted (host, hash)
        JOIN pages ON pages.host = wanted.host AND pages.hash = wanted.hash
        LEFT JOIN visited ON visited.page = pages.key LEFT JOIN versions ON versions.page = pages.key`,
      [hosts, hashes],
    );
    await this.#takeIn(from, rows);
  }

  pageOf(host: number, hash: number): PageRow | undefined {
    return this.#byIdentity.get(`${host} ${hash}`);
  }

  /** Of sources that have not been removed, in the order in which they were added. */
  holders(page: PageRow): HolderRow[] {
    const first = { source: page.source, depth: page.depth };
    const all = [first, ...(this.holdings.get(page.key) ?? [])].flatMap(({ source, depth }) => {
      const terms = this.terms.get(source);
      return terms ? [{ ...terms, depth }] : [];
    });
    return all.toSorted((one, other) => one.key - other.key);
  }

  changePage(page: PageRow, change: Partial<Omit<PageRow, 'key' | 'host' | 'hash' | 'url' | 'bucket'>>): void {
    Object.assign(page, change);
    if (!this.newPages.has(page)) this.changedPages.add(page);
    this.changeHost(page.host);
  }

  /** Its `ready` is found again, too. */
  changeHost(key: number, change: Partial<HostRow> = {}): void {
    const host = this.hosts.get(key);
    if (!host) return;
    Object.assign(host, change);
    this.changedHosts.add(host);
  }

  addHost(row: HostRow): void {
    this.hosts.set(row.key, row);
    this.newHosts.add(row);
    this.changedHosts.add(row);
    this.counts.hosts += 1;
  }

  addPage(row: PageRow): void {
    this.#know(row);
    this.newPages.add(row);
    this.counts.pages += 1;
    this.counts.unvisited += 1;
    const host = this.hosts.get(row.host);
    this.changeHost(row.host, { pages: (host?.pages ?? 0) + 1 });
  }

  /** One more source holds it. */
  addHolding(page: PageRow, source: number, depth: number): void {
    const holding = { source, page: page.key, depth };
    this.holdings.set(page.key, [...(this.holdings.get(page.key) ?? []), holding]);
    this.newHoldings.add(holding);
    this.changePage(page, { flags: page.flags | FLAG.shared });
  }

  depthIn(page: PageRow, source: number): number | undefined {
    if (page.source === source) return page.depth;
    return this.holdings.get(page.key)?.find((holding) => holding.source === source)?.depth;
  }

  setDepth(page: PageRow, source: number, depth: number): void {
    if (page.source === source) {
      this.changePage(page, { depth });
      return;
    }
    const holding = this.holdings.get(page.key)?.find((one) => one.source === source);
    if (!holding) return;
    holding.depth = depth;
    if (!this.newHoldings.has(holding)) this.changedHoldings.add(holding);
  }

  /** Parks the page when all its holders are paused, and else brings it back. */
  settle(page: PageRow): void {
    const isParked = page.urgency < 0;
    const shouldBe = this.holders(page).every((holder) => holder.isPaused);
    if (isParked === shouldBe) return;
    this.changePage(page, { urgency: ~page.urgency });
    const pull = this.visited.get(page.key)?.pull ?? 0;
    this.counts.pull += isParked ? pull : -pull;
  }

  /** Takes the source off the page; a page that nobody holds any more goes, with all that is known of it. */
  letGo(page: PageRow, source: number): void {
    const others = this.holdings.get(page.key) ?? [];
    const next = others.toSorted((one, other) => one.source - other.source)[0];
    if (page.source !== source) {
      this.#dropHolding(
        page,
        others.find((holding) => holding.source === source),
      );
    } else if (next) {
      this.changePage(page, { source: next.source, depth: next.depth });
      this.#dropHolding(page, next);
    } else {
      this.#remove(page);
      return;
    }
    this.settle(page);
  }

  /** Whose copy a page is others' visits write, too: of one that is known that is a change of its own. */
  saveVisit(row: VisitedRow, before: VisitedRow | undefined): void {
    this.visited.set(row.page, row);
    this.savedVisits.add(row);
    if (!before) return;
    this.savedVisits.delete(before);
    const isRecopied = this.recopied.delete(before) || row.copyOf !== before.copyOf;
    if (isRecopied) this.recopied.add(row);
  }

  judge(sitemap: VisitedRow, { right, wrong }: Trust): void {
    sitemap.rights = right;
    sitemap.wrongs = wrong;
    this.judged.add(sitemap);
  }

  countPattern(host: number, bucket: number, change: Partial<Pick<PatternChange, 'pages' | 'fruitful'>>): void {
    const key = `${host} ${bucket}`;
    const sums = this.patterns.get(key) ?? { host, bucket, pages: 0, fruitful: 0 };
    sums.pages += change.pages ?? 0;
    sums.fruitful += change.fruitful ?? 0;
    this.patterns.set(key, sums);
  }

  #remove(page: PageRow): void {
    const visited = this.visited.get(page.key);
    if (visited && page.urgency >= 0) this.counts.pull -= visited.pull;
    this.counts.pages -= 1;
    if ((page.flags & FLAG.visited) === 0) this.counts.unvisited -= 1;
    this.countPattern(page.host, page.bucket, { pages: -1, fruitful: (page.flags & FLAG.fruitful) === 0 ? 0 : -1 });
    if (visited) for (const band of bandsIn(visited)) this.removedBands.add(band);
    this.removedPages.add(page);
    this.#removed.add(page.key);
    this.changedPages.delete(page);
    this.pages.delete(page.key);
    this.#byIdentity.delete(`${page.host} ${page.hash}`);
    this.leftHosts.add(page.host);
    this.changeHost(page.host, { pages: (this.hosts.get(page.host)?.pages ?? 1) - 1 });
  }

  #dropHolding(page: PageRow, holding: Holding | undefined): void {
    if (!holding) return;
    const left = (this.holdings.get(page.key) ?? []).filter((one) => one !== holding);
    this.holdings.set(page.key, left);
    if (!this.newHoldings.delete(holding)) this.removedHoldings.add(holding);
    this.changedHoldings.delete(holding);
    if (left.length === 0) this.changePage(page, { flags: page.flags & ~FLAG.shared });
  }

  async #takeIn(
    from: Queryable,
    rows: readonly (PageRow & { [Key in keyof VisitedRow]: VisitedRow[Key] | null } & VersionTime)[],
  ): Promise<void> {
    for (const row of rows) {
      if (this.pages.has(row.key) || this.#removed.has(row.key)) continue;
      const { key, host, hash, url, bucket, due, source, depth, urgency, kind, flags, versionAt, ...visited } = row;
      this.#know({ key, host, hash, url, bucket, due, source, depth, urgency, kind, flags });
      if (visited.page !== null) this.visited.set(key, visited as VisitedRow);
      if (versionAt !== null) this.versionsAt.set(key, versionAt);
    }
    const shared = rows.filter(({ flags }) => (flags & FLAG.shared) !== 0).map(({ key }) => key);
    const holdings = await holdingsOf(from, shared);
    for (const key of shared)
      this.holdings.set(
        key,
        holdings.filter(({ page }) => page === key),
      );
    await this.loadTerms(
      from,
      [...rows, ...holdings].map(({ source }) => source),
    );
  }

  async loadTerms(from: Queryable, sources: readonly number[]): Promise<void> {
    const unknown = [...new Set(sources)].filter((key) => !this.terms.has(key));
    if (unknown.length === 0) return;
    const rows = await from.query<TermsRow>(
      `SELECT ${TERMS} FROM sources WHERE key = ANY ($1::bigint[]) AND id IS NOT NULL`,
      [unknown],
    );
    for (const row of rows) this.terms.set(row.key, row);
  }

  #know(row: PageRow): void {
    this.pages.set(row.key, row);
    this.#byIdentity.set(`${row.host} ${row.hash}`, row);
  }
}

interface VersionTime {
  readonly versionAt: number | null;
}

async function holdingsOf(from: Queryable, pages: readonly number[]): Promise<Holding[]> {
  if (pages.length === 0) return [];
  return from.query<Holding>('SELECT source, page, depth FROM holdings WHERE page = ANY ($1::bigint[])', [pages]);
}

/** What is kept of the simhash of a page. */
export function bandsIn({ page, site, simhash }: Pick<VisitedRow, 'page' | 'site' | 'simhash'>): Band[] {
  if (site === null || simhash === null) return [];
  return bandsOf(simhash).map((band) => ({ site, band, page }));
}

/** Whether nothing of the page waits to be visited sooner than its time. */
export function isQuiet(page: PageRow): boolean {
  return urgencyOf(page.urgency) === 0;
}
