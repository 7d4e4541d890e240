import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { check } from '../../../src/daemon/watch/check.ts';
import { IN_TIME_MS } from '../../../src/daemon/watch/supply.ts';
import { HOUR, page, WatchWorld } from './watch-world.ts';

describe('a check that can wait for its commit', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 1, 13, 12) }));
  afterEach(() => void vi.useRealTimers());

  async function watching(): Promise<WatchWorld> {
    const world = new WatchWorld();
    await world.add();
    world.serve(page('Tea 3 €'));
    await world.check();
    vi.setSystemTime((await world.known()).due);
    return world;
  }

  /** Of the watch that is due: whether it said that it could wait, before and with its commit; and which hosts were to rest. */
  async function said(world: WatchWorld) {
    const [due] = await world.take(1);
    if (due?.kind !== 'watch') throw new Error('no watch is due');
    const places: string[] = [];
    const stages = world.stages();
    const { watches } = world.storage;
    const told = {
      ...stages,
      fetcher: { ...stages.fetcher, rest: (host: string) => void places.push(`${host} rests`) },
      watches: {
        watchBaseline: (id: string) => watches.watchBaseline(id),
        commitCheck: (made: Parameters<typeof watches.commitCheck>[0], canWait: boolean) => {
          places.push(canWait ? 'waits' : 'goes at once');
          return watches.commitCheck(made);
        },
      },
    };
    await check(due, told, new AbortController().signal, () => places.push('leaves its place'));
    return places;
  }

  test('is one in time that found nothing', async () => {
    expect(await said(await watching())).toEqual(['shop.example rests', 'leaves its place', 'waits']);
  });

  test('is none that found a change', async () => {
    const world = await watching();
    world.serve(page('Tea 4 €'));
    expect(await said(world)).toEqual(['shop.example rests', 'goes at once']);
  });

  test('is none that came late: its host has others to be asked for', async () => {
    const world = await watching();
    vi.setSystemTime(Date.now() + IN_TIME_MS);
    expect(await said(world)).toEqual(['shop.example rests', 'goes at once']);
  });

  test('keeps the connection of a host that was asked a moment ago', async () => {
    const world = await watching();
    await world.add('other', { url: 'http://shop.example/other', createdAt: Date.now() });
    const places = [...(await said(world)), ...(await said(world))];
    expect(places.filter((place) => place.endsWith('rests'))).toEqual(['shop.example rests']);
  });

  test('takes no place of those that watches may have', async () => {
    const world = new WatchWorld(2);
    for (const host of ['a.test', 'b.test', 'c.test']) await world.add(host, { url: `http://${host}/` });
    const take = async (atMost: number, except: readonly string[]): Promise<string[]> => {
      world.supply.lookNow();
      const { pages } = await world.supply.take({ now: Date.now(), atMost, leaseMs: HOUR, except });
      return pages.map(({ host }) => host);
    };
    expect(await take(2, [])).toEqual(['a.test', 'b.test']);
    expect(await take(2, ['a.test', 'b.test'])).toEqual([]);
    world.supply.releaseSlot('a.test');
    world.supply.releaseSlot('stranger.test');
    expect(await take(2, ['a.test', 'b.test'])).toEqual(['c.test']);
  });
});
