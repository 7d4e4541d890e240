import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/daemon/storage/frontier.ts';
import type { Pages } from '../../src/daemon/storage/pages.ts';
import type { RatedDomain, Ratings } from '../../src/daemon/storage/ratings.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { LINKS_PER_DOMAIN } from '../../src/shared/limits.ts';
import { pageAt, seed, visitOf } from '../fixtures/visits.ts';

/** The exam of every `Ratings`. */
export function ratingsContract(open: () => Promise<Storage>): void {
  describe('ratings', () => {
    let storage: Storage;
    let frontier: Frontier;
    let pages: Pages;
    let ratings: Ratings;
    beforeEach(async () => {
      storage = await open();
      ({ frontier, pages, ratings } = storage);
    });
    afterEach(() => storage.close());

    const publish = async (name: string, at: number, ...rated: RatedDomain[]): Promise<void> => {
      const list = await ratings.beginRatings(name);
      await ratings.addRatings(list, rated);
      expect(await ratings.publishRatings(list, at)).toBe(true);
    };
    /** A page of the site says that its content links to these. */
    const link = async (from: string, ...to: string[]): Promise<void> => {
      const page = await seed(frontier, from, `http://${from}/`);
      await pages.commit(visitOf(page, { linksTo: { from, to } }));
    };
    const referring = async (domain: string): Promise<number> => (await ratings.standing(domain)).referring;

    test('nothing is known at first', async () => {
      expect(await ratings.standing('a.example')).toEqual({ referring: 0 });
      expect(await ratings.ratingSummary()).toEqual({ imported: undefined, own: undefined });
    });

    test('a list holds once it is published, and from then on it is the only one', async () => {
      await publish('first.csv', 1_000, ['a.example', 80], ['b.example', 0]);
      expect(await ratings.standing('a.example')).toEqual({ imported: 80, referring: 0 });
      expect(await ratings.standing('b.example')).toEqual({ imported: 0, referring: 0 });
      await publish('second.csv', 2_000, ['b.example', 30]);
      expect(await ratings.standing('a.example')).toEqual({ referring: 0 });
      expect(await ratings.standing('b.example')).toEqual({ imported: 30, referring: 0 });
      const imported = { name: 'second.csv', at: 2_000, domains: 1 };
      expect(await ratings.ratingSummary()).toMatchObject({ imported });
    });

    test('a list that comes changes nothing, also when it is given up', async () => {
      await publish('first.csv', 1_000, ['a.example', 80]);
      const list = await ratings.beginRatings('second.csv');
      expect(await ratings.addRatings(list, [['a.example', 10]])).toBe(1);
      expect(await ratings.standing('a.example')).toEqual({ imported: 80, referring: 0 });
      await ratings.giveUpRatings(list);
      expect(await ratings.addRatings(list, [['a.example', 10]])).toBeUndefined();
      expect(await ratings.publishRatings(list, 2_000)).toBe(false);
      expect(await ratings.standing('a.example')).toEqual({ imported: 80, referring: 0 });
      expect(await ratings.ratingSummary()).toMatchObject({ imported: { name: 'first.csv' } });
    });

    test('one import at a time: beginning another gives up the one before', async () => {
      const [slow, quick] = [await ratings.beginRatings('slow.csv'), await ratings.beginRatings('quick.csv')];
      expect(quick).not.toBe(slow);
      expect(await ratings.addRatings(slow, [['a.example', 1]])).toBeUndefined();
      await ratings.addRatings(quick, [['a.example', 2]]);
      expect(await ratings.publishRatings(quick, 1_000)).toBe(true);
      expect(await ratings.standing('a.example')).toMatchObject({ imported: 2 });
    });

    test('a published list takes no more domains and is not given up', async () => {
      const list = await ratings.beginRatings('list.csv');
      await ratings.addRatings(list, [['a.example', 1]]);
      await ratings.publishRatings(list, 1_000);
      expect(await ratings.addRatings(list, [['b.example', 1]])).toBeUndefined();
      await ratings.giveUpRatings(list);
      expect(await ratings.publishRatings(list, 2_000)).toBe(false);
      expect(await ratings.ratingSummary()).toMatchObject({ imported: { at: 1_000, domains: 1 } });
    });

    test('of a domain that comes twice the better rating counts, and it is one domain', async () => {
      const list = await ratings.beginRatings('list.csv');
      expect(
        await ratings.addRatings(list, [
          ['a.example', 5],
          ['a.example', 9],
        ]),
      ).toBe(1);
      expect(
        await ratings.addRatings(list, [
          ['a.example', 7],
          ['b.example', 1],
        ]),
      ).toBe(2);
      await ratings.publishRatings(list, 1_000);
      expect(await ratings.standing('a.example')).toMatchObject({ imported: 9 });
    });

    test('thousands of domains in one call are all there', async () => {
      const rated = Array.from({ length: 5_300 }, (_, index) => [`d${index}.example`, index % 101] as const);
      const list = await ratings.beginRatings('list.csv');
      expect(await ratings.addRatings(list, rated)).toBe(5_300);
      expect(await ratings.addRatings(list, [])).toBe(5_300);
      await ratings.publishRatings(list, 1_000);
      expect(await ratings.standing('d5299.example')).toMatchObject({ imported: 5_299 % 101 });
    });

    test('clearing takes the list away, and sweeping leaves what holds', async () => {
      await publish('first.csv', 1_000, ['a.example', 80]);
      await ratings.clearRatings();
      expect(await ratings.standing('a.example')).toEqual({ referring: 0 });
      expect(await ratings.ratingSummary()).toMatchObject({ imported: undefined });
      await publish('second.csv', 2_000, ['b.example', 20]);
      const coming = await ratings.beginRatings('third.csv');
      await ratings.addRatings(coming, [['b.example', 30]]);
      await ratings.sweepRatings();
      expect(await ratings.standing('b.example')).toMatchObject({ imported: 20 });
      await ratings.publishRatings(coming, 3_000);
      expect(await ratings.standing('b.example')).toMatchObject({ imported: 30 });
    });

    test('links count from the next count on, one vote a domain', async () => {
      await link('a.example', 'target.example', 'other.example');
      await link('b.example', 'target.example');
      const second = await seed(frontier, 'second', 'http://www.b.example/2');
      await pages.commit(visitOf(second, { linksTo: { from: 'b.example', to: ['target.example'] } }));
      expect(await referring('target.example')).toBe(0);
      await ratings.countReferring(5_000);
      expect(await referring('target.example')).toBe(2);
      expect(await referring('other.example')).toBe(1);
      expect(await referring('a.example')).toBe(0);
      expect(await ratings.ratingSummary()).toMatchObject({ own: { at: 5_000, domains: 2, links: 3 } });
    });

    test('a page that is read again says anew where it links to; a visit without a word leaves it', async () => {
      await link('a.example', 'old.example', 'kept.example');
      await link('a.example', 'kept.example', 'new.example');
      const page = await pageAt(frontier, 'http://a.example/');
      await pages.commit(visitOf(page, { outcome: 'unchanged' }));
      await ratings.countReferring(1);
      expect(await Promise.all(['old.example', 'kept.example', 'new.example'].map(referring))).toEqual([0, 1, 1]);
      await link('a.example');
      await ratings.countReferring(2);
      expect(await ratings.ratingSummary()).toMatchObject({ own: { at: 2, domains: 0, links: 0 } });
      expect(await referring('kept.example')).toBe(0);
    });

    test('a vote goes with the last page that gave it', async () => {
      await link('a.example', 'target.example');
      const second = await seed(frontier, 'second', 'http://www.a.example/');
      await pages.commit(visitOf(second, { linksTo: { from: 'a.example', to: ['target.example'] } }));
      await frontier.removeSource('a.example');
      await ratings.countReferring(1);
      expect(await referring('target.example')).toBe(1);
      await frontier.removeSource('second');
      await ratings.countReferring(2);
      expect(await referring('target.example')).toBe(0);
    });

    test('a domain keeps so many links and no more, and room comes back', async () => {
      const many = Array.from({ length: LINKS_PER_DOMAIN }, (_, index) => `d${index}.example`);
      await link('a.example', ...many.slice(0, -1));
      const second = await seed(frontier, 'second', 'http://www.a.example/');
      const to = ['x.example', 'y.example'];
      await pages.commit(visitOf(second, { linksTo: { from: 'a.example', to } }));
      await ratings.countReferring(1);
      expect(await Promise.all(to.map(referring))).toEqual([1, 0]);
      await link('a.example', 'd0.example');
      await pages.commit(visitOf(second, { linksTo: { from: 'a.example', to } }));
      await ratings.countReferring(2);
      expect(await Promise.all(to.map(referring))).toEqual([1, 1]);
    }, 60_000);
  });
}
