import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog, OrganizationRecord, RuleRecord } from '../../src/daemon/storage/catalog.ts';

export const organization: OrganizationRecord = {
  id: 'o1',
  name: 'Example',
  plan: 'Business',
  createdAt: '2026-02-27T00:00:00.000Z',
};

export function ruleRecord(id: string): RuleRecord {
  return { id, tapId: 't1', value: 'water', nsfw: false, quality: true, createdAt: '2026-02-27T00:00:00.000Z' };
}

/** The exam of every `Catalog`. */
export function catalogContract(open: () => Promise<Catalog>): void {
  describe('a catalog', () => {
    let catalog: Catalog;
    beforeEach(async () => {
      catalog = await open();
    });
    afterEach(() => catalog.close());

    test('is empty at first', () => {
      const none = { organizations: [], members: [], keys: [], taps: [], rules: [], filters: [], sources: [] };
      expect(catalog.data).toEqual({ schema: 4, ...none, feeds: [], sinks: [] });
    });

    test('answers what the change returns, once the change has become data', async () => {
      const answered = await catalog.update((draft) => draft.organizations.push(organization));
      expect(answered).toBe(1);
      expect(catalog.data.organizations).toEqual([organization]);
    });

    test('a change that throws changes nothing, also what it did before it threw', async () => {
      const before = catalog.data;
      const refused = catalog.update((draft) => {
        draft.organizations.push(organization);
        throw new RangeError('one too many');
      });
      await expect(refused).rejects.toThrow(new RangeError('one too many'));
      expect(catalog.data).toBe(before);
      expect(before.organizations).toEqual([]);
    });

    test('a change that throws takes nothing of its neighbours with it', async () => {
      const settled = await Promise.allSettled([
        catalog.update((draft) => draft.rules.push(ruleRecord('r1'))),
        catalog.update((draft) => {
          draft.rules.length = 0;
          throw new Error('no');
        }),
        catalog.update((draft) => draft.rules.push(ruleRecord('r2'))),
      ]);
      expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(catalog.data.rules.map((rule) => rule.id)).toEqual(['r1', 'r2']);
    });

    test('changes run one after another, each on what the one before has left', async () => {
      const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
      const lengths = await Promise.all(ids.map((id) => catalog.update((draft) => draft.rules.push(ruleRecord(id)))));
      expect(lengths).toEqual(ids.map((_, index) => index + 1));
      expect(catalog.data.rules.map((rule) => rule.id)).toEqual(ids);
    });

    test('data that someone keeps stays what it was', async () => {
      await catalog.update((draft) => draft.organizations.push(organization));
      const kept = catalog.data;
      await catalog.update((draft) => {
        draft.organizations[0]!.name = 'Renamed';
      });
      expect(kept.organizations[0]?.name).toBe('Example');
      expect(catalog.data.organizations[0]?.name).toBe('Renamed');
    });

    test('what is changed here is not reported as changed elsewhere', async () => {
      const reported: unknown[] = [];
      await catalog.follow((changes) => reported.push(...changes));
      await catalog.update((draft) => draft.organizations.push(organization));
      expect([reported, catalog.isBehind]).toEqual([[], false]);
    });

    test('neither what was put in nor what came out is a handle on the data', async () => {
      const mine = { ...ruleRecord('r1') };
      const handle = await catalog.update((draft) => {
        draft.rules.push(mine);
        return draft.rules;
      });
      mine.value = 'scribbled';
      handle.length = 0;
      expect(catalog.data.rules).toEqual([ruleRecord('r1')]);
      expect(() => (catalog.data.rules as RuleRecord[]).push(ruleRecord('r2'))).toThrow(TypeError);
    });

    test('after close, what was under way is done and later updates are refused', async () => {
      const underWay = catalog.update((draft) => draft.rules.push(ruleRecord('r1')));
      await catalog.close();
      await expect(underWay).resolves.toBe(1);
      await expect(catalog.update((draft) => draft.rules.push(ruleRecord('r2')))).rejects.toThrow('closed');
      expect(catalog.data.rules).toHaveLength(1);
      await catalog.close();
    });
  });
}
