import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnNetwork } from '../../../src/daemon/crawl/own-network.ts';
import type {
  Fetched,
  Fetcher,
  FetchFailure,
  FetchFailureReason,
  RobotsAnswer,
} from '../../../src/daemon/fetch/fetched.ts';

const failed = (reason: FetchFailureReason): FetchFailure => ({ outcome: 'failed', reason, detail: reason });
const gone = (url: string): FetchFailure => ({
  ...failed('status'),
  answer: { host: new URL(url).host, status: 404, ms: 1, bytes: 0, address: '192.0.2.1' },
});

function world() {
  const told: string[] = [];
  const reached: string[] = [];
  const up = new Set<string>();
  const rested: string[] = [];
  let next: Fetched | RobotsAnswer | FetchFailure | Promise<Fetched> = failed('connect');
  const inner: Fetcher = {
    fetch: async () => (await next) as Fetched,
    fetchRobots: async () => (await next) as RobotsAnswer | FetchFailure,
    locate: async (hostname) => [hostname.startsWith('cellar') ? '192.168.1.5' : '203.0.113.7'],
    reach: async (origin) => {
      reached.push(origin);
      return up.has(origin);
    },
    isWaiting: () => false,
    rest: (host) => void rested.push(host),
    close: async () => undefined,
  };
  const network = new OwnNetwork({
    outside: { now: () => Date.now() },
    locate: (hostname) => inner.locate(hostname),
    reach: (origin) => inner.reach(origin),
    isOpened: (address) => address.startsWith('192.168.'),
    onDown: () => told.push('down'),
    onUp: () => told.push('up'),
  });
  const fetcher = network.watch(inner);
  const { signal } = new AbortController();
  const visit = async (host: string, page: typeof next = failed('timeout')): Promise<string> => {
    next = page;
    const result = await fetcher.fetch({ url: `http://${host}/` }, signal);
    return result.outcome === 'failed' ? result.reason : result.outcome;
  };
  const answers = (host: string, address = '203.0.113.9'): Promise<string> => {
    const answer = { host, status: 304, ms: 1, bytes: 0, address };
    return visit(host, { outcome: 'not_modified', url: `http://${host}/`, validators: {}, answer });
  };
  /** Once all that was to be waited for has been. */
  const later = async (verdict: Promise<string>): Promise<string> => {
    await vi.advanceTimersByTimeAsync(10_000);
    return verdict;
  };
  return { network, fetcher, told, reached, up, rested, visit, answers, later, signal };
}

