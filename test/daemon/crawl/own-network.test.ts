import { describe, expect, test } from 'vitest';
import { OwnNetwork } from '../../../src/daemon/crawl/own-network.ts';
import type {
  Fetched,
  Fetcher,
  FetchFailure,
  FetchFailureReason,
  RobotsAnswer,
} from '../../../src/daemon/fetch/fetched.ts';

const failed = (reason: FetchFailureReason): FetchFailure => ({ outcome: 'failed', reason, detail: reason });
const notModified = (url: string): Fetched => ({
  outcome: 'not_modified',
  url,
  validators: {},
  answer: { host: new URL(url).host, status: 304, ms: 1, bytes: 0, address: '192.0.2.1' },
});
const gone = (url: string): FetchFailure => ({
  ...failed('status'),
  answer: { host: new URL(url).host, status: 404, ms: 1, bytes: 0, address: '192.0.2.1' },
});

function world() {
  const clock = { now: 1_000_000 };
  const told: string[] = [];
  const network = new OwnNetwork({
    outside: { now: () => clock.now },
    onDown: () => told.push('down'),
    onUp: () => told.push('up'),
  });
  const next: { page: Fetched | Promise<Fetched>; robots: RobotsAnswer | FetchFailure } = {
    page: failed('connect'),
    robots: failed('connect'),
  };
  const rested: string[] = [];
  const inner: Fetcher = {
    fetch: async () => next.page,
    fetchRobots: async () => next.robots,
    locate: async (hostname) => [hostname],
    rest: (host) => void rested.push(host),
    close: async () => undefined,
  };
  const fetcher = network.watch(inner);
  const { signal } = new AbortController();
  const visit = async (host: string, page: Fetched | Promise<Fetched> = failed('connect')): Promise<string> => {
    next.page = page;
    const result = await fetcher.fetch({ url: `http://${host}/` }, signal);
    return result.outcome === 'failed' ? result.reason : result.outcome;
  };
  const cutOff = async (): Promise<void> => {
    for (const host of ['a.test', 'b.test', 'c.test']) await visit(host);
  };
  return { network, fetcher, clock, told, next, rested, visit, cutOff, signal };
}

