import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SavedMatch } from '../../src/daemon/storage/saved-matches.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

function saved(id: string, more: Partial<SavedMatch> = {}): SavedMatch {
  const document = '{"url":"https://example.com/"}';
  const about = { tapId: 't', tapName: 'news', rules: '[]', matchedAt: 1, savedAt: 2, savedBy: 'admin', note: '' };
  return { id, organizationId: 'o', url: `https://example.com/${id}`, ...about, document, ...more };
}

/** The exam of every `SavedMatches`. */
export function savedMatchesContract(open: () => Promise<Storage>): void {
  describe('saved matches', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    const save = (match: SavedMatch, text = '', limit = 100) => storage.savedMatches.saveMatch(match, text, limit);
    const ids = async (question: { words?: string[]; after?: string; atMost?: number } = {}, organizationId = 'o') =>
      (await storage.savedMatches.savedMatches({ organizationId, words: [], atMost: 100, ...question }))?.map(
        ({ id }) => id,
      );

    test('are kept as they are, and read back by id', async () => {
      const match = saved('a', { note: 'why\n"so"', rules: '[{"id":"r"}]' });
      expect(await save(match)).toEqual({ match, isNew: true });
      expect(await storage.savedMatches.savedMatch('o', 'a')).toEqual(match);
      expect(await storage.savedMatches.savedMatch('p', 'a')).toBeUndefined();
      expect(await storage.savedMatches.savedMatch('o', 'b')).toBeUndefined();
    });

    test('are one for each address within an organization: the first stays', async () => {
      const first = saved('a', { note: 'first' });
      await save(first);
      expect(await save(saved('b', { url: first.url, note: 'second' }))).toEqual({ match: first, isNew: false });
      expect(await save(saved('c', { url: first.url, organizationId: 'p' }))).toMatchObject({ isNew: true });
      expect([await ids(), await ids({}, 'p')]).toEqual([['a'], ['c']]);
    });

    test('are so many at most, but what is saved already is answered', async () => {
      await save(saved('a'), '', 1);
      expect(await save(saved('b'), '', 1)).toBeUndefined();
      expect(await save(saved('a'), '', 1)).toMatchObject({ isNew: false });
      expect(await save(saved('c', { organizationId: 'p' }), '', 1)).toMatchObject({ isNew: true });
    });

    test('are listed newest first, in parts', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await save(saved(id));
      expect(await ids()).toEqual(['d', 'c', 'b', 'a']);
      expect(await ids({ atMost: 2 })).toEqual(['d', 'c']);
      expect(await ids({ atMost: 2, after: 'c' })).toEqual(['b', 'a']);
      expect(await ids({ after: 'a' })).toEqual([]);
      expect(await ids({ after: 'gone' })).toBeUndefined();
    });

    test('are found by words, all of which must be there; nothing in a word is special', async () => {
      await save(saved('a'), 'a ferry of 100% at the harbour');
      await save(saved('b'), 'a tram_line');
      expect(await ids({ words: ['ferry', 'harb'] })).toEqual(['a']);
      expect(await ids({ words: ['ferry', 'tram'] })).toEqual([]);
      expect(await ids({ words: ['100%'] })).toEqual(['a']);
      expect(await ids({ words: ['%'] })).toEqual(['a']);
      expect(await ids({ words: ['m_l'] })).toEqual(['b']);
      expect(await ids({ words: ["'", '"'] })).toEqual([]);
    });

    test('get another note, and are found by it', async () => {
      const match = saved('a');
      await save(match, 'old');
      expect(await storage.savedMatches.noteSavedMatch('o', 'a', 'read this', 'new')).toBe(true);
      expect(await storage.savedMatches.savedMatch('o', 'a')).toEqual({ ...match, note: 'read this' });
      expect([await ids({ words: ['new'] }), await ids({ words: ['old'] })]).toEqual([['a'], []]);
      expect(await storage.savedMatches.noteSavedMatch('p', 'a', 'x', 'x')).toBe(false);
    });

    test('go, and their address may be saved again', async () => {
      await save(saved('a'));
      expect(await storage.savedMatches.removeSavedMatch('p', 'a')).toBe(false);
      expect(await storage.savedMatches.removeSavedMatch('o', 'a')).toBe(true);
      expect(await storage.savedMatches.removeSavedMatch('o', 'a')).toBe(false);
      expect(await save(saved('b', { url: saved('a').url }))).toMatchObject({ isNew: true });
    });
  });
}
