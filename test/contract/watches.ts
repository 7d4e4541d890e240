import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../src/shared/api/watch-values.ts';
import { NEW_HOST, type TakeQuestion } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import type { TakenWatches, Watches, WatchRecord } from '../../src/daemon/storage/watches.ts';
import { leadOf, pageAt, seed, visitOf } from '../fixtures/visits.ts';
import { addWatch, checkOf, EVERY_MS, failedCheckOf, newWatchOf } from '../fixtures/watches.ts';
import { watchChecksContract } from './watch-checks.ts';

/** The exam of every `Watches`. */
export function watchesContract(open: () => Promise<Storage>): void {
  describe('watches', () => {
    watchTermsContract(open);
    watchLeasesContract(open);
    watchChecksContract(open);
  });
}

const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

function watchTermsContract(open: () => Promise<Storage>): void {
  describe('as records', () => {
    let storage: Storage;
    let watches: Watches;
    beforeEach(async () => {
      storage = await open();
      ({ watches } = storage);
    });
    afterEach(() => storage.close());

    const list = async (memberId?: string, atMost = 100): Promise<string[]> =>
      idsOf(await watches.watches({ organizationId: 'org', ...(memberId !== undefined && { memberId }), atMost }));

    test('there are none at first', async () => {
      expect(await watches.watch('a')).toBeUndefined();
      expect(await list()).toEqual([]);
      expect(await watches.heldOrganizations()).toEqual([]);
      expect(await watches.watchMembers()).toEqual([]);
      expect(await watches.newestChange('org')).toBe(0);
      expect(await watches.watchChanges({ organizationId: 'org', atMost: 10 })).toEqual([]);
      expect(await watches.takeWatches({ now: 1e12, atMost: 10, leaseMs: 1, except: [] })).toEqual({
        watches: [],
        nextAt: undefined,
      });
      const none = { watches: 0, active: 0, failing: 0, held: 0, oldestDue: undefined, checks: 0, changes: 0 };
      expect(await watches.watchTotals(1e12)).toEqual({ ...none, texts: 0, textBytes: 0 });
    });

    test.each(['a', 'a\0b'])('nothing can be said of one that is not there: %j', async (id) => {
      expect(await watches.changeWatch(id, { isPaused: true })).toBeUndefined();
      expect(await watches.removeWatch(id)).toBe(false);
      expect(await watches.seeWatch(id, 1)).toBe(false);
      expect(await watches.watchBaseline(id)).toBeUndefined();
      expect(await watches.watchExplanation(id)).toBeUndefined();
      expect(await watches.watchText(id, 1)).toBeUndefined();
      expect(await watches.checks(id, { atMost: 10 })).toEqual([]);
      expect(await watches.check(id, 1)).toBeUndefined();
      await watches.releaseWatch(id, NEW_HOST);
      expect(await watches.commitCheck(checkOf(id))).toBeUndefined();
      expect(await storage.frontier.frontierTotals(0)).toMatchObject({ hosts: 0 });
    });

    test('one that is made paused is not taken before it is resumed', async () => {
      const watch = await addWatch(watches, 'a', { isPaused: true });
      expect(watch.isPaused).toBe(true);
      const question = { now: 10, atMost: 10, leaseMs: 100, except: [] };
      expect((await watches.takeWatches(question)).watches).toEqual([]);
      await watches.changeWatch('a', { isPaused: false });
      expect((await watches.takeWatches(question)).watches).toMatchObject([{ id: 'a' }]);
    });

    test('a new one is due when it was created, and has nothing behind it', async () => {
      const options = { ...NO_OPTIONS, select: ['#a "b"'], only: 'added', trigger: 'added:x', confirm: true } as const;
      const given = newWatchOf('a', {
        url: 'http://a.example/ä#part',
        target: 'http://a.example/%C3%A4',
        jitterMs: 29,
        createdAt: 7,
        options: { ...options, select: [...options.select] },
      });
      const record: WatchRecord = {
        ...given,
        isPaused: false,
        isHeld: false,
        due: 7,
        checks: 0,
        changeCount: 0,
        checkedAt: undefined,
        succeededAt: undefined,
        doubtedAt: undefined,
        failures: 0,
        failingSince: undefined,
        lastFailure: undefined,
        lastChange: undefined,
        unseen: 0,
      };
      expect(await watches.addWatch(given, 1)).toEqual({ kind: 'added', watch: record });
      expect(await watches.watch('a')).toEqual(record);
    });

    test('an organization watches a target once, and so many at most', async () => {
      await addWatch(watches, 'a', { url: 'http://a.example/#1' });
      const again = newWatchOf('b', { url: 'http://a.example/#2' });
      expect(await watches.addWatch(again, 1)).toEqual({ kind: 'known', id: 'a', isOwn: true });
      expect(await watches.addWatch({ ...again, memberId: 'other' }, 1)).toEqual({
        kind: 'known',
        id: 'a',
        isOwn: false,
      });
      expect(await watches.addWatch(newWatchOf('c'), 1)).toEqual({ kind: 'full' });
      expect(await watches.addWatch({ ...again, organizationId: 'other' }, 1)).toMatchObject({ kind: 'added' });
      expect(await list()).toEqual(['a']);
    });

    test('of many that come at once no more are taken in than may be', async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `w${n}`);
      const added = await Promise.all(ids.map((id) => watches.addWatch(newWatchOf(id), 7)));
      expect(added.filter(({ kind }) => kind === 'added')).toHaveLength(7);
      const same = ids.map((id) => watches.addWatch(newWatchOf(`x${id}`, { url: 'http://x.example/' }), 100));
      expect((await Promise.all(same)).filter(({ kind }) => kind === 'added')).toHaveLength(1);
    });

    test('are listed newest first, of an organization or of one member', async () => {
      for (const [id, memberId] of [
        ['a', 'm'],
        ['b', 'n'],
        ['c', 'm'],
        ['d', 'm'],
      ] as const) {
        await addWatch(watches, id, { memberId, createdAt: 100 - id.charCodeAt(0) });
      }
      await addWatch(watches, 'e', { organizationId: 'other', memberId: 'o' });
      expect(await list()).toEqual(['d', 'c', 'b', 'a']);
      expect(await list('m')).toEqual(['d', 'c', 'a']);
      expect(await list('m', 2)).toEqual(['d', 'c']);
      expect(await list(undefined, 3)).toEqual(['d', 'c', 'b']);
      expect(await list('o')).toEqual([]);
    });

    test('what is absent of a change stays as it is', async () => {
      const before = await addWatch(watches, 'a', { jitterMs: 3 });
      const options = { ...NO_OPTIONS, confirm: true };
      expect(await watches.changeWatch('a', {})).toEqual(before);
      expect(await watches.changeWatch('a', { options, due: 99 })).toEqual({ ...before, options, due: 99 });
      const terms = { everyMs: 600_000, jitterMs: 0, isPaused: true };
      const after = { ...before, ...terms, options, due: 99 };
      expect(await watches.changeWatch('a', terms)).toEqual(after);
      expect(await watches.watch('a')).toEqual(after);
      expect(await watches.changeWatch('a', { isPaused: false })).toEqual({ ...after, isPaused: false });
    });

    test('a title and tags stay as they are given, until they are changed or taken away', async () => {
      const labels = { title: 'Prices „ä“', tags: ['b', 'a "c"'] };
      const before = await addWatch(watches, 'a', labels);
      expect(before).toMatchObject(labels);
      const other = await addWatch(watches, 'b', { tags: [] });
      expect(other).not.toHaveProperty('title');
      expect(other).not.toHaveProperty('tags');
      expect(await watches.changeWatch('a', { isPaused: true })).toEqual({ ...before, isPaused: true });
      const { title: _, ...untitled } = { ...before, isPaused: true, tags: ['d'] };
      expect(await watches.changeWatch('a', { title: null, tags: ['d'] })).toEqual(untitled);
      const { tags: _tags, ...unlabelled } = untitled;
      expect(await watches.changeWatch('a', { tags: [] })).toEqual(unlabelled);
      expect(await watches.changeWatch('a', { title: 'New' })).toEqual({ ...unlabelled, title: 'New' });
      expect(await watches.watches({ organizationId: 'org', atMost: 9 })).toEqual([
        other,
        { ...unlabelled, title: 'New' },
      ]);
    });

    test('one that is removed is gone with all it had, and its target may be watched again', async () => {
      await addWatch(watches, 'a');
      await watches.commitCheck(failedCheckOf('a'));
      expect(await watches.removeWatch('a')).toBe(true);
      expect(await watches.removeWatch('a')).toBe(false);
      expect(await watches.watch('a')).toBeUndefined();
      expect(await watches.checks('a', { atMost: 10 })).toEqual([]);
      expect(await watches.watchTotals(0)).toMatchObject({ watches: 0, active: 0, failing: 0, checks: 1 });
      const again = await addWatch(watches, 'b', { url: 'http://a.example/' });
      expect(again).toMatchObject({ checks: 0, failures: 0 });
    });

    test('those of a member, or of an organization, go together', async () => {
      for (const id of ['a', 'b']) await addWatch(watches, id, { memberId: 'm' });
      await addWatch(watches, 'c', { memberId: 'n' });
      await addWatch(watches, 'd', { organizationId: 'other', memberId: 'o' });
      expect(await watches.watchMembers()).toEqual(['m', 'n', 'o']);
      expect(await watches.removeWatchesOf({ memberId: 'm' })).toBe(2);
      expect(await watches.watchMembers()).toEqual(['n', 'o']);
      expect(await list()).toEqual(['c']);
      expect(await watches.removeWatchesOf({ organizationId: 'org' })).toBe(1);
      expect(await watches.removeWatchesOf({ organizationId: 'org' })).toBe(0);
      expect(idsOf(await watches.watches({ organizationId: 'other', atMost: 9 }))).toEqual(['d']);
    });

    test('hundreds go, and are held, as one does', async () => {
      for (let n = 0; n < 450; n += 1) await addWatch(watches, `w${n}`, { url: `http://h${n % 300}.example/${n}` });
      await watches.holdWatches('org', true);
      expect(await watches.watchTotals(0)).toMatchObject({ watches: 450, active: 0, held: 450, oldestDue: undefined });
      await watches.holdWatches('org', false);
      expect(await watches.watchTotals(0)).toMatchObject({ watches: 450, active: 450, held: 0, oldestDue: 0 });
      expect(await watches.removeWatchesOf({ organizationId: 'org' })).toBe(450);
      expect(await watches.watchTotals(0)).toMatchObject({ watches: 0, active: 0, held: 0 });
      expect(await storage.frontier.frontierTotals(0)).toMatchObject({ hosts: 0 });
    });

    test('totals tell those that can be taken from those that are paused, held or failing', async () => {
      for (const id of ['a', 'b', 'c']) await addWatch(watches, id, { createdAt: 50 });
      await addWatch(watches, 'd', { organizationId: 'other', createdAt: 60 });
      await watches.changeWatch('a', { isPaused: true });
      await watches.commitCheck(failedCheckOf('b', { at: 55, nextDue: 70, host: { ...NEW_HOST, notBefore: 80 } }));
      await watches.holdWatches('other', true);
      const totals = { watches: 4, active: 2, failing: 1, held: 1, checks: 1, changes: 0, texts: 0, textBytes: 0 };
      expect(await watches.watchTotals(49)).toEqual({ ...totals, oldestDue: undefined });
      expect(await watches.watchTotals(60)).toEqual({ ...totals, oldestDue: 50 });
      await watches.commitCheck(checkOf('c', { at: 61, nextDue: 500 }));
      expect(await watches.watchTotals(79)).toMatchObject({ oldestDue: undefined });
      // Due at 70, and its host rests until 80: nothing waited for us.
      expect(await watches.watchTotals(80)).toMatchObject({ oldestDue: 80, failing: 1, checks: 2 });
    });

    test('what comes in and goes out is a copy', async () => {
      const given = newWatchOf('a', { options: { ...NO_OPTIONS, select: ['a'] } });
      await watches.addWatch(given, 1);
      given.options.select.push('b');
      (await watches.watch('a'))?.options.select.push('c');
      expect((await watches.watch('a'))?.options.select).toEqual(['a']);
    });
  });
}

