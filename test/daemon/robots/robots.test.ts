import { describe, expect, test } from 'vitest';
import type { FetchFailure, HttpAnswer, RobotsAnswer } from '../../../src/daemon/fetch/fetched.ts';
import { Robots } from '../../../src/daemon/robots/robots.ts';
import { openMemory } from '../../reference/storage/memory.ts';

const signal = new AbortController().signal;
const answer = (status: number): HttpAnswer => ({ host: 'a.test', status, ms: 100, bytes: 50, address: '192.0.2.1' });
const file = (text: string): RobotsAnswer => ({ outcome: 'answered', bytes: Buffer.from(text), answer: answer(200) });
const down: FetchFailure = { outcome: 'failed', reason: 'connect', detail: 'a.test refused the connection' };

/** Hosts that answer what the test says, and a daemon that may be started anew on the same storage. */
class World {
  now = 1_000_000;
  answer: RobotsAnswer | FetchFailure | Promise<RobotsAnswer | FetchFailure> = file('');
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly storage = openMemory();
  robots = this.start();

  start(): Robots {
    this.robots = new Robots({
      copies: this.storage.robots,
      fetcher: {
        fetchRobots: async (url) => {
          this.asked.push(url);
          return this.answer;
        },
      },
      outside: { now: () => this.now },
      onUnreachable: (host, detail) => this.told.push(`${host}: ${detail}`),
    });
    return this.robots;
  }

  /** What is asked and answered, in two turns if the first one goes to robots.txt. */
  async permission(url: string) {
    const first = await this.robots.ask(url, signal);
    return first.kind === 'fetched' ? this.robots.ask(url, signal) : first;
  }
}

