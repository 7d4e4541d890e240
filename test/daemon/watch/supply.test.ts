import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { seedLead } from '../../../src/daemon/discovery/discover.ts';
import { type HostState, NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import type { Due } from '../../../src/daemon/watch/supply.ts';
import { checkOf } from '../../fixtures/watches.ts';
import { HOUR, MINUTE, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);

describe('the supply of watches and pages', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  const names = (pages: readonly Due[]): string[] => pages.map(({ host }) => host);
  const question = (atMost: number, except: readonly string[] = []) => ({
    now: Date.now(),
    atMost,
    leaseMs: HOUR,
    except,
  });

  async function addPages(world: WatchWorld, ...hosts: string[]): Promise<void> {
    const leads = hosts.flatMap((host) => seedLead(`http://${host}/`, false) ?? []);
    const source = { id: 's', everyMs: undefined, maxPages: 100, isPaused: false };
    await world.storage.frontier.putSource(source, leads, Date.now());
  }

  async function watchOf(world: WatchWorld, host: string, createdAt = Date.now()): Promise<void> {
    await world.add(host, { url: `http://${host}/`, createdAt });
  }

  test('gives watches first, then pages of other hosts', async () => {
    const world = new WatchWorld();
    await addPages(world, 'a.test', 'b.test', 'c.test');
    await watchOf(world, 'c.test');
    const { pages } = await world.supply.take(question(4));
    expect(names(pages)).toEqual(['c.test', 'a.test', 'b.test']);
    expect(pages[0]?.kind).toBe('watch');
  });

  test('a host that has a page under way is not given to a watch, nor the other way round', async () => {
    const world = new WatchWorld();
    await addPages(world, 'a.test', 'b.test');
    expect(names((await world.supply.take(question(4))).pages)).toEqual(['a.test', 'b.test']);
    await watchOf(world, 'a.test');
    await watchOf(world, 'd.test');
    await addPages(world, 'a.test', 'b.test', 'd.test');
    world.supply.lookNow();
    const { pages } = await world.supply.take(question(2, ['a.test', 'b.test']));
    expect(names(pages)).toEqual(['d.test']);
  });

  test('keeps a quarter of the places free of pages as long as there are active watches', async () => {
    const world = new WatchWorld();
    await addPages(world, 'a.test', 'b.test', 'c.test', 'd.test', 'e.test');
    await watchOf(world, 'w.test', Date.now() + HOUR);
    const first = await world.supply.take(question(4));
    expect(names(first.pages)).toEqual(['a.test', 'b.test', 'c.test']);
    const second = await world.supply.take(question(1, names(first.pages)));
    expect(second.pages).toEqual([]);
    vi.setSystemTime(BEGIN + HOUR);
    const third = await world.supply.take(question(1, names(first.pages)));
    expect(names(third.pages)).toEqual(['w.test']);
    const fourth = await world.supply.take(question(1, ['b.test', 'c.test', 'w.test']));
    expect(fourth.pages).toHaveLength(1);
  });

  test('keeps an eighth of the places free of watches, so that slow ones do not stop the crawl', async () => {
    const world = new WatchWorld(8);
    for (const number of Array.from({ length: 9 }).keys()) await watchOf(world, `w${number}.test`);
    const first = await world.supply.take(question(8));
    expect(names(first.pages)).toHaveLength(7);
    await addPages(world, 'a.test');
    world.supply.lookNow();
    const second = await world.supply.take(question(1, names(first.pages)));
    expect(names(second.pages)).toEqual(['a.test']);
    const third = await world.supply.take(question(1, [...names(first.pages).slice(1), 'a.test']));
    expect(names(third.pages)).toEqual(['w7.test']);
  });

  test('where no page was due and none is under way, looks for one again in a moment, or when it is asked to', async () => {
    const world = new WatchWorld();
    expect((await world.supply.take(question(4))).pages).toEqual([]);
    await addPages(world, 'a.test', 'b.test');
    const { pages, nextAt } = await world.supply.take(question(1));
    expect(pages).toEqual([]);
    vi.setSystemTime(nextAt ?? 0);
    expect(Date.now() - BEGIN).toBe(1_000);
    expect(names((await world.supply.take(question(1))).pages)).toEqual(['a.test']);
    expect(names((await world.supply.take(question(1, ['a.test']))).pages)).toEqual(['b.test']);

    const other = new WatchWorld();
    expect((await other.supply.take(question(4))).pages).toEqual([]);
    await addPages(other, 'a.test');
    other.supply.lookNow();
    expect(names((await other.supply.take(question(1))).pages)).toEqual(['a.test']);
  });

  test('looks once more for a watch that is added while it looks', async () => {
    const world = new WatchWorld();
    const looking = world.supply.take(question(4));
    await watchOf(world, 'w.test');
    world.supply.lookNow();
    expect((await looking).pages).toEqual([]);
    expect(names((await world.supply.take(question(4))).pages)).toEqual(['w.test']);
  });

  test('without an active watch pages have all the places', async () => {
    const world = new WatchWorld();
    await watchOf(world, 'w.test');
    await world.storage.watches.changeWatch('w.test', { isPaused: true });
    await addPages(world, 'a.test', 'b.test', 'c.test', 'd.test', 'e.test');
    expect((await world.supply.take(question(4))).pages).toHaveLength(4);
  });

  test('looks for watches once a second, so that their checks share a commit, and at once for one that was asked for', async () => {
    const world = new WatchWorld();
    const asked = vi.spyOn(world.storage.watches, 'takeWatches');
    await watchOf(world, 'a.test');
    expect((await world.supply.take(question(4))).pages).toHaveLength(1);
    await watchOf(world, 'b.test');
    const soon = await world.supply.take(question(3, ['a.test']));
    expect(soon).toMatchObject({ pages: [], nextAt: BEGIN + 1_000 });
    world.supply.lookNow();
    expect(names((await world.supply.take(question(3, ['a.test']))).pages)).toEqual(['b.test']);
    await watchOf(world, 'c.test');
    vi.setSystemTime(BEGIN + 1_000);
    expect(names((await world.supply.take(question(2, ['a.test', 'b.test']))).pages)).toEqual(['c.test']);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('a look that found more than there was room for is repeated in a moment, for all places that are free by then', async () => {
    const world = new WatchWorld();
    for (const host of ['a.test', 'b.test', 'c.test']) await watchOf(world, host);
    expect((await world.supply.take(question(2))).pages).toHaveLength(2);
    expect(await world.supply.take(question(2))).toMatchObject({ pages: [], nextAt: BEGIN + 25 });
    vi.setSystemTime(BEGIN + 25);
    expect((await world.supply.take(question(2))).pages).toHaveLength(1);
  });

  test('looks more often while a host is behind with its watches, unless it fails', async () => {
    const pauseAfter = async (host: HostState): Promise<number> => {
      const world = new WatchWorld();
      await watchOf(world, 'a.test');
      await world.take(1);
      await world.supply.release({ id: 'a.test' }, host);
      const begin = Date.now() + 5_000;
      vi.setSystemTime(begin);
      expect(names((await world.supply.take(question(4))).pages)).toEqual(['a.test']);
      const { nextAt } = await world.supply.take(question(3, ['a.test']));
      return (nextAt ?? 0) - begin;
    };
    expect(await pauseAfter(NEW_HOST)).toBe(250);
    expect(await pauseAfter({ ...NEW_HOST, backoff: 3, failures: 3, backoffReason: 'timeout' })).toBe(1_000);
  });

  test('after a start looks more often only where watches were late', async () => {
    const pauseAfterStart = async (dueIn: (watch: number) => number): Promise<number> => {
      const world = new WatchWorld();
      for (let n = 0; n < 50; n += 1) await watchOf(world, `w${n}.test`, Date.now() + dueIn(n));
      await world.supply.bringForward(Date.now());
      // Those that were late have a place each within 50 times 20 ms.
      const begin = Date.now() + 60;
      vi.setSystemTime(begin);
      const due = names((await world.supply.take(question(100))).pages);
      expect(due.length).toBeGreaterThan(0);
      const { nextAt } = await world.supply.take(question(50, due));
      return (nextAt ?? 0) - begin;
    };
    expect(await pauseAfterStart(() => -HOUR)).toBe(250);
    expect(await pauseAfterStart((watch) => 10 + watch * 5_000)).toBe(1_000);
  });

  test('comes back when the first of either is due', async () => {
    const world = new WatchWorld();
    await addPages(world, 'a.test');
    await watchOf(world, 'w.test', BEGIN + 10 * MINUTE);
    const { pages, nextAt } = await world.supply.take(question(4));
    expect(names(pages)).toEqual(['a.test']);
    expect(nextAt).toBe(BEGIN + 10 * MINUTE);
  });

  test('what is released goes back to where it came from', async () => {
    const world = new WatchWorld();
    await addPages(world, 'a.test');
    await watchOf(world, 'w.test');
    const { pages } = await world.supply.take(question(4));
    for (const page of pages) await world.supply.release(page, NEW_HOST);
    expect(names(await world.take())).toEqual(['w.test', 'a.test']);
    expect(world.quota).toEqual(['reserved', 'given back', 'reserved']);
  });

  test('a watch without a check left is let go, and those of others are given', async () => {
    const world = new WatchWorld();
    world.left = 1;
    await watchOf(world, 'a.test');
    await watchOf(world, 'b.test');
    const { pages, nextAt } = await world.supply.take(question(4));
    expect(names(pages)).toEqual(['a.test']);
    expect(nextAt).toBe(BEGIN + 1_000);
    world.left = 1;
    expect(names(await world.take())).toEqual(['b.test']);
  });

  test('a check is counted or given back once, whoever says so how often', async () => {
    const world = new WatchWorld();
    await watchOf(world, 'a.test');
    await world.supply.take(question(4));
    world.supply.checked('a.test', '2026-02', 1);
    world.supply.checked('a.test', '2026-02', 1);
    await world.supply.release({ id: 'a.test' }, NEW_HOST);
    expect(world.quota).toEqual(['reserved', 'counted 2026-02: 1']);
  });

  test('watches that were taken while the frontier did not answer are let go', async () => {
    const world = new WatchWorld();
    await watchOf(world, 'a.test');
    vi.spyOn(world.storage.frontier, 'take').mockRejectedValueOnce(new Error('gone'));
    await expect(world.supply.take(question(4))).rejects.toThrow('gone');
    expect(world.quota).toEqual(['reserved', 'given back']);
    expect(names(await world.take())).toEqual(['a.test']);
  });

  test('after a clock that was ahead nothing waits for it', async () => {
    const world = new WatchWorld();
    await watchOf(world, 'a.test');
    await world.take();
    const ahead = BEGIN + 48 * HOUR;
    const host = { ...NEW_HOST, notBefore: ahead };
    await world.storage.watches.commitCheck(checkOf('a.test', { at: ahead, nextDue: ahead + 5 * MINUTE, host }));
    await world.supply.bringForward(BEGIN);
    expect((await world.known('a.test')).due).toBeLessThanOrEqual(BEGIN + 10 * MINUTE);
    vi.setSystemTime(BEGIN + 10 * MINUTE);
    expect(await world.take()).toHaveLength(1);
  });
});
