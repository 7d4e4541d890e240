import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHANGE_OVERHEAD_BYTES } from '../../src/daemon/storage/recent-changes.ts';
import type { Visit } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { seed, versionOf, visitOf } from '../fixtures/visits.ts';

const MANY = { changes: 100, bytes: 1_000_000 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The exam of every `RecentChanges`. */
export function recentChangesContract(open: () => Promise<Storage>): void {
  describe('recent changes', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    /** A visit of a page of its own that found `text`, at `at`. */
    const visit = async (text: string, at: number, different: Partial<Visit> = {}): Promise<void> => {
      const page = await seed(storage.frontier, text);
      const version = { ...versionOf(text), page: bytes(`page ${text}`) };
      await storage.pages.commit(visitOf(page, { at, version, recent: bytes(text), ...different }));
    };
    const read = async (question: Partial<Parameters<Storage['recentChanges']['recentChanges']>[0]> = {}) =>
      storage.recentChanges.recentChanges({ since: 0, atMost: MANY, ...question });
    const texts = async (...question: Parameters<typeof read>) =>
      (await read(...question)).map(({ change }) => new TextDecoder().decode(change));

    test('are kept by the visit that found them, with the page as it was', async () => {
      await visit('a', 1_000);
      expect(await read()).toEqual([{ seq: 1, at: 1_000, change: bytes('a'), page: bytes('page a') }]);
    });

    test('of a clock that was ahead are put right by the next one that is not, and go when they are old', async () => {
      await visit('a', 1_000);
      await visit('ahead', 1e12);
      await visit('b', 1e12);
      expect(await storage.recentChanges.repairChangeTimes(1e12 - 60_000)).toBe(0);
      expect(await storage.recentChanges.repairChangeTimes(5_000)).toBe(2);
      await visit('c', 6_000);
      expect((await read()).map(({ at }) => at)).toEqual([6_000, 5_000, 5_000, 1_000]);
      expect(await texts({ since: 5_001 })).toEqual(['c']);
      expect(await storage.recentChanges.trimRecentChanges(5_001, 1e9)).toBe(3);
      expect(await texts()).toEqual(['c']);
    });

    test('are none of a visit that brings none, or no version', async () => {
      const page = await seed(storage.frontier, 'p');
      await storage.pages.commit(visitOf(page, { at: 1, version: versionOf('p') }));
      await storage.pages.commit(visitOf(page, { at: 2, recent: bytes('p') }));
      expect(await read()).toEqual([]);
    });

    test('are none of a page that no source holds any more', async () => {
      const page = await seed(storage.frontier, 'gone');
      await storage.frontier.removeSource('gone');
      await storage.pages.commit(visitOf(page, { at: 1, version: versionOf('x'), recent: bytes('x') }));
      expect(await read()).toEqual([]);
    });

    test('are none of a page that repeats another one', async () => {
      const fingerprint = { group: 'g', simhash: '0123456789abcdef' };
      await visit('first', 1_000, { fingerprint });
      await visit('copy', 2_000, { fingerprint });
      expect(await texts()).toEqual(['first']);
    });

    test('are read newest first, back to a time, in parts', async () => {
      for (const [index, text] of ['a', 'b', 'c', 'd'].entries()) await visit(text, 1_000 * (index + 1));
      expect(await texts()).toEqual(['d', 'c', 'b', 'a']);
      expect(await texts({ since: 2_000 })).toEqual(['d', 'c', 'b']);
      const [, second] = await read({ atMost: { changes: 2, bytes: 1_000_000 } });
      expect(await texts({ before: second?.seq ?? 0 })).toEqual(['b', 'a']);
      expect(await texts({ atMost: { changes: 9, bytes: 1 } })).toEqual(['d']);
      expect(await texts({ atMost: { changes: 9, bytes: 14 } })).toEqual(['d', 'c']);
    });

    test('are read from a time on back, whatever was dropped of them', async () => {
      expect(await texts({ until: 5_000 })).toEqual([]);
      for (const [index, text] of ['a', 'b', 'c', 'd', 'e'].entries()) await visit(text, 1_000 * (index + 1));
      expect(await texts({ until: 3_000 })).toEqual(['c', 'b', 'a']);
      expect(await texts({ until: 2_999, since: 1_001 })).toEqual(['b']);
      expect(await texts({ until: 999 })).toEqual([]);
      expect(await texts({ until: 9_000, atMost: { changes: 1, bytes: 1e6 } })).toEqual(['e']);
      const [newest] = await read({ until: 4_000 });
      expect(await texts({ until: 4_000, before: newest?.seq ?? 0 })).toEqual(['c', 'b', 'a']);
      expect(await storage.recentChanges.trimRecentChanges(2_500, 1e9)).toBe(2);
      expect(await texts({ until: 3_000 })).toEqual(['c']);
      expect(await texts({ until: 2_000 })).toEqual([]);
    });

    test('have the time at which they were told', async () => {
      await visit('a', 5_000);
      await visit('b', 1_000, { toldAt: 9_000 });
      expect((await read()).map(({ at }) => at)).toEqual([9_000, 5_000]);
    });

    test('go when they are old, or too many, the oldest first', async () => {
      for (const [index, text] of ['a', 'b', 'c', 'd'].entries()) await visit(text, 1_000 * (index + 1));
      const each = 7 + CHANGE_OVERHEAD_BYTES;
      expect(await storage.recentChanges.trimRecentChanges(2_000, 4 * each)).toBe(1);
      expect(await texts()).toEqual(['d', 'c', 'b']);
      expect(await storage.recentChanges.trimRecentChanges(0, 2 * each)).toBe(1);
      expect(await storage.recentChanges.trimRecentChanges(0, 2 * each)).toBe(0);
      expect(await texts()).toEqual(['d', 'c']);
      expect(await storage.recentChanges.trimRecentChanges(0, 0)).toBe(2);
      await visit('e', 9_000);
      expect((await read()).map(({ seq }) => seq)).toEqual([5]);
    });
  });
}