describe('doubt in our own network', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  test.each(['dns', 'connect', 'timeout'] as const)(
    'silent hosts cast none as long as others answer, whatever their number, and nobody is asked for it: %s',
    async (reason) => {
      const { network, visit, answers, reached } = world();
      for (let turn = 0; turn < 50; turn += 1) {
        const silent = visit(`dead${turn}.test`, failed(reason));
        await vi.advanceTimersByTimeAsync(500);
        await answers('up.test');
        expect(await silent).toBe(reason);
      }
      expect(network.doubtedSince).toBeUndefined();
      expect(reached).toEqual([]);
    },
  );

  test('where nobody answers just then, a host is reached for that answered lately; then the silent one is blamed', async () => {
    const { network, visit, answers, later, reached, up } = world();
    for (const host of ['a.test', 'b.test', 'c.test']) await answers(host);
    up.add('http://c.test');
    expect(await later(visit('dead.test'))).toBe('timeout');
    expect(reached).toEqual(['http://c.test']);
    expect(network.doubtedSince).toBeUndefined();
  });

  test('one question for all who are silent at a time, and witnesses take turns', async () => {
    const { visit, answers, later, reached, up } = world();
    for (const host of ['a.test', 'b.test']) await answers(host);
    up.add('http://a.test').add('http://b.test');
    const silent = Array.from({ length: 40 }, (_, n) => visit(`dead${n}.test`));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['timeout']));
    expect(reached).toEqual(['http://b.test']);
    for (const host of ['x.test', 'y.test', 'z.test']) await later(visit(host));
    expect(reached.slice(1)).toEqual(['http://a.test', 'http://b.test', 'http://a.test']);
  });

  test('only if hosts that answered lately are silent, too, is it us; then nobody is blamed, and the first answer ends it', async () => {
    const { network, visit, answers, later, told, reached } = world();
    for (const host of ['a.test', 'b.test', 'c.test', 'd.test']) await answers(host);
    const begun = Date.now();
    expect(await later(visit('x.test'))).toBe('aborted');
    expect(reached).toHaveLength(3);
    expect(network.doubtedSince).toBeGreaterThan(begun);
    for (const host of ['a.test', 'b.test', 'x.test']) expect(await later(visit(host))).toBe('aborted');
    expect(told).toEqual(['down']);
    expect(await answers('b.test')).toBe('not_modified');
    expect(told).toEqual(['down', 'up']);
    expect(network.doubtedSince).toBeUndefined();
  });

  test('in doubt nobody tries in a tight loop', async () => {
    const { visit, answers, later } = world();
    for (const host of ['a.test', 'b.test']) await answers(host);
    await later(visit('x.test'));
    const began = Date.now();
    const verdict = visit('y.test', failed('connect'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await verdict, Date.now() - began]).toEqual(['aborted', 1_000]);
  });

  test('a request that began before a doubt was over says nothing of its host', async () => {
    const { visit, answers, later } = world();
    for (const host of ['a.test', 'b.test']) await answers(host);
    const { promise, resolve } = Promise.withResolvers<Fetched>();
    const slow = visit('slow.test', promise);
    await vi.advanceTimersByTimeAsync(0);
    expect(await later(visit('x.test'))).toBe('aborted');
    await answers('a.test');
    resolve(failed('timeout'));
    expect(await slow).toBe('aborted');
  });

  test('all that ever answer, silent at once, are not to blame; one alone is', async () => {
    const one = world();
    await one.answers('a.test');
    expect(await one.later(one.visit('a.test'))).toBe('timeout');
    const two = world();
    for (const host of ['a.test', 'b.test']) await two.answers(host);
    const both = [two.visit('a.test'), two.visit('b.test')];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all(both)).toEqual(['aborted', 'aborted']);
  });

  test('where nobody has ever answered, the hosts are blamed', async () => {
    const { network, visit, later, told } = world();
    for (const host of ['a.test', 'b.test', 'c.test', 'd.test']) expect(await later(visit(host))).toBe('timeout');
    expect([network.doubtedSince, told]).toEqual([undefined, []]);
  });

  test('those that answered before a restart are witnesses', async () => {
    const { network, visit, later } = world();
    await network.remember(['http://a.test', 'https://b.test']);
    expect(await later(visit('x.test'))).toBe('aborted');
  });

  test('a network that the operator has opened says nothing of the web, and the web all of it', async () => {
    const { network, visit, answers, later } = world();
    for (const host of ['a.test', 'b.test']) await answers(host);
    await answers('cellar.test', '192.168.1.5');
    const silent = visit('x.test');
    await vi.advanceTimersByTimeAsync(0);
    await answers('cellar.test', '192.168.1.5');
    expect(await later(silent)).toBe('aborted');
    expect(await visit('cellar2.test', { ...failed('connect'), isRefused: true })).toBe('connect');
    expect(network.doubtedSince).toBeDefined();
    await answers('a.test');
    expect(network.doubtedSince).toBeUndefined();
  });

  test.each([
    ['an error answer', gone('http://up.test/')],
    ['a bad certificate', failed('tls')],
  ])('%s says that the network is there', async (_, page) => {
    const { visit, answers, reached } = world();
    await answers('a.test');
    const silent = visit('dead.test');
    await vi.advanceTimersByTimeAsync(0);
    await visit('up.test', page);
    expect(await silent).toBe('timeout');
    expect(reached).toEqual([]);
  });

  const brokenOff = (host: string, reason: FetchFailureReason): FetchFailure => ({
    ...failed(reason),
    answer: { host, status: 200, ms: 10_000, bytes: 30, address: '203.0.113.8' },
  });

  test.each(['timeout', 'reset'] as const)(
    'an answer that began before and never ended does not say that the network is there now: %s',
    async (reason) => {
      const { network, visit, answers, later } = world();
      for (const host of ['a.test', 'b.test']) await answers(host);
      const slow = visit('slow.test');
      await vi.advanceTimersByTimeAsync(500);
      const dripping = visit('dripping.test', brokenOff('dripping.test', reason));
      expect(await later(slow)).toBe('aborted');
      expect(await dripping).toBe(reason === 'timeout' ? 'aborted' : reason);
      expect(network.doubtedSince).toBeDefined();
      await later(visit('dripping.test', brokenOff('dripping.test', reason)));
      expect(network.doubtedSince).toBeDefined();
    },
  );

  test('while others answer, a host is blamed for an answer that never ends', async () => {
    const { visit, answers } = world();
    await answers('a.test');
    const dripping = visit('dripping.test', brokenOff('dripping.test', 'timeout'));
    await vi.advanceTimersByTimeAsync(500);
    await answers('a.test');
    expect(await dripping).toBe('timeout');
  });

  test.each(['private_address', 'bad_url', 'aborted', 'reset'] as const)(
    'says nothing either way: %s',
    async (reason) => {
      const { network, visit, answers, later } = world();
      for (const host of ['a.test', 'b.test']) await answers(host);
      const silent = visit('x.test');
      await vi.advanceTimersByTimeAsync(0);
      expect(await visit('y.test', failed(reason))).toBe(reason);
      expect(await later(silent)).toBe('aborted');
      expect(network.doubtedSince).toBeDefined();
      const unknown: FetchFailure = { ...failed('dns'), isUnknownName: true };
      expect(await visit('z.test', unknown)).toBe('dns');
      expect(network.doubtedSince).toBeDefined();
    },
  );

  test('robots.txt counts as any other request', async () => {
    const { fetcher, answers, visit, later, signal } = world();
    for (const host of ['a.test', 'b.test']) await answers(host);
    await later(visit('x.test'));
    const robots = fetcher.fetchRobots('http://c.test/robots.txt', signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await robots).toMatchObject({ reason: 'aborted', isNetworkDoubt: true });
  });

  test('the rest of the fetcher is as it was', async () => {
    const { fetcher, rested } = world();
    expect(await fetcher.locate('a.test')).toEqual(['203.0.113.7']);
    fetcher.rest('a.test');
    expect(rested).toEqual(['a.test']);
    expect(fetcher.isWaiting('a.test')).toBe(false);
    expect(await fetcher.reach('http://a.test')).toBe(false);
    await expect(fetcher.close()).resolves.toBeUndefined();
  });
});
