import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from '../fixtures/watches.ts';
import { seeded } from '../fixtures/series.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { WatchedSite, type WatchedPage } from './watched-site.ts';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { monthOf } from '../../src/daemon/storage/ledger.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import type { CheckRecord, WatchRecord } from '../../src/daemon/storage/watches.ts';
import type { Organization } from '../../src/shared/api/organization.ts';
import type { WatchReport } from '../../src/shared/api/watch.ts';

/**
 * Watches of a real daemon that dies again and again, on a site that knows what it has shown. A page gets its next version
 * only when the one on show is committed, by what is on the disk while no daemon runs: so each version has stayed long
 * enough, and has to be one entry.
 */
export class WatchKills {
  readonly #site: WatchedSite;
  readonly #daemon: RealDaemon;
  readonly #random: () => number;
  #organizationId = '';
  #ids: readonly string[] = [];
  #kills = 0;

  static async start({ watches, kills, seed }: { watches: number; kills: number; seed: number }): Promise<WatchKills> {
    const site = await WatchedSite.start(watches, kills + 2, seed);
    return new WatchKills(site, await RealDaemon.start(), seed);
  }

  private constructor(site: WatchedSite, daemon: RealDaemon, seed: number) {
    this.#site = site;
    this.#daemon = daemon;
    this.#random = seeded(seed);
  }

  get watches(): number {
    return this.#site.pages.length;
  }

