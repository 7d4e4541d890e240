import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Crawler } from '../../../src/daemon/crawl/crawler.ts';
import type { DuePage, DuePages } from '../../../src/daemon/storage/pages.ts';

/** A frontier of a few pages: what is due is what the test says, and a visit makes it due again after `everyMs`. */
class Frontier {
  readonly pages: (DuePage & { due: number })[] = [];
  questions = 0;

  add(url: string, everyMs: number): void {
    const { host } = new URL(url);
    const id = this.pages.length;
    const fresh = { due: 0, bodyHash: undefined, failures: 0, doubtedAt: undefined };
    this.pages.push({ id, url, host, everyMs, sourceIds: ['s'], ...fresh });
  }

  async bringForward(now: number): Promise<number> {
    const late = this.pages.filter((page) => page.due > now + page.everyMs);
    for (const page of late) page.due = now;
    return late.length;
  }

  async due(question: { now: number; atMost: number; busyHosts: readonly string[] }): Promise<DuePages> {
    this.questions += 1;
    const taken = new Set(question.busyHosts);
    const pages: DuePage[] = [];
    for (const page of this.pages.toSorted((a, b) => a.due - b.due)) {
      if (page.due > question.now || taken.has(page.host) || pages.length === question.atMost) continue;
      taken.add(page.host);
      pages.push(page);
    }
    const later = this.pages.map((page) => page.due).filter((due) => due > question.now);
    return { pages, nextAt: later.length > 0 ? Math.min(...later) : undefined };
  }
}

