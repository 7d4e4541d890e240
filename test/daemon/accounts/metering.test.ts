import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Credit, priceOf } from '../../../src/daemon/accounts/credit.ts';
import { LedgerMetering } from '../../../src/daemon/accounts/metering.ts';
import { type Charge, CHARGED_AT_ONCE, type Ledger } from '../../../src/daemon/storage/ledger.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { METERED_RUNS } from '../../../src/shared/limits.ts';
import { append } from '../../fixtures/visits.ts';
import { HeldOutside } from '../taps/house.ts';

const OWNER = 'o';

/** A tap with so many events, and what was asked of its ledger. */
async function open(events: number, different: Partial<Pick<Ledger, 'charge'>> = {}) {
  const storage = openMemory();
  const outside = new HeldOutside();
  const record = { organizationId: OWNER, name: 'news', status: 'active', tokenPrefix: 'svc_' } as const;
  const rest = { tokenHash: '', tokenSealed: '', createdAt: '2026-02-27T00:00:00.000Z', lastUsedAt: null };
  await storage.catalog.update((draft) => {
    draft.taps.push({ id: 't', ...record, ...rest });
  });
  if (events > 0) await append(storage, outside.ms, ...Array.from({ length: events }, () => 't'));
  const asked: Charge[] = [];
  const errors: string[] = [];
  const ledger = {
    account: (...args: Parameters<Ledger['account']>) => storage.ledger.account(...args),
    isCharged: (...args: Parameters<Ledger['isCharged']>) => storage.ledger.isCharged(...args),
    charge: (charge: Charge) => {
      asked.push(charge);
      return (different.charge ?? ((one: Charge) => storage.ledger.charge(one)))(charge);
    },
  };
  const credit = await Credit.open({ ledger: storage.ledger, catalog: storage.catalog, outside });
  const onError = (what: string): void => void errors.push(what);
  const deps = { ledger, catalog: storage.catalog, balances: credit, price: 5, outside, onError };
  const metering = new LedgerMetering(deps);
  const matches = async () => (await credit.usage(OWNER, 'tap', 0))[0]?.matches ?? 0;
  return { storage, outside, credit, metering, asked, errors, matches, deps };
}

describe('metering with unlimited credit', () => {
  test('lets everything through at once, and counts it behind the streams, once', async () => {
    const { metering, matches, credit } = await open(10);
    expect(await metering.mayOpen(OWNER)).toBe(true);
    expect(metering.deliver('t', 0, 3)).toBe(3);
    expect(metering.deliver('t', 1, 6)).toBe(6);
    expect(metering.deliver('t', 0, 6)).toBe(6);
    await metering.settle();
    expect(await matches()).toBe(6);
    expect(await credit.show(OWNER)).toMatchObject({ unlimited: true, balance: 0 });
  });

  test('what was delivered before a balance was set costs nothing after it', async () => {
    const { metering, credit, matches } = await open(10);
    await metering.deliver('t', 0, 4);
    const setting = credit.set(OWNER, 100);
    await Promise.all([setting, metering.settle()]);
    expect(await metering.deliver('t', 0, 6)).toBe(6);
    expect(await credit.show(OWNER)).toMatchObject({ balance: 90 });
    expect(await matches()).toBe(6);
  });

  test('counts what is delivered within a moment by one charge for each run', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { metering, asked, matches } = await open(10);
    for (const offset of [0, 1, 2, 5]) void metering.deliver('t', offset, offset + 1);
    expect(asked).toEqual([]);
    await vi.runAllTimersAsync();
    expect(asked.map(({ from, to, price }) => [from, to, price])).toEqual([
      [0, 3, 0],
      [5, 6, 0],
    ]);
    expect(await matches()).toBe(4);
  });

  test('what was delivered is known to be before it is counted', async () => {
    const { metering } = await open(10);
    void metering.deliver('t', 0, 3);
    expect(await Promise.all([2, 3].map((offset) => metering.isDelivered('t', offset)))).toEqual([true, false]);
    await metering.settle();
  });

  test('a count that fails is reported and stops no stream', async () => {
    const { metering, errors } = await open(10, { charge: () => Promise.reject(new Error('disk')) });
    expect(metering.deliver('t', 0, 3)).toBe(3);
    await metering.settle();
    expect(errors).toEqual(['deliveries could not be recorded']);
    expect(metering.deliver('t', 0, 5)).toBe(5);
    await metering.settle();
  });
});

