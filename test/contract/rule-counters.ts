import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RuleCount, RuleFigures } from '../../src/daemon/storage/rule-counters.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

const NONE = { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 };

function countOf(count: Partial<RuleCount>): RuleCount {
  return { ruleId: 'r', hour: 10, matches: 0, withheld: {}, ...count };
}

/** The exam of every `RuleCounters`. */
export function ruleCountersContract(open: () => Promise<Storage>): void {
  describe('rule counters', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    const add = (...counts: Partial<RuleCount>[]): Promise<void> =>
      storage.ruleCounters.addRuleCounts(counts.map(countOf));
    const figures = async (since = 0, ruleId = 'r'): Promise<RuleFigures | undefined> =>
      (await storage.ruleCounters.ruleFigures([ruleId], since))[0];

    test('are nothing of a rule that nothing is known of', async () => {
      expect(await figures()).toEqual({ ruleId: 'r', matches: 0, lastMatchAt: null, withheld: NONE });
    });

    test('add up within an hour and over hours, each rule by itself', async () => {
      await add({ matches: 2, lastMatchAt: 7, withheld: { no_date: 1 } }, { ruleId: 's', matches: 9 });
      await add({ matches: 1, lastMatchAt: 5, withheld: { no_date: 2, adult: 1 } });
      await add({ hour: 11, withheld: { url: 4, too_old: 5, future_date: 6 } });
      const withheld = { no_date: 3, too_old: 5, future_date: 6, url: 4, adult: 1 };
      expect(await figures()).toEqual({ ruleId: 'r', matches: 3, lastMatchAt: 7, withheld });
      expect(await figures(0, 's')).toMatchObject({ matches: 9, lastMatchAt: null });
    });

    test('are asked for since an hour, and tell the last match however long ago', async () => {
      await add({ hour: 10, matches: 1, lastMatchAt: 3 }, { hour: 11, withheld: { url: 1 } });
      const since = { ruleId: 'r', matches: 0, lastMatchAt: 3, withheld: { ...NONE, url: 1 } };
      expect(await figures(11)).toEqual(since);
      expect(await figures(12)).toEqual({ ...since, withheld: NONE });
    });

    test('come in the order they are asked for', async () => {
      await add({ ruleId: 'b', matches: 1 }, { ruleId: 'a', matches: 2 });
      const found = await storage.ruleCounters.ruleFigures(['b', 'none', 'a'], 0);
      expect(found.map(({ ruleId, matches }) => [ruleId, matches])).toEqual([
        ['b', 1],
        ['none', 0],
        ['a', 2],
      ]);
      expect(await storage.ruleCounters.ruleFigures([], 0)).toEqual([]);
    });

    test('are forgotten by the hour, and with their rule', async () => {
      await add({ hour: 10, matches: 1, lastMatchAt: 1 }, { hour: 11, matches: 2 });
      await add({ ruleId: 'gone', hour: 11, matches: 2, lastMatchAt: 1 });
      await storage.ruleCounters.trimRuleCounts(11, ['r', 'never counted']);
      expect(await figures()).toMatchObject({ matches: 2, lastMatchAt: 1 });
      expect(await figures(0, 'gone')).toMatchObject({ matches: 0, lastMatchAt: null });
    });
  });
}
