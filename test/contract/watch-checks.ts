import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NEW_HOST } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import {
  type Check,
  type CheckQuestion,
  type CheckRecord,
  TAGGED_AMONG,
  type Watches,
} from '../../src/daemon/storage/watches.ts';
import { CHECK_NOTES } from '../../src/shared/api/watch-values.ts';
import {
  addWatch,
  baselineCheckOf,
  baselineOf,
  changedCheckOf,
  checkOf,
  diffOf,
  EVERY_MS,
  failedCheckOf,
  linesOf,
  packedTextOf,
} from '../fixtures/watches.ts';

const [A, B, C] = [['one', 'two'], ['three'], ['four']] as const;
const FEBRUARY = Date.parse('2026-02-27T00:00:00Z');
/** How long a removed watch's history may take to be swept, and how often it is looked: a bound for what hangs. */
const SWEPT = { timeout: 30_000, interval: 5 };

/** What checks leave behind: their history, the changes, the texts, the quota. */
export function watchChecksContract(open: () => Promise<Storage>): void {
  describe('as what checks have left', () => {
    let storage: Storage;
    let watches: Watches;
    beforeEach(async () => {
      storage = await open();
      ({ watches } = storage);
      await addWatch(watches, 'w');
    });
    afterEach(() => storage.close());

    const commit = (...checks: readonly Check[]): Promise<unknown> =>
      checks.reduce<Promise<unknown>>(
        (before, check) => before.then(() => watches.commitCheck(check)),
        Promise.resolve(),
      );
    const history = (question: Partial<CheckQuestion> = {}): Promise<CheckRecord[]> =>
      watches.checks('w', { atMost: 100, ...question });
    const numbers = async (question: Partial<CheckQuestion> = {}): Promise<number[]> =>
      (await history(question)).map(({ n }) => n);
    /** The lines as check `n` left them, and the check that brought them. */
    const textAt = async (n: number, id = 'w'): Promise<[number, ...string[]] | undefined> => {
      const found = await watches.watchText(id, n);
      return found && [found.n, ...linesOf(found.text)];
    };
    const changes = async (
      question: { watchId?: string; tag?: string; after?: number; newest?: boolean; atMost?: number } = {},
    ) =>
      (await watches.watchChanges({ organizationId: 'org', atMost: 100, ...question })).map(({ cursor, watchId }) => [
        cursor,
        watchId,
      ]);
    const texts = async (): Promise<number> => (await watches.watchTotals(0)).texts;

    test('each check is an entry with a number of its own, newest first', async () => {
      expect(await watches.commitCheck(baselineCheckOf('w', A, { at: 10, status: 200 }))).toEqual({
        n: 1,
        checksThisMonth: 1,
      });
      await commit(
        checkOf('w', { at: 20, status: 304, note: 'not_modified' }),
        failedCheckOf('w', {
          at: 30,
          failure: { reason: 'http_5xx', detail: 'it answered 503', status: 503 },
          status: 503,
        }),
        failedCheckOf('w', { at: 40 }),
      );
      expect(await watches.commitCheck(changedCheckOf('w', A, B, { at: 50, status: 200 }))).toEqual({
        n: 5,
        checksThisMonth: 5,
        change: 1,
      });
      const failure = { reason: 'http_5xx', detail: 'it answered 503', status: 503 };
      const entries = [
        { n: 5, at: 50, outcome: 'changed', status: 200, recovered: 2, inserted: 1, deleted: 2 },
        { n: 4, at: 40, outcome: 'failed', failure: { reason: 'dns', detail: 'no such name' } },
        { n: 3, at: 30, outcome: 'failed', failure, status: 503 },
        { n: 2, at: 20, outcome: 'unchanged', status: 304, note: 'not_modified' },
        { n: 1, at: 10, outcome: 'baseline', status: 200 },
      ];
      expect(await history()).toEqual(entries);
      const diff = diffOf(A, B);
      expect(await history({ withDiffs: true, atMost: 1 })).toEqual([{ ...entries[0], diff }]);
      expect(await watches.check('w', 5)).toEqual({ ...entries[0], diff });
      expect(await watches.check('w', 2)).toEqual(entries[3]);
      expect(await watches.check('w', 6)).toBeUndefined();
    });

    test.each(CHECK_NOTES)('the note %s is kept', async (note) => {
      await commit(checkOf('w', { note }));
      expect(await history()).toEqual([{ n: 1, at: 1_000, outcome: 'unchanged', note }]);
    });

    test('a history is read in parts, and by its changes', async () => {
      const change = (n: number): Check => changedCheckOf('w', A, B, { at: n });
      await commit(baselineCheckOf('w', A), change(2), checkOf('w'), change(4), checkOf('w'), change(6), checkOf('w'));
      expect(await numbers({ atMost: 3 })).toEqual([7, 6, 5]);
      expect(await numbers({ before: 5, atMost: 2 })).toEqual([4, 3]);
      expect(await numbers({ before: 1 })).toEqual([]);
      expect(await numbers({ onlyChanges: true })).toEqual([6, 4, 2]);
      expect(await numbers({ onlyChanges: true, before: 6, atMost: 1 })).toEqual([4]);
      expect((await history({ onlyChanges: true, withDiffs: true, atMost: 1 }))[0]?.diff).toEqual(diffOf(A, B));
      expect(await watches.checks('w', { atMost: 0 })).toEqual([]);
    });

    test('of two thousand entries the newest are answered', async () => {
      await Promise.all(
        Array.from({ length: 2_000 }, (_, n) => watches.commitCheck(checkOf('w', { at: n, keep: 2_000 }))),
      );
      const newest = Array.from({ length: 50 }, (_, n) => 2_000 - n);
      expect(await numbers({ atMost: 50 })).toEqual(newest);
      expect(await numbers({ atMost: 1, before: 2 })).toEqual([1]);
    });

    test('the record tells the newest check, success, failures in a row and change', async () => {
      await commit(baselineCheckOf('w', A, { at: 10 }), changedCheckOf('w', A, B, { at: 20, nextDue: 77 }));
      const sound = { failures: 0, failingSince: undefined, lastFailure: undefined };
      const after = { checks: 2, changeCount: 1, checkedAt: 20, succeededAt: 20, lastChange: { n: 2, at: 20 } };
      expect(await watches.watch('w')).toMatchObject({ ...sound, ...after, due: 77, unseen: 1 });
      const failure = { reason: 'timeout', detail: 'too slow' };
      await commit(failedCheckOf('w', { at: 30 }), failedCheckOf('w', { at: 40, failure }));
      const failing = { failures: 2, failingSince: 30, lastFailure: failure };
      expect(await watches.watch('w')).toMatchObject({ ...after, ...failing, checks: 4, checkedAt: 40 });
      expect(await watches.watches({ organizationId: 'org', atMost: 1 })).toEqual([await watches.watch('w')]);
      await commit(checkOf('w', { at: 50 }));
      expect(await watches.watch('w')).toMatchObject({ ...sound, checks: 5, succeededAt: 50, changeCount: 1 });
    });

    test('the status of a failure comes back with it', async () => {
      const failure = { reason: 'http_4xx', detail: 'gone', status: 410 };
      await commit(failedCheckOf('w', { failure, status: 410 }));
      expect((await watches.watch('w'))?.lastFailure).toEqual(failure);
      expect((await history())[0]).toMatchObject({ failure, status: 410 });
    });

    test('what the next check compares with is replaced as a whole, and by a success alone', async () => {
      expect(await watches.watchBaseline('w')).toBeUndefined();
      await commit(baselineCheckOf('w', A), failedCheckOf('w'), checkOf('w'));
      expect(await watches.watchBaseline('w')).toEqual(baselineOf(A));
      const next = { ...baselineOf(B, 3_000), extractor: 2, reading: '{"select":["p"]}', history: '{"a":1}' };
      await commit(checkOf('w', { note: 'noise', baseline: next, nextDue: 1 }));
      expect(await watches.watchBaseline('w')).toEqual(next);
      const { watches: taken } = await watches.takeWatches({ now: 5_000, atMost: 1, leaseMs: 1, except: [] });
      expect(taken).toMatchObject([{ id: 'w', state: { sinceBaseline: 0 } }]);
    });

    test('the newest explanation stays until there is another one', async () => {
      await commit(checkOf('w', { explanation: '{"a":1}' }), checkOf('w'), failedCheckOf('w'));
      expect(await watches.watchExplanation('w')).toEqual({ n: 1, explanation: '{"a":1}' });
      await commit(failedCheckOf('w', { explanation: '{"a":2}' }));
      expect(await watches.watchExplanation('w')).toEqual({ n: 4, explanation: '{"a":2}' });
    });

    test('a text is answered for each check that left it so', async () => {
      await commit(failedCheckOf('w'), baselineCheckOf('w', A, { at: 20 }), checkOf('w'), failedCheckOf('w'));
      await commit(changedCheckOf('w', A, B, { at: 50 }), checkOf('w'));
      expect(await textAt(1)).toBeUndefined();
      for (const n of [2, 3, 4]) expect(await textAt(n)).toEqual([2, ...A]);
      for (const n of [5, 6]) expect(await textAt(n)).toEqual([5, ...B]);
      expect(await textAt(7)).toBeUndefined();
      expect(await watches.watchText('w', 3)).toEqual({ n: 2, at: 20, text: packedTextOf(A) });
    });

    test('a text is stored once, however many checks of any watch have found it', async () => {
      await addWatch(watches, 'x', { organizationId: 'other' });
      await commit(
        baselineCheckOf('w', A),
        changedCheckOf('w', A, B),
        changedCheckOf('w', B, A),
        baselineCheckOf('x', A),
      );
      const bytes = packedTextOf(A).packed.length + packedTextOf(B).packed.length;
      expect(await watches.watchTotals(0)).toMatchObject({ texts: 2, textBytes: bytes, checks: 4, changes: 2 });
      const totals = () => watches.watchTotals(0);
      await watches.removeWatch('w');
      // What it had goes in steps, behind the answer.
      await expect.poll(totals, SWEPT).toMatchObject({ texts: 1, textBytes: packedTextOf(A).packed.length });
      expect(await textAt(1, 'x')).toEqual([1, ...A]);
      await watches.removeWatch('x');
      await expect.poll(totals, SWEPT).toMatchObject({ texts: 0, textBytes: 0, checks: 4, changes: 2 });
    });

    test('from A to B to A and trimmed, A is still there', async () => {
      const keep = 2;
      await commit(baselineCheckOf('w', A, { keep }), changedCheckOf('w', A, B, { keep }));
      expect(await texts()).toBe(2);
      await commit(changedCheckOf('w', B, A, { keep }));
      expect([await textAt(1), await textAt(2), await textAt(3)]).toEqual([undefined, [2, ...B], [3, ...A]]);
      await commit(checkOf('w', { keep }));
      expect([await textAt(2), await textAt(3), await textAt(4)]).toEqual([undefined, [3, ...A], [3, ...A]]);
      expect(await texts()).toBe(1);
      await commit(changedCheckOf('w', A, C, { keep }), checkOf('w', { keep }));
      expect([await textAt(4), await textAt(5), await textAt(6)]).toEqual([undefined, [5, ...C], [5, ...C]]);
      expect(await texts()).toBe(1);
    });

    test('the newest checks are kept, and the text of the oldest of them with its entry long gone', async () => {
      const keep = 3;
      await commit(baselineCheckOf('w', A, { keep, at: 10 }));
      for (let n = 2; n <= 6; n += 1) await commit(checkOf('w', { keep }));
      expect(await numbers()).toEqual([6, 5, 4]);
      expect(await watches.check('w', 3)).toBeUndefined();
      expect(await watches.watchText('w', 4)).toMatchObject({ n: 1, at: 10 });
      await commit(changedCheckOf('w', A, B, { keep, at: 70 }));
      expect([await textAt(6), await textAt(7)]).toEqual([
        [1, ...A],
        [7, ...B],
      ]);
      await commit(checkOf('w', { keep }), checkOf('w', { keep }));
      expect([await textAt(6), await textAt(7)]).toEqual([undefined, [7, ...B]]);
      await commit(checkOf('w', { keep: 1 }));
      expect(await numbers()).toEqual([10]);
      expect(await changes()).toEqual([]);
      expect(await textAt(10)).toEqual([7, ...B]);
      expect(await watches.watch('w')).toMatchObject({
        checks: 10,
        changeCount: 1,
        lastChange: { n: 7, at: 70 },
        unseen: 0,
      });
    });

    test('failures that are trimmed take along what no other entry says', async () => {
      const failure = { reason: 'dns', detail: 'x' };
      await addWatch(watches, 'x');
      await commit(failedCheckOf('x', { failure }));
      for (let n = 0; n < 4; n += 1) await commit(failedCheckOf('w', { failure, keep: 2 }));
      await commit(checkOf('w', { keep: 1 }));
      expect(await history()).toMatchObject([{ n: 5, recovered: 4 }]);
      expect(await watches.checks('x', { atMost: 9 })).toMatchObject([{ failure }]);
      expect((await watches.watch('x'))?.lastFailure).toEqual(failure);
    });

    test('the changes of an organization come in their order, or the newest first', async () => {
      await addWatch(watches, 'x', { url: 'http://x.example/#here' });
      await addWatch(watches, 'y', { organizationId: 'other' });
      for (const id of ['w', 'x', 'y']) await commit(baselineCheckOf(id, A));
      const title = 'Of b';
      await commit(
        changedCheckOf('w', A, B, { at: 10, title }),
        changedCheckOf('x', A, B),
        changedCheckOf('w', B, C),
        changedCheckOf('y', A, B),
      );
      expect(await changes()).toEqual([
        [1, 'w'],
        [2, 'x'],
        [3, 'w'],
      ]);
      expect(await changes({ after: 1, atMost: 1 })).toEqual([[2, 'x']]);
      expect(await changes({ after: 3 })).toEqual([]);
      expect(await changes({ newest: true })).toEqual([
        [3, 'w'],
        [2, 'x'],
        [1, 'w'],
      ]);
      expect(await changes({ newest: true, atMost: 1, after: 1 })).toEqual([[3, 'w']]);
      expect(await changes({ watchId: 'w' })).toEqual([
        [1, 'w'],
        [3, 'w'],
      ]);
      expect(await changes({ watchId: 'w', newest: true, atMost: 1 })).toEqual([[3, 'w']]);
      expect(await changes({ watchId: 'w', after: 1 })).toEqual([[3, 'w']]);
      expect(await changes({ watchId: 'y' })).toEqual([]);
      expect(await changes({ watchId: 'gone' })).toEqual([]);
      const newest = await watches.newestChange('org');
      expect(newest).toBeGreaterThanOrEqual(3);
      expect(await changes({ after: newest })).toEqual([]);
      const [first, second] = await watches.watchChanges({ organizationId: 'org', atMost: 2 });
      const check = { n: 2, at: 10, outcome: 'changed', inserted: 1, deleted: 2, diff: diffOf(A, B) };
      expect(first).toEqual({ cursor: 1, watchId: 'w', url: 'http://w.example/', title, check });
      expect(second).toMatchObject({ url: 'http://x.example/#here' });
      expect(second && 'title' in second).toBe(false);
    });

    test('the changes of a tag are those of the watches that have it now, the newest first', async () => {
      await addWatch(watches, 'x', { url: 'http://x.example/' });
      await addWatch(watches, 'y', { url: 'http://y.example/' });
      await addWatch(watches, 'z', { organizationId: 'other' });
      for (const id of ['w', 'x', 'y', 'z']) await commit(baselineCheckOf(id, A));
      for (const id of ['w', 'x', 'z']) await watches.changeWatch(id, { tags: ['shop', '"a" \\ ü'] });
      await watches.changeWatch('y', { tags: ['shops'] });
      for (const id of ['w', 'y', 'x']) await commit(changedCheckOf(id, A, B));
      await commit(changedCheckOf('w', B, C), changedCheckOf('z', A, B));
      const tagged = (tag: string, more: object = {}) => changes({ tag, newest: true, ...more });
      expect(await tagged('shop')).toEqual([
        [4, 'w'],
        [3, 'x'],
        [1, 'w'],
      ]);
      expect(await tagged('shop', { atMost: 2 })).toEqual([
        [4, 'w'],
        [3, 'x'],
      ]);
      expect(await tagged('"a" \\ ü', { after: 3 })).toEqual([[4, 'w']]);
      expect(await tagged('shop%')).toEqual([]);
      await watches.changeWatch('w', { tags: [] });
      expect(await tagged('shop')).toEqual([[3, 'x']]);
      await watches.removeWatch('x');
      expect(await tagged('shop')).toEqual([]);
    });

    test('the changes of a tag are looked for among the newest of the organization, and no further', async () => {
      await addWatch(watches, 'x', { url: 'http://x.example/' });
      await watches.changeWatch('x', { tags: ['shop'] });
      for (const id of ['w', 'x']) await commit(baselineCheckOf(id, A));
      await commit(changedCheckOf('x', A, B));
      const many = (count: number): Check[] =>
        Array.from({ length: count }, () => changedCheckOf('w', A, B, { keep: 2 * TAGGED_AMONG }));
      await Promise.all(many(TAGGED_AMONG - 1).map((check) => watches.commitCheck(check)));
      expect(await changes({ tag: 'shop', newest: true })).toEqual([[1, 'x']]);
      await commit(...many(1));
      expect(await changes({ tag: 'shop', newest: true })).toEqual([]);
      // A limit against what hangs: five thousand commits, one after the other where each is its own.
    }, 240_000);

    test('changes of watches that are there are counted, and found by the time of their checks', async () => {
      await addWatch(watches, 'x');
      await commit(
        baselineCheckOf('w', A),
        changedCheckOf('w', A, B, { at: 20 }),
        changedCheckOf('w', B, A, { at: 30 }),
      );
      await commit(baselineCheckOf('x', A), changedCheckOf('x', A, B, { at: 40 }));
      expect([await watches.countChanges('org', 0), await watches.countChanges('org', 2)]).toEqual([3, 1]);
      expect(await watches.countChanges('other', 0)).toBe(0);
      const cursorAt = async (...times: number[]) => Promise.all(times.map((at) => watches.changeCursorAt('org', at)));
      expect(await cursorAt(0, 20, 21, 40, 41)).toEqual([0, 0, 1, 2, 3]);
      await watches.removeWatch('w');
      expect([await watches.countChanges('org', 0), ...(await cursorAt(0))]).toEqual([1, 2]);
    });

    test('a change has the title and the tags that its watch has now', async () => {
      await commit(baselineCheckOf('w', A), changedCheckOf('w', A, B, { title: 'Of b' }));
      await watches.changeWatch('w', { title: 'Mine', tags: ['x', 'y'] });
      const [change] = await watches.watchChanges({ organizationId: 'org', atMost: 9 });
      expect(change).toMatchObject({ title: 'Of b', watchTitle: 'Mine', watchTags: ['x', 'y'] });
      await watches.changeWatch('w', { title: null, tags: [] });
      const [after] = await watches.watchChanges({ organizationId: 'org', atMost: 9 });
      expect(after).not.toHaveProperty('watchTitle');
      expect(after).not.toHaveProperty('watchTags');
    });

    test('a cursor never comes twice, whatever is removed', async () => {
      await commit(baselineCheckOf('w', A), changedCheckOf('w', A, B));
      await watches.removeWatch('w');
      expect(await changes()).toEqual([]);
      expect(await watches.newestChange('org')).toBe(1);
      await addWatch(watches, 'x');
      await commit(baselineCheckOf('x', A), changedCheckOf('x', A, B));
      expect(await changes()).toEqual([[2, 'x']]);
    });

    test('changes are unseen until they are seen, and those to come always are', async () => {
      const unseen = async () => (await watches.watch('w'))?.unseen;
      await commit(baselineCheckOf('w', A), changedCheckOf('w', A, B), changedCheckOf('w', B, A), checkOf('w'));
      expect(await unseen()).toBe(2);
      expect(await watches.seeWatch('w', 2)).toBe(true);
      expect(await unseen()).toBe(1);
      expect(await watches.seeWatch('w', 1)).toBe(true);
      expect(await unseen()).toBe(1);
      await watches.seeWatch('w', 1_000);
      expect(await unseen()).toBe(0);
      await commit(changedCheckOf('w', A, B));
      expect(await unseen()).toBe(1);
    });

    test('no more checks of a month are recorded than there may be, and the watch stays as due as it was', async () => {
      const may = (most: number, at: number) => checkOf('w', { at, mostInMonth: most });
      expect(await watches.commitCheck(may(0, 1_000))).toBeUndefined();
      expect(await watches.commitCheck(may(1, 1_000))).toEqual({ n: 1, checksThisMonth: 1 });
      const before = await watches.watch('w');
      const resting = { ...NEW_HOST, notBefore: 900_000 };
      const refused = changedCheckOf('w', A, B, { at: 400_000, mostInMonth: 1, host: resting });
      expect(await watches.commitCheck(refused)).toBeUndefined();
      expect(await watches.watch('w')).toEqual(before);
      expect(await watches.newestChange('org')).toBe(0);
      const question = { atMost: 1, leaseMs: 1, except: [] };
      expect((await watches.takeWatches({ ...question, now: 899_999 })).watches).toEqual([]);
      expect((await watches.takeWatches({ ...question, now: 900_000 })).watches).toMatchObject([{ id: 'w' }]);
    });

    test('checks that come at once are each recorded once, as many of them as the month has room for', async () => {
      const ids = ['w', 'x', 'y', 'z', 'v'];
      for (const id of ids.slice(1)) await addWatch(watches, id);
      const answers = await Promise.all(
        ids.map((id) => watches.commitCheck(changedCheckOf(id, A, B, { mostInMonth: 3 }))),
      );
      const made = answers.filter((answer) => answer !== undefined);
      const inOrder = (numbers: readonly (number | undefined)[]) =>
        numbers.map(Number).toSorted((one, other) => one - other);
      expect(inOrder(made.map(({ checksThisMonth }) => checksThisMonth))).toEqual([1, 2, 3]);
      expect(inOrder(made.map(({ change }) => change))).toEqual([1, 2, 3]);
      const kept = await Promise.all(ids.map((id) => watches.checks(id, { atMost: 9 })));
      expect(kept.map(({ length }) => length)).toEqual(answers.map((answer) => Number(answer !== undefined)));
      expect(await watches.watchTotals(0)).toMatchObject({ checks: 3, changes: 3 });
    });

    test('a check counts in its organization and month, whatever its outcome', async () => {
      await addWatch(watches, 'x', { memberId: 'other' });
      await addWatch(watches, 'y', { organizationId: 'other' });
      const at = (day: number): { at: number } => ({ at: FEBRUARY + day * 86_400_000 });
      await commit(baselineCheckOf('w', A, at(0)), failedCheckOf('x', at(0)), checkOf('y', at(0)));
      expect(await watches.commitCheck(checkOf('w', at(1)))).toEqual({ n: 2, checksThisMonth: 3 });
      expect(await watches.commitCheck(checkOf('w', at(2)))).toEqual({ n: 3, checksThisMonth: 1 });
      expect(await storage.ledger.checks('org', '2026-02')).toBe(3);
      expect(await storage.ledger.checks('other', '2026-02')).toBe(1);
      expect(await storage.ledger.countCheck('org', '2026-03')).toBe(2);
      await watches.removeWatch('w');
      expect(await storage.ledger.checks('org', '2026-02')).toBe(3);
    });

    test('the due time is what the check says, for the watch and for its host', async () => {
      await commit(checkOf('w', { at: 100, nextDue: 100 + EVERY_MS }));
      const question = { now: 100, atMost: 1, leaseMs: 1, except: [] };
      expect(await watches.takeWatches(question)).toEqual({ watches: [], nextAt: 100 + EVERY_MS });
    });
  });
}