describe('a count that failed', () => {
  test('forgets no delivery, in however many pieces they were made while the ledger did not answer', async () => {
    let fails = true;
    const { storage, metering, matches } = await open(1_000, {
      charge: (one) => (fails ? Promise.reject(new Error('disk')) : storage.ledger.charge(one)),
    });
    for (let offset = 0; offset < 1_000; offset += 2) void metering.deliver('t', offset, offset + 1);
    await metering.settle();
    expect(await matches()).toBe(0);
    fails = false;
    await metering.settle();
    expect(await matches()).toBe(500);
  });

  test('is made up for when the daemon stops, and costs nothing', async () => {
    let fails = true;
    const { storage, metering, credit, matches } = await open(10, {
      charge: (one) => (fails ? Promise.reject(new Error('disk')) : storage.ledger.charge(one)),
    });
    expect(metering.deliver('t', 0, 3)).toBe(3);
    await metering.settle();
    fails = false;
    await credit.set(OWNER, 100);
    await metering.settle();
    expect(await matches()).toBe(3);
    expect(await credit.show(OWNER)).toMatchObject({ balance: 100 });
  });
});

describe('metering with a balance', () => {
  test('pays before it lets through, and never again what was paid', async () => {
    const { metering, credit, asked } = await open(10);
    await credit.grant(OWNER, 1_000);
    expect(await metering.deliver('t', 0, 4)).toBe(4);
    expect(metering.deliver('t', 1, 4)).toBe(4);
    expect(await metering.deliver('t', 2, 6)).toBe(6);
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      [0, 4],
      [4, 6],
    ]);
    expect(await credit.show(OWNER)).toMatchObject({ balance: 970 });
  });

  test('two thousand readers of a tap are one charge, whether it can be paid or not', async () => {
    const { metering, credit, asked } = await open(6);
    await credit.grant(OWNER, 20);
    const all = async () => Promise.all(Array.from({ length: 2_000 }, async () => metering.deliver('t', 0, 3)));
    expect(new Set(await all())).toEqual(new Set([3]));
    expect(asked).toHaveLength(1);
    const more = await Promise.all(Array.from({ length: 2_000 }, async () => metering.deliver('t', 2, 6)));
    expect(new Set(more)).toEqual(new Set([4]));
    expect(asked).toHaveLength(2);
  });

  test('opens while one more match can be paid', async () => {
    const { metering, credit, outside } = await open(1);
    await credit.set(OWNER, 4);
    expect(await metering.mayOpen(OWNER)).toBe(false);
    await credit.grant(OWNER, 1, 60);
    expect(await metering.mayOpen(OWNER)).toBe(true);
    outside.ms += 60_000;
    expect(await metering.mayOpen(OWNER)).toBe(false);
    await credit.unlimit(OWNER);
    expect(await metering.mayOpen(OWNER)).toBe(true);
  });

  test('goes on once there is credit again', async () => {
    const { metering, credit } = await open(5);
    await credit.set(OWNER, 10);
    expect(await metering.deliver('t', 0, 5)).toBe(2);
    expect(await metering.deliver('t', 2, 5)).toBe(2);
    await credit.grant(OWNER, 5);
    expect(await metering.deliver('t', 2, 5)).toBe(3);
  });

  test('what was paid before is free also while the credit of a reader elsewhere ends', async () => {
    const { metering, credit, deps } = await open(10);
    await credit.set(OWNER, 10);
    expect(await metering.deliver('t', 8, 10)).toBe(10);
    const restarted = new LedgerMetering(deps);
    const poor = restarted.deliver('t', 0, 5);
    const after = restarted.deliver('t', 8, 10);
    expect(await Promise.all([poor, after])).toEqual([0, 10]);
    const again = new LedgerMetering(deps);
    const far = again.deliver('t', 5, 7);
    const before = again.deliver('t', 2, 4);
    const paid = again.deliver('t', 9, 10);
    expect(await Promise.all([far, before, paid])).toEqual([5, 2, 10]);
  });

  test('a ledger that fails fails the delivery, and the next one asks again', async () => {
    let fails = true;
    const { storage } = await open(0);
    const charge = (one: Charge) => (fails ? Promise.reject(new Error('disk')) : storage.ledger.charge(one));
    const { metering, credit } = await open(5, { charge });
    await credit.set(OWNER, 100);
    await expect(metering.deliver('t', 0, 5)).rejects.toThrow('disk');
    fails = false;
    expect(await metering.deliver('t', 0, 5)).toBe(5);
  });

  test('a tap that is no more is let through', async () => {
    const { metering, credit } = await open(0);
    await credit.set(OWNER, 0);
    expect(metering.deliver('gone', 0, 5)).toBe(5);
  });

  test('a long replay, and one that jumps about, are paid in full', async () => {
    const events = CHARGED_AT_ONCE * 2 + 10;
    const { metering, credit } = await open(events);
    await credit.set(OWNER, events * 5);
    for (let jump = METERED_RUNS * 2; jump > 0; jump -= 1) await metering.deliver('t', jump * 4, jump * 4 + 1);
    expect(await metering.deliver('t', 0, events)).toBe(events);
    expect(await credit.show(OWNER)).toMatchObject({ balance: 0 });
    expect(await metering.deliver('t', 0, events)).toBe(events);
  });
});

