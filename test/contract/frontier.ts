import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type DuePage,
  type Frontier,
  type Lead,
  NEW_HOST,
  type Taken,
  type TakeQuestion,
  URGENT,
} from '../../src/daemon/storage/frontier.ts';
import { DAY_MS } from '../../src/daemon/storage/frontier-rules.ts';
import type { Pages } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { identity, leadOf, pageAt, RATE, seed, seedLead, sourceOf, visitOf } from '../fixtures/visits.ts';
import { LONGEST_HOST_REST_MS } from '../../src/shared/limits.ts';

const HASH = 'ab'.repeat(16);

/** The exam of every `Frontier`. */
export function frontierContract(open: () => Promise<Storage>): void {
  describe('frontier', () => {
    let storage: Storage;
    let frontier: Frontier;
    let pages: Pages;
    beforeEach(async () => {
      storage = await open();
      ({ frontier, pages } = storage);
    });
    afterEach(() => storage.close());

    const take = (now: number, different: Partial<TakeQuestion> = {}): Promise<Taken> =>
      frontier.take({ now, atMost: 100, leaseMs: 1_000, except: [], ...different });
    const urlsOf = (taken: Taken): string[] => taken.pages.map((page) => page.url);
    const found = (sourceId: string, ...leads: Lead[]) => [{ sourceId, leads }];
    const offer = (at: number, ...leads: Lead[]): Promise<number> => frontier.offer(found('s', ...leads), at);
    /** Takes and visits what is due, until nothing is; the URLs in the order they came. */
    const crawl = async (now: number, atMost = 100): Promise<string[]> => {
      const visited: string[] = [];
      while (visited.length < atMost) {
        const taken = await take(now);
        if (taken.pages.length === 0) break;
        for (const page of taken.pages) {
          visited.push(page.url);
          await pages.commit(visitOf(page, { at: now, nextDue: now + DAY_MS }));
        }
      }
      return visited;
    };

    test('there is nothing at first, and nothing will be due', async () => {
      expect(await take(1e12)).toEqual({ pages: [], nextAt: undefined, pull: 0 });
      expect(await frontier.sources()).toEqual([]);
      expect(await frontier.look(identity('http://a.example/'))).toBeUndefined();
      expect(await frontier.prioritize(identity('http://a.example/'), 1)).toBe(false);
      expect(await frontier.frontierTotals(1e12)).toEqual({
        pages: 0,
        unvisited: 0,
        visits: 0,
        changes: 0,
        failures: 0,
        hosts: 0,
        hostsBackingOff: 0,
        hostsLeased: 0,
        oldestLease: undefined,
        oldestDue: undefined,
        dropped: { maxPages: 0, hostBudget: 0, patternBudget: 0 },
      });
    });

    test('the seed of a new source is due at once', async () => {
      const url = 'http://a.example:8080/x?y=1';
      await frontier.putSource(sourceOf('s', { everyMs: 60_000 }), [seedLead(url)], 1_000);
      const expected: DuePage = {
        id: expect.any(Number) as number,
        url,
        host: 'a.example:8080',
        due: 1_000,
        kind: 'hub',
        urgency: URGENT.asked,
        isBaseline: false,
        everyMs: 60_000,
        holders: [{ sourceId: 's', depth: 0 }],
        state: undefined,
        hostState: NEW_HOST,
        trust: undefined,
      };
      expect(await take(999)).toEqual({ pages: [], nextAt: 1_000, pull: 0 });
      const lease = expect.any(Number) as number;
      expect(await take(1_000)).toEqual({ pages: [{ ...expected, lease }], nextAt: 2_000, pull: 0 });
      expect(await frontier.sources()).toEqual([{ id: 's', pages: 1, visits: 0, nextDue: 1_000, last: undefined }]);
    });

    test.each(['https://a.example/', 'http://a.example/ä?b=c', 'https://[2001:db8::1]:8443/x'])(
      'a URL is given back as it came: %s',
      async (url) => {
        const page = await seed(frontier, 's', new URL(url).href);
        expect(page).toMatchObject({ url: new URL(url).href, host: new URL(url).host });
      },
    );

    test('a host that is leased gives no page, until the lease is over', async () => {
      await seed(frontier, 's', 'http://a.example/');
      await offer(0, leadOf('http://a.example/2'));
      expect(urlsOf(await take(10))).toEqual(['http://a.example/']);
      expect(await take(11)).toMatchObject({ pages: [], nextAt: 1_010 });
      expect(await frontier.frontierTotals(11)).toMatchObject({
        hostsLeased: 1,
        oldestLease: 10,
        oldestDue: undefined,
      });
      expect(urlsOf(await take(1_010))).toEqual(['http://a.example/']);
    });

    test('a commit and a release end the lease, and keep what the host can bear', async () => {
      const page = await seed(frontier, 's', 'http://a.example/');
      const resting = {
        ...NEW_HOST,
        notBefore: 500,
        backoff: 2,
        backoffAt: 10,
        backoffReason: '429',
        responseMs: 12.5,
      };
      await take(10);
      await frontier.release(page.id, resting);
      expect(await take(499)).toMatchObject({ pages: [], nextAt: 500 });
      const [again] = (await take(500)).pages;
      expect(again).toMatchObject({ url: page.url, hostState: resting });
      expect(await frontier.frontierTotals(500)).toMatchObject({ hostsBackingOff: 1 });
      await pages.commit(visitOf(page, { at: 500, nextDue: 600, host: { ...NEW_HOST, notBefore: 900 } }));
      expect(await take(899)).toMatchObject({ pages: [], nextAt: 900 });
      expect((await take(900)).pages).toMatchObject([{ hostState: { notBefore: 900, backoff: 0 } }]);
      expect(await frontier.frontierTotals(500)).toMatchObject({ hostsBackingOff: 0 });
    });

    test('a lease that was taken over is not ended by whom it was taken from', async () => {
      const page = await seed(frontier, 's', 'http://a.example/');
      await take(0);
      await frontier.prioritize(identity(page.url), 0);
      await offer(0, leadOf('http://a.example/asked', { urgency: URGENT.asked }));
      await pages.commit(visitOf(page, { at: 1_500, nextDue: 90_000 }));
      const [other] = (await take(2_000)).pages;
      expect(other).toMatchObject({ url: 'http://a.example/asked' });
      await pages.commit(visitOf(page, { at: 2_100, nextDue: 2_100 }));
      expect((await take(2_200)).pages).toEqual([]);
    });

    test('a visit that asked nobody leaves the host and its lease alone', async () => {
      const page = await seed(frontier, 's', 'http://a.example/');
      await take(0);
      const { host: _, ...unasked } = visitOf(page, { at: 10, nextDue: 20 });
      await pages.commit(unasked);
      expect(await take(30)).toMatchObject({ pages: [], nextAt: 1_000 });
    });

    test('hosts that the asker holds are left alone, by their name and port', async () => {
      await seed(frontier, 'a', 'http://a.example/', 1);
      await seed(frontier, 'b', 'http://a.example:81/', 2);
      await seed(frontier, 'c', 'http://c.example/', 3);
      const except = ['a.example', 'c.example'];
      expect(await take(10, { except })).toMatchObject({ pages: [{ url: 'http://a.example:81/' }], nextAt: 1_010 });
      expect(await take(10, { except })).toMatchObject({ pages: [], nextAt: 1_010 });
    });

    test('the host that waits longest comes first, and one page of each', async () => {
      await seed(frontier, 'a', 'http://a.example/', 300);
      await seed(frontier, 'b', 'http://b.example/', 200);
      await seed(frontier, 'c', 'http://c.example/', 5_000);
      await frontier.offer(found('a', leadOf('http://a.example/1'), leadOf('http://d.example/')), 400);
      expect(await take(1_000, { atMost: 2 })).toMatchObject({
        pages: [{ url: 'http://b.example/' }, { url: 'http://a.example/' }],
        nextAt: undefined,
      });
      expect(await take(1_000, { atMost: 0 })).toMatchObject({ pages: [], nextAt: undefined });
      expect(await take(1_000)).toMatchObject({ pages: [{ url: 'http://d.example/' }], nextAt: 2_000 });
    });

    test('within a host the most urgent comes first, then what is due for longest', async () => {
      await frontier.putSource(sourceOf('s'), [seedLead('http://a.example/')], 0);
      await crawl(0);
      await offer(3, leadOf('http://a.example/late'));
      await offer(2, leadOf('http://a.example/early'));
      await offer(4, leadOf('http://a.example/fed', { urgency: URGENT.feed }));
      await offer(5, leadOf('http://a.example/asked', { urgency: URGENT.asked }));
      expect(await frontier.look(identity('http://a.example/late'))).toMatchObject({ ahead: 3 });
      expect(await crawl(10)).toEqual(['asked', 'fed', 'early', 'late'].map((path) => `http://a.example/${path}`));
    });

    test('of the pages taken from a host at most three in ten are of sitemaps while others wait, then all', async () => {
      await frontier.putSource(sourceOf('s'), [], 0);
      const leads = Array.from({ length: 20 }, (_, n) => [
        leadOf(`http://a.example/plain/${n}`),
        leadOf(`http://a.example/map/${n}`, { urgency: URGENT.sitemap }),
      ]);
      await offer(0, ...leads.flat());
      const taken = await crawl(1);
      const maps = taken.map((url) => url.includes('/map/'));
      expect(taken).toHaveLength(40);
      expect([0, 10].map((from) => maps.slice(from, from + 10).filter(Boolean).length)).toEqual([3, 3]);
      expect(maps.slice(-10)).toEqual(Array.from({ length: 10 }, () => true));
    });

    test('a source put again keeps what it has and takes its new terms', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000 }));
      await frontier.putSource(sourceOf('s', { everyMs: 40_000, maxPages: 2 }), [seedLead(page.url)], 2_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ id: page.id, everyMs: 40_000, due: 41_000 });
      await frontier.putSource(sourceOf('s', { everyMs: 500_000, maxPages: 2 }), [seedLead(page.url)], 2_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ everyMs: 500_000, due: 41_000, urgency: URGENT.none });
      expect(await offer(0, leadOf(`${page.url}1`), leadOf(`${page.url}2`))).toBe(1);
      expect(await frontier.sources()).toMatchObject([{ id: 's', pages: 2, visits: 1, nextDue: 41_000 }]);
    });

    test('a source without an interval leaves it to each page', async () => {
      await frontier.putSource(sourceOf('s', { everyMs: undefined }), [seedLead('http://a.example/')], 0);
      expect(await pageAt(frontier, 'http://a.example/')).toMatchObject({ everyMs: undefined });
      await frontier.putSource(sourceOf('t', { everyMs: 7_000 }), [seedLead('http://a.example/')], 0);
      expect(await pageAt(frontier, 'http://a.example/')).toMatchObject({ everyMs: 7_000 });
    });

    test('pages of a paused source are not taken, unless another one holds them', async () => {
      await frontier.putSource(sourceOf('s'), [seedLead('http://a.example/'), seedLead('http://b.example/')], 0);
      await frontier.putSource(sourceOf('t', { everyMs: 9_000 }), [seedLead('http://b.example/')], 0);
      await frontier.putSource(sourceOf('s', { isPaused: true }), [], 0);
      await offer(0, leadOf('http://c.example/'));
      const taken = await take(10);
      expect(taken.pages).toMatchObject([{ url: 'http://b.example/', everyMs: 9_000 }]);
      expect(taken.pages[0]?.holders).toEqual([{ sourceId: 't', depth: 0 }]);
      expect(await frontier.look(identity('http://b.example/'))).toMatchObject({ pausedSourceIds: ['s'] });
      expect(await frontier.look(identity('http://a.example/'))).toMatchObject({ page: { holders: [] }, ahead: 0 });
      await frontier.putSource(sourceOf('s'), [], 20);
      expect(urlsOf(await take(20)).toSorted()).toEqual(['http://a.example/', 'http://c.example/']);
    });

    test('a source that goes further than before has all its pages read again', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 10, bodyHash: HASH }));
      await frontier.putSource(sourceOf('s'), [], 20);
      expect((await pageAt(frontier, page.url)).state?.bodyHash).toBe(HASH);
      await frontier.putSource({ ...sourceOf('s'), isWider: true }, [], 20);
      expect((await pageAt(frontier, page.url)).state?.bodyHash).toBeUndefined();
    });

    test('a resumed source has pages read again whose links it may have missed', async () => {
      const page = await seed(frontier, 's');
      await frontier.putSource(sourceOf('t'), [seedLead(page.url)], 0);
      await frontier.putSource(sourceOf('t', { isPaused: true }), [], 0);
      await pages.commit(visitOf(page, { at: 10, bodyHash: HASH }));
      expect((await pageAt(frontier, page.url)).state?.bodyHash).toBe(HASH);
      await frontier.putSource(sourceOf('t'), [], 20);
      expect((await pageAt(frontier, page.url)).state?.bodyHash).toBeUndefined();
    });

    test('found URLs are known once, due at once, and only for a source that is there', async () => {
      await frontier.putSource(sourceOf('s'), [seedLead('http://s.example/')], 0);
      const leads = ['http://s.example/1', 'http://s.example/1', 'http://s.example/', 'http://t.example/'];
      expect(await offer(1_000, ...leads.map((url) => leadOf(url)))).toBe(2);
      expect(await offer(2_000, ...leads.map((url) => leadOf(url)))).toBe(0);
      expect(await frontier.offer(found('gone', leadOf('http://u.example/')), 1_000)).toBe(0);
      expect(await pageAt(frontier, 'http://t.example/')).toMatchObject({ due: 1_000, holders: [{ depth: 1 }] });
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 3, unvisited: 3, hosts: 2 });
    });

    test('the smallest depth a page was found at counts', async () => {
      await frontier.putSource(sourceOf('s'), [seedLead('http://s.example/')], 0);
      for (const depth of [3, 2, 4]) await offer(0, leadOf('http://s.example/1', { depth }));
      expect(await pageAt(frontier, 'http://s.example/1')).toMatchObject({ holders: [{ sourceId: 's', depth: 2 }] });
    });

    test('what is said to have changed since its last visit is due at once, with its urgency', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000 }));
      const hint = (different: Partial<Lead>) => offer(5_000, leadOf(page.url, different));
      await hint({ urgency: URGENT.feed, changedAt: 1_000 });
      await hint({ urgency: URGENT.none, changedAt: 4_000 });
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 90_000, urgency: URGENT.none });
      await hint({ urgency: URGENT.feed, changedAt: 1_001 });
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 5_000, urgency: URGENT.feed });
      await pages.commit(visitOf(page, { at: 6_000, nextDue: 90_000 }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 90_000, urgency: URGENT.none });
      await offer(7_000, leadOf(page.url, { urgency: URGENT.sitemap, changedAt: 6_500 }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 7_000, urgency: URGENT.sitemap });
    });

    test('what changes many times between two visits is due sooner by each hint, and not at once', async () => {
      const page = await seed(frontier, 's');
      const day = 86_400_000;
      const busy = { theta: Math.log(12), info: 5, pull: 4 };
      const hint = (at: number): Promise<number> =>
        offer(at, leadOf(page.url, { urgency: URGENT.feed, changedAt: at }));
      await pages.commit(visitOf(page, { at: 0, nextDue: day / 4, rate: busy }));
      // Half of the time from one change to the next.
      await hint(1_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: day / 4 - day / 24, urgency: URGENT.feed });
      await hint(2_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: day / 4 - day / 12 });
      await hint(day / 8);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: day / 8 });
      // One that could not be had is due at once, as is one that seldom changes.
      await pages.commit(visitOf(page, { at: day, nextDue: 2 * day, rate: busy, outcome: 'failed', reason: 'dns' }));
      await hint(day + 1_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: day + 1_000 });
      await pages.commit(visitOf(page, { at: 2 * day, nextDue: 3 * day, rate: { ...busy, theta: Math.log(0.3) } }));
      await hint(2 * day + 1_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 2 * day + 1_000 });
    });

    test('who names a page without a date does not have it visited each time', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000 }));
      await offer(5_000, leadOf(page.url, { urgency: URGENT.feed }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 90_000, urgency: URGENT.none });
      await offer(5_000, leadOf('http://s.example/new', { urgency: URGENT.feed }));
      expect(await pageAt(frontier, 'http://s.example/new')).toMatchObject({ due: 5_000, urgency: URGENT.feed });
    });

    test('a sitemap is trusted by what visits find of what it said had changed', async () => {
      const map = await seed(frontier, 's', 'http://s.example/sitemap.xml');
      const article = leadOf('http://s.example/1');
      const read = { at: 100, kind: 'sitemap', nextDue: 1e9 } as const;
      await pages.commit(visitOf(map, { ...read, discovered: found('s', article) }));
      expect(await pageAt(frontier, map.url)).toMatchObject({ kind: 'sitemap', trust: { right: 0, wrong: 0 } });
      const page = await pageAt(frontier, article.url);
      await pages.commit(visitOf(page, { at: 200 }));
      for (const [turn, isMainChange] of [true, false, false].entries()) {
        const at = 1_000 * (turn + 1);
        const hint = { ...article, urgency: URGENT.sitemap, changedAt: at };
        await pages.commit(visitOf(map, { ...read, at, discovered: found('s', hint) }));
        await pages.commit(visitOf(page, { at: at + 1, outcome: 'failed', reason: 'dns', detail: 'gone' }));
        await pages.commit(visitOf(page, { at: at + 2, isMainChange }));
        await pages.commit(visitOf(page, { at: at + 3, isMainChange }));
      }
      expect(await pageAt(frontier, map.url)).toMatchObject({ trust: { right: 1, wrong: 2 } });
      expect(await pageAt(frontier, page.url)).toMatchObject({ trust: undefined });
    });

    test('a source never has more pages than it may, its seed counted; what is left out is counted, too', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: 3 }), [seedLead('http://s.example/')], 0);
      const leads = Array.from({ length: 50 }, (_, n) => leadOf(`http://s.example/${n}`));
      expect(await offer(1, ...leads)).toBe(2);
      expect(await frontier.sources()).toMatchObject([{ pages: 3 }]);
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 3, dropped: { maxPages: 48 } });
    });

    test('URLs that one template makes have a budget, and more of it when they are worth it', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: 10_000 }), [seedLead('http://s.example/')], 0);
      const calendar = Array.from({ length: 600 }, (_, n) => leadOf(`http://s.example/${n}`, { pattern: 7 }));
      expect(await offer(1, ...calendar)).toBe(500);
      expect(await offer(2, leadOf('http://s.example/other', { pattern: 8 }))).toBe(1);
      expect(await frontier.frontierTotals(0)).toMatchObject({ dropped: { patternBudget: 100 } });
      const version = { url: 'x', contentType: '', extractor: 1, at: 3, history: '{}' };
      const bytes = { page: new Uint8Array(), body: new Uint8Array() };
      const page = await pageAt(frontier, 'http://s.example/1');
      for (const at of [3, 4]) await pages.commit(visitOf(page, { at, version: { ...version, ...bytes } }));
      expect(await offer(5, ...calendar)).toBe(20);
    });

    test('a host that no source begins on has a budget of new URLs a day, and a known one a larger one', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: 10_000 }), [seedLead('http://s.example/')], 0);
      const list = await storage.ratings.beginRatings('list.csv');
      await storage.ratings.addRatings(list, [['known.example', 10]]);
      await storage.ratings.publishRatings(list, 0);
      const links = (host: string) =>
        Array.from({ length: 400 }, (_, n) => leadOf(`http://${host}/${n}`, { isForeign: true, pattern: n }));
      expect(await offer(1, ...links('www.known.example'))).toBe(150);
      expect(await offer(1, ...links('unknown.example'))).toBe(50);
      expect(await offer(DAY_MS - 1, ...links('unknown.example'))).toBe(0);
      expect(await offer(DAY_MS, ...links('unknown.example'))).toBe(50);
      expect(await frontier.frontierTotals(0)).toMatchObject({ dropped: { hostBudget: 250 + 350 + 350 + 300 } });
    });

    test('a page that two sources hold is one page, at the shorter interval, counted for both', async () => {
      const page = await seed(frontier, 'slow', 'http://a.example/');
      await pages.commit(visitOf(page, { nextDue: 90_000, bodyHash: HASH }));
      await frontier.putSource(sourceOf('fast', { everyMs: 1_000 }), [seedLead(page.url)], 5_000);
      const shared = await pageAt(frontier, page.url);
      expect(shared).toMatchObject({ id: page.id, everyMs: 1_000, due: 5_000, state: { bodyHash: undefined } });
      expect(shared.holders).toEqual([
        { sourceId: 'slow', depth: 0 },
        { sourceId: 'fast', depth: 0 },
      ]);
      await pages.commit(visitOf(shared, { at: 6_000, nextDue: 7_000, bodyHash: HASH }));
      expect(await frontier.sources()).toMatchObject([
        { id: 'slow', pages: 1, visits: 2, nextDue: 7_000 },
        { id: 'fast', pages: 1, visits: 1, nextDue: 7_000 },
      ]);
      await frontier.removeSource('slow');
      expect(await pageAt(frontier, page.url)).toMatchObject({ everyMs: 1_000, holders: [{ sourceId: 'fast' }] });
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 1, unvisited: 0 });
    });

    test('a page that is given to a source with a shorter interval comes forward with the others', async () => {
      const page = await seed(frontier, 'other', 'http://a.example/');
      await pages.commit(visitOf(page, { at: 2_000, nextDue: 9_000 }));
      await frontier.putSource(sourceOf('s', { everyMs: 60_000 }), [], 2_000);
      await frontier.putSource(sourceOf('s', { everyMs: 1_000 }), [seedLead(page.url)], 5_000);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 3_000 });
    });

    test('a removed source takes its pages along, and nothing of others', async () => {
      await seed(frontier, 'kept', 'http://kept.example/');
      await frontier.putSource(sourceOf('s', { maxPages: 1_000 }), [seedLead('http://gone.example/')], 0);
      await offer(0, ...Array.from({ length: 700 }, (_, n) => leadOf(`http://gone.example/${n}`, { pattern: n })));
      await frontier.putSource(sourceOf('t'), [seedLead('http://gone.example/7')], 0);
      await frontier.removeSource('s');
      await frontier.removeSource('never there');
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 2, unvisited: 2, hosts: 2 });
      expect(urlsOf(await take(1e12)).toSorted()).toEqual(['http://gone.example/7', 'http://kept.example/']);
      expect((await frontier.sources()).map((source) => [source.id, source.pages])).toEqual([
        ['kept', 1],
        ['t', 1],
      ]);
    });

    test('a host that is backing off is not forgotten because its source is removed and added again', async () => {
      const page = await seed(frontier, 's');
      await take(0);
      await frontier.release(page.id, { ...NEW_HOST, notBefore: 50_000, backoff: 1 });
      await frontier.removeSource('s');
      await seed(frontier, 's');
      expect(await take(49_999)).toMatchObject({ pages: [], nextAt: 50_000 });
    });

    test('a page that was removed while it was visited leaves what its host can bear', async () => {
      const page = await seed(frontier, 's');
      await take(0);
      await frontier.removeSource('s');
      await pages.commit(visitOf(page, { host: { ...NEW_HOST, notBefore: 50_000 } }));
      await seed(frontier, 's');
      expect(await take(49_999)).toMatchObject({ pages: [], nextAt: 50_000 });
    });

    test('a page that is asked for comes before everything, and waits for nothing but its host', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 10, nextDue: 90_000, host: { ...NEW_HOST, notBefore: 60_000 } }));
      expect(await frontier.prioritize(identity(page.url), 20)).toBe(true);
      expect(await take(30)).toMatchObject({ pages: [], nextAt: 60_000 });
      expect((await take(60_000)).pages).toMatchObject([{ url: page.url, due: 20, urgency: URGENT.asked }]);
      expect(await frontier.look(identity(page.url))).toMatchObject({ isHostLeased: true });
    });

    test('what is due later than its interval allows is put right when the clock turns out to have been ahead', async () => {
      const page = await seed(frontier, 's');
      await frontier.putSource(sourceOf('s', { maxPages: 1_000 }), [], 0);
      const leads = Array.from({ length: 450 }, (_, n) => leadOf(`http://s.example/${n}`));
      const ahead = 10 * DAY_MS;
      const host = { ...NEW_HOST, notBefore: ahead + 1_000 };
      await pages.commit(visitOf(page, { at: ahead, nextDue: 60_000, host, discovered: found('s', ...leads) }));
      expect(await frontier.bringForward(ahead - 60_000)).toBe(0);
      expect(await take(ahead - LONGEST_HOST_REST_MS)).toMatchObject({ pages: [] });
      expect(await frontier.bringForward(0)).toBe(450);
      expect(await frontier.bringForward(0)).toBe(0);
      expect((await take(0)).pages).toMatchObject([{ due: 0, hostState: { notBefore: 0 } }]);
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 60_000 });
    });

    test('what was visited by a clock that was ahead was visited now: it is due as long from now, and believes hints', async () => {
      const page = await seed(frontier, 's');
      const ahead = 30 * DAY_MS;
      await pages.commit(visitOf(page, { at: ahead, nextDue: ahead + 50_000, isFull: true, doubtedAt: ahead }));
      await frontier.putSource(sourceOf('s', { everyMs: undefined }), [], 0);
      await frontier.bringForward(1_000);
      const known = await pageAt(frontier, page.url);
      expect(known).toMatchObject({ due: 51_000, state: { visitedAt: 1_000, fullAt: 1_000, doubtedAt: 1_000 } });
      expect(await take(51_000)).toMatchObject({ pages: [{ url: page.url }] });
      await frontier.release(page.id, NEW_HOST);
      expect(await frontier.sources()).toMatchObject([{ last: { at: 1_000 } }]);
      await pages.commit(visitOf(page, { at: 52_000, nextDue: 200_000 }));
      expect(await frontier.sources()).toMatchObject([{ last: { at: 52_000 } }]);
      await offer(53_000, leadOf(page.url, { urgency: URGENT.feed, changedAt: 52_500 }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 53_000 });
    });

    test('the pull of all pages that may be taken is told with them', async () => {
      const page = await seed(frontier, 's');
      const other = await seed(frontier, 't');
      await pages.commit(visitOf(page, { rate: { ...RATE, pull: 0.5 } }));
      await pages.commit(visitOf(other, { rate: { ...RATE, pull: 2 } }));
      await pages.commit(visitOf(page, { rate: { ...RATE, pull: 0.25 } }));
      expect((await take(0)).pull).toBe(2.25);
      await frontier.putSource(sourceOf('t', { isPaused: true }), [], 0);
      expect((await take(0)).pull).toBe(0.25);
      await frontier.putSource(sourceOf('t'), [], 0);
      await frontier.removeSource('s');
      expect((await take(0)).pull).toBe(2);
    });
  });
}