describe('the crawler', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  function crawl(
    frontier: Frontier,
    options: {
      concurrency?: number;
      hostDelayMs?: number;
      takesMs?: number;
      fails?: (page: DuePage) => boolean;
      turn?: object;
    } = {},
  ) {
    const visits: { url: string; begin: number; end: number }[] = [];
    const faults: string[] = [];
    const crawler = new Crawler({
      pages: frontier as never,
      outside: { now: () => Date.now() } as never,
      concurrency: options.concurrency ?? 4,
      hostDelayMs: options.hostDelayMs ?? 0,
      visit: async (page, signal) => {
        const begin = Date.now();
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, options.takesMs ?? 100);
          signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
          });
        });
        if (options.fails?.(page)) throw new Error('the disk is full');
        const known = frontier.pages[page.id];
        if (known && !signal.aborted) known.due = Date.now() + page.everyMs;
        visits.push({ url: page.url, begin, end: Date.now() });
        return { isRequest: true, crawlDelayMs: 0, ...options.turn };
      },
      onError: (what) => faults.push(what),
    });
    return { crawler, visits, faults };
  }

  async function stop(crawler: Crawler): Promise<void> {
    const stopped = crawler.stop(0);
    await vi.advanceTimersByTimeAsync(0);
    await stopped;
  }

  test('visits what is due and comes back when it is due again', async () => {
    const frontier = new Frontier();
    frontier.add('http://a.test/', 1_000);
    const { crawler, visits } = crawl(frontier);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(visits.map((visit) => visit.begin)).toEqual([0, 1_100, 2_200, 3_300, 4_400]);
    await stop(crawler);
  });

  test('a host has one request at a time, and a rest after each', async () => {
    const frontier = new Frontier();
    for (let page = 0; page < 5; page += 1) frontier.add(`http://a.test/${page}`, 60_000);
    const { crawler, visits } = crawl(frontier, { hostDelayMs: 1_000 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(visits).toHaveLength(5);
    const rests = visits.slice(1).map((visit, index) => visit.begin - visits[index]!.end);
    expect(Math.min(...rests)).toBeGreaterThanOrEqual(1_000);
    await stop(crawler);
  });

  test('a host that wants a longer rest has it, and one that was asked for nothing needs none', async () => {
    for (const [turn, begins] of [
      [{ crawlDelayMs: 5_000 }, [0, 5_100]],
      [{ crawlDelayMs: 500 }, [0, 1_100]],
      [{ isRequest: false }, [0, 100]],
    ] as const) {
      vi.setSystemTime(0);
      const frontier = new Frontier();
      for (let page = 0; page < 2; page += 1) frontier.add(`http://a.test/${page}`, 60_000);
      const { crawler, visits } = crawl(frontier, { hostDelayMs: 1_000, turn });
      crawler.wake();
      await vi.advanceTimersByTimeAsync(10_000);
      const first = visits[0]?.begin ?? Number.NaN;
      expect(visits.map(({ begin }) => begin - first).map((begin) => Math.round(begin / 100) * 100)).toEqual(begins);
      await stop(crawler);
    }
  });

  test('a clock that is set back does not prolong a rest', async () => {
    const frontier = new Frontier();
    for (let page = 0; page < 2; page += 1) frontier.add(`http://a.test/${page}`, 60_000);
    const { crawler, visits } = crawl(frontier, { hostDelayMs: 1_000 });
    vi.setSystemTime(3_600_000);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(200);
    expect(visits).toHaveLength(1);
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(visits.map((visit) => visit.url)).toContain('http://a.test/1');
    await stop(crawler);
  });

  test('what a clock that was ahead has scheduled is visited when the clock is set back', async () => {
    const frontier = new Frontier();
    frontier.add('http://a.test/', 60_000);
    const { crawler, visits } = crawl(frontier);
    vi.setSystemTime(3_600_000);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(200);
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(visits).toHaveLength(3);
    await stop(crawler);
  });

  test('one slow host holds up no other, and no more than the concurrency are under way', async () => {
    const frontier = new Frontier();
    for (let page = 0; page < 50; page += 1) frontier.add(`http://slow.test/${page}`, 60_000);
    for (let host = 0; host < 10; host += 1) frontier.add(`http://h${host}.test/`, 60_000);
    const { crawler, visits } = crawl(frontier, { concurrency: 3, takesMs: 100 });
    crawler.wake();
    let most = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      await vi.advanceTimersByTimeAsync(10);
      most = Math.max(most, crawler.inFlight);
    }
    expect(most).toBe(3);
    expect(visits.filter((visit) => !visit.url.includes('slow'))).toHaveLength(10);
    await stop(crawler);
  });

  test('a visit that could not be recorded is told of, rests, and ends nothing', async () => {
    const frontier = new Frontier();
    frontier.add('http://bad.test/', 1_000);
    frontier.add('http://good.test/', 1_000);
    const { crawler, visits, faults } = crawl(frontier, { fails: (page) => page.host === 'bad.test' });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(faults).toEqual(Array.from({ length: 2 }, () => 'the visit of http://bad.test/ was not recorded'));
    expect(visits.length).toBeGreaterThan(10);
    await stop(crawler);
  });

  test('a frontier that does not answer is asked again, not at once', async () => {
    const frontier = new Frontier();
    const due = vi.spyOn(frontier, 'due').mockRejectedValue(new Error('gone'));
    const { crawler, faults } = crawl(frontier);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(faults).toHaveLength(3);
    expect(due).toHaveBeenCalledTimes(3);
    await stop(crawler);
  });

  test('a new source is visited at once when the crawler is woken, also while it is asking', async () => {
    const frontier = new Frontier();
    const { crawler, visits } = crawl(frontier);
    crawler.wake();
    frontier.add('http://new.test/', 60_000);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(200);
    expect(visits).toHaveLength(1);
    await stop(crawler);
  });

  test('an idle crawler asks once in a while, not in a loop', async () => {
    const frontier = new Frontier();
    const { crawler } = crawl(frontier);
    crawler.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(frontier.questions).toBeLessThan(20);
    await stop(crawler);
  });

  test('stop waits for what is under way, calls off what takes too long, and begins nothing new', async () => {
    const frontier = new Frontier();
    frontier.add('http://a.test/', 0);
    const { crawler, visits } = crawl(frontier, { takesMs: 100_000 });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(crawler.inFlight).toBe(1);
    const stopped = crawler.stop(2_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await stopped;
    expect(crawler.inFlight).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(visits).toHaveLength(1);
  });
});
