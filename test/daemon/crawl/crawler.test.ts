import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Crawler, type CrawlerDeps } from '../../../src/daemon/crawl/crawler.ts';
import type { Ended } from '../../../src/daemon/crawl/crawl-status.ts';
import { IpGate } from '../../../src/daemon/crawl/ip-gate.ts';
import { afterRequest } from '../../../src/daemon/crawl/politeness.ts';
import type { DuePage } from '../../../src/daemon/storage/frontier.ts';
import { SmallFrontier } from './small-frontier.ts';

const HOUR = 3_600_000;
/** Of a dead host, which is not called off. */
const LONGEST_VISIT_MS = 5_000;
const outside = { now: () => Date.now() };

interface Options extends Partial<
  Pick<CrawlerDeps, 'concurrency' | 'gate' | 'hostLeases' | 'isWaiting' | 'visit' | 'onPull'>
> {
  readonly delayMs?: number;
  readonly takesMs?: number;
  readonly everyMs?: number;
  readonly fails?: (page: DuePage) => boolean;
  readonly report?: Ended;
}

interface Visit {
  readonly url: string;
  readonly begin: number;
  readonly end: number;
}

describe('the crawler', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 10 * HOUR }));
  afterEach(() => void vi.useRealTimers());

  /** Visits take `takesMs`, and are committed with the state that politeness gives their host. */
  function crawl(frontier: SmallFrontier, options: Options = {}) {
    const { takesMs = 100, everyMs = 60_000, delayMs = 0 } = options;
    const visits: Visit[] = [];
    const faults: string[] = [];
    const visit: CrawlerDeps['visit'] = async (due, signal) => {
      const begin = Date.now();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, takesMs);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (options.fails?.(due) === true) throw new Error('the disk is full');
      visits.push({ url: due.url, begin, end: Date.now() });
      if (signal.aborted) return {};
      const asked = { at: Date.now(), crawlDelayMs: 0 };
      frontier.visited(
        due,
        afterRequest(due, asked, { delayMs }, () => 0),
        Date.now() + everyMs,
      );
      return { report: options.report ?? { outcome: 'unchanged' } };
    };
    const crawler = new Crawler({
      supply: frontier,
      visit,
      gate: { enter: async () => ({ leave: () => undefined }) },
      network: { doubtedSince: undefined },
      concurrency: 4,
      outside,
      onError: (what) => faults.push(what),
      ...options,
    });
    return { crawler, visits, faults };
  }

  async function stop(crawler: Crawler): Promise<void> {
    const stopped = crawler.stop(0);
    await vi.advanceTimersByTimeAsync(LONGEST_VISIT_MS);
    await stopped;
  }

  function frontierOf(...urls: string[]): SmallFrontier {
    const frontier = new SmallFrontier();
    for (const url of urls) frontier.add(url);
    return frontier;
  }

  const pagesOf = (host: string, count: number): string[] =>
    Array.from({ length: count }, (_, page) => `http://${host}/${page}`);

  test('visits what is due and comes back when it is due again', async () => {
    const { crawler, visits } = crawl(frontierOf('http://a.test/'), { everyMs: 1_000 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(visits.map(({ begin }) => begin - 10 * HOUR)).toEqual([0, 1_100, 2_200, 3_300, 4_400]);
    await stop(crawler);
  });

  test('a host has one visit at a time and its rest after each, within five in a hundred', async () => {
    const { crawler, visits } = crawl(frontierOf(...pagesOf('a.test', 20)), { delayMs: 1_000 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(visits).toHaveLength(20);
    const rests = visits.slice(1).map(({ begin }, index) => begin - (visits[index]?.end ?? 0));
    expect(Math.min(...rests)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...rests)).toBeLessThanOrEqual(1_050);
    await stop(crawler);
  });

  test('a lease that has run out leads to no second visit of the host', async () => {
    const frontier = frontierOf(...pagesOf('a.test', 3));
    const { crawler, visits } = crawl(frontier, { takesMs: 2 * HOUR });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(crawler.inFlight).toBe(1);
    expect(frontier.questions.at(-1)?.except).toEqual(['a.test']);
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(visits.map(({ begin, end }) => end - begin)).toEqual([2 * HOUR]);
    await stop(crawler);
  });

  test('a host that another node has meanwhile is not asked, though the leases that are held could be renewed', async () => {
    const frontier = frontierOf('http://lost.test/', 'http://kept.test/');
    const take = frontier.take.bind(frontier);
    vi.spyOn(frontier, 'take').mockImplementation(async (question) => {
      const { pages, ...rest } = await take(question);
      return { ...rest, pages: pages.map((page) => Object.assign({}, page, { lease: page.id })) };
    });
    // Whoever shows a token that is over ends no lease.
    vi.spyOn(frontier, 'release').mockResolvedValue();
    const opened = Promise.withResolvers<void>();
    const gate: CrawlerDeps['gate'] = {
      enter: async () => {
        await opened.promise;
        return { leave: () => undefined };
      },
    };
    const { crawler, visits } = crawl(frontier, {
      gate,
      hostLeases: {
        ms: 60_000,
        renew: async (held) => held.map(({ host }) => host).filter((host) => host !== 'lost.test'),
      },
    });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(31_000);
    opened.resolve();
    await vi.advanceTimersByTimeAsync(200);
    expect(visits.map(({ url }) => url)).toEqual(['http://kept.test/']);
    await stop(crawler);
  });

  test('a frontier that gives a host away twice is not believed', async () => {
    const frontier = frontierOf(...pagesOf('a.test', 5));
    const { pages } = await frontier.take({ now: Date.now(), atMost: 1, leaseMs: 0, except: [] });
    vi.spyOn(frontier, 'take').mockResolvedValue({ pages, nextAt: undefined, pull: 0 });
    const begun: string[] = [];
    const visit: CrawlerDeps['visit'] = async ({ url }, signal) => {
      begun.push(url);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {};
    };
    const { crawler } = crawl(frontier, { visit });
    for (let turn = 0; turn < 5; turn += 1) {
      crawler.wake();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(begun).toEqual(['http://a.test/0']);
    await stop(crawler);
  });

  test('a clock that is set back is told to the frontier, and what was scheduled by it is visited', async () => {
    const frontier = frontierOf('http://a.test/');
    const { crawler, visits } = crawl(frontier, { everyMs: 60_000 });
    vi.setSystemTime(20 * HOUR);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(200);
    vi.setSystemTime(10 * HOUR);
    await vi.advanceTimersByTimeAsync(100_000);
    // At the start, when the clock may have been set while nobody looked, and then once.
    expect(frontier.broughtForward).toHaveLength(2);
    expect(visits).toHaveLength(3);
    await stop(crawler);
  });

  test('one slow host holds up no other, and no more than the concurrency are under way', async () => {
    const quick = Array.from({ length: 10 }, (_, host) => `http://h${host}.test/`);
    const { crawler, visits } = crawl(frontierOf(...pagesOf('slow.test', 50), ...quick), { concurrency: 3 });
    crawler.wake();
    let most = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      await vi.advanceTimersByTimeAsync(10);
      most = Math.max(most, crawler.inFlight);
    }
    // The third is for hosts that are known to answer quickly.
    expect(most).toBe(2);
    expect(visits.filter(({ url }) => !url.includes('slow'))).toHaveLength(10);
    await stop(crawler);
  });

  test('a visit that could not be recorded is reported, lets its host go with the longest crawl-delay, and ends nothing', async () => {
    const frontier = frontierOf('http://bad.test/', 'http://good.test/');
    const options = { everyMs: 1_000, fails: (page: DuePage) => page.host === 'bad.test' };
    const { crawler, visits, faults } = crawl(frontier, options);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(faults).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(faults).toEqual(
      Array.from({ length: 2 }, () => 'the visit of http://bad.test/ could not be recorded; the page stays due'),
    );
    expect(crawler.figures.faults).toBe(2);
    expect(visits.length).toBeGreaterThan(10);
    await stop(crawler);
  });

  test('a storage that takes nothing at all ends nothing either', async () => {
    const frontier = frontierOf('http://a.test/');
    const { crawler, visits, faults } = crawl(frontier, { fails: () => frontier.broken !== undefined });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(50);
    frontier.broken = new Error('no space left');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(faults).toContain('the host of http://a.test/ could not be released; its lease expires by itself');
    frontier.broken = undefined;
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(visits.length).toBeGreaterThan(0);
    await stop(crawler);
  });

  test('while nothing at all can be recorded, hosts are asked for ten seconds apart and not one after the other', async () => {
    const frontier = frontierOf(...Array.from({ length: 40 }, (_, host) => `http://h${host}.test/`));
    const asked: number[] = [];
    const visit: CrawlerDeps['visit'] = async () => {
      asked.push(Date.now() - 10 * HOUR);
      throw new Error('the disk is full');
    };
    const { crawler } = crawl(frontier, { visit });
    vi.spyOn(frontier, 'release').mockRejectedValue(new Error('the disk is full'));
    crawler.wake();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(new Set(asked.map((ms) => Math.round(ms / 10_000)))).toEqual(new Set([0, 1, 2]));
    expect(asked).toHaveLength(9);
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toHaveLength(12);
    await stop(crawler);
  });

  test('a frontier that does not answer is asked again, not at once', async () => {
    const frontier = frontierOf();
    frontier.broken = new Error('gone');
    const { crawler, faults } = crawl(frontier);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(faults).toEqual(Array.from({ length: 3 }, () => 'the frontier could not be read'));
    expect(frontier.questions).toHaveLength(3);
    await stop(crawler);
  });

  test('a new source is visited at once when the crawler is woken, also while it is asking', async () => {
    const frontier = frontierOf();
    const { crawler, visits } = crawl(frontier);
    crawler.wake();
    frontier.add('http://new.test/');
    crawler.wake();
    await vi.advanceTimersByTimeAsync(200);
    expect(visits).toHaveLength(1);
    await stop(crawler);
  });

  test('an idle crawler asks once in a while, not in a loop', async () => {
    const frontier = frontierOf();
    const { crawler } = crawl(frontier);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(frontier.questions.length).toBeLessThan(20);
    await stop(crawler);
  });

  test('where others crawl, too, places that are free at nearly the same time are filled by one look', async () => {
    const frontier = frontierOf(...Array.from({ length: 12 }, (_, host) => `http://h${host}.test/`));
    const { crawler, visits } = crawl(frontier, { hostLeases: { ms: 60_000, renew: async () => [] }, takesMs: 100 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(600);
    expect(visits).toHaveLength(12);
    // Three new hosts at a time.
    expect(frontier.questions.length).toBeLessThanOrEqual(5);
    await stop(crawler);
  });

  test('where others crawl, too, it looks each second for what they have let go of', async () => {
    const frontier = frontierOf();
    const { crawler } = crawl(frontier, { hostLeases: { ms: 60_000, renew: async () => [] } });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(500);
    frontier.add('http://left.test/', Date.now() + 10);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(crawler.inFlight + frontier.hosts.size).toBe(1);
    await stop(crawler);
  });

  test('a host whose address has enough to do is let go until that has not', async () => {
    const hosts = Array.from({ length: 8 }, (_, host) => `http://h${host}.test/`);
    const gate = new IpGate({ locate: async () => ['192.0.2.1'], isOpened: () => false, sharedIps: [], outside });
    const { crawler, visits } = crawl(frontierOf(...hosts), { gate, concurrency: 8, takesMs: 100 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(visits.map(({ url }) => url)).size).toBe(8);
    const gaps = visits.slice(1).map(({ begin }, index) => begin - (visits[index]?.begin ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
    expect(crawler.figures.putOff).toBe(7);
    await stop(crawler);
  });

  /** Two hundred hosts that never answer stand before ten that do; visits of the dead take 5 s and leave them failing. */
  function amongTheDead(connects: boolean) {
    const dead = Array.from({ length: 200 }, (_, host) => `http://dead${host}.test/`);
    const live = Array.from({ length: 10 }, (_, host) => `http://live${host}.test/`);
    const frontier = frontierOf(...dead, ...live);
    const seen: { readonly host: string; readonly at: number }[] = [];
    const visit: CrawlerDeps['visit'] = async (due) => {
      const isDead = due.host.startsWith('dead');
      await new Promise((resolve) => setTimeout(resolve, isDead ? 5_000 : 50));
      if (!isDead) seen.push({ host: due.host, at: Date.now() - 10 * HOUR });
      const answer = { host: due.host, status: 200, ms: 50, bytes: 1, address: '' };
      const said = isDead ? { failure: { reason: 'timeout' as const } } : { answer };
      const asked = { at: Date.now(), crawlDelayMs: 0, ...said };
      frontier.visited(
        due,
        afterRequest(due, asked, { delayMs: 1_000 }, () => 0),
        Date.now() + 10_000,
      );
      return {};
    };
    const isWaiting = (host: string): boolean => connects && host.startsWith('dead');
    const { crawler } = crawl(frontier, { visit, isWaiting });
    return { crawler, seen, frontier };
  }

  test('two hundred hosts that answer nobody do not keep ten from being visited on time', async () => {
    const { crawler, seen, frontier } = amongTheDead(true);
    crawler.wake();
    let most = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      await vi.advanceTimersByTimeAsync(500);
      most = Math.max(most, crawler.inFlight);
    }
    const firsts = Map.groupBy(seen, ({ host }) => host);
    expect(firsts.size).toBe(10);
    for (const visits of firsts.values()) {
      expect(visits[0]?.at).toBeLessThan(40_000);
      const gaps = visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? 0));
      expect(Math.max(...gaps)).toBeLessThan(11_000);
    }
    expect(most).toBeLessThanOrEqual(4 + 128);
    expect(frontier.hosts.get('dead0.test')?.failures).toBeGreaterThan(1);
    await stop(crawler);
  });

  test('those that hold their places, too: an eighth is left to hosts that answer', async () => {
    const { crawler, seen } = amongTheDead(false);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    const late = seen.filter(({ at }) => at > 400_000);
    expect(late.length).toBeGreaterThan(10 * 19);
    await stop(crawler);
  });

  test('figures tell what is under way, how late it began, and how it ended', async () => {
    const frontier = frontierOf();
    frontier.add('http://a.test/', 10 * HOUR - 3_000);
    const pulls: number[] = [];
    const { crawler } = crawl(frontier, { report: { outcome: 'changed' }, onPull: (pull) => pulls.push(pull) });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(60);
    const underWay = { host: 'a.test', url: 'http://a.test/', ms: 60 };
    expect(crawler.figures).toMatchObject({ inFlight: [underWay], oldestMs: 60, dueLag: { p50: 3_000, p95: 3_000 } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(crawler.figures).toMatchObject({ inFlight: [], oldestMs: undefined });
    expect(crawler.figures.outcomes.get('changed')).toBe(1);
    expect(pulls.every((pull) => pull === 7)).toBe(true);
    expect(pulls.length).toBeGreaterThan(0);
    await stop(crawler);
  });

  test('stop waits for what is under way, calls off what takes too long, and begins nothing new', async () => {
    const { crawler, visits } = crawl(frontierOf(...pagesOf('a.test', 2)), { takesMs: 100_000 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(crawler.inFlight).toBe(1);
    const stopped = crawler.stop(2_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await stopped;
    expect(crawler.inFlight).toBe(0);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(visits).toHaveLength(1);
  });

  test('what is taken while it stops is let go, and not visited', async () => {
    const frontier = frontierOf('http://a.test/');
    const released = vi.spyOn(frontier, 'release');
    const { crawler, visits } = crawl(frontier);
    crawler.wake();
    await stop(crawler);
    expect(released).toHaveBeenCalledOnce();
    expect(visits).toEqual([]);
  });
});
