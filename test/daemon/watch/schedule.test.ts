import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Crawler } from '../../../src/daemon/crawl/crawler.ts';
import { afterRequest } from '../../../src/daemon/crawl/politeness.ts';
import { seedLead } from '../../../src/daemon/discovery/discover.ts';
import { NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { Quota } from '../../../src/daemon/watch/quota.ts';
import { check } from '../../../src/daemon/watch/check.ts';
import { type Due, LOOK_MS, WatchSupply } from '../../../src/daemon/watch/supply.ts';
import { Plans } from '../../../src/daemon/accounts/plans.ts';
import { body, HOUR, MINUTE, page, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);

interface Seen {
  readonly host: string;
  readonly kind: 'watch' | 'page';
  readonly begin: number;
  end: number;
}

/** Watches and pages on one crawler, by the clock of the process. Each request takes `takesMs`. */
class Crawl {
  readonly world = new WatchWorld();
  readonly seen: Seen[] = [];
  readonly faults: string[] = [];
  takesMs = 100;
  crawler = this.start();

  start(supply: WatchSupply = this.world.supply): Crawler<Due> {
    this.world.answer = async ({ url }) => {
      await this.#served(new URL(url).host, 'watch');
      return body(page(`This is ${url}.`), { url });
    };
    this.crawler = new Crawler<Due>({
      supply,
      visit: (due, signal) => (due.kind === 'watch' ? check(due, this.world.stages(), signal) : this.#visit(due)),
      gate: { enter: async () => ({ leave: () => undefined }) },
      network: { doubtedSince: undefined },
      concurrency: this.world.concurrency,
      outside: { now: () => Date.now() },
      onError: (what) => this.faults.push(what),
    });
    return this.crawler;
  }

  async stop(): Promise<void> {
    const stopped = this.crawler.stop(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
  }

  async addPages(...hosts: string[]): Promise<void> {
    const leads = hosts.flatMap((host) => seedLead(`http://${host}/`, false) ?? []);
    const source = { id: 's', everyMs: MINUTE, maxPages: 1_000, isPaused: false };
    await this.world.storage.frontier.putSource(source, leads, Date.now());
  }

  async addWatches(...hosts: string[]): Promise<void> {
    for (const host of hosts) await this.world.add(host, { url: `http://${host}/watched`, createdAt: Date.now() });
  }

  of(kind: Seen['kind'], host?: string): readonly Seen[] {
    return this.seen.filter((one) => one.kind === kind && (host === undefined || one.host === host));
  }

  async #visit(due: Extract<Due, { readonly id: number }>): Promise<{ readonly report?: undefined }> {
    await this.#served(due.host, 'page');
    const at = Date.now();
    await this.world.storage.pages.commit({
      pageId: due.id,
      sourceIds: ['s'],
      at,
      outcome: 'unchanged',
      nextDue: at + MINUTE,
      rate: { theta: 0, info: 0, pull: 0 },
      host: afterRequest(due, { at, crawlDelayMs: 0 }, { delayMs: 0 }, () => 0),
      isNamed: false,
      isMainChange: false,
      events: [],
      discovered: [],
    });
    return {};
  }

  async #served(host: string, kind: Seen['kind']): Promise<void> {
    const seen: Seen = { host, kind, begin: Date.now(), end: Infinity };
    this.seen.push(seen);
    await new Promise((resolve) => setTimeout(resolve, this.takesMs));
    seen.end = Date.now();
  }
}

describe('watches on the crawl', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  const hosts = (count: number, name = 'h'): string[] =>
    Array.from({ length: count }, (_, host) => `${name}${host}.test`);

  test('a host that both know has one request at a time', async () => {
    const crawl = new Crawl();
    const shared = hosts(3);
    await crawl.addPages(...shared);
    await crawl.addWatches(...shared);
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    for (const host of shared) {
      const requests = crawl.seen.filter((one) => one.host === host).toSorted((one, other) => one.begin - other.begin);
      for (const [index, { begin }] of requests.slice(1).entries()) {
        expect(begin).toBeGreaterThanOrEqual(requests[index]?.end ?? Infinity);
      }
      expect(crawl.of('watch', host)).toHaveLength(12);
      expect(crawl.of('page', host).length).toBeGreaterThan(50);
    }
    await crawl.stop();
  });

  test('a crawl of slow hosts makes no check late', async () => {
    const crawl = new Crawl();
    await crawl.addPages(...hosts(40, 'slow'));
    await crawl.addWatches('w.test');
    crawl.takesMs = 20_000;
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    const begun = crawl.of('watch').map(({ begin }) => begin - BEGIN);
    expect(begun).toHaveLength(12);
    for (const [slot, at] of begun.entries()) expect(at - slot * 5 * MINUTE).toBeLessThanOrEqual(LOOK_MS);
    await crawl.stop();
  });

  test('after a restart what was missed is made up for once each, and not all at the same time', async () => {
    const crawl = new Crawl();
    await crawl.addWatches(...hosts(100));
    vi.setSystemTime(BEGIN + 12 * HOUR);
    crawl.takesMs = 1;
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(2_500);
    const begun = crawl.of('watch').map(({ begin }) => begin - BEGIN - 12 * HOUR);
    expect(begun).toHaveLength(100);
    expect(new Set(crawl.seen.map(({ host }) => host)).size).toBe(100);
    const places = Map.groupBy(begun, (at) => Math.floor(at / 500));
    for (const together of places.values()) expect(together.length).toBeLessThanOrEqual(40);
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    expect(crawl.of('watch')).toHaveLength(100);
    await crawl.stop();
  });

  test('a machine that has slept makes no burst of checks, and each watch is back in its slots', async () => {
    const crawl = new Crawl();
    await crawl.addWatches(...hosts(50));
    crawl.takesMs = 1;
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(crawl.of('watch')).toHaveLength(50);
    vi.setSystemTime(BEGIN + 3 * HOUR + 2 * MINUTE);
    await vi.advanceTimersByTimeAsync(MINUTE);
    const awake = crawl.of('watch').slice(50);
    expect(awake).toHaveLength(50);
    const places = Map.groupBy(awake, ({ begin }) => Math.floor(begin / 250));
    for (const together of places.values()) expect(together.length).toBeLessThanOrEqual(25);
    for (const host of hosts(50)) expect((await crawl.world.known(host)).due).toBe(BEGIN + 3 * HOUR + 5 * MINUTE);
    await crawl.stop();
  });

  test.each([1, 48])('a clock that is set back by %i h makes no watch wait for it', async (hours) => {
    const crawl = new Crawl();
    await crawl.addWatches('w.test');
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(MINUTE);
    vi.setSystemTime(BEGIN - hours * HOUR);
    await vi.advanceTimersByTimeAsync(HOUR);
    const ends = crawl
      .of('watch')
      .slice(1)
      .map(({ begin }) => begin - (BEGIN - hours * HOUR));
    expect(ends).toHaveLength(12);
    for (const [slot, at] of ends.entries()) expect(at).toBeLessThanOrEqual((slot + 1) * 5 * MINUTE + MINUTE);
    await crawl.stop();
  });

  test('an organization has as many checks in a month as its plan says, to the last one, and goes on in the next', async () => {
    const crawl = new Crawl();
    const { storage } = crawl.world;
    const organization = { id: 'org', name: 'Press', plan: 'Starter', createdAt: '', limits: { checksAMonth: 25 } };
    const quota = new Quota({
      ledger: storage.ledger,
      port: storage.watches,
      catalog: { data: { organizations: [organization] } },
      plans: new Plans(),
      outside: { now: () => Date.now() },
      wake: () => crawl.crawler.wake(),
      onError: (what) => crawl.faults.push(what),
    });
    const { frontier, watches } = storage;
    const supply = new WatchSupply({ frontier, watches, quota, concurrency: 4 });
    const stages = crawl.world.stages.bind(crawl.world);
    crawl.world.stages = () => ({ ...stages(), supply });
    crawl.start(supply);
    await quota.refresh();
    await crawl.addWatches(...hosts(10));
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(crawl.of('watch')).toHaveLength(25);
    expect(await storage.ledger.checks('org', '2026-02')).toBe(25);
    expect(await storage.watches.heldOrganizations()).toEqual(['org']);

    vi.setSystemTime(Date.UTC(2026, 2, 1));
    await quota.refresh();
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(crawl.of('watch')).toHaveLength(50);
    expect(await storage.ledger.checks('org', '2026-03')).toBe(25);
    expect(crawl.faults).toEqual([]);
    await crawl.stop();
  });

  test('a host that rests is not asked for a watch either', async () => {
    const crawl = new Crawl();
    await crawl.addWatches('w.test');
    const [due] = await crawl.world.take();
    await crawl.world.supply.release({ id: due?.id ?? '' }, { ...NEW_HOST, notBefore: BEGIN + 20 * MINUTE });
    crawl.crawler.wake();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(crawl.of('watch')[0]?.begin).toBeGreaterThanOrEqual(BEGIN + 20 * MINUTE);
    await crawl.stop();
  });
});
