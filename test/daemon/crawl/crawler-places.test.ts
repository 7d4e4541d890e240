import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Crawler } from '../../../src/daemon/crawl/crawler.ts';
import { SmallFrontier } from './small-frontier.ts';

describe('the places of the crawler', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  test('a visit whose host answers late has its place again, and until it ends no other begins', async () => {
    const frontier = new SmallFrontier();
    for (const host of ['a', 'b', 'c']) frontier.add(`http://${host}.test/`);
    const begun: [string, number][] = [];
    let isWaiting = true;
    const crawler = new Crawler({
      supply: frontier,
      visit: async ({ host }) => {
        begun.push([host, Date.now()]);
        await new Promise((resolve) => setTimeout(resolve, host === 'a.test' ? 10_000 : 3_000));
        return {};
      },
      isWaiting: (host) => isWaiting && host === 'a.test',
      gate: { enter: async () => ({ leave: () => undefined }) },
      network: { doubtedSince: undefined },
      concurrency: 1,
      outside: { now: () => Date.now() },
      onError: (what) => begun.push([what, 0]),
    });
    crawler.wake();
    setTimeout(() => (isWaiting = false), 900);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(begun.slice(0, 3)).toEqual([
      ['a.test', 0],
      ['b.test', 500],
      ['c.test', 10_000],
    ]);
    const stopped = crawler.stop(0);
    await vi.advanceTimersByTimeAsync(20_000);
    await stopped;
  });

  test('a visit that waits for its commit leaves its place, and is not asked for its host again', async () => {
    const frontier = new SmallFrontier();
    for (const url of ['http://a.test/1', 'http://a.test/2', 'http://b.test/', 'http://c.test/']) frontier.add(url);
    const begun: string[] = [];
    const committed = Promise.withResolvers<void>();
    let entered = 0;
    const crawler = new Crawler({
      supply: frontier,
      visit: async ({ url }, _signal, isOver) => {
        begun.push(url);
        // Said twice, it is one place still.
        if (!url.startsWith('http://b.')) isOver();
        if (!url.startsWith('http://b.')) isOver();
        await committed.promise;
        return {};
      },
      gate: {
        enter: async () => {
          let isInside = true;
          entered += 1;
          const leave = (): void => {
            if (isInside) entered -= 1;
            isInside = false;
          };
          return { leave };
        },
      },
      network: { doubtedSince: undefined },
      concurrency: 1,
      outside: { now: () => Date.now() },
      onError: (what) => begun.push(what),
    });
    crawler.wake();
    await vi.advanceTimersByTimeAsync(20_000);
    // b.test has the one place and keeps it.
    expect(begun).toEqual(['http://a.test/1', 'http://b.test/']);
    expect(frontier.questions.at(-1)?.except).toEqual(['a.test']);
    expect([crawler.inFlight, entered]).toEqual([2, 1]);
    committed.resolve();
    await vi.advanceTimersByTimeAsync(0);
    const stopped = crawler.stop(0);
    await vi.advanceTimersByTimeAsync(0);
    await stopped;
    expect([crawler.inFlight, entered]).toEqual([0, 0]);
  });
});