describe('the robots.txt of a host', () => {
  test('is asked for before anything else, once a day, and for each scheme and port', async () => {
    const it = new World();
    expect(await it.robots.ask('http://a.test/x', signal)).toEqual({
      kind: 'fetched',
      crawlDelayMs: 0,
      sitemaps: [],
      answer: answer(200),
    });
    expect(await it.robots.ask('http://a.test/x', signal)).toEqual({ kind: 'allowed', crawlDelayMs: 0 });
    await it.permission('http://a.test/y?z');
    await it.permission('https://a.test/x');
    await it.permission('http://a.test:8080/x');
    expect(it.asked).toEqual([
      'http://a.test/robots.txt',
      'https://a.test/robots.txt',
      'http://a.test:8080/robots.txt',
    ]);
    it.now += 24 * 3_600_000 - 1;
    await it.permission('http://a.test/x');
    expect(it.asked).toHaveLength(3);
    it.now += 1;
    await it.permission('http://a.test/x');
    expect(it.asked).toHaveLength(4);
  });

  test('is not asked for again by a node whose copy is over, where another one has asked meanwhile', async () => {
    const it = new World();
    const one = it.start();
    const other = it.start();
    await one.ask('http://a.test/x', signal);
    await other.ask('http://a.test/x', signal);
    it.now += 24 * 3_600_000;
    it.answer = file('User-agent: *\nDisallow: /x');
    await one.ask('http://a.test/x', signal);
    expect(await other.ask('http://a.test/x', signal)).toMatchObject({ kind: 'refused' });
    expect(it.asked).toHaveLength(2);
  });

  test('names its sitemaps to whoever comes later, also after a restart, without another request', async () => {
    const it = new World();
    it.answer = file('Sitemap: http://a.test/s.xml\nSitemap: /relative.xml');
    expect(await it.robots.sitemaps('http://a.test/')).toBeUndefined();
    await it.permission('http://a.test/x');
    const named = { sitemaps: ['http://a.test/s.xml', '/relative.xml'], readAt: it.now };
    expect(await it.robots.sitemaps('http://a.test/y')).toEqual(named);
    expect(await it.start().sitemaps('http://a.test/y')).toEqual(named);
    expect(it.asked).toHaveLength(1);
  });

  test('refuses by a rule, which is named, until it is asked for again', async () => {
    const it = new World();
    it.answer = file('User-agent: *\nCrawl-delay: 2\nDisallow: /private/\u001b[31m');
    await it.permission('http://a.test:81/');
    expect(await it.permission('http://a.test:81/private/%1b[31mletters')).toEqual({
      kind: 'refused',
      reason: 'robots',
      detail: 'robots.txt of a.test:81 disallows it in line 3: "Disallow: /private/%1B[31m"',
      until: it.now + 24 * 3_600_000,
    });
    expect(it.robots.refused).toBe(1);
    expect(await it.permission('http://a.test:81/public')).toEqual({ kind: 'allowed', crawlDelayMs: 2_000 });
  });

  test('asks for a rest, of a minute at most, also after itself', async () => {
    const it = new World();
    it.answer = file('User-agent: *\nCrawl-delay: 3600');
    expect(await it.robots.ask('http://a.test/x', signal)).toMatchObject({ kind: 'fetched', crawlDelayMs: 60_000 });
    expect(await it.robots.ask('http://a.test/x', signal)).toEqual({ kind: 'allowed', crawlDelayMs: 60_000 });
  });

  test('that cannot be had closes the host, with the reason of the network', async () => {
    const it = new World();
    it.answer = down;
    expect(await it.permission('http://a.test/x')).toEqual({
      kind: 'refused',
      reason: 'connect',
      detail: 'robots.txt of a.test cannot be fetched: a.test refused the connection',
      until: it.now + 60_000,
    });
    expect(it.told).toEqual(['a.test: a.test refused the connection']);
    await it.permission('http://a.test/y');
    expect(it.asked).toHaveLength(1);
    it.now += 60_000;
    it.answer = file('');
    expect(await it.permission('http://a.test/x')).toMatchObject({ kind: 'allowed' });
  });

  test('names its sitemaps when it is fetched, and tells who could not be asked', async () => {
    const it = new World();
    it.answer = file('Sitemap: https://a.test/map.xml\nUser-agent: *\nDisallow: /');
    const sitemaps = ['https://a.test/map.xml'];
    expect(await it.robots.ask('http://a.test/', signal)).toMatchObject({ kind: 'fetched', crawlDelayMs: 0, sitemaps });
    it.answer = down;
    expect(await it.robots.ask('http://b.test/', signal)).toMatchObject({ kind: 'fetched', failure: down });
  });

  test('can be looked at without a request, and tells the line that decides', async () => {
    const it = new World();
    expect(await it.robots.peek('http://a.test/x')).toEqual({ kind: 'unknown' });
    it.answer = file('User-agent: *\nCrawl-delay: 2\nDisallow: /private\nAllow: /private/open');
    await it.permission('http://a.test/');
    const known = { crawlDelayMs: 2_000, askedAt: it.now, expiresAt: it.now + 24 * 3_600_000, isFresh: true };
    expect(await it.robots.peek('http://a.test/')).toEqual({
      kind: 'allowed',
      detail: 'robots.txt of a.test allows it',
      ...known,
    });
    expect(await it.robots.peek('http://a.test/private/open')).toMatchObject({
      detail: 'robots.txt of a.test allows it in line 4: "Allow: /private/open"',
    });
    it.now += 24 * 3_600_000;
    expect(await it.robots.peek('http://a.test/private')).toEqual({
      kind: 'refused',
      detail: 'robots.txt of a.test disallows it in line 3: "Disallow: /private"',
      ...known,
      isFresh: false,
    });
    expect(it.asked).toHaveLength(1);
    expect(it.robots.refused).toBe(0);
  });

  test('that is not there is told so', async () => {
    const it = new World();
    it.answer = { outcome: 'answered', bytes: new Uint8Array(), answer: answer(404) };
    await it.permission('http://a.test/');
    expect(await it.robots.peek('http://a.test/x')).toMatchObject({
      kind: 'allowed',
      detail: 'there is no robots.txt of a.test',
    });
  });

  test('survives a restart, also while it cannot be had', async () => {
    const it = new World();
    it.answer = file('User-agent: *\nDisallow: /private');
    await it.permission('http://a.test/x');
    it.answer = down;
    for (let life = 0; life < 3; life += 1) {
      it.start();
      expect(await it.permission('http://a.test/private')).toMatchObject({ kind: 'refused', reason: 'robots' });
      expect(await it.permission('http://a.test/x')).toMatchObject({ kind: 'allowed' });
      it.now += 24 * 3_600_000;
    }
    expect(it.asked).toHaveLength(3);
  });

  test('is asked for by one request, however many pages wait for it', async () => {
    const it = new World();
    const { promise, resolve } = Promise.withResolvers<RobotsAnswer>();
    it.answer = promise;
    const asking = ['/a', '/b', '/c'].map((path) => it.robots.ask(`http://a.test${path}`, signal));
    resolve(file(''));
    expect(await Promise.all(asking)).toMatchObject([{ kind: 'fetched' }, { kind: 'fetched' }, { kind: 'fetched' }]);
    expect(it.asked).toHaveLength(1);
  });

  test('teaches nothing when the request was called off', async () => {
    const it = new World();
    it.answer = { outcome: 'failed', reason: 'aborted', detail: 'the fetch was cancelled' };
    expect(await it.robots.ask('http://a.test/x', signal)).toMatchObject({ kind: 'fetched' });
    expect(await it.storage.robots.robotsTotals()).toMatchObject({ copies: 0 });
  });

  test('that cannot be had refuses the page for which it was asked for, where there is no copy', async () => {
    const it = new World();
    it.answer = { outcome: 'answered', bytes: new Uint8Array(), answer: answer(503) };
    const refusal = { kind: 'refused', reason: 'robots', until: it.now + 60_000 };
    expect(await it.robots.ask('http://a.test/x', signal)).toMatchObject({ kind: 'fetched', refusal });
    it.answer = file('User-agent: *\nDisallow: /x');
    await it.permission('http://b.test/y');
    it.now += 24 * 3_600_000;
    it.answer = down;
    expect(await it.robots.ask('http://b.test/y', signal)).not.toHaveProperty('refusal');
  });

  test('tells how its host answered, and goes on asking for the rest that it asked for before', async () => {
    const it = new World();
    it.answer = file('User-agent: *\nCrawl-delay: 7');
    await it.permission('http://a.test/x');
    it.now += 24 * 3_600_000;
    const busy = { ...answer(503), retryAfterMs: 3_600_000 };
    it.answer = { outcome: 'answered', bytes: new Uint8Array(), answer: busy };
    expect(await it.robots.ask('http://a.test/x', signal)).toMatchObject({ crawlDelayMs: 7_000, answer: busy });
    it.now += 3_600_000;
    it.answer = { outcome: 'failed', reason: 'stale', detail: 'a.test closed a kept connection' };
    expect(await it.robots.ask('http://a.test/x', signal)).toMatchObject({ crawlDelayMs: 7_000, failure: it.answer });
  });

  test('of very many hosts is not kept parsed, and not asked for again', async () => {
    const it = new World();
    const line = `Disallow: /${'x'.repeat(1_000)}\n`;
    it.answer = file(`User-agent: *\n${line.repeat(500)}`);
    const hosts = Array.from({ length: 80 }, (_, index) => `http://h${index}.test`);
    for (const host of hosts) await it.permission(`${host}/`);
    for (const host of hosts) {
      expect(await it.permission(`${host}/${'x'.repeat(1_000)}`)).toMatchObject({ kind: 'refused' });
    }
    expect(it.asked).toHaveLength(80);
  });
});