function watchLeasesContract(open: () => Promise<Storage>): void {
  describe('as what is due', () => {
    let storage: Storage;
    let watches: Watches;
    beforeEach(async () => {
      storage = await open();
      ({ watches } = storage);
    });
    afterEach(() => storage.close());

    const take = (now: number, different: Partial<TakeQuestion> = {}): Promise<TakenWatches> =>
      watches.takeWatches({ now, atMost: 100, leaseMs: 1_000, except: [], ...different });
    const taken = async (now: number, different: Partial<TakeQuestion> = {}): Promise<string[]> =>
      idsOf((await take(now, different)).watches);
    const takePages = (now: number) => storage.frontier.take({ now, atMost: 100, leaseMs: 1_000, except: [] });
    const on = (host: string, path: string, createdAt = 0) => ({ url: `http://${host}.example/${path}`, createdAt });

    test('one is taken with all that its check needs', async () => {
      const { url, ...terms } = newWatchOf('a', { url: 'http://a.example/#x', jitterMs: 3, createdAt: 40 });
      await watches.addWatch({ ...terms, url }, 1);
      const { id, organizationId, host, everyMs, jitterMs, createdAt, options, target } = terms;
      const fixed = { kind: 'watch', id, organizationId, host, everyMs, jitterMs, createdAt, options, url: target };
      const expected = { ...fixed, due: 40, hostState: NEW_HOST, state: undefined };
      expect(await take(39)).toEqual({ watches: [], nextAt: 40 });
      const answer = await take(40);
      // A storage of several nodes gives each lease a token.
      const lease = answer.watches[0]?.lease;
      expect(answer).toEqual({ watches: [{ ...expected, lease }], nextAt: 1_040 });
    });

    test('the host that has waited longest comes first, with the watch that is due longest', async () => {
      await addWatch(watches, 'a1', on('a', '1', 30));
      await addWatch(watches, 'b2', on('b', '2', 20));
      await addWatch(watches, 'a2', on('a', '2', 10));
      await addWatch(watches, 'b1', on('b', '1', 20));
      await addWatch(watches, 'c1', on('c', '1', 90));
      expect(await taken(50)).toEqual(['a2', 'b2']);
      await watches.commitCheck(checkOf('a2', { at: 50, nextDue: 500 }));
      await watches.commitCheck(checkOf('b2', { at: 51, nextDue: 500 }));
      expect(await taken(60)).toEqual(['b1', 'a1']);
    });

    test('no more are taken than asked for; then nothing is said of later', async () => {
      for (const id of ['a', 'b', 'c']) await addWatch(watches, id);
      expect(await take(0, { atMost: 2 })).toMatchObject({ watches: [{ id: 'a' }, { id: 'b' }], nextAt: undefined });
      expect(await take(0, { atMost: 2 })).toMatchObject({ watches: [{ id: 'c' }], nextAt: 1_000 });
      expect(await take(0, { atMost: 0 })).toMatchObject({ watches: [], nextAt: 1_000 });
    });

    test('hosts that are excepted or leased are left alone, until the lease is over', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await addWatch(watches, 'b', on('b', '1', 700));
      expect(await take(10, { except: ['a.example'] })).toEqual({ watches: [], nextAt: 700 });
      expect(await taken(10)).toEqual(['a']);
      expect(await take(11)).toEqual({ watches: [], nextAt: 700 });
      expect(await taken(700)).toEqual(['b']);
      expect(await take(701)).toEqual({ watches: [], nextAt: 1_010 });
      expect(await taken(1_010)).toEqual(['a']);
    });

    test('a release ends the lease, keeps what the host can bear, and leaves it as due as it was', async () => {
      await addWatch(watches, 'a', on('a', '1', 5));
      await take(10);
      const hostState = { ...NEW_HOST, notBefore: 500, backoff: 2, backoffAt: 500, backoffReason: '429' };
      await watches.releaseWatch('a', hostState);
      expect(await take(499)).toEqual({ watches: [], nextAt: 500 });
      expect(await storage.frontier.frontierTotals(499)).toMatchObject({ hosts: 1, hostsBackingOff: 1 });
      expect((await take(500)).watches).toMatchObject([{ id: 'a', due: 5, hostState }]);
      expect(await watches.watch('a')).toMatchObject({ checks: 0, due: 5 });
    });

    test('a commit ends the lease, also where the host was not asked', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await addWatch(watches, 'b', on('a', '2', 1));
      await take(10);
      const { host: _, ...unasked } = failedCheckOf('a', { at: 10, nextDue: 300 });
      await watches.commitCheck(unasked);
      expect(await taken(11)).toEqual(['b']);
      await watches.commitCheck(checkOf('b', { at: 11, nextDue: 300, host: { ...NEW_HOST, notBefore: 400 } }));
      expect(await take(12)).toEqual({ watches: [], nextAt: 400 });
      expect(await taken(400)).toEqual(['a']);
    });

    test('what a check has left comes with the next one', async () => {
      await addWatch(watches, 'a');
      const validators = { etag: '"1"', lastModified: 'Thu, 01 Jan 1970 00:00:00 GMT' };
      const bodyHash = 'ab'.repeat(16);
      const state = async (now: number) => (await take(now)).watches[0]?.state;
      await watches.commitCheck(checkOf('a', { at: 10, nextDue: 20, bodyHash, validators, isFull: true }));
      const known = {
        checkedAt: 10,
        failures: 0,
        bodyHash,
        validators,
        fullAt: 10,
        doubtedAt: undefined,
        doubt: undefined,
      };
      expect(await state(20)).toEqual({ ...known, sinceBaseline: 1 });
      await watches.commitCheck(checkOf('a', { at: 21, nextDue: 30, note: 'not_modified' }));
      expect(await state(30)).toEqual({ ...known, checkedAt: 21, sinceBaseline: 2 });
      const other = { bodyHash: 'cd'.repeat(16), validators: { etag: '"2"' }, doubtedAt: 31, doubt: '1 gone' };
      await watches.commitCheck(failedCheckOf('a', { at: 31, nextDue: 40, isFull: true, ...other }));
      expect(await state(40)).toEqual({
        ...known,
        checkedAt: 31,
        failures: 1,
        doubtedAt: 31,
        doubt: '1 gone',
        sinceBaseline: 2,
      });
      await watches.commitCheck(checkOf('a', { at: 41, nextDue: 50, bodyHash: other.bodyHash }));
      const { bodyHash: hash } = other;
      const after = { ...known, checkedAt: 41, bodyHash: hash, validators: undefined, sinceBaseline: 3 };
      expect(await state(50)).toEqual(after);
    });

    test('one that is paused is passed over, and due again when it is resumed', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await addWatch(watches, 'b', on('a', '2', 400));
      await watches.changeWatch('a', { isPaused: true });
      expect(await take(10)).toEqual({ watches: [], nextAt: 400 });
      await watches.changeWatch('a', { isPaused: false, due: 20 });
      expect(await take(19)).toEqual({ watches: [], nextAt: 20 });
      expect(await taken(20)).toEqual(['a']);
    });

    test('those of a held organization are passed over, also those that are added or resumed meanwhile', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await addWatch(watches, 'b', { ...on('a', '2', 400), organizationId: 'other' });
      await watches.holdWatches('org', true);
      await watches.holdWatches('org', true);
      await addWatch(watches, 'c', on('c', '1'));
      await watches.changeWatch('a', { isPaused: true });
      expect(await watches.changeWatch('a', { isPaused: false, due: 1 })).toMatchObject({ isHeld: true });
      expect(await watches.watch('c')).toMatchObject({ isHeld: true, isPaused: false });
      expect(await watches.heldOrganizations()).toEqual(['org']);
      expect(await take(10)).toEqual({ watches: [], nextAt: 400 });
      await watches.changeWatch('c', { isPaused: true });
      await watches.holdWatches('org', false);
      expect(await watches.heldOrganizations()).toEqual([]);
      expect(await watches.watch('a')).toMatchObject({ isHeld: false });
      expect(await taken(10)).toEqual(['a']);
    });

    test('a host is leased to a page or to a watch, never to both', async () => {
      const page = await seed(storage.frontier, 's', 'http://a.example/');
      await addWatch(watches, 'w', on('a', 'w'));
      expect(await taken(10)).toEqual(['w']);
      expect(await takePages(11)).toMatchObject({ pages: [], nextAt: 1_010 });
      expect(await storage.frontier.frontierTotals(11)).toMatchObject({ hosts: 1, hostsLeased: 1, oldestLease: 10 });
      await watches.commitCheck(checkOf('w', { at: 12, nextDue: 20, host: { ...NEW_HOST, notBefore: 15 } }));
      expect(await takePages(14)).toMatchObject({ pages: [], nextAt: 15 });
      expect((await takePages(15)).pages).toMatchObject([{ id: page.id, hostState: { notBefore: 15 } }]);
      expect(await take(20)).toEqual({ watches: [], nextAt: 1_015 });
      await storage.pages.commit(visitOf(page, { at: 21, host: { ...NEW_HOST, notBefore: 30 } }));
      expect(await take(29)).toEqual({ watches: [], nextAt: 30 });
      expect((await take(30)).watches).toMatchObject([{ id: 'w', hostState: { notBefore: 30 } }]);
    });

    test('a lease that was taken over is not ended by whom it was taken from', async () => {
      const page = await seed(storage.frontier, 's', 'http://a.example/');
      await addWatch(watches, 'w', on('a', 'w'));
      await take(0);
      expect((await takePages(1_500)).pages).toHaveLength(1);
      await watches.commitCheck(checkOf('w', { at: 1_600, nextDue: 1_700 }));
      expect(await take(1_700)).toEqual({ watches: [], nextAt: 2_500 });
      await storage.frontier.release(page.id, NEW_HOST);
      expect(await taken(1_700)).toEqual(['w']);
      await storage.pages.commit(visitOf(page, { at: 1_800, nextDue: 1_900 }));
      expect((await takePages(1_900)).pages).toEqual([]);
    });

    test('a due time that was set while it was being checked survives the check, if it is the earlier one', async () => {
      await addWatch(watches, 'a');
      expect(await watches.changeWatch('a', { due: 10 })).not.toHaveProperty('isUnderWay');
      await take(10);
      expect(await watches.changeWatch('a', { due: 0 })).toMatchObject({ checks: 0, isUnderWay: true });
      await watches.commitCheck(checkOf('a', { at: 10, nextDue: 900 }));
      expect(await watches.watch('a')).toMatchObject({ due: 0, checks: 1 });
      expect(await taken(11)).toEqual(['a']);
      await watches.commitCheck(checkOf('a', { at: 11, nextDue: 900 }));
      expect(await watches.watch('a')).toMatchObject({ due: 900, checks: 2 });
      await watches.changeWatch('a', { due: 20 });
      expect(await taken(20)).toEqual(['a']);
      await watches.changeWatch('a', { due: 5_000 });
      await watches.changeWatch('a', { isPaused: true });
      await watches.commitCheck(checkOf('a', { at: 30, nextDue: 900 }));
      expect(await watches.watch('a')).toMatchObject({ due: 900, isPaused: true });
    });

    test('one that is removed while it is being checked leaves what its host can bear', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await take(10);
      await watches.removeWatch('a');
      const check = checkOf('a', { at: 20, host: { ...NEW_HOST, notBefore: 50_000, backoff: 1 } });
      expect(await watches.commitCheck(check)).toBeUndefined();
      expect(await storage.ledger.checks('org', check.month)).toBe(0);
      await addWatch(watches, 'b', on('a', '2'));
      expect(await take(49_999)).toEqual({ watches: [], nextAt: 50_000 });
      expect(await taken(50_000)).toEqual(['b']);
      await watches.removeWatch('b');
      await watches.releaseWatch('b', { ...NEW_HOST, notBefore: 70_000 });
      await addWatch(watches, 'c', on('a', '3'));
      expect(await take(60_000)).toEqual({ watches: [], nextAt: 70_000 });
    });

    test('one whose options are changed while it is being checked is as due as it was, and what its check found is dropped', async () => {
      await addWatch(watches, 'a', on('a', '1'));
      await take(10);
      const options = { ...NO_OPTIONS, select: ['h1'] };
      expect(await watches.changeWatch('a', { options })).toMatchObject({ options, due: 0 });
      // Whoever asks for a check now waits for the next one: the one under way will be none.
      expect(await watches.changeWatch('a', { due: 15 })).not.toHaveProperty('isUnderWay');
      const check = checkOf('a', { at: 20, nextDue: 900, host: { ...NEW_HOST, notBefore: 50 } });
      expect(await watches.commitCheck(check)).toBeUndefined();
      expect(await storage.ledger.checks('org', check.month)).toBe(0);
      expect(await watches.watch('a')).toMatchObject({ checks: 0, due: 15 });
      expect(await take(49)).toEqual({ watches: [], nextAt: 50 });
      expect((await take(50)).watches).toMatchObject([{ id: 'a', options }]);
      expect(await watches.commitCheck(checkOf('a', { at: 60, nextDue: 900 }))).toMatchObject({ n: 1 });
      await watches.changeWatch('a', { options: NO_OPTIONS });
      expect((await take(900)).watches).toMatchObject([{ id: 'a' }]);
      expect(await watches.commitCheck(checkOf('a', { at: 901 }))).toMatchObject({ n: 2 });
    });

    test('a host with watches stays when its pages go, and the other way round', async () => {
      await seed(storage.frontier, 's', 'http://a.example/');
      await addWatch(watches, 'w', on('a', 'w'));
      await watches.commitCheck(checkOf('w', { at: 1, nextDue: 5, host: { ...NEW_HOST, responseMs: 9 } }));
      await storage.frontier.removeSource('s');
      expect((await take(5)).watches).toMatchObject([{ id: 'w', hostState: { responseMs: 9 } }]);
      await watches.releaseWatch('w', { ...NEW_HOST, responseMs: 9 });
      await seed(storage.frontier, 't', 'http://a.example/t');
      await watches.removeWatch('w');
      expect((await takePages(9)).pages).toMatchObject([{ hostState: { responseMs: 9 } }]);
      expect(await storage.frontier.frontierTotals(0)).toMatchObject({ hosts: 1 });
    });

    test('a page found on the host of a watch is let in as on any other', async () => {
      await addWatch(watches, 'w', on('a', 'w'));
      await seed(storage.frontier, 's', 'http://s.example/');
      const leads = [leadOf('http://a.example/1', { isForeign: true }), leadOf('http://a.example/2')];
      expect(await storage.frontier.offer([{ sourceId: 's', leads }], 0)).toBe(2);
      expect(await pageAt(storage.frontier, 'http://a.example/2')).toMatchObject({ due: 0 });
    });

    test('after a start those that are late get a place each, and those too far ahead their next slot', async () => {
      const now = 10 * EVERY_MS;
      for (let n = 0; n < 300; n += 1) await addWatch(watches, `late${n}`);
      await addWatch(watches, 'ahead', { createdAt: now + 1e9 });
      await addWatch(watches, 'right', { createdAt: now + 7 });
      await watches.changeWatch('right', { due: now + 5 });
      expect(await watches.rescheduleWatches(now, 30_000)).toBe(301);
      const records = await watches.watches({ organizationId: 'org', atMost: 1_000 });
      const due = new Map(records.map((record) => [record.id, record.due]));
      expect(due.get('right')).toBe(now + 5);
      expect(due.get('ahead')! - now).toBeLessThanOrEqual(1.25 * EVERY_MS);
      expect(Math.abs(due.get('ahead')! - now - 1e9) % EVERY_MS).toBe(0);
      const places = Array.from({ length: 300 }, (_, n) => due.get(`late${n}`)! - now);
      expect(places.every((place) => place >= 0 && place < 30_000)).toBe(true);
      // Evenly: no tenth of the time has more than a little over a tenth of them.
      for (const tenth of Map.groupBy(places, (place) => Math.floor(place / 3_000)).values())
        expect(tenth.length).toBeLessThanOrEqual(33);
      expect(await take(now - 1)).toEqual({ watches: [], nextAt: now + Math.min(5, ...places) });
      expect(await watches.rescheduleWatches(now, 30_000)).toBe(0);
    });
  });
}
