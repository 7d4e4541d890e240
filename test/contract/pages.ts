import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import type { DuePage, Pages } from '../../src/daemon/storage/pages.ts';
import { eventFor, pageAt, seed, versionOf, visitOf } from '../fixtures/visits.ts';

/** The exam of every `Pages`. */
export function pagesContract(open: () => Promise<Storage>): void {
  describe('pages', () => {
    let storage: Storage;
    let pages: Pages;
    beforeEach(async () => {
      storage = await open();
      pages = storage.pages;
    });
    afterEach(() => storage.close());

    const due = async (now: number, different: Partial<Parameters<Pages['due']>[0]> = {}): Promise<string[]> =>
      (await pages.due({ now, atMost: 100, busyHosts: [], ...different })).pages.map((page) => page.url);

    test('there are none at first, and none will be due', async () => {
      expect(await pages.due({ now: 1e12, atMost: 10, busyHosts: [] })).toEqual({ pages: [], nextAt: undefined });
      expect(await pages.sources()).toEqual([]);
      expect(await pages.totals(1e12)).toEqual({ pages: 0, visits: 0, changes: 0, failures: 0, oldestDue: undefined });
      expect(await pages.version(1)).toBeUndefined();
    });

    test('the seed of a new source is due at once', async () => {
      await pages.addSource({ id: 's', everyMs: 60_000, maxPages: 5 }, 'http://a.example:8080/x?y=1', 1_000);
      const found = await pages.due({ now: 1_000, atMost: 10, busyHosts: [] });
      const expected: DuePage = {
        id: expect.any(Number) as number,
        url: 'http://a.example:8080/x?y=1',
        host: 'a.example:8080',
        due: 1_000,
        everyMs: 60_000,
        sourceIds: ['s'],
        bodyHash: undefined,
        failures: 0,
        doubtedAt: undefined,
      };
      expect(found).toEqual({ pages: [expected], nextAt: undefined });
      expect(await pages.due({ now: 999, atMost: 10, busyHosts: [] })).toEqual({ pages: [], nextAt: 1_000 });
      expect(await pages.sources()).toEqual([{ id: 's', pages: 1, visits: 0, nextDue: 1_000, last: undefined }]);
    });

    test('adding a source again changes its interval and nothing else', async () => {
      const page = await seed(pages, 's');
      await pages.commit(visitOf(page, { nextDue: 90_000 }));
      await pages.addSource({ id: 's', everyMs: 5_000, maxPages: 1 }, 'http://other.example/', 2_000);
      expect(await pageAt(pages, page.url)).toMatchObject({ everyMs: 5_000, due: 90_000 });
      expect(await pages.sources()).toMatchObject([{ id: 's', pages: 1, visits: 1, nextDue: 90_000 }]);
      const urls = [1, 2].map((index) => `${page.url}${index}`);
      await pages.commit(visitOf(page, { discovered: [{ sourceId: 's', urls }] }));
      expect(await pages.totals(0)).toMatchObject({ pages: 3 });
    });

    test('a seed that is no URL is refused and leaves no source behind', async () => {
      await expect(pages.addSource({ id: 's', everyMs: 1, maxPages: 1 }, 'no url', 0)).rejects.toThrow('no url');
      expect(await pages.sources()).toEqual([]);
      expect(await pages.totals(0)).toMatchObject({ pages: 0 });
    });

    test('one page a host, the most overdue one, and the most overdue host first', async () => {
      const a = await seed(pages, 'a', 'http://a.example/', 300);
      await seed(pages, 'b', 'http://b.example/', 200);
      await seed(pages, 'c', 'http://c.example/', 999_999);
      const urls = ['http://a.example/1', 'http://a.example/2', 'http://d.example/'];
      await pages.commit(visitOf(a, { at: 100, nextDue: 400, discovered: [{ sourceId: 'a', urls }] }));
      const first = await due(1_000);
      expect(first).toHaveLength(3);
      expect(first.slice(0, 2).toSorted()).toEqual(['http://a.example/1', 'http://d.example/']);
      expect(first[2]).toBe('http://b.example/');
      expect(await due(150, { atMost: 1 })).toHaveLength(1);
      expect(await due(1_000, { atMost: 0 })).toEqual([]);
    });

    test('busy hosts are passed over, by their name and port', async () => {
      await seed(pages, 'a', 'http://a.example/', 1);
      await seed(pages, 'b', 'http://a.example:81/', 2);
      await seed(pages, 'c', 'http://c.example/', 3);
      expect(await due(10, { busyHosts: ['a.example'], atMost: 1 })).toEqual(['http://a.example:81/']);
      expect(await due(10, { busyHosts: ['a.example', 'c.example'] })).toEqual(['http://a.example:81/']);
    });

    test('when the next page falls due is told beside those that already are', async () => {
      await seed(pages, 'a', 'http://a.example/', 10);
      await seed(pages, 'b', 'http://b.example/', 500);
      await seed(pages, 'c', 'http://c.example/', 700);
      expect(await pages.due({ now: 10, atMost: 10, busyHosts: [] })).toMatchObject({
        pages: [{ due: 10 }],
        nextAt: 500,
      });
      expect(await pages.due({ now: 500, atMost: 10, busyHosts: [] })).toMatchObject({ nextAt: 700 });
      expect((await pages.due({ now: 700, atMost: 1, busyHosts: [] })).nextAt).toBeUndefined();
    });

    test('a visit moves the page to its next due time and counts', async () => {
      const page = await seed(pages, 's');
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 61_000, bodyHash: 'h1' }));
      await pages.commit(visitOf(page, { at: 61_000, nextDue: 121_000, outcome: 'unchanged', bodyHash: 'h2' }));
      const failed = { at: 121_000, outcome: 'failed', reason: 'dns', detail: 'no such host: s.example' } as const;
      await pages.commit(visitOf(page, { ...failed, nextDue: 181_000 }));
      expect(await pageAt(pages, page.url)).toMatchObject({ due: 181_000, bodyHash: 'h2', failures: 1 });
      expect(await pages.totals(181_000)).toEqual({ pages: 1, visits: 3, changes: 1, failures: 1, oldestDue: 181_000 });
      const last = { url: page.url, ...failed };
      expect(await pages.sources()).toEqual([{ id: 's', pages: 1, visits: 3, nextDue: 181_000, last }]);
    });

    test('failures are counted in a row', async () => {
      const page = await seed(pages, 's');
      const failuresAfter: number[] = [];
      for (const outcome of ['failed', 'failed', 'unchanged', 'failed'] as const) {
        await pages.commit(visitOf(page, { outcome, ...(outcome === 'failed' && { reason: 'dns', detail: 'gone' }) }));
        failuresAfter.push((await pageAt(pages, page.url)).failures);
      }
      expect(failuresAfter).toEqual([1, 2, 0, 1]);
    });

    test('the last visit is the newest one, in whatever order visits are recorded', async () => {
      const page = await seed(pages, 's');
      await pages.commit(visitOf(page, { at: 9_000 }));
      await pages.commit(visitOf(page, { at: 8_000, outcome: 'unchanged' }));
      expect(await pages.sources()).toMatchObject([{ visits: 2, last: { at: 9_000, outcome: 'changed' } }]);
    });

    test('a version replaces the last one, byte for byte', async () => {
      const page = await seed(pages, 's');
      const first = versionOf('first');
      const body = Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) % 251);
      const second = {
        ...versionOf('second ä 𝒳', 2_000),
        contentType: 'text/html; charset=x',
        extractor: 7,
        history: '{"a":1}',
        body,
      };
      await pages.commit(visitOf(page, { version: first }));
      expect(await pages.version(page.id)).toEqual(first);
      await pages.commit(visitOf(page, { version: second }));
      expect(await pages.version(page.id)).toEqual(second);
      await pages.commit(visitOf(page, { outcome: 'failed' }));
      expect(await pages.version(page.id)).toEqual(second);
    });

    test('a page in doubt stays so until a visit that is in none', async () => {
      const page = await seed(pages, 's');
      await pages.commit(
        visitOf(page, { outcome: 'failed', reason: 'doubtful', detail: 'most of it is gone', doubtedAt: 5 }),
      );
      expect(await pageAt(pages, page.url)).toMatchObject({ doubtedAt: 5, failures: 1 });
      await pages.commit(visitOf(page, { outcome: 'unchanged' }));
      expect(await pageAt(pages, page.url)).toMatchObject({ doubtedAt: undefined, failures: 0 });
    });

    test('what the pages of a host share is kept for the host, and goes with its last page', async () => {
      const [one, other] = [await seed(pages, 'one'), await seed(pages, 'other')];
      expect(await pages.furniture(one.host)).toBeUndefined();
      await pages.commit(visitOf(one, { furniture: Uint8Array.of(1, 2) }));
      await pages.commit(visitOf(one, { furniture: Uint8Array.of(3) }));
      await pages.commit(visitOf(other, {}));
      expect(await pages.furniture(one.host)).toEqual(Uint8Array.of(3));
      expect(await pages.furniture(other.host)).toBeUndefined();
      await pages.removeSource('one');
      await seed(pages, 'one');
      expect(await pages.furniture(one.host)).toBeUndefined();
    });

    test('an empty body is a body, and a view into a larger buffer is only itself', async () => {
      const page = await seed(pages, 's');
      await pages.commit(visitOf(page, { version: { ...versionOf('x'), body: new Uint8Array() } }));
      expect((await pages.version(page.id))?.body).toEqual(new Uint8Array());
      const large = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
      await pages.commit(visitOf(page, { version: { ...versionOf('x'), body: large.subarray(10, 13) } }));
      expect((await pages.version(page.id))?.body).toEqual(Uint8Array.of(10, 11, 12));
      expect(large[10]).toBe(10);
    });

    test('what a caller does to its own objects afterwards reaches nobody', async () => {
      const page = await seed(pages, 's');
      const version = versionOf('mine');
      const committed = pages.commit(visitOf(page, { version }));
      version.body.fill(0);
      await committed;
      (await pages.version(page.id))?.body.fill(1);
      expect(await pages.version(page.id)).toEqual(versionOf('mine'));
    });

    test('discovered URLs are due at once, are known once, and leave known ones alone', async () => {
      const page = await seed(pages, 's', 'http://s.example/', 0);
      const urls = ['http://s.example/1', 'http://s.example/1', 'http://s.example/', 'not a url', 'http://t.example/'];
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 61_000, discovered: [{ sourceId: 's', urls }] }));
      expect(await pages.sources()).toMatchObject([{ pages: 3, nextDue: 1_000 }]);
      expect((await due(1_000)).toSorted()).toEqual(['http://s.example/1', 'http://t.example/']);
      const known = await pageAt(pages, 'http://t.example/');
      await pages.commit(visitOf(known, { at: 2_000, nextDue: 62_000 }));
      await pages.commit(visitOf(page, { at: 3_000, nextDue: 63_000, discovered: [{ sourceId: 's', urls }] }));
      expect(await pageAt(pages, 'http://t.example/')).toMatchObject({ due: 62_000 });
      expect(await pages.totals(0)).toMatchObject({ pages: 3 });
    });

    test('a source that comes to hold a known page gets a visit at once that reads the page whatever its bytes', async () => {
      const page = await seed(pages, 's', 'http://s.example/', 0);
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 61_000, bodyHash: 'h' }));
      expect(await pageAt(pages, page.url)).toMatchObject({ bodyHash: 'h' });
      await pages.addSource({ id: 'new', everyMs: 1_000, maxPages: 100 }, page.url, 2_000);
      const again = await pageAt(pages, page.url);
      expect(again).toMatchObject({ id: page.id, due: 2_000, bodyHash: undefined, sourceIds: ['s', 'new'] });
      await pages.commit(visitOf(again, { at: 3_000, nextDue: 63_000, outcome: 'unchanged', bodyHash: 'h' }));
      expect(await pageAt(pages, page.url)).toMatchObject({ due: 63_000, bodyHash: 'h' });
    });

    test('a source that comes to hold a page while it is being visited gets a visit of its own', async () => {
      const page = await seed(pages, 's', 'http://s.example/', 0);
      await pages.addSource({ id: 'new', everyMs: 1_000, maxPages: 100 }, page.url, 500);
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000, bodyHash: 'h', version: versionOf('x') }));
      expect(await pageAt(pages, page.url)).toMatchObject({ due: 1_000, bodyHash: undefined });
      expect(await pages.version(page.id)).toEqual(versionOf('x'));
    });

    test('pages are brought forward that are due later than their interval from now, and no others', async () => {
      await pages.addSource({ id: 's', everyMs: 60_000, maxPages: 1_000 }, 'http://s.example/', 0);
      const page = await pageAt(pages, 'http://s.example/');
      const urls = Array.from({ length: 500 }, (_, index) => `http://s.example/${index}`);
      await pages.commit(visitOf(page, { at: 900_000, nextDue: 60_000, discovered: [{ sourceId: 's', urls }] }));
      expect(await pages.bringForward(0)).toBe(500);
      expect(await pages.bringForward(0)).toBe(0);
      expect(await pages.due({ now: 0, atMost: 9, busyHosts: [] })).toMatchObject({
        pages: [{ due: 0 }],
        nextAt: 60_000,
      });
      expect(await pages.sources()).toMatchObject([{ nextDue: 0 }]);
    });

    test('a source never has more pages than it may, its seed counted', async () => {
      await pages.addSource({ id: 's', everyMs: 1_000, maxPages: 3 }, 'http://s.example/', 0);
      const page = await pageAt(pages, 'http://s.example/');
      const urls = Array.from({ length: 50 }, (_, index) => `http://s.example/${index}`);
      for (const at of [1, 2]) await pages.commit(visitOf(page, { at, discovered: [{ sourceId: 's', urls }] }));
      expect(await pages.sources()).toMatchObject([{ pages: 3 }]);
      expect(await pages.totals(0)).toMatchObject({ pages: 3 });
    });

    test('URLs for a source that is not there are left out', async () => {
      const page = await seed(pages, 's');
      const discovered = [{ sourceId: 'gone', urls: ['http://s.example/1'] }];
      await pages.commit(visitOf(page, { discovered }));
      expect(await pages.totals(0)).toMatchObject({ pages: 1 });
    });

    test('a page that two sources hold is one page, at the shorter interval, counted for both', async () => {
      await pages.addSource({ id: 'slow', everyMs: 60_000, maxPages: 9 }, 'http://a.example/', 0);
      const page = await pageAt(pages, 'http://a.example/');
      await pages.commit(visitOf(page, { nextDue: 90_000, version: versionOf('kept') }));
      await pages.addSource({ id: 'fast', everyMs: 1_000, maxPages: 9 }, 'http://a.example/', 5_000);
      const shared = await pageAt(pages, 'http://a.example/');
      expect(shared).toMatchObject({ id: page.id, everyMs: 1_000, due: 5_000, sourceIds: ['slow', 'fast'] });
      await pages.commit(visitOf(shared, { at: 6_000, nextDue: 7_000 }));
      expect(await pages.sources()).toMatchObject([
        { id: 'slow', pages: 1, visits: 2, nextDue: 7_000 },
        { id: 'fast', pages: 1, visits: 1, nextDue: 7_000 },
      ]);
      await pages.removeSource('fast');
      expect(await pageAt(pages, 'http://a.example/')).toMatchObject({ everyMs: 60_000, sourceIds: ['slow'] });
      expect(await pages.version(page.id)).toEqual(versionOf('kept'));
    });

    test('a removed source takes its pages and versions along, and nothing of others', async () => {
      const gone = await seed(pages, 'gone', 'http://gone.example/', 0);
      const kept = await seed(pages, 'kept', 'http://kept.example/', 0);
      const urls = Array.from({ length: 700 }, (_, index) => `http://gone.example/${index}`);
      await pages.addSource({ id: 'large', everyMs: 1_000, maxPages: 1_000 }, 'http://gone.example/', 0);
      await pages.commit(visitOf(gone, { version: versionOf('x'), discovered: [{ sourceId: 'large', urls }] }));
      await pages.commit(visitOf(kept, { version: versionOf('y') }));
      expect(await pages.totals(0)).toMatchObject({ pages: 702 });
      await pages.removeSource('large');
      expect(await pages.totals(0)).toMatchObject({ pages: 2, visits: 2 });
      await pages.removeSource('gone');
      await pages.removeSource('never there');
      expect(await pages.version(gone.id)).toBeUndefined();
      expect(await pages.version(kept.id)).toEqual(versionOf('y'));
      expect(await due(1e12)).toEqual(['http://kept.example/']);
      expect((await pages.sources()).map((source) => source.id)).toEqual(['kept']);
    });

    test('a visit of a page that was removed meanwhile changes nothing and tells nobody', async () => {
      const page = await seed(pages, 's');
      await pages.removeSource('s');
      const again = await seed(pages, 's');
      expect(again.id).not.toBe(page.id);
      const discovered = [{ sourceId: 's', urls: ['http://s.example/1'] }];
      const late = visitOf(page, { version: versionOf('late'), events: [eventFor('t')], discovered });
      expect(await pages.commit(late)).toEqual([]);
      expect(await pages.version(page.id)).toBeUndefined();
      expect(await pages.totals(0)).toMatchObject({ pages: 1, visits: 0 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
    });

    test('a visit that cannot be stored is rejected and changes nothing', async () => {
      const page = await seed(pages, 's');
      const impossible = { ...eventFor('t'), document: Symbol('no text') as unknown as string };
      const discovered = [{ sourceId: 's', urls: ['http://s.example/1'] }];
      const visit = visitOf(page, { version: versionOf('x'), events: [eventFor('t'), impossible], discovered });
      await expect(pages.commit(visit)).rejects.toThrow('Symbol(no text) could not be cloned');
      expect(await pages.version(page.id)).toBeUndefined();
      expect(await pageAt(pages, page.url)).toEqual(page);
      expect(await pages.totals(0)).toMatchObject({ pages: 1, visits: 0 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
    });

    test('visits that are committed together are all there', async () => {
      const seeded = await Promise.all(Array.from({ length: 40 }, (_, index) => seed(pages, `s${index}`)));
      const answers = await Promise.all(seeded.map((page) => pages.commit(visitOf(page, { events: [eventFor('t')] }))));
      expect(
        answers
          .flat()
          .map((event) => event.offset)
          .toSorted((one, other) => one - other),
      ).toEqual(seeded.map((_, index) => index));
      expect(await pages.totals(0)).toMatchObject({ visits: 40, changes: 40 });
    });
  });
}