  /** The watches are made in a life that a `kill -9` ends at once: some have been checked by then. */
  async begin(): Promise<void> {
    const { data: organizations } = await this.#daemon.operator<{ data: Organization[] }>(
      'GET',
      '/admin/organizations',
    );
    this.#organizationId = organizations[0]?.id ?? '';
    const watches = this.#site.pages.map(({ url }) => ({ url, frequency_minutes: 5 }));
    await this.#daemon.operator('POST', '/admin/watches/batch', { watches });
    this.#ids = await this.#idsInOrder();
    await this.#daemon.killAtRandom();
  }

  /** One life, which ends the `nth` time that a check comes by the point. */
  async fall(point: string, nth: number): Promise<void> {
    await this.#publish();
    await this.#daemon.fall(`${point}:${nth}`, () => this.#checkAll());
    this.#kills += 1;
  }

  /** One life, which ends at any time. */
  async kill(afterMs: number): Promise<void> {
    await this.#publish();
    await this.#daemon.start();
    await Promise.all([sleep(afterMs), this.#checkAll()]);
    await this.#daemon.killAtRandom();
    this.#kills += 1;
  }

  /** What is wrong in the end, after a last life in which each watch is checked: nothing, if all is well. */
  async complaints(): Promise<string[]> {
    for (const page of this.#site.pages) page.isOut = false;
    await this.#daemon.start();
    const before = new Map((await this.#reports()).map(({ id, checks }) => [id, checks]));
    await this.#checkAll();
    await until('each watch is checked once more', async () =>
      (await this.#reports()).every(({ id, checks, problem }) => checks > (before.get(id) ?? 0) && problem === null),
    );
    await this.#daemon.stop();
    return this.#open(async (storage) => {
      const ofPages = await Promise.all(this.#site.pages.map((page, at) => this.#ofPage(storage, page, at)));
      return [...ofPages.flat(), ...(await this.#ofAll(storage))];
    });
  }

  async close(): Promise<void> {
    await this.#daemon.dispose();
    this.#site.close();
  }

  /** Most pages whose version is committed get the next one; now and then one cannot be read, as long as a life lasts. */
  async #publish(): Promise<void> {
    await this.#open(async ({ watches }) => {
      for (const [at, page] of this.#site.pages.entries()) {
        const watch = await watches.watch(this.#ids[at] ?? '');
        page.isOut = this.#random() < OUT;
        if (isOnDisk(watch, page) && this.#random() < NEWS) page.version += 1;
      }
    });
  }

  async #checkAll(): Promise<void> {
    await Promise.all(this.#ids.map((id) => this.#daemon.operator('POST', `/admin/watches/${id}/check`)));
  }

  async #reports(): Promise<WatchReport[]> {
    return (await this.#daemon.operator<{ data: WatchReport[] }>('GET', '/admin/watches')).data;
  }

  async #idsInOrder(): Promise<string[]> {
    const ids = new Map((await this.#reports()).map(({ id, url }) => [url, id]));
    return this.#site.pages.map(({ url }) => ids.get(url) ?? '');
  }

  async #ofPage(storage: Storage, page: WatchedPage, at: number): Promise<string[]> {
    const id = this.#ids[at] ?? '';
    const checks = (await storage.watches.checks(id, { atMost: MOST_CHECKS })).toReversed();
    const told = complainer(page.url);
    told(
      checks.every(({ n }, index) => n === index + 1),
      `numbers are not dense: ${checks.map(({ n }) => n).join(' ')}`,
    );
    const read = checks.filter(({ outcome }) => outcome === 'baseline' || outcome === 'changed');
    told(
      read.every(({ outcome }, index) => (outcome === 'baseline') === (index === 0)),
      `not one baseline, the first success: ${checks.map(({ outcome }) => outcome).join(' ')}`,
    );
    told(read.length === page.version + 1, `${page.version + 1} versions came to ${read.length} entries`);
    for (const [version, check] of read.entries()) {
      told(await this.#says(storage, id, check, page, version), `check ${check.n} does not say version ${version}`);
    }
    const most = checks.length + this.#kills * MOST_REPEATED;
    told(page.requests <= most, `${page.requests} requests for ${checks.length} checks and ${this.#kills} kills`);
    return told.complaints;
  }

  async #says(
    { watches }: Storage,
    id: string,
    { n }: CheckRecord,
    page: WatchedPage,
    version: number,
  ): Promise<boolean> {
    const found = await watches.watchText(id, n);
    const said = found?.n === n ? linesOf(found.text) : [];
    // The heading comes first.
    return said.slice(1).join('\n') === this.#site.linesOf(page, version).join('\n');
  }

  async #ofAll({ ledger, watches }: Storage): Promise<string[]> {
    const records = await watches.watches({ organizationId: this.#organizationId, atMost: MOST_CHECKS });
    const sum = (of: (record: WatchRecord) => number): number => records.reduce((all, one) => all + of(one), 0);
    const checks = sum((record) => record.checks);
    const changes = sum((record) => record.changeCount);
    const counted = await ledger.checks(this.#organizationId, monthOf(outside.now()));
    const totals = await watches.watchTotals(outside.now());
    const texts = this.#texts().size;
    const told = complainer('all watches');
    told(counted === checks, `${counted} checks are counted this month, there are ${checks}`);
    told(totals.checks === checks, `${totals.checks} checks are counted in all, there are ${checks}`);
    told(totals.changes === changes, `${totals.changes} changes are counted, there are ${changes}`);
    told(totals.texts === texts, `${totals.texts} texts are kept, ${texts} are referred to`);
    told((await watches.newestChange('org')) === changes, 'the cursor of changes is not how many there are');
    return told.complaints;
  }

  /** All that was ever on show, each once. */
  #texts(): Set<string> {
    const all = this.#site.pages.flatMap((page) =>
      Array.from({ length: page.version + 1 }, (_, version) => this.#site.linesOf(page, version).join('\n')),
    );
    return new Set(all);
  }

  async #open<Result>(look: (storage: Storage) => Promise<Result>): Promise<Result> {
    const storage = await openSqlite({ dataDir: this.#daemon.dataDir, outside });
    try {
      return await look(storage);
    } finally {
      await storage.close();
    }
  }
}

/** The first success is of the first version, and each change of the next one. */
function isOnDisk(watch: WatchRecord | undefined, page: WatchedPage): boolean {
  return (
    watch?.succeededAt !== undefined && watch.changeCount === page.version && page.version + 1 < page.bodies.length
  );
}

function complainer(of: string): { (isWell: boolean, complaint: string): void; complaints: string[] } {
  const complaints: string[] = [];
  const told = (isWell: boolean, complaint: string): void => {
    if (!isWell) complaints.push(`${of}: ${complaint}`);
  };
  return Object.assign(told, { complaints });
}

/** Of the pages, at each kill. */
const NEWS = 0.8;
const OUT = 0.15;
const MOST_CHECKS = 100_000;
/** A check that was under way is made again, and each request may have been for its robots.txt. */
const MOST_REPEATED = 1;
