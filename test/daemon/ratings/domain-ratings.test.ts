import { beforeEach, describe, expect, test } from 'vitest';
import { DomainRatings } from '../../../src/daemon/ratings/domain-ratings.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { RATED_DOMAINS } from '../../../src/shared/limits.ts';
import { seed, visitOf } from '../../fixtures/visits.ts';
import { HeldOutside } from '../taps/house.ts';

const DAY_MS = 86_400_000;
let storage: Storage;
let clock: HeldOutside;
let ratings: DomainRatings;
let errors: string[];
beforeEach(() => {
  storage = openMemory();
  clock = new HeldOutside();
  errors = [];
  ratings = new DomainRatings({ ratings: storage.ratings, outside: clock, onError: (what) => errors.push(what) });
});

async function publish(domain: string, rating: number): Promise<void> {
  const { id } = await ratings.begin('list.csv');
  await ratings.add(id, { domains: [[domain, rating]] });
  await ratings.publish(id);
}

async function link(from: string, to: string): Promise<void> {
  const page = await seed(storage.frontier, from, `http://${from}/`);
  await storage.pages.commit(visitOf(page, { linksTo: { from, to: [to] } }));
}

describe('the rating of a page’s domain', () => {
  test('is none where nothing is known', async () => {
    expect(await ratings.of('a.example')).toBeUndefined();
  });

  test('is the better one of the list and the own links', async () => {
    await publish('a.example', 3);
    expect(await ratings.of('a.example')).toBe(3);
    await link('b.example', 'a.example');
    await ratings.countIfDue();
    expect(await ratings.of('a.example')).toBe(5);
    expect(await ratings.show('www.A.example')).toEqual({
      domain: 'a.example',
      rating: 5,
      imported: 3,
      own: 5,
      referring_domains: 1,
    });
  });

  test('works for an address, which stands for itself', async () => {
    await publish('127.0.0.1', 60);
    expect(await ratings.of('127.0.0.1')).toBe(60);
    expect(await ratings.of('127.0.0.2')).toBeUndefined();
  });
});

describe('the count of the own links', () => {
  const countedAt = async (): Promise<string | undefined> => (await ratings.status()).own?.at;

  test('is made once a day', async () => {
    await ratings.countIfDue();
    expect(await countedAt()).toBe('2026-02-27T10:00:00+00:00');
    clock.ms += DAY_MS - 1;
    await ratings.countIfDue();
    expect(await countedAt()).toBe('2026-02-27T10:00:00+00:00');
    clock.ms += 1;
    await ratings.countIfDue();
    expect(await countedAt()).toBe('2026-02-28T10:00:00+00:00');
  });

  test('is made anew after the clock was set back', async () => {
    await ratings.countIfDue();
    clock.ms -= 30 * DAY_MS;
    await ratings.countIfDue();
    expect(await countedAt()).toBe('2026-01-28T10:00:00+00:00');
  });
});

describe('an import', () => {
  test('of more domains than can be rated is given up', async () => {
    const { id } = await ratings.begin('list.csv');
    storage.ratings.addRatings = async () => RATED_DOMAINS + 1;
    const adding = ratings.add(id, { domains: [['a.example', 1]] });
    await expect(adding).rejects.toMatchObject({ code: 'rating_limit_reached', facts: { limit: 10_000_000 } });
    await expect(ratings.publish(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('whose leavings cannot be removed is published all the same, and the fault is told', async () => {
    storage.ratings.sweepRatings = () => Promise.reject(new Error('the disk is full'));
    await publish('a.example', 3);
    expect(await ratings.of('a.example')).toBe(3);
    expect(new Set(errors)).toEqual(new Set(['old ratings could not be removed']));
  });
});