test('readers at any offsets, grants and restarts at any time: each event is paid once, in order, or not delivered', async () => {
  const reading = fc.tuple(fc.constant('read'), fc.nat(25), fc.integer({ min: 1, max: 10 }));
  const granting = fc.tuple(fc.constant('grant'), fc.nat(30), fc.constant(0));
  const restarting = fc.tuple(fc.constant('restart'), fc.constant(0), fc.constant(0));
  const actions = fc.array(fc.oneof({ weight: 6, arbitrary: reading }, granting, restarting), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      const { storage, credit, deps } = await open(35);
      await credit.set(OWNER, 0);
      let metering = new LedgerMetering(deps);
      let granted = 0;
      const delivered = new Set<number>();
      const readers: Promise<void>[] = [];
      const read = async (from: number, to: number): Promise<void> => {
        const paidTo = await metering.deliver('t', from, to);
        expect(paidTo).toBeGreaterThanOrEqual(from);
        expect(paidTo).toBeLessThanOrEqual(to);
        for (let offset = from; offset < paidTo; offset += 1) delivered.add(offset);
      };
      for (const [what, number, length] of all) {
        if (what === 'read') readers.push(read(number, number + length));
        if (what === 'restart') metering = new LedgerMetering(deps);
        if (what !== 'grant' || number === 0) continue;
        granted += number;
        readers.push(credit.grant(OWNER, number).then(() => undefined));
      }
      await Promise.all(readers);
      const { balance } = await credit.show(OWNER);
      const paid = (granted - balance) / 5;
      // Paid is delivered, or was paid for a reader whose own part came later.
      expect(delivered.size).toBeLessThanOrEqual(paid);
      const rows = await storage.ledger.usage({ organizationId: OWNER, by: 'tap', since: 0, atMost: 1 });
      expect(rows[0]?.matches ?? 0).toBe(paid);
    }),
  );
});

test('a price is whole thousandths', () => {
  expect(priceOf(0.005)).toBe(5);
  expect(priceOf(0)).toBe(0);
  expect(() => priceOf(0.0004)).toThrow('match-price: 0.0004 has more than three decimal places');
});
