import { beforeEach, describe, expect, test } from 'vitest';
import { RuleTally } from '../../../src/daemon/taps/rule-tally.ts';
import { hourOf } from '../../../src/daemon/storage/rule-counters.ts';
import { type House, openHouse } from './house.ts';

const NONE = { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 };
const HOUR = 3_600_000;

let house: House;
let tapId: string;
let ids: readonly [string, string];
beforeEach(async () => {
  house = await openHouse();
  const { organizationId } = house;
  ({ id: tapId } = await house.taps.create(organizationId, 'news'));
  const rule = async (): Promise<string> =>
    (await house.rules.create({ kind: 'tap', tapId, organizationId }, { value: 'ferry' })).rule.id;
  ids = [await rule(), await rule()];
});

const reports = () => house.tally.reports(house.organizationId);
const event = (...rules: readonly string[]) => ({ at: house.clock.ms, queryIds: JSON.stringify(rules) });

describe('what becomes of a rule', () => {
  test('is nothing at first, in the order the rules were made', async () => {
    const nothing = { tap_id: tapId, paused: false, matches: 0, last_match_at: null, withheld: NONE };
    expect(await reports()).toEqual(ids.map((id) => ({ rule_id: id, ...nothing })));
  });

  test('is counted from what was delivered and what was withheld', async () => {
    house.tally.delivered([event(ids[0]), event(...ids)]);
    house.clock.ms += 5_000;
    house.tally.delivered([event(ids[0])]);
    house.tally.withheld([
      { ruleId: ids[1], reason: 'no_date' },
      { ruleId: ids[1], reason: 'no_date' },
      { ruleId: ids[1], reason: 'adult' },
    ]);
    expect(await reports()).toMatchObject([
      { matches: 3, last_match_at: '2026-02-27T10:00:05+00:00', withheld: NONE },
      { matches: 1, last_match_at: '2026-02-27T10:00:00+00:00', withheld: { ...NONE, no_date: 2, adult: 1 } },
    ]);
  });

  test('is that of the last day, but for the last match', async () => {
    house.tally.delivered([event(ids[0])]);
    house.clock.ms += 23 * HOUR;
    expect(await reports()).toMatchObject([{ matches: 1 }, { matches: 0 }]);
    house.clock.ms += HOUR;
    expect(await reports()).toMatchObject([{ matches: 0, last_match_at: '2026-02-27T10:00:00+00:00' }, {}]);
  });

  test('says that its tap is paused', async () => {
    await house.taps.change(house.organizationId, tapId, { status: 'paused' });
    expect(await reports()).toMatchObject([{ paused: true }, { paused: true }]);
    expect(await house.tally.reports('another')).toEqual([]);
  });

  test('survives a restart once it was written', async () => {
    house.tally.delivered([event(ids[0])]);
    const restarted = () =>
      new RuleTally({ counters: house.storage.ruleCounters, catalog: house.catalog, outside: house.clock });
    expect(await restarted().reports(house.organizationId)).toMatchObject([{ matches: 0 }, {}]);
    await house.tally.flush();
    expect(await restarted().reports(house.organizationId)).toMatchObject([{ matches: 1 }, {}]);
  });

  test('is kept for the next time when it cannot be written', async () => {
    const { ruleCounters } = house.storage;
    const add = ruleCounters.addRuleCounts.bind(ruleCounters);
    ruleCounters.addRuleCounts = () => Promise.reject(new Error('the disk is full'));
    house.tally.delivered([event(ids[0])]);
    const failed = house.tally.flush();
    house.tally.delivered([event(ids[0])]);
    await expect(failed).rejects.toThrow('the disk is full');
    ruleCounters.addRuleCounts = add;
    expect(await reports()).toMatchObject([{ matches: 2 }, {}]);
  });

  test('is forgotten with the rule, and with the day', async () => {
    house.tally.delivered([event(ids[0])]);
    house.tally.withheld([{ ruleId: 'never there', reason: 'url' }]);
    await house.tally.flush();
    const since = hourOf(house.clock.ms);
    const all = () => house.storage.ruleCounters.ruleFigures([ids[0], 'never there'], since);
    expect(await all()).toMatchObject([{ matches: 1 }, { withheld: NONE }]);
    await house.taps.revoke(house.organizationId, tapId);
    await house.tally.trim();
    expect(await all()).toMatchObject([{ matches: 0, lastMatchAt: null }, {}]);
  });
});