describe('doubt in our own network', () => {
  test.each(['dns', 'connect', 'timeout'] as const)(
    'three hosts in a row of which nothing is heard cast it, and the third is not believed: %s',
    async (reason) => {
      const { network, visit, clock } = world();
      expect(await visit('a.test', failed(reason))).toBe(reason);
      expect(await visit('b.test', failed(reason))).toBe(reason);
      expect(network.doubtedSince).toBeUndefined();
      expect(await visit('c.test', failed(reason))).toBe('aborted');
      expect(network.doubtedSince).toBe(clock.now);
      expect(network.pauseMs(clock.now)).toBe(10_000);
    },
  );

  test('one host alone casts none, however often it fails', async () => {
    const { network, visit } = world();
    for (let turn = 0; turn < 10; turn += 1) expect(await visit('a.test')).toBe('connect');
    expect(network.doubtedSince).toBeUndefined();
  });

  test.each([
    ['an answer', notModified('http://up.test/')],
    ['an error answer', gone('http://up.test/')],
    ['a bad certificate', failed('tls')],
    ['a connection that is broken off', failed('reset')],
  ])('%s between says that the network is there', async (_, page) => {
    const { network, visit } = world();
    for (const host of ['a.test', 'b.test', 'c.test', 'd.test']) {
      expect(await visit(host)).toBe('connect');
      await visit('up.test', page);
    }
    expect(network.doubtedSince).toBeUndefined();
  });

  test.each(['private_address', 'bad_url', 'aborted'] as const)('what we refuse says nothing: %s', async (reason) => {
    const { network, visit } = world();
    await visit('a.test');
    await visit('b.test');
    expect(await visit('x.test', failed(reason))).toBe(reason);
    expect(network.doubtedSince).toBeUndefined();
    expect(await visit('c.test')).toBe('aborted');
  });

  test('names that do not exist cast none, and a try that meets one leaves it to the next', async () => {
    const { network, visit, cutOff, clock } = world();
    const unknown: FetchFailure = { ...failed('dns'), isUnknownName: true };
    for (const host of ['x.test', 'y.test', 'z.test']) expect(await visit(host, unknown)).toBe('dns');
    expect(network.doubtedSince).toBeUndefined();
    await cutOff();
    clock.now += network.pauseMs(clock.now);
    for (const host of ['x.test', 'y.test']) expect(await visit(host, unknown)).toBe('dns');
    expect(network.doubtedSince).toBeDefined();
    expect(network.pauseMs(clock.now)).toBe(0);
  });

  test('robots.txt counts as any other request', async () => {
    const { network, fetcher, next, signal } = world();
    for (const host of ['a.test', 'b.test']) {
      expect(await fetcher.fetchRobots(`http://${host}/robots.txt`, signal)).toMatchObject({ reason: 'connect' });
    }
    expect(await fetcher.fetchRobots('http://c.test/robots.txt', signal)).toMatchObject({ reason: 'aborted' });
    const busy = { host: 'c.test', status: 503, ms: 1, bytes: 0, address: '192.0.2.1' };
    next.robots = { outcome: 'answered', bytes: new Uint8Array(), answer: busy };
    expect(await fetcher.fetchRobots('http://c.test/robots.txt', signal)).toMatchObject({ answer: busy });
    expect(network.doubtedSince).toBeUndefined();
  });

  test('the pause doubles with each try that fails, up to five minutes; each try is believed', async () => {
    const { network, visit, cutOff, clock } = world();
    await cutOff();
    const pauses: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const pauseMs = network.pauseMs(clock.now);
      pauses.push(pauseMs / 1_000);
      clock.now += pauseMs;
      expect(await visit(`h${turn}.test`)).toBe('connect');
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('what was under way when it began is not believed, and is no try', async () => {
    const { network, visit, cutOff, clock } = world();
    let end: (page: Fetched) => void = () => undefined;
    const slow = visit('slow.test', new Promise<Fetched>((resolve) => (end = resolve)));
    await cutOff();
    clock.now += 12_000;
    end(failed('timeout'));
    expect(await slow).toBe('aborted');
    expect(network.pauseMs(clock.now)).toBe(0);
  });

  test('the first answer of anyone ends it, and three more are needed for another', async () => {
    const { network, visit, cutOff } = world();
    await cutOff();
    expect(await visit('d.test', notModified('http://d.test/'))).toBe('not_modified');
    expect(network.doubtedSince).toBeUndefined();
    expect(network.pauseMs(0)).toBe(0);
    expect(await visit('e.test')).toBe('connect');
    expect(await visit('f.test')).toBe('connect');
    expect(await visit('g.test')).toBe('aborted');
  });

  test('is told of once, when the first try has failed, and once when it is over', async () => {
    const { visit, cutOff, clock, told } = world();
    await cutOff();
    await visit('up.test', notModified('http://up.test/'));
    expect(told).toEqual([]);
    await cutOff();
    for (let turn = 0; turn < 5; turn += 1) {
      clock.now += 300_000;
      await visit(`h${turn}.test`);
    }
    expect(told).toEqual(['down']);
    await visit('up.test', notModified('http://up.test/'));
    expect(told).toEqual(['down', 'up']);
  });

  test('a clock that is set back does not prolong a pause', async () => {
    const { network, cutOff, clock } = world();
    await cutOff();
    clock.now -= 3_600_000;
    expect(network.pauseMs(clock.now)).toBe(0);
  });

  test('the rest of the fetcher is as it was', async () => {
    const { fetcher, rested } = world();
    expect(await fetcher.locate('a.test')).toEqual(['a.test']);
    fetcher.rest('a.test');
    expect(rested).toEqual(['a.test']);
    await expect(fetcher.close()).resolves.toBeUndefined();
  });
});
