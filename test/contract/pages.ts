import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DuePage, type Frontier, NEW_HOST, type PageState } from '../../src/daemon/storage/frontier.ts';
import type { Pages, Visit } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import {
  eventFor,
  identity,
  leadOf,
  pageAt,
  seed,
  seedLead,
  sourceOf,
  versionOf,
  visitOf,
} from '../fixtures/visits.ts';

const HASH = 'ab'.repeat(16);
const OTHER_HASH = 'cd'.repeat(16);

/** The exam of every `Pages`. */
export function pagesContract(open: () => Promise<Storage>): void {
  describe('pages', () => {
    let storage: Storage;
    let frontier: Frontier;
    let pages: Pages;
    beforeEach(async () => {
      storage = await open();
      ({ frontier, pages } = storage);
    });
    afterEach(() => storage.close());

    const stateOf = async (page: DuePage): Promise<PageState | undefined> => (await pageAt(frontier, page.url)).state;
    const found = (sourceId: string, ...urls: string[]) => [{ sourceId, leads: urls.map((url) => leadOf(url)) }];

    test('what a visit found is known, whether it comes as it is or packed', async () => {
      const page = await seed(frontier, 's');
      const packedDiscovered = JSON.stringify(found('s', 'http://s.example/packed'));
      await pages.commit(visitOf(page, { discovered: found('s', 'http://s.example/plain'), packedDiscovered }));
      expect(await pageAt(frontier, 'http://s.example/plain')).toMatchObject({ url: 'http://s.example/plain' });
      expect(await pageAt(frontier, 'http://s.example/packed')).toMatchObject({ url: 'http://s.example/packed' });
    });

    test('there is no version of a page that nobody has visited', async () => {
      expect(await pages.version(1)).toBeUndefined();
      const page = await seed(frontier, 's');
      expect(await pages.version(page.id)).toBeUndefined();
    });

    test('a visit moves the page to its next due time, leaves its traces and counts', async () => {
      const page = await seed(frontier, 's');
      const rate = { theta: -1.5, info: 2, pull: 0.25 };
      const validators = { etag: 'W/"x"', lastModified: 'Tue, 03 Mar 2026 08:00:00 GMT' };
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 61_000, bodyHash: HASH, validators, rate, isFull: true }));
      expect(await pageAt(frontier, page.url)).toMatchObject({
        due: 61_000,
        urgency: 0,
        state: { visitedAt: 1_000, bodyHash: HASH, validators, fullAt: 1_000, failures: 0, doubtedAt: undefined, rate },
      });
      await pages.commit(visitOf(page, { at: 61_000, nextDue: 121_000, outcome: 'unchanged', status: 304 }));
      expect(await stateOf(page)).toMatchObject({ visitedAt: 61_000, bodyHash: HASH, validators, fullAt: 1_000 });
      const failed = {
        at: 121_000,
        outcome: 'failed',
        reason: 'status',
        detail: 'it answered 500',
        status: 500,
      } as const;
      await pages.commit(visitOf(page, { ...failed, nextDue: 181_000 }));
      expect(await stateOf(page)).toMatchObject({ bodyHash: HASH, validators, failures: 1 });
      const counts = { pages: 1, unvisited: 0, visits: 3, changes: 1, failures: 1 };
      expect(await frontier.frontierTotals(181_000)).toMatchObject({ ...counts, oldestDue: 181_000 });
      const last = { url: page.url, ...failed };
      expect(await frontier.sources()).toEqual([{ id: 's', pages: 1, visits: 3, nextDue: 181_000, last }]);
      expect((await frontier.look(identity(page.url)))?.answers).toEqual([
        failed,
        { at: 61_000, outcome: 'unchanged', status: 304 },
        { at: 1_000, outcome: 'changed' },
      ]);
    });

    test('new bytes without validators do away with the former ones', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { bodyHash: HASH, validators: { etag: '"x"' } }));
      await pages.commit(visitOf(page, { bodyHash: OTHER_HASH }));
      expect(await stateOf(page)).toMatchObject({ bodyHash: OTHER_HASH, validators: undefined });
    });

    test('the last five answers are kept, and the sentence of the newest', async () => {
      const page = await seed(frontier, 's');
      for (let at = 1; at <= 7; at += 1) {
        await pages.commit(visitOf(page, { at, outcome: 'failed', reason: 'a; b', detail: `no ${at}\nand no` }));
      }
      const answers = (await frontier.look(identity(page.url)))?.answers;
      expect(answers?.map(({ at, detail }) => [at, detail])).toEqual([
        [7, 'no 7\nand no'],
        ...[6, 5, 4, 3].map((at) => [at, undefined]),
      ]);
      expect(answers?.every(({ reason }) => reason === 'a; b')).toBe(true);
      await pages.commit(visitOf(page, { at: 8, outcome: 'changed', detail: 'It breaks off.' }));
      expect((await frontier.look(identity(page.url)))?.answers[0]).toMatchObject({ at: 8, detail: 'It breaks off.' });
    });

    test('failures are counted in a row', async () => {
      const page = await seed(frontier, 's');
      const failuresAfter: (number | undefined)[] = [];
      for (const outcome of ['failed', 'failed', 'unchanged', 'failed'] as const) {
        await pages.commit(visitOf(page, { outcome }));
        failuresAfter.push((await stateOf(page))?.failures);
      }
      expect(failuresAfter).toEqual([1, 2, 0, 1]);
    });

    test('the last visit of a source is the newest one, in whatever order visits are recorded', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { at: 9_000 }));
      await pages.commit(visitOf(page, { at: 8_000, outcome: 'unchanged' }));
      expect(await frontier.sources()).toMatchObject([{ visits: 2, last: { at: 9_000, outcome: 'changed' } }]);
    });

    test('a version replaces the last one, byte for byte', async () => {
      const page = await seed(frontier, 's');
      const first = versionOf('first');
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) % 251);
      const second = { ...versionOf('second ä 𝒳', 2_000), extractor: 7, history: '{"a":1}', page: bytes, body: bytes };
      await pages.commit(visitOf(page, { version: first }));
      expect(await pages.version(page.id)).toEqual(first);
      await pages.commit(visitOf(page, { version: second }));
      expect(await pages.version(page.id)).toEqual(second);
      await pages.commit(visitOf(page, { outcome: 'failed' }));
      expect(await pages.version(page.id)).toEqual(second);
    });

    test('an empty body is a body, and a view into a larger buffer is only itself', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(visitOf(page, { version: { ...versionOf('x'), body: new Uint8Array() } }));
      expect((await pages.version(page.id))?.body).toEqual(new Uint8Array());
      const large = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
      await pages.commit(visitOf(page, { version: { ...versionOf('x'), body: large.subarray(10, 13) } }));
      expect((await pages.version(page.id))?.body).toEqual(Uint8Array.of(10, 11, 12));
      expect(large[10]).toBe(10);
    });

    test('what a caller does to its own objects afterwards reaches nobody', async () => {
      const page = await seed(frontier, 's');
      const version = versionOf('mine');
      const committed = pages.commit(visitOf(page, { version }));
      version.body.fill(0);
      await committed;
      (await pages.version(page.id))?.body.fill(1);
      expect(await pages.version(page.id)).toEqual(versionOf('mine'));
    });

    test('a page in doubt stays so until a visit that is in none', async () => {
      const page = await seed(frontier, 's');
      await pages.commit(
        visitOf(page, { outcome: 'failed', reason: 'doubtful', detail: 'most is gone', doubtedAt: 5 }),
      );
      expect(await stateOf(page)).toMatchObject({ doubtedAt: 5, failures: 1 });
      await pages.commit(visitOf(page, { outcome: 'unchanged' }));
      expect(await stateOf(page)).toMatchObject({ doubtedAt: undefined, failures: 0 });
    });

    test('what the pages of a host share is kept for the host, and goes with its last page', async () => {
      const [one, other] = [await seed(frontier, 'one'), await seed(frontier, 'other')];
      expect(await pages.boilerplate(one.host)).toBeUndefined();
      await pages.commit(visitOf(one, { boilerplate: Uint8Array.of(1, 2) }));
      await pages.commit(visitOf(one, { boilerplate: Uint8Array.of(3) }));
      await pages.commit(visitOf(other, {}));
      expect(await pages.boilerplate(one.host)).toEqual(Uint8Array.of(3));
      expect(await pages.boilerplate(other.host)).toBeUndefined();
      await frontier.removeSource('one');
      await seed(frontier, 'one');
      expect(await pages.boilerplate(one.host)).toBeUndefined();
    });

    test('URLs it led to are known with it, thousands of them too', async () => {
      await frontier.putSource(sourceOf('s', { maxPages: 5_000 }), [seedLead('http://s.example/')], 0);
      const page = await pageAt(frontier, 'http://s.example/');
      const leads = Array.from({ length: 2_000 }, (_, n) => leadOf(`http://s.example/${n}`, { pattern: n }));
      const both = [...found('s', 'http://t.example/'), { sourceId: 's', leads }];
      await pages.commit(visitOf(page, { at: 1_000, discovered: both, events: [eventFor('t')] }));
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 2_002, unvisited: 2_001, visits: 1 });
      expect(await pageAt(frontier, 'http://t.example/')).toMatchObject({ due: 1_000 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 1 });
    });

    test('a source that comes to hold a page while it is being visited gets a visit of its own', async () => {
      const page = await seed(frontier, 's');
      await frontier.putSource(sourceOf('new'), [seedLead(page.url)], 500);
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000, bodyHash: HASH, version: versionOf('x') }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 1_000, state: { bodyHash: undefined } });
      expect(await pages.version(page.id)).toEqual(versionOf('x'));
    });

    test('a source that is paused meanwhile does not ask for one', async () => {
      const page = await seed(frontier, 's');
      await frontier.putSource(sourceOf('new', { isPaused: true }), [seedLead(page.url)], 500);
      await pages.commit(visitOf(page, { at: 1_000, nextDue: 90_000, bodyHash: HASH }));
      expect(await pageAt(frontier, page.url)).toMatchObject({ due: 90_000, state: { bodyHash: HASH } });
    });

    test('a visit of a page that was removed meanwhile changes nothing and tells nobody', async () => {
      const page = await seed(frontier, 's');
      await frontier.removeSource('s');
      const again = await seed(frontier, 's');
      expect(again.id).not.toBe(page.id);
      const discovered = found('s', 'http://s.example/1');
      const late = visitOf(page, { version: versionOf('late'), events: [eventFor('t')], discovered });
      expect(await pages.commit(late)).toEqual({ events: [] });
      expect(await pages.version(page.id)).toBeUndefined();
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 1, visits: 0 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
    });

    test('a visit that cannot be stored is rejected and changes nothing', async () => {
      const page = await seed(frontier, 's');
      const impossible = { ...eventFor('t'), document: Symbol('no text') as unknown as string };
      const discovered = found('s', 'http://s.example/1');
      const visit = visitOf(page, { version: versionOf('x'), events: [eventFor('t'), impossible], discovered });
      await expect(pages.commit(visit)).rejects.toThrow('Symbol(no text) could not be cloned');
      expect(await pages.version(page.id)).toBeUndefined();
      expect(await pageAt(frontier, page.url)).toEqual(page);
      expect(await frontier.frontierTotals(0)).toMatchObject({ pages: 1, visits: 0 });
      expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
    });

    test('visits that are committed together are all there', async () => {
      const seeded = await Promise.all(Array.from({ length: 40 }, (_, index) => seed(frontier, `s${index}`)));
      const answers = await Promise.all(seeded.map((page) => pages.commit(visitOf(page, { events: [eventFor('t')] }))));
      const offsets = answers.flatMap(({ events }) => events.map((event) => event.offset));
      expect(offsets.toSorted((one, other) => one - other)).toEqual(seeded.map((_, index) => index));
      expect(await frontier.frontierTotals(0)).toMatchObject({ visits: 40, changes: 40 });
    });

    describe('a page that says what another one says', () => {
      let original: DuePage;
      let other: DuePage;
      beforeEach(async () => {
        original = await seed(frontier, 'a', 'http://s.example/original');
        other = await seed(frontier, 'b', 'http://s.example/other');
      });

      const text = (last: string, group = 's.example') => ({
        fingerprint: { group, simhash: `0123456789abcde${last}` },
      });
      const news = (different: Partial<Visit>): Partial<Visit> => ({
        events: [eventFor('t')],
        kind: 'article',
        ...different,
      });
      const visit = async (page: DuePage, different: Partial<Visit>): Promise<string> => {
        const { events, withheld } = await pages.commit(visitOf(page, news(different)));
        return withheld ?? `${events.length} told`;
      };
      const told = '1 told';

      test('within three bits of it is its copy: no events, and little weight', async () => {
        expect(await visit(original, text('0'))).toBe(told);
        expect(await visit(other, text('7'))).toBe('duplicate');
        expect(await pageAt(frontier, other.url)).toMatchObject({ kind: 'minor' });
        expect(await frontier.look(identity(other.url))).toMatchObject({ sameAs: original.url });
        expect(await frontier.look(identity(original.url))).toMatchObject({ sameAs: undefined });
        expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 1 });
        expect(await visit(original, text('1'))).toBe(told);
      });

      test('further away, of another site, or given by the operator it is none', async () => {
        await visit(original, text('0'));
        expect(await visit(other, text('f'))).toBe(told);
        const third = await seed(frontier, 'c', 'http://s.example/third');
        expect(await visit(third, text('0', 'other.example'))).toBe(told);
        const fourth = await seed(frontier, 'd', 'http://s.example/fourth');
        expect(await visit(fourth, { ...text('0'), isNamed: true })).toBe(told);
      });

      test('which one was seen first decides, and what came to say the same later is no copy', async () => {
        expect(await visit(other, text('0'))).toBe(told);
        expect(await visit(original, text('f'))).toBe(told);
        expect(await visit(original, text('0'))).toBe(told);
        expect(await visit(other, text('0'))).toBe(told);
      });

      test.each<[string, () => Promise<unknown>]>([
        ['the original says something else', () => visit(original, text('f'))],
        ['the original fails', () => visit(original, { outcome: 'failed' })],
        ['the original goes', () => frontier.removeSource('a')],
      ])('it speaks for itself from when %s', async (_, happens) => {
        await visit(original, text('0'));
        expect(await visit(other, text('0'))).toBe('duplicate');
        await happens();
        expect(await visit(other, text('0'))).toBe(told);
        expect(await pageAt(frontier, other.url)).toMatchObject({ kind: 'article' });
        await visit(original, text('0'));
        expect(await visit(other, text('0'))).toBe(told);
      });

      test('what changes in it is told, unless its original has changed since, too', async () => {
        const changed = (last: string, at: number) => ({ ...text(last), at, version: versionOf('as of it', at) });
        await visit(original, changed('0', 10));
        expect(await visit(other, changed('0', 20))).toBe('duplicate');
        expect(await visit(other, changed('1', 30))).toBe(told);
        expect(await pageAt(frontier, other.url)).toMatchObject({ kind: 'minor' });
        await visit(original, changed('1', 40));
        expect(await visit(other, changed('3', 50))).toBe('duplicate');
        expect(await visit(other, changed('1', 60))).toBe(told);
      });

      test('an alias has a text like that of the page it names, and that page is still visited', async () => {
        const sameAs = identity(original.url);
        const unlike = { fingerprint: { group: 'another title', simhash: 'fedcba9876543210' } };
        await visit(original, text('0'));
        expect(await visit(other, { ...unlike, sameAs })).toBe(told);
        expect(await visit(other, { ...text('f', 'another title'), sameAs })).toBe('alias');
        await frontier.putSource(sourceOf('a', { isPaused: true }), [], 0);
        expect(await visit(other, { ...text('f', 'another title'), sameAs })).toBe(told);
      });

      test('a text is not that of a page which has next to none', async () => {
        await visit(original, text('0'));
        expect(await visit(other, { sameAs: identity(original.url) })).toBe(told);
      });

      test('an alias is silent while the page it names is there, and one of two that name each other is told', async () => {
        const sameAs = identity(original.url);
        expect(await visit(other, { sameAs })).toBe(told);
        expect(await visit(original, { sameAs })).toBe(told);
        expect(await visit(other, { sameAs })).toBe('alias');
        expect(await frontier.look(identity(other.url))).toMatchObject({
          sameAs: original.url,
          page: { kind: 'minor' },
        });
        expect(await visit(original, { sameAs: identity(other.url) })).toBe(told);
        expect(await visit(other, { sameAs, isNamed: true })).toBe(told);
        await visit(original, { outcome: 'failed' });
        expect(await visit(other, { sameAs })).toBe(told);
        expect(await visit(other, { sameAs: identity('http://s.example/unknown') })).toBe(told);
      });

      describe('and another one names as itself', () => {
        const version = versionOf('as of it');
        const sameAs = (): Pick<Visit, 'sameAs'> => ({ sameAs: identity(original.url) });
        const host = NEW_HOST;

        test('its first visit waits for that of the page it names, which is told', async () => {
          expect(await visit(other, { ...text('0'), ...sameAs(), version, host, at: 10, nextDue: 9_000_000 })).toBe(
            'alias',
          );
          expect(await pages.version(other.id)).toBeUndefined();
          expect((await stateOf(other))?.bodyHash).toBeUndefined();
          expect((await pageAt(frontier, other.url))?.due).toBe(600_010);
          expect(await visit(original, { ...text('0'), version, at: 20 })).toBe(told);
          expect(await visit(other, { ...text('0'), ...sameAs(), version, host, at: 30 })).toBe('alias');
          expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 1 });
        });

        test.each<[string, () => Promise<unknown>]>([
          ['cannot be had', () => visit(original, { outcome: 'failed' })],
          ['says something else', () => visit(original, { fingerprint: { group: 'g', simhash: 'fedcba9876543210' } })],
          ['has not been visited by then', async () => undefined],
        ])('where that one %s, it is told by its second visit', async (_, happens) => {
          const first = { ...text('0'), ...sameAs(), version, host, bodyHash: 'ab'.repeat(16), isFull: true };
          expect(await visit(other, first)).toBe('alias');
          await happens();
          expect(await visit(other, first)).toBe(told);
          expect(await pages.version(other.id)).toEqual(version);
        });

        test('where nobody is to visit that one, it is told at once', async () => {
          await frontier.putSource(sourceOf('a', { isPaused: true }), [], 0);
          expect(await visit(other, { ...text('0'), ...sameAs(), version, host })).toBe(told);
          const third = await seed(frontier, 'c', 'http://s.example/third');
          const nowhere = { sameAs: identity('http://s.example/unknown') };
          expect(await visit(third, { ...text('0', 'c'), ...nowhere, version, host })).toBe(told);
        });

        test('the one that is named speaks for both from then on, whichever was there first', async () => {
          expect(await visit(other, text('0'))).toBe(told);
          expect(await visit(original, text('0'))).toBe('duplicate');
          expect(await visit(other, { ...text('0'), ...sameAs(), version, at: 50 })).toBe('alias');
          expect(await pageAt(frontier, original.url)).toMatchObject({ due: 50 });
          expect(await frontier.look(identity(original.url))).toMatchObject({ sameAs: undefined });
          expect(await visit(original, { ...text('1'), version, at: 60 })).toBe(told);
          expect(await visit(other, { ...text('1'), ...sameAs(), version, at: 70 })).toBe('alias');
        });

        test('others that say the same and were there first become its copies', async () => {
          const third = await seed(frontier, 'c', 'http://s.example/third');
          expect(await visit(third, text('0'))).toBe(told);
          await visit(other, { ...text('f', 'another title'), ...sameAs(), version, host });
          expect(await visit(original, text('0'))).toBe(told);
          expect(await frontier.look(identity(third.url))).toMatchObject({ sameAs: original.url });
          expect(await visit(third, text('1'))).toBe('duplicate');
        });

        test('one of two that were named is the copy of the other', async () => {
          const [third, fourth] = [
            await seed(frontier, 'c', 'http://s.example/third'),
            await seed(frontier, 'd', 'http://s.example/fourth'),
          ];
          await visit(other, { ...text('f', 'x'), ...sameAs(), version, host });
          await visit(fourth, { ...text('f', 'y'), sameAs: identity(third.url), version, host });
          expect(await visit(third, text('0'))).toBe(told);
          expect(await visit(original, text('0'))).toBe('duplicate');
        });

        test('a URL that the operator gave names nobody: it is told, and its copies are not', async () => {
          expect(await visit(other, { ...text('0'), ...sameAs(), version, host, isNamed: true })).toBe(told);
          expect(await visit(original, text('0'))).toBe('duplicate');
        });
      });

      test('a visit that did not read it leaves it what it was', async () => {
        await visit(original, text('0'));
        await visit(other, { ...text('0'), sameAs: identity(original.url) });
        await pages.commit(visitOf(other, { outcome: 'unchanged' }));
        await pages.commit(visitOf(other, { outcome: 'failed' }));
        expect(await frontier.look(identity(other.url))).toMatchObject({
          sameAs: original.url,
          page: { kind: 'minor' },
        });
      });
    });
  });
}
