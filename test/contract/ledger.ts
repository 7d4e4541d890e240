import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Charge, type Charged, CHARGED_AT_ONCE, type Ledger } from '../../src/daemon/storage/ledger.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { CREDIT_ENTRIES, CREDIT_GRANTS } from '../../src/shared/limits.ts';
import { append, eventFor, seed, visitOf } from '../fixtures/visits.ts';

const DAY = Date.parse('2026-02-27T00:00:00Z');

/** The exam of every `Ledger`. */
export function ledgerContract(open: () => Promise<Storage>): void {
  describe('a ledger', () => {
    let storage: Storage;
    let ledger: Ledger;
    beforeEach(async () => {
      storage = await open();
      ({ ledger } = storage);
    });
    afterEach(() => storage.close());

    const charge = (from: number, to: number, different: Partial<Charge> = {}): Promise<Charged> =>
      ledger.charge({ tapId: 't', organizationId: 'o', from, to, at: DAY, price: 5, ...different });
    const events = (count: number, tapId = 't'): Promise<unknown> =>
      append(storage, DAY, ...Array.from({ length: count }, () => tapId));
    const balance = async (at = DAY): Promise<number> => (await ledger.account('o', at)).balance;
    const grant = (amount: number, expiresAt?: number): Promise<unknown> =>
      ledger.grantCredit({ organizationId: 'o', amount, at: DAY, ...(expiresAt !== undefined && { expiresAt }) });
    const usage = (by: 'tap' | 'day' | 'rule', since = DAY, organizationId = 'o') =>
      ledger.usage({ organizationId, by, since, atMost: 10 });

    describe('as credit', () => {
      test('is unlimited until there is a balance', async () => {
        const account = { organizationId: 'o', unlimited: true, balance: 0, grants: 0 };
        expect(await ledger.account('o', DAY)).toEqual(account);
        expect(await ledger.prepaid()).toEqual([]);
        await events(3);
        expect(await charge(0, 3)).toEqual({ paidTo: 3, exhausted: false });
        expect(await grant(100)).toEqual({ ...account, unlimited: false, balance: 100, grants: 1 });
        expect(await ledger.prepaid()).toEqual(['o']);
        expect(await charge(0, 3)).toEqual({ paidTo: 3, exhausted: false });
        expect(await balance()).toBe(100);
      });

      test('counts a grant until the moment it expires', async () => {
        await grant(100, DAY + 1_000);
        await grant(7);
        expect(await ledger.account('o', DAY + 999)).toMatchObject({
          balance: 107,
          grants: 2,
          expiresNext: DAY + 1_000,
        });
        expect(await ledger.account('o', DAY + 1_000)).toEqual({
          organizationId: 'o',
          unlimited: false,
          balance: 7,
          grants: 1,
        });
      });

      test('spends first what expires first, and last what never expires', async () => {
        await grant(10);
        await grant(10, DAY + 2_000);
        await grant(10, DAY + 1_000);
        await events(5);
        await charge(0, 3);
        const left = async () => (await ledger.creditHistory('o', 9)).map((entry) => entry.left).toReversed();
        expect(await left()).toEqual([10, 5, 0]);
        await charge(0, 5);
        expect(await left()).toEqual([5, 0, 0]);
      });

      test('is set to an amount, whatever was left', async () => {
        await grant(100);
        await events(4);
        await charge(0, 4);
        const set = await ledger.setCredit({ organizationId: 'o', amount: 30, at: DAY + 1 });
        expect(set).toMatchObject({ unlimited: false, balance: 30, grants: 1 });
        const entry = { at: DAY, kind: 'grant', amount: 100, left: 0, withdrawn: 80 };
        const expected = { at: DAY + 1, kind: 'set', amount: 30, left: 30, withdrawn: 0 };
        expect(await ledger.creditHistory('o', 9)).toEqual([expected, entry]);
        expect(await ledger.creditHistory('o', 1)).toEqual([expected]);
        expect(await ledger.setCredit({ organizationId: 'o', amount: 0, at: DAY })).toMatchObject({ balance: 0 });
      });

      test('is made unlimited again, and what was left waits', async () => {
        await grant(5);
        await events(3);
        expect(await ledger.unlimitCredit('o', DAY)).toMatchObject({ unlimited: true, balance: 5 });
        expect(await ledger.prepaid()).toEqual([]);
        expect(await charge(0, 3)).toEqual({ paidTo: 3, exhausted: false });
        expect(await grant(1)).toMatchObject({ unlimited: false, balance: 6 });
      });

      test('is each organization’s own', async () => {
        await grant(5);
        await append(storage, DAY, 'u');
        expect(await charge(0, 1, { tapId: 'u', organizationId: 'p' })).toMatchObject({ exhausted: false });
        expect(await balance()).toBe(5);
        expect(await ledger.account('p', DAY)).toMatchObject({ unlimited: true, balance: 0 });
        expect(await ledger.creditHistory('p', 9)).toEqual([]);
      });

      test('takes so many grants, and forgets the oldest that are over', async () => {
        for (let made = 0; made < CREDIT_GRANTS; made += 1) await grant(1);
        expect(await grant(1)).toBeUndefined();
        expect(await balance()).toBe(CREDIT_GRANTS);
        await ledger.setCredit({ organizationId: 'o', amount: 3, at: DAY });
        expect(await ledger.creditHistory('o', 9_999)).toHaveLength(CREDIT_ENTRIES);
        expect(await balance()).toBe(3);
      }, 30_000);
    });

    describe('as charges', () => {
      test('takes the price of each event once, whoever delivers it again', async () => {
        await grant(1_000);
        await events(10);
        expect(await charge(0, 4)).toEqual({ paidTo: 4, exhausted: false });
        expect(await charge(2, 6)).toEqual({ paidTo: 6, exhausted: false });
        expect(await charge(8, 9)).toEqual({ paidTo: 9, exhausted: false });
        expect(await balance()).toBe(1_000 - 7 * 5);
        expect(await charge(0, 10)).toEqual({ paidTo: 10, exhausted: false });
        expect(await balance()).toBe(1_000 - 10 * 5);
      });

      test('two thousand readers at once pay once', async () => {
        await grant(1_000);
        await events(3);
        const answers = await Promise.all(Array.from({ length: 2_000 }, () => charge(0, 3)));
        expect(answers.every(({ paidTo }) => paidTo === 3)).toBe(true);
        expect(await balance()).toBe(985);
      });

      test('pays in order as far as the balance goes, and goes on where it ended', async () => {
        await grant(12);
        await events(5);
        expect(await charge(0, 5)).toEqual({ paidTo: 2, exhausted: true });
        expect(await balance()).toBe(2);
        expect(await charge(0, 5)).toEqual({ paidTo: 2, exhausted: true });
        expect(await charge(0, 2)).toEqual({ paidTo: 2, exhausted: false });
        await grant(8);
        expect(await charge(0, 5)).toEqual({ paidTo: 4, exhausted: true });
        expect(await balance()).toBe(0);
      });

      test('what was paid behind a gap counts once the gap is paid', async () => {
        await grant(5);
        await events(3);
        await charge(1, 2);
        expect(await charge(0, 3)).toEqual({ paidTo: 0, exhausted: true });
        await grant(5);
        expect(await charge(0, 3)).toEqual({ paidTo: 2, exhausted: true });
      });

      test('an expired balance pays nothing', async () => {
        await grant(100, DAY + 1_000);
        await events(2);
        expect(await charge(0, 1, { at: DAY + 999 })).toEqual({ paidTo: 1, exhausted: false });
        expect(await charge(0, 2, { at: DAY + 1_000 })).toEqual({ paidTo: 1, exhausted: true });
      });

      test('a price of nothing is counted and takes nothing', async () => {
        await ledger.setCredit({ organizationId: 'o', amount: 0, at: DAY });
        await events(2);
        expect(await charge(0, 2, { price: 0 })).toEqual({ paidTo: 2, exhausted: false });
        expect(await usage('tap')).toEqual([{ key: 't', matches: 2, spent: 0 }]);
        expect(await charge(0, 2)).toEqual({ paidTo: 2, exhausted: false });
      });

      test('tells of an event whether it was charged, also for nothing', async () => {
        await events(6);
        expect(await ledger.isCharged('t', 1)).toBe(false);
        await charge(1, 3, { price: 0 });
        await charge(4, 5);
        const charged = async (offset: number) => ledger.isCharged('t', offset);
        expect(await Promise.all([0, 1, 2, 3, 4, 5, 6].map(charged))).toEqual([
          false,
          true,
          true,
          false,
          true,
          false,
          false,
        ]);
        expect(await ledger.isCharged('other', 1)).toBe(false);
        await storage.eventLog.trim(DAY + 1);
        expect(await charged(1)).toBe(false);
      });

      test('a long range goes in parts', async () => {
        await grant(1_000_000);
        await events(CHARGED_AT_ONCE + 7);
        expect(await charge(0, CHARGED_AT_ONCE + 7)).toEqual({ paidTo: CHARGED_AT_ONCE, exhausted: false });
        const rest = await charge(CHARGED_AT_ONCE, CHARGED_AT_ONCE + 7);
        expect(rest).toEqual({ paidTo: CHARGED_AT_ONCE + 7, exhausted: false });
        expect(await balance()).toBe(1_000_000 - (CHARGED_AT_ONCE + 7) * 5);
      });

      test('what the log no longer has, or never had, is free', async () => {
        await grant(100);
        expect(await charge(0, 5, { tapId: 'nobody' })).toEqual({ paidTo: 5, exhausted: false });
        await events(2);
        await append(storage, DAY + 10, 't', 't');
        await charge(1, 3);
        await storage.eventLog.trim(DAY + 5);
        expect(await charge(0, 3)).toEqual({ paidTo: 3, exhausted: false });
        expect(await balance()).toBe(90);
        expect(await charge(0, 9)).toEqual({ paidTo: 9, exhausted: false });
        expect(await balance()).toBe(85);
        expect(await charge(0, 2)).toEqual({ paidTo: 2, exhausted: false });
        expect(await balance()).toBe(85);
      });

      test('are forgotten with a revoked tap, whose usage stays', async () => {
        await grant(100);
        await events(2);
        await charge(0, 2);
        await storage.eventLog.drop('t');
        expect(await charge(0, 2)).toEqual({ paidTo: 2, exhausted: false });
        expect(await ledger.isCharged('t', 0)).toBe(false);
        expect(await balance()).toBe(90);
        expect(await usage('tap')).toEqual([{ key: 't', matches: 2, spent: 10 }]);
      });
    });

    describe('as usage', () => {
      test('is summed up by tap, day and rule; the rules of an event share its price', async () => {
        await grant(1_000);
        const page = await seed(storage.frontier, 's');
        const two = { ...eventFor('t'), queryIds: '["r1","r2"]' };
        await storage.pages.commit(visitOf(page, { at: DAY, events: [two, eventFor('t'), eventFor('u'), two] }));
        await charge(0, 2);
        await charge(2, 3, { at: DAY + 86_400_000 });
        await charge(0, 1, { tapId: 'u' });
        expect(await usage('tap')).toEqual([
          { key: 't', matches: 3, spent: 15 },
          { key: 'u', matches: 1, spent: 5 },
        ]);
        expect(await usage('day')).toEqual([
          { key: '2026-02-28', matches: 1, spent: 5 },
          { key: '2026-02-27', matches: 3, spent: 15 },
        ]);
        expect(await usage('rule')).toEqual([
          { key: 'r1', tapId: 't', matches: 3, spent: 3 + 5 + 3 },
          { key: 'r2', tapId: 't', matches: 2, spent: 2 + 2 },
          { key: 'r1', tapId: 'u', matches: 1, spent: 5 },
        ]);
        expect(await usage('day', DAY + 86_400_000)).toHaveLength(1);
        expect(await usage('rule', DAY, 'p')).toEqual([]);
        expect(await ledger.usage({ organizationId: 'o', by: 'rule', since: 0, atMost: 1 })).toHaveLength(1);
      });

      test('is counted with unlimited credit, too, and costs nothing', async () => {
        await events(2);
        await charge(0, 2);
        await charge(0, 2);
        expect(await usage('day')).toEqual([{ key: '2026-02-27', matches: 2, spent: 0 }]);
      });

      test('is forgotten by the day, and checks by the month', async () => {
        await events(2);
        await charge(0, 1);
        await charge(1, 2, { at: DAY + 86_400_000 });
        for (const month of ['2026-01', '2026-02']) await ledger.countCheck('o', month);
        await ledger.trimUsage(DAY + 86_400_000 + 1);
        expect(await usage('day', 0)).toEqual([{ key: '2026-02-28', matches: 1, spent: 0 }]);
        expect(await ledger.checks('o', '2026-01')).toBe(0);
        expect(await ledger.checks('o', '2026-02')).toBe(1);
      });

      test('counts checks by organization and month', async () => {
        expect(await ledger.checks('o', '2026-02')).toBe(0);
        expect(await ledger.countCheck('o', '2026-02')).toBe(1);
        expect(await ledger.countCheck('o', '2026-02')).toBe(2);
        expect(await ledger.countCheck('p', '2026-02')).toBe(1);
        expect(await ledger.checks('o', '2026-02')).toBe(2);
        expect(await ledger.checks('o', '2026-03')).toBe(0);
      });

      test('checks that are counted at the same time are counted one by one', async () => {
        const counted = await Promise.all([1, 2, 3].map(() => ledger.countCheck('o', '2026-02')));
        expect(counted.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
        expect(await ledger.checks('o', '2026-02')).toBe(3);
      });
    });
  });
}
