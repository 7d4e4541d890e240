import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Frontier, type Lead, NEW_HOST, URGENT } from '../../src/daemon/storage/frontier.ts';
import { DAY_MS } from '../../src/daemon/storage/frontier-rules.ts';
import type { Pages, Visit } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { identity, leadOf, pageAt, seedLead, sourceOf, visitOf } from '../fixtures/visits.ts';

const SEED = 'http://s.example/';
/** Its seed and nine others: half of them for feeds, one in a day for whatever else. */
const FULL = 10;
const GONE = { outcome: 'failed', reason: 'status', status: 410, nextDue: 9e9 } as const;

/** The exam of every `Frontier`: how a source that has all the pages it may have goes on finding new ones. */
export function turnoverContract(open: () => Promise<Storage>): void {
  describe('a full source', () => {
    let storage: Storage;
    let frontier: Frontier;
    let pages: Pages;
    beforeEach(async () => {
      storage = await open();
      ({ frontier, pages } = storage);
      await frontier.putSource(sourceOf('s', { maxPages: FULL }), [seedLead(SEED)], 0);
      await offer(0, ...Array.from({ length: FULL - 1 }, (_, n) => leadOf(pathOf(n + 1))));
    });
    afterEach(() => storage.close());

    const pathOf = (path: number | string): string => `${SEED}${path}`;
    const offer = (at: number, ...leads: Lead[]): Promise<number> => frontier.offer([{ sourceId: 's', leads }], at);
    const news = (path: number | string, different: Partial<Lead> = {}): Lead =>
      leadOf(pathOf(path), { urgency: URGENT.feed, ...different });
    const visit = async (path: number | string, different: Partial<Visit> = {}): Promise<void> => {
      await pages.commit(visitOf(await pageAt(frontier, pathOf(path)), different));
    };
    /** Two visits, after which it is due at `due`. */
    const getToKnow = async (path: number | string, due: number, different: Partial<Visit> = {}): Promise<void> => {
      for (const at of [10, 20]) await visit(path, { at, nextDue: due, ...different });
    };
    const isHeld = async (path: number | string): Promise<boolean> =>
      (await frontier.look(identity(pathOf(path)))) !== undefined;
    const dropped = async (): Promise<number> => (await frontier.frontierTotals(0)).dropped.maxPages;

    test('lets go of the page whose next visit is furthest away, one for each that comes', async () => {
      for (const [path, due] of [500, 900, 700].entries()) await getToKnow(path + 1, due);
      expect(await offer(100, news('a'))).toBe(1);
      expect(await Promise.all([1, 2, 3, 'a'].map(isHeld))).toEqual([true, false, true, true]);
      expect(await offer(100, news('b'))).toBe(1);
      expect(await Promise.all([1, 3, 'b'].map(isHeld))).toEqual([true, false, true]);
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: FULL, unvisited: 9, hosts: 1 });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL }]);
      expect(await dropped()).toBe(0);
    });

    test('lets nothing go that it does not know well: what comes is left out and counted', async () => {
      await visit(1, { nextDue: 9e9 });
      expect(await offer(100, news('a'))).toBe(0);
      expect(await dropped()).toBe(1);
      await visit(1, { at: 2_000, nextDue: 9e9 });
      expect(await offer(3_000, news('a'))).toBe(1);
      expect(await isHeld(1)).toBe(false);
    });

    test('lets go of a page that fails after it was read', async () => {
      await visit(1);
      await visit(1, GONE);
      expect(await offer(100, news('a'))).toBe(1);
      expect(await isHeld(1)).toBe(false);
    });

    test('has room for another page where one has failed at its first visit, and lets nothing go for it', async () => {
      await getToKnow(2, 9_000);
      for (const at of [10, 20]) await visit(1, { at, ...GONE });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL - 1 }]);
      expect(await offer(100, leadOf(pathOf('a')), leadOf(pathOf('b')))).toBe(2);
      expect(await Promise.all([1, 2, 'a', 'b'].map(isHeld))).toEqual([true, false, true, true]);
      expect(await frontier.sources()).toMatchObject([{ pages: FULL }]);
    });

    test('a page that is read at last takes a place, and one more goes for each that comes only', async () => {
      await visit(1, GONE);
      expect(await offer(100, leadOf(pathOf('a')))).toBe(1);
      await visit(1, { at: 200, kind: 'hub' });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL + 1 }]);
      expect(await offer(300, news('b'))).toBe(0);
      await getToKnow(2, 9_000);
      expect(await offer(300, news('b'))).toBe(1);
      expect(await isHeld(2)).toBe(false);
    });

    test('takes in feeds and sitemaps, which take no place', async () => {
      const lists = [leadOf(pathOf('feed'), { kind: 'feed' }), leadOf(pathOf('map'), { kind: 'sitemap' })];
      expect(await offer(100, ...lists, leadOf(pathOf('a')))).toBe(2);
      await visit('feed', GONE);
      await visit('map', { kind: 'sitemap' });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL }]);
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: FULL + 2 });
      expect(await offer(100, leadOf(pathOf('a')))).toBe(0);
    });

    test('what turns out to be a feed gives its place back, and a feed that is a page takes one', async () => {
      await visit('', { kind: 'feed' });
      expect(await offer(100, leadOf(pathOf('a')), leadOf(pathOf('b')))).toBe(1);
      await visit('', { at: 200, kind: 'hub' });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL + 1 }]);
    });

    test('holds no more of what takes no place than it has places', async () => {
      const feeds = Array.from({ length: FULL + 2 }, (_, n) => leadOf(pathOf(`feed${n}`), { kind: 'feed' }));
      expect(await offer(100, ...feeds)).toBe(FULL);
      expect(await frontier.sources()).toMatchObject([{ pages: FULL }]);
      expect(await dropped()).toBe(2);
    });

    test('of pages that all fail those beyond that bound take places again, and are the first to go', async () => {
      await getToKnow(1, 9e9);
      for (let n = 2; n < FULL; n += 1) await visit(n, { at: 10 + n, ...GONE });
      await offer(100, ...Array.from({ length: FULL - 2 }, (_, n) => leadOf(pathOf(`more${n}`))));
      for (let n = 0; n < FULL - 2; n += 1) await visit(`more${n}`, { at: 110 + n, ...GONE });
      expect(await frontier.sources()).toMatchObject([{ pages: FULL - 2 }]);
      await offer(200, leadOf(pathOf('x')), leadOf(pathOf('y')));
      expect(await isHeld('y')).toBe(true);
      expect(await frontier.sources()).toMatchObject([{ pages: FULL }]);
      expect(await offer(200, news('z'))).toBe(1);
      expect(await Promise.all([1, 'more7', 'more6', 'z'].map(isHeld))).toEqual([true, false, true, true]);
      expect(await offer(200, news('w'))).toBe(1);
    });

    test('what stands apart does so for every source that holds it, paused or not', async () => {
      const terms = sourceOf('t', { maxPages: 1 });
      await frontier.putSource(terms, [], 0);
      const found = (path: string) => frontier.offer([{ sourceId: 't', leads: [leadOf(pathOf(path))] }], 5);
      await found('1');
      await frontier.putSource({ ...terms, isPaused: true }, [], 0);
      await visit(1, GONE);
      expect(await frontier.sources()).toMatchObject([{ pages: FULL - 1 }, { pages: 0 }]);
      await found('2');
      expect(await frontier.sources()).toMatchObject([{ pages: FULL - 1 }, { pages: 1 }]);
      await frontier.removeSource('t');
      expect(await frontier.sources()).toMatchObject([{ pages: FULL - 1 }]);
    });

    test.each(['hub', 'feed', 'sitemap'] as const)('keeps its seed, and a %s', async (kind) => {
      await getToKnow('', 9e9, { kind: 'article' });
      await getToKnow(1, 9e9, { kind });
      const places = kind === 'hub' ? 0 : 1;
      expect(await offer(100, news('a'), news('b'))).toBe(places);
      expect(await Promise.all(['', 1].map(isHeld))).toEqual([true, true]);
      await getToKnow(1, 9e9, { kind: 'minor' });
      expect(await offer(100, news('c'))).toBe(1);
      expect(await isHeld(1)).toBe(false);
    });

    test('keeps what is asked for, or said to have changed, until it was visited', async () => {
      await getToKnow(1, 9_000);
      await getToKnow(2, 9_000);
      await frontier.prioritize(identity(pathOf(1)), 50);
      expect(await offer(100, news(2, { changedAt: 90 }), news('a'))).toBe(0);
      await visit(1, { at: 200, nextDue: 9_000 });
      expect(await offer(300, news('a'))).toBe(1);
    });

    test('keeps the pages whose visits are under way', async () => {
      await getToKnow(1, 500);
      const taken = (await frontier.take({ now: 1e6, atMost: 1, leaseMs: 9e9, except: [] })).pages;
      expect(taken).toMatchObject([{ url: SEED }]);
      await visit('', { at: 1e6, nextDue: 9e9 });
      for (let n = 2; n < FULL; n += 1) await visit(n, { at: 1e6, nextDue: 9e9, kind: 'hub' });
      expect((await frontier.take({ now: 1e6, atMost: 1, leaseMs: 9e9, except: [] })).pages).toMatchObject([
        { url: pathOf(1) },
      ]);
      expect(await offer(1e6, news('a'))).toBe(0);
      const discovered = [{ sourceId: 's', leads: [news('b')] }];
      await visit(1, { at: 1e6, nextDue: 9e9, discovered });
      expect(await Promise.all([1, 'b'].map(isHeld))).toEqual([true, false]);
      expect(await offer(1e6, news('c'))).toBe(1);
      expect(await isHeld(1)).toBe(false);
    });

    test('a page that another source holds stays with that one, whoever was first', async () => {
      const other = (url: string) => frontier.putSource(sourceOf('t'), [seedLead(url)], 5);
      await other(pathOf(1));
      await getToKnow(1, 9_000, { bodyHash: 'ab'.repeat(16) });
      expect(await offer(100, news('a'))).toBe(1);
      expect(await pageAt(frontier, pathOf(1))).toMatchObject({
        holders: [{ sourceId: 't', depth: 0 }],
        due: 9_000,
        state: { visitedAt: 20 },
      });
      await frontier.putSource(sourceOf('u', { maxPages: 1 }), [], 5);
      const found = (url: string) => frontier.offer([{ sourceId: 'u', leads: [{ ...leadOf(url), urgency: 2 }] }], 6);
      await found(pathOf(2));
      await getToKnow(2, 8_000);
      await found('http://u.example/');
      expect(await pageAt(frontier, pathOf(2))).toMatchObject({ holders: [{ sourceId: 's' }] });
      expect(await frontier.sources()).toMatchObject([
        { id: 's', pages: FULL },
        { id: 't', pages: 1 },
        { id: 'u', pages: 1 },
      ]);
    });

    test('what was let go comes back only with word of a change, and then it is no news', async () => {
      await getToKnow(1, 9_000);
      await getToKnow(2, 8_000);
      await offer(100, news('a'));
      expect(await offer(DAY_MS, leadOf(pathOf(1)), news(1), news(1, { changedAt: 100 }))).toBe(0);
      expect(await dropped()).toBe(0);
      expect(await offer(DAY_MS, news(1, { changedAt: 101 }))).toBe(1);
      expect(await pageAt(frontier, pathOf(1))).toMatchObject({ isBaseline: true, state: undefined });
      expect(await isHeld(2)).toBe(false);
    });

    test('what one let go is no news of another that finds it, but of one that is given it', async () => {
      await getToKnow(1, 9_000);
      await getToKnow(2, 8_000);
      await offer(100, news('a'), news('b'));
      await frontier.putSource(sourceOf('t'), [seedLead(pathOf(1))], 200);
      await frontier.offer([{ sourceId: 't', leads: [news(2)] }], 200);
      expect(await pageAt(frontier, pathOf(1))).toMatchObject({ isBaseline: false });
      expect(await pageAt(frontier, pathOf(2))).toMatchObject({ isBaseline: true });
      expect(await offer(300, news(1), news(2))).toBe(0);
      expect(await pageAt(frontier, pathOf(2))).toMatchObject({ holders: [{ sourceId: 't' }] });
    });

    test('with more room, what was let go comes back, and is no news', async () => {
      await getToKnow(1, 9_000);
      await offer(100, news('a'));
      await frontier.putSource(sourceOf('s', { maxPages: FULL + 1 }), [], 200);
      expect(await offer(300, leadOf(pathOf(1)))).toBe(1);
      expect(await pageAt(frontier, pathOf(1))).toMatchObject({ isBaseline: true });
    });

    test('what was let go is forgotten with the source', async () => {
      await getToKnow(1, 9_000);
      await offer(100, news('a'));
      await frontier.removeSource('s');
      await frontier.putSource(sourceOf('s', { maxPages: FULL }), [], 200);
      expect(await offer(300, leadOf(pathOf(1)))).toBe(1);
      expect(await pageAt(frontier, pathOf(1))).toMatchObject({ isBaseline: false });
    });

    test('a day has room for half as many new entries of feeds, a tenth from sitemaps, a twentieth of the rest', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: 40 }), [], 0);
      await offer(0, ...Array.from({ length: 30 }, (_, n) => leadOf(pathOf(FULL + n))));
      for (let n = 1; n < 40; n += 1) await getToKnow(n, 9_000);
      const some = (name: string, different: Partial<Lead>) =>
        Array.from({ length: 30 }, (_, n) => leadOf(pathOf(`${name}${n}`), different));
      const ofSitemap = { urgency: URGENT.sitemap };
      expect(await offer(100, ...some('link', {}))).toBe(2);
      expect(await offer(100, ...some('undated', ofSitemap))).toBe(0);
      expect(await offer(100, ...some('map', { ...ofSitemap, changedAt: 90 }))).toBe(2);
      expect(await offer(DAY_MS - 1, ...some('feed', { urgency: URGENT.feed }))).toBe(16);
      expect(await dropped()).toBe(28 + 30 + 28 + 14);
      expect(await offer(DAY_MS, ...some('other', {}))).toBe(2);
    });

    test('what was there when there was no room for it does not come later as news', async () => {
      expect(await offer(50, news('a', { changedAt: 40 }))).toBe(0);
      await getToKnow(1, 9_000);
      expect(await offer(100, news('a', { changedAt: 50 }))).toBe(0);
      expect(await offer(100, news('a', { changedAt: 51 }))).toBe(1);
      await frontier.putSource(sourceOf('s', { maxPages: FULL + 1 }), [], 200);
      expect(await offer(300, news('b', { changedAt: 40 }))).toBe(1);
    });

    test('lets nothing go for a URL that another budget keeps out', async () => {
      await getToKnow(1, 9_000);
      await frontier.putSource(sourceOf('t', { maxPages: 99 }), [], 0);
      const foreign = (n: number) => leadOf(`http://f.example/${n}`, { isForeign: true, urgency: URGENT.feed });
      await frontier.offer([{ sourceId: 't', leads: Array.from({ length: 50 }, (_, n) => foreign(n)) }], 100);
      expect(await offer(100, foreign(50))).toBe(0);
      expect(await isHeld(1)).toBe(true);
      expect(await frontier.frontierTotals(0)).toMatchObject({ dropped: { maxPages: 0, hostBudget: 1 } });
    });

    test('a host goes with its last page, and stays as long as it rests', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: FULL + 2 }), [], 0);
      await offer(0, leadOf('http://one.example/'), leadOf('http://two.example/'));
      for (const [host, notBefore] of [
        ['one', 0],
        ['two', 5_000],
      ] as const) {
        const page = await pageAt(frontier, `http://${host}.example/`);
        await pages.commit(visitOf(page, { nextDue: 9e9, at: 5 }));
        await pages.commit(visitOf(page, { ...GONE, at: 10, host: { ...NEW_HOST, notBefore } }));
      }
      expect(await offer(100, news('a'), news('b'))).toBe(2);
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: FULL + 2, hosts: 2 });
      await frontier.putSource(sourceOf('t'), [seedLead('http://two.example/')], 200);
      expect(await pageAt(frontier, 'http://two.example/')).toMatchObject({ hostState: { notBefore: 5_000 } });
    });
  });
}
