import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Frontier,
  type HostState,
  NEW_HOST,
  type Taken,
  type TakeQuestion,
} from '../../src/daemon/storage/frontier.ts';
import { DAY_MS } from '../../src/daemon/storage/frontier-rules.ts';
import type { Pages } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { eventFor, leadOf, pageAt, seed, seedLead, sourceOf, versionOf, visitOf } from '../fixtures/visits.ts';
import { addWatch, failedCheckOf } from '../fixtures/watches.ts';

/** The contract of every `Frontier`: hosts that fail, rest or are gone do not stand in the way of those that answer. */
export function hostsContract(open: () => Promise<Storage>): void {
  describe('hosts', () => {
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

    test('under a lease that another one has taken over nothing is written, and the visit says so', async () => {
      await seed(frontier, 's', 'http://a.example/');
      const [stale] = (await take(0)).pages;
      const [live] = (await take(1_000)).pages;
      if (stale?.lease === undefined || live?.lease === undefined) throw new Error('nothing was leased');
      expect(live.lease).not.toBe(stale.lease);
      const news = {
        at: 1_100,
        version: versionOf('late'),
        host: { ...NEW_HOST, notBefore: 900_000 },
        events: [eventFor('t')],
        discovered: [{ sourceId: 's', leads: [leadOf('http://b.example/')] }],
      };
      expect(await pages.commit(visitOf(stale, { ...news, lease: stale.lease }))).toEqual({
        events: [],
        isFenced: true,
      });
      await frontier.release(stale.id, news.host, stale.lease);
      expect(await pages.version(stale.id)).toBeUndefined();
      expect(await frontier.frontierTotals(1_100)).toMatchObject({ pages: 1, visits: 0, hostsLeased: 1 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
      expect(await take(1_999)).toMatchObject({ pages: [], nextAt: 2_000 });
      const visit = visitOf(live, { ...news, lease: live.lease });
      expect((await pages.commit(visit)).events).toMatchObject([{ tapId: 't', offset: 0 }]);
      // Its answer was lost, say, and it is made again.
      expect(await pages.commit(visit)).toEqual({ events: [], isFenced: true });
      expect(await frontier.frontierTotals(1_100)).toMatchObject({ pages: 2, visits: 1, hostsLeased: 0 });
    });

    test('a lease that has run out is good as long as nobody else has taken the host', async () => {
      const page = await seed(frontier, 's', 'http://a.example/');
      const [first] = (await take(0)).pages;
      if (first?.lease === undefined) throw new Error('nothing was leased');
      await pages.commit(visitOf(first, { at: 5_000, nextDue: 6_000, lease: first.lease }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 6_000, state: { visitedAt: 5_000 } });
      const [second] = (await take(6_000)).pages;
      if (second?.lease === undefined) throw new Error('nothing was leased');
      await frontier.release(second.id, { ...NEW_HOST, notBefore: 9_000 }, second.lease);
      expect(await take(6_001)).toMatchObject({ pages: [], nextAt: 9_000 });
    });

    test('of the hosts of a class no more are taken than are wanted, and the longest-waiting first among all', async () => {
      const states: readonly [string, Partial<HostState>][] = [
        ['dead1', { failures: 1, backoffReason: 'timeout' }],
        ['dead2', { failures: 9, backoffReason: 'dns', responseMs: 80 }],
        ['dead3', { failures: 2, backoffReason: 'connect' }],
        ['slow1', { responseMs: 2_000 }],
        ['slow2', { responseMs: 9_000 }],
        ['new1', {}],
        ['new2', {}],
        ['well1', { responseMs: 1_999 }],
        // An error is an answer.
        ['well2', { responseMs: 20, failures: 3, backoffReason: '500' }],
        ['well3', { responseMs: 20, backoff: 1, backoffReason: '429' }],
      ];
      for (const [index, [name, state]] of states.entries()) {
        const page = await seed(frontier, name, `http://${name}.example/`, index);
        await frontier.release(page.id, { ...NEW_HOST, ...state });
      }
      const most = (well: number, fresh: number, slow: number, failing: number): Partial<TakeQuestion> => {
        return { most: { well, new: fresh, slow, failing } };
      };
      const hostsOf = (taken: Taken): string[] => taken.pages.map(({ host }) => host.replace('.example', ''));
      const one = await take(100, most(9, 1, 1, 1));
      expect(hostsOf(one)).toEqual(['dead1', 'slow1', 'new1', 'well1', 'well2', 'well3']);
      expect(one.nextAt).toBe(1_100);
      expect(hostsOf(await take(101, most(9, 0, 0, 0)))).toEqual([]);
      // Those that are left of a full class are no reason to ask again at once.
      expect(await take(101, most(0, 0, 0, 1))).toMatchObject({ pages: [{ host: 'dead2.example' }], nextAt: 1_100 });
      expect(await take(102, { ...most(9, 9, 9, 9), atMost: 1 })).toMatchObject({
        pages: [{ host: 'dead3.example' }],
        nextAt: undefined,
      });
      expect(hostsOf(await take(103))).toEqual(['slow2', 'new2']);
    });

    test('hosts that fail, back off or are slow are named, those first that are asked again first', async () => {
      const states: readonly [string, Partial<HostState>][] = [
        ['dead', { failures: 3, backoffReason: 'timeout', notBefore: 9_000 }],
        ['told', { backoff: 1, backoffReason: '429', responseMs: 20, notBefore: 7_000 }],
        ['slow', { responseMs: 5_000, notBefore: 8_000 }],
        ['well', { responseMs: 20 }],
        ['new', {}],
      ];
      expect(await frontier.unhealthyHosts(10)).toEqual([]);
      for (const [name, state] of states) {
        const page = await seed(frontier, name, `http://${name}.example/`);
        await frontier.release(page.id, { ...NEW_HOST, ...state });
      }
      const found = await frontier.unhealthyHosts(10);
      expect(found).toMatchObject([
        { name: 'told.example', backoff: 1, backoffReason: '429', readyAt: 7_000 },
        { name: 'slow.example', failures: 0, responseMs: 5_000, readyAt: 8_000 },
        { name: 'dead.example', failures: 3, backoffReason: 'timeout', readyAt: 9_000 },
      ]);
      expect(await frontier.unhealthyHosts(2)).toEqual(found.slice(0, 2));
      await frontier.removeSource('dead');
      expect(await frontier.unhealthyHosts(10)).toEqual(found.slice(0, 2));
    });

    test('a page that fails is named with why and since when: of a source that is not paused, and of a watch', async () => {
      const failed = { outcome: 'failed', isMainChange: false } as const;
      const gone = await seed(frontier, 'gone', 'http://gone.example/');
      const dead = await seed(frontier, 'dead', 'http://dead.example/');
      const well = await seed(frontier, 'well', 'http://well.example/');
      const answers = { ...NEW_HOST, responseMs: 20 };
      const silent = { ...NEW_HOST, failures: 1, backoffReason: 'timeout' };
      await pages.commit(visitOf(gone, { ...failed, at: 5_000, reason: 'status', status: 410, host: answers }));
      await pages.commit(visitOf(dead, { ...failed, at: 5_000, reason: 'timeout', detail: 'no answer', host: silent }));
      await pages.commit(visitOf(well, { at: 5_000, host: answers }));
      const { watches } = storage;
      await addWatch(watches, 'w', { url: 'http://watched.example/' });
      await watches.takeWatches({ now: 10_000, atMost: 1, leaseMs: 1_000, except: [] });
      const failure = { reason: 'not_found', detail: 'the page says that it is not there', status: 200 };
      await watches.commitCheck(failedCheckOf('w', { at: 11_000, failure, host: answers }));
      const source = { kind: 'source', id: 'gone', url: 'http://gone.example/', failures: 1, at: 5_000, since: 5_000 };
      const watch = { kind: 'watch', id: 'w', url: 'http://watched.example/', failures: 1, at: 11_000, since: 11_000 };
      expect(await frontier.failingPages(10)).toEqual([
        { ...source, reason: 'status', status: 410, detail: undefined },
        {
          ...source,
          id: 'dead',
          url: 'http://dead.example/',
          reason: 'timeout',
          status: undefined,
          detail: 'no answer',
        },
        { ...watch, reason: 'not_found', status: 200, detail: failure.detail },
      ]);
      await pages.commit(visitOf(gone, { ...failed, at: 8_000, reason: 'status', status: 410, host: answers }));
      expect(await frontier.failingPages(1)).toMatchObject([{ id: 'gone', failures: 2, at: 8_000, since: 5_000 }]);
      expect(await frontier.failingPages(1)).toMatchObject([{ id: 'gone' }]);
      // Another source that has the URL for its own, although it was there before.
      await frontier.putSource(sourceOf('other'), [seedLead('http://gone.example/')], 6_000);
      expect((await frontier.failingPages(10)).map(({ id }) => id)).toEqual(['gone', 'dead', 'other', 'w']);
      await frontier.putSource(sourceOf('gone', { isPaused: true }), [], 6_000);
      await watches.changeWatch('w', { isPaused: true });
      expect((await frontier.failingPages(10)).map(({ id }) => id)).toEqual(['dead', 'other']);
    });

    test('a URL of a source that has moved for good is named with its new address, until it is found where it was', async () => {
      const old = await seed(frontier, 'old', 'http://old.example/');
      const found = await seed(frontier, 'found', 'https://found.example/');
      await frontier.putSource(sourceOf('other'), [seedLead('http://old.example/')], 0);
      const movedTo = 'https://new.example/a?b=c;d e\u00e4';
      await pages.commit(visitOf(found, { at: 4_000, detail: 'a sentence with a >, and no address' }));
      await pages.commit(visitOf(old, { at: 5_000, movedTo, detail: 'read as far as it goes; no further' }));
      const named = { id: 'old', url: 'http://old.example/', movedTo, at: 5_000 };
      expect(await frontier.movedPages(10)).toEqual([named, { ...named, id: 'other' }]);
      expect(await frontier.movedPages(1)).toEqual([named]);
      expect(await frontier.failingPages(10)).toEqual([]);
      await frontier.putSource(sourceOf('old', { isPaused: true }), [], 6_000);
      expect((await frontier.movedPages(10)).map(({ id }) => id)).toEqual(['other']);
      await pages.commit(visitOf(old, { at: 7_000, status: 200 }));
      expect(await frontier.movedPages(10)).toEqual([]);
    });

    test('what waits on purpose is not what waits longest: hosts that fail, and hosts that rest', async () => {
      const dead = await seed(frontier, 'dead', 'http://dead.example/', 10);
      await frontier.release(dead.id, { ...NEW_HOST, failures: 1, backoffReason: 'timeout' });
      expect(await frontier.frontierTotals(1_000)).toMatchObject({ oldestDue: undefined });
      const resting = await seed(frontier, 'resting', 'http://resting.example/', 20);
      await frontier.release(resting.id, { ...NEW_HOST, notBefore: 500 });
      expect(await frontier.frontierTotals(499)).toMatchObject({ oldestDue: undefined });
      expect(await frontier.frontierTotals(1_000)).toMatchObject({ oldestDue: 500 });
      await seed(frontier, 'well', 'http://well.example/', 300);
      expect(await frontier.frontierTotals(1_000)).toMatchObject({ oldestDue: 300 });
    });

    test('empty hosts go although two hundred that still rest came before them, and those when their rest is over', async () => {
      const hosts = Array.from({ length: 900 }, (_, n) => `http://h${n}.example/`);
      for (const [id, from, to] of [
        ['resting', 0, 300],
        ['rested', 300, 900],
      ] as const) {
        await frontier.putSource(sourceOf(id, { maxPages: 1_000 }), [], 0);
        await frontier.offer([{ sourceId: id, leads: hosts.slice(from, to).map((url) => leadOf(url)) }], 0);
      }
      for (const page of (await take(0, { atMost: 1_000 })).pages) {
        const notBefore = page.holders[0]?.sourceId === 'resting' ? 1_000_000 : 0;
        await frontier.release(page.id, { ...NEW_HOST, notBefore });
      }
      await frontier.removeSource('resting');
      expect(await frontier.frontierTotals(0)).toMatchObject({ hosts: 900 });
      await frontier.removeSource('rested');
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 0, hosts: 300 });
      await frontier.tidy(999_999);
      expect(await frontier.frontierTotals(0)).toMatchObject({ hosts: 300 });
      await frontier.tidy(1_000_000);
      expect(await frontier.frontierTotals(0)).toMatchObject({ hosts: 0 });
    });

    test('a host that only rests does not rest for as long as the clock was ahead; one that was left alone does', async () => {
      const page = await seed(frontier, 's');
      const hour = DAY_MS / 24;
      for (const [backoffAt, ready] of [
        [0, 60_000],
        [hour + 1_000, hour + 1_000],
      ] as const) {
        const host = { ...NEW_HOST, notBefore: hour + 1_000, backoffAt };
        await pages.commit(visitOf(page, { at: 2 * hour, nextDue: 0, host }));
        await frontier.bringForward(0);
        expect(await take(ready - 1)).toMatchObject({ pages: [], nextAt: ready });
        const taken = await take(ready);
        expect(taken.pages).toMatchObject([{ url: page.url, hostState: { notBefore: ready } }]);
      }
    });
  });
}
