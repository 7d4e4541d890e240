import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AnalysisPool } from '../../../src/daemon/analysis/analysis-pool.ts';
import { check } from '../../../src/daemon/watch/check.ts';
import { linesOf } from '../../fixtures/watches.ts';
import { body, HOUR, MINUTE, page, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);

describe('many watches', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date'] }));
  const open: AnalysisPool[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(open.splice(0).map((analysisPool) => analysisPool.close()));
  });

  async function watching(count: number): Promise<WatchWorld> {
    // An eighth of the places is the pages'.
    const world = new WatchWorld(64);
    const analysisPool = new AnalysisPool({ threads: 2, onRejected: () => undefined });
    open.push(analysisPool);
    world.analyze = (given) => analysisPool.analyzeWatch(given);
    for (let one = 0; one < count; one += 1) await world.add(`w${one}`, { url: `http://h${one}.test/` });
    return world;
  }

  /** One check of each, all at the same time; how they ended. */
  async function checkAll(world: WatchWorld, count: number): Promise<(string | undefined)[]> {
    const taken = await world.take(count);
    expect(taken).toHaveLength(count);
    const checks = taken.map(async (due) => {
      if (due.kind !== 'watch') throw new Error('a page is due');
      return (await check(due, world.stages(), new AbortController().signal)).report?.outcome;
    });
    const outcomes = await Promise.all(checks);
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    return outcomes;
  }

  test('that are checked at the same time have each its own page, and one entry a check', async () => {
    const world = await watching(40);
    for (let round = 1; round <= 3; round += 1) {
      world.answer = ({ url }) => body(page(`This is ${url}.`, `It is number ${round} there.`), { url });
      expect(new Set(await checkAll(world, 40))).toEqual(new Set([round === 1 ? 'baseline' : 'changed']));
    }
    for (let one = 0; one < 40; one += 1) {
      expect((await world.entries(`w${one}`)).map(({ n }) => n)).toEqual([3, 2, 1]);
      const found = await world.storage.watches.watchText(`w${one}`, 2);
      expect(found && linesOf(found.text)).toEqual([`This is http://h${one}.test/.`, 'It is number 2 there.']);
      const change = { del: ['It is number 2 there.'], ins: ['It is number 3 there.'] };
      expect(await world.change(`w${one}`)).toEqual(change);
    }
  });

  test('that are checked a hundred times in threads, with other bytes each time, have not changed', async () => {
    const world = await watching(10);
    const ends: (string | undefined)[] = [];
    for (let round = 0; round < 100; round += 1) {
      const token = `<script>window.token = ${round};</script>`;
      world.answer = ({ url }) => body(page(`This is ${url}.`, 'All is well.') + token, { url });
      ends.push(...(await checkAll(world, 10)));
    }
    expect(ends.slice(0, 10)).toEqual(Array(10).fill('baseline'));
    expect(ends.slice(10)).toEqual(Array(990).fill('unchanged'));
    expect(await world.storage.watches.watchTotals(Date.now())).toMatchObject({ checks: 1_000, changes: 0, texts: 10 });
  });

  test('five thousand that are late after a restart are due once each, some fifty a second', async () => {
    const world = await watching(5_000);
    const now = BEGIN + 12 * HOUR;
    vi.setSystemTime(now);
    await world.supply.bringForward(now);
    const watches = await world.storage.watches.watches({ organizationId: 'org', atMost: 10_000 });
    expect(watches).toHaveLength(5_000);
    const seconds = Map.groupBy(watches, ({ due }) => Math.floor((due - now) / 1_000));
    expect([...seconds.keys()].sort((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(Math.max(...[...seconds.values()].map((together) => together.length))).toBeLessThanOrEqual(75);
  });
});