describe('a redirect', () => {
  test('to a host that is not known waits for its robots.txt', async () => {
    const it = new World();
    it.answer = file('User-agent: hydrant\nDisallow: /private');
    expect(await it.robots.mayFollow(new URL('http://b.test/x'), signal)).toBeUndefined();
    expect(await it.robots.mayFollow(new URL('http://b.test/private'), signal)).toEqual({
      outcome: 'failed',
      reason: 'robots',
      detail: 'robots.txt of b.test disallows it in line 2: "Disallow: /private"',
    });
    expect(it.asked).toEqual(['http://b.test/robots.txt']);
  });

  test('to where a kept connection was closed has another turn, and no second request now', async () => {
    const it = new World();
    it.answer = { outcome: 'failed', reason: 'stale', detail: 'b.test closed a kept connection' };
    expect(await it.robots.mayFollow(new URL('http://b.test/x'), signal)).toMatchObject({ reason: 'stale' });
    expect(it.asked).toHaveLength(1);
  });

  test('is not followed when that cannot be had', async () => {
    const it = new World();
    it.answer = { outcome: 'failed', reason: 'aborted', detail: 'the fetch was cancelled' };
    expect(await it.robots.mayFollow(new URL('http://b.test/x'), signal)).toMatchObject({ reason: 'aborted' });
    it.answer = down;
    expect(await it.robots.mayFollow(new URL('http://b.test/x'), signal)).toMatchObject({ reason: 'robots' });
  });
});
