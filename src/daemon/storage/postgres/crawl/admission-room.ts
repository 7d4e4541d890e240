import { FOREIGN_URLS_A_DAY, PATTERN_PAGES } from '../../../../shared/limits.ts';
import { type Lead, NEW_HOST } from '../../frontier.ts';
import { FLAG } from '../../frontier-coding.ts';
import { bucketOf, patternBudget } from '../../frontier-rules.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { reserveKeys } from './flush.ts';
import type { HostRow, PageRow } from './rows.ts';
import type { WorkingSet } from './working-set.ts';

/** Domain Ratings of hosts; of one that nobody knows there is none. */
export type HostRatings = (from: Queryable, hosts: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** What a transaction has to know of the hosts and budgets of all its URLs, loaded before the first is decided. */
export class Room {
  readonly hostsByName: Map<string, HostRow>;
  readonly #set: WorkingSet;
  /** Of each hash, by source: when it was let go of. */
  readonly #tombstones = new Map<number, Map<number, number>>();
  readonly #dugUp: { readonly hash: number; readonly source: number }[] = [];
  readonly #buried = new Map<string, { readonly hash: number; readonly source: number; readonly at: number }>();
  /** By host and bucket, as counted before this transaction. */
  readonly #patterns = new Map<string, { readonly pages: number; readonly fruitful: number }>();
  #ratings: ReadonlyMap<string, number> = new Map();
  readonly #pageKeys: number[] = [];
  readonly #hostKeys: number[] = [];

  private constructor(set: WorkingSet) {
    this.#set = set;
    this.hostsByName = new Map();
  }

  static async of(
    transaction: Transaction,
    set: WorkingSet,
    leads: readonly Lead[],
    ratings: HostRatings,
  ): Promise<Room> {
    const room = new Room(set);
    const names = [...new Set(leads.map(({ host }) => host))];
    await set.lockHostsNamed(transaction, names);
    for (const host of set.hosts.values()) room.hostsByName.set(host.name, host);
    await set.loadPagesByIdentity(transaction, ...room.#identities(leads));
    await room.#loadTombstones(transaction, leads);
    await room.#loadPatterns(transaction, leads);
    const foreign = leads.filter(({ host, isForeign }) => isForeign && room.#mayExceed(host, leads.length));
    room.#ratings = await ratings(transaction, [...new Set(foreign.map(({ host }) => host))]);
    const news = leads.filter((lead) => room.known(lead) === undefined).length;
    room.#pageKeys.push(...(await reserveKeys(transaction, 'pages', news)).toReversed());
    const unknown = names.filter((name) => !room.hostsByName.has(name)).length;
    room.#hostKeys.push(...(await reserveKeys(transaction, 'hosts', unknown)).toReversed());
    return room;
  }

  known({ host, hash }: Lead): PageRow | undefined {
    const row = this.hostsByName.get(host);
    return row && this.#set.pageOf(row.key, hash);
  }

  tombstones(hash: number): ReadonlyMap<number, number> {
    return this.#tombstones.get(hash) ?? new Map<number, number>();
  }

  bury(hash: number, source: number, at: number): void {
    const sources = this.#tombstones.get(hash) ?? new Map<number, number>();
    this.#tombstones.set(hash, sources.set(source, at));
    this.#buried.set(`${hash} ${source}`, { hash, source, at });
  }

  digUp(hash: number, source: number): void {
    this.#tombstones.get(hash)?.delete(source);
    if (!this.#buried.delete(`${hash} ${source}`)) this.#dugUp.push({ hash, source });
  }

  async writeTombstones(transaction: Transaction): Promise<void> {
    if (this.#dugUp.length > 0) {
      await transaction.query(
        `DELETE FROM retired USING unnest($1::bigint[], $2::bigint[]) AS gone (hash, source)
        WHERE retired.hash = gone.hash AND retired.source = gone.source`,
        columnsOf(
          this.#dugUp,
          ({ hash }) => hash,
          ({ source }) => source,
        ),
      );
    }
    if (this.#buried.size === 0) return;
    await transaction.query(
      `INSERT INTO retired (hash, source, at) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
      ON CONFLICT (hash, source) DO UPDATE SET at = excluded.at`,
      columnsOf(
        [...this.#buried.values()],
        ({ hash }) => hash,
        ({ source }) => source,
        ({ at }) => at,
      ),
    );
  }

  dr(host: string): number {
    return this.#ratings.get(host) ?? 0;
  }

  isPatternFull(host: HostRow, bucket: number): boolean {
    if (host.pages < PATTERN_PAGES) return false;
    const before = this.#patterns.get(`${host.key} ${bucket}`) ?? { pages: 0, fruitful: 0 };
    const since = this.#set.patterns.get(`${host.key} ${bucket}`) ?? { pages: 0, fruitful: 0 };
    return before.pages + since.pages >= patternBudget(before.fruitful + since.fruitful);
  }

  addHost(name: string): HostRow {
    const row: HostRow = {
      ...NEW_HOST,
      backoffReason: null,
      key: reserved(this.#hostKeys),
      name,
      pages: 0,
      isCounted: false,
      turn: 0,
      foreignDay: 0,
      foreignUrls: 0,
      leaseToken: 0,
      leaseOwner: null,
      leaseSince: 0,
      leaseUntil: 0,
      leaseContest: false,
    };
    this.#set.addHost(row);
    this.hostsByName.set(name, row);
    return row;
  }

  pageKey(): number {
    return reserved(this.#pageKeys);
  }

  #identities(leads: readonly Lead[]): [hosts: number[], hashes: number[]] {
    const found = leads.flatMap(({ host, hash }) => {
      const row = this.hostsByName.get(host);
      return row ? [{ host: row.key, hash }] : [];
    });
    return [found.map(({ host }) => host), found.map(({ hash }) => hash)];
  }

  async #loadTombstones(from: Queryable, leads: readonly Lead[]): Promise<void> {
    const rows = await from.query<{ hash: number; source: number; at: number }>(
      'SELECT hash, source, at FROM retired WHERE hash = ANY ($1::bigint[])',
      [leads.map(({ hash }) => hash)],
    );
    for (const { hash, source, at } of rows) {
      const sources = this.#tombstones.get(hash) ?? new Map<number, number>();
      this.#tombstones.set(hash, sources.set(source, at));
    }
  }

  /** Patterns are counted only of hosts that have more pages than one pattern may, or may have them in a moment. */
  async #loadPatterns(transaction: Transaction, leads: readonly Lead[]): Promise<void> {
    const large = [...this.hostsByName.values()].filter((host) => host.pages + leads.length >= PATTERN_PAGES);
    if (large.length === 0) return;
    const uncounted = large.filter(({ isCounted }) => !isCounted);
    if (uncounted.length > 0) {
      await transaction.query(
        `INSERT INTO patterns (host, bucket, pages, fruitful)
        SELECT host, bucket, count(*), count(*) FILTER (WHERE flags & ${FLAG.fruitful} <> 0) FROM pages
        WHERE host = ANY ($1::bigint[]) GROUP BY host, bucket`,
        [uncounted.map(({ key }) => key)],
      );
      for (const host of uncounted) this.#set.changeHost(host.key, { isCounted: true });
    }
    const rows = await transaction.query<{ host: number; bucket: number; pages: number; fruitful: number }>(
      'SELECT host, bucket, pages, fruitful FROM patterns WHERE host = ANY ($1::bigint[]) AND bucket = ANY ($2::smallint[])',
      [large.map(({ key }) => key), [...new Set(leads.map(({ pattern }) => bucketOf(pattern)))]],
    );
    for (const { host, bucket, ...counts } of rows) this.#patterns.set(`${host} ${bucket}`, counts);
  }

  /** Whether so many more new URLs may be too many for a host that nobody knows. */
  #mayExceed(name: string, leads: number): boolean {
    return (this.hostsByName.get(name)?.foreignUrls ?? 0) + leads >= FOREIGN_URLS_A_DAY;
  }
}

function reserved(keys: number[]): number {
  const key = keys.pop();
  if (key === undefined) throw new Error('more rows were added than keys reserved');
  return key;
}
