import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppendedEvent } from '../../src/daemon/storage/event-log.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import type { CommittedCheck } from '../../src/daemon/storage/watches.ts';
import { eventFor, seed, visitOf } from '../fixtures/visits.ts';
import { addWatch, changedCheckOf, checkOf } from '../fixtures/watches.ts';

const AT = Date.parse('2026-02-27T00:00:00Z');
const PRICE = 5;
const all = { events: 10_000, bytes: 100_000_000 };

type Nodes = readonly [Storage, Storage, Storage];

/**
 * What holds when three write at once: three nodes that share a database, or three callers of one storage.
 * `open`: three storages of the same data, the last of which closes all.
 */
export function severalNodesContract(open: () => Promise<Nodes>): void {
  describe('three that write at once', () => {
    let nodes: Nodes;
    let one: Storage;
    beforeEach(async () => {
      nodes = await open();
      [one] = nodes;
    });
    afterEach(async () => {
      for (const node of nodes) await node.close();
    });

    /** What each of the three does, all at once. */
    const atOnce = <T>(work: (node: Storage, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(nodes.map((node, index) => work(node, index)));
    /** `visits` visits of a page of each node's own, one after another, each with an event for each of the taps. */
    const append = async (visits: number, taps: (visit: number) => readonly string[]): Promise<AppendedEvent[][]> =>
      atOnce(async (node, index) => {
        const page = await seed(node.frontier, `node${index}`);
        const appended: AppendedEvent[] = [];
        for (let visit = 0; visit < visits; visit += 1) {
          const events = taps(visit).map((tapId) => eventFor(tapId, `{"by":"${index}/${visit}"}`));
          appended.push(...(await node.pages.commit(visitOf(page, { at: AT + visit, events }))).events);
        }
        return appended;
      });
    const balance = async (): Promise<number> => (await one.ledger.account('o', AT)).balance;
    const charge = (node: Storage, tapId: string, from: number, to: number) =>
      node.ledger.charge({ tapId, organizationId: 'o', from, to, at: AT, price: PRICE });

    test('leave the log of each tap dense, in order and complete', async () => {
      const answers = await append(15, (visit) => (visit % 2 === 0 ? ['a', 'b', 'a'] : ['b', 'c']));
      for (const tapId of ['a', 'b', 'c']) {
        const mine = answers.map((answer) => answer.filter((event) => event.tapId === tapId));
        // Each node's own visits are in their order.
        for (const events of mine) expect(events).toEqual(events.toSorted((x, y) => x.offset - y.offset));
        const written = mine.flat().toSorted((x, y) => x.offset - y.offset);
        expect(written.map(({ offset }) => offset)).toEqual(written.map((_, offset) => offset));
        const kept = await one.eventLog.read(tapId, 0, all);
        expect(kept.map((event) => ({ tapId, ...event }))).toEqual(written);
        expect(kept).toEqual(kept.toSorted((x, y) => x.at - y.at));
        expect(await one.eventLog.bounds(tapId)).toMatchObject({ floor: 0, head: written.length });
      }
    });

    test('leave nothing of a tap that is dropped meanwhile', async () => {
      const appending = append(15, () => ['a', 'b']);
      await one.eventLog.drop('a');
      await appending;
      expect(await one.eventLog.bounds('a')).toMatchObject({ floor: 0, head: 0 });
      expect(await one.eventLog.read('a', 0, all)).toEqual([]);
      expect((await one.eventLog.allBounds()).taps).toEqual([{ tapId: 'b', floor: 0, head: 45 }]);
      expect(await one.eventLog.count()).toBe(45);
    });

    test('trim each event once', async () => {
      await append(10, () => ['a', 'b']);
      const { bytes } = await one.eventLog.extent();
      const gone = await atOnce((node) => node.eventLog.trim(0, bytes / 2));
      expect(gone.reduce((sum, some) => sum + some, 0)).toBe(30);
      expect(await one.eventLog.extent()).toMatchObject({ bytes: bytes / 2 });
      const bounds = await Promise.all(['a', 'b'].map((tapId) => one.eventLog.bounds(tapId)));
      expect(bounds.reduce((sum, { floor }) => sum + floor, 0)).toBe(30);
      for (const [index, { floor }] of bounds.entries()) {
        const kept = await one.eventLog.read(['a', 'b'][index] ?? '', 0, all);
        expect(kept.map(({ offset }) => offset)).toEqual(kept.map((_, place) => floor + place));
      }
    });

    test('charge a delivery once, wherever it is delivered', async () => {
      await one.ledger.grantCredit({ organizationId: 'o', amount: 1_000, at: AT });
      await append(10, () => ['t']);
      await atOnce(async (node, index) => {
        for (let from = index; from < 30; from += 5) await charge(node, 't', from, Math.min(30, from + 8));
      });
      await Promise.all(nodes.map((node) => charge(node, 't', 0, 30)));
      expect(await balance()).toBe(1_000 - 30 * PRICE);
      const usage = await one.ledger.usage({ organizationId: 'o', by: 'tap', since: AT, atMost: 9 });
      expect(usage).toEqual([{ key: 't', matches: 30, spent: 30 * PRICE }]);
    });

    test('spend a balance to the last and never beyond, on several taps', async () => {
      await append(10, () => ['t0', 't1', 't2']);
      for (const amount of [13, 21, 16]) await one.ledger.grantCredit({ organizationId: 'o', amount, at: AT });
      const paid = await atOnce(async (node, index) => {
        let to = 0;
        while (to < 30 && !(await charge(node, `t${index}`, to, to + 1)).exhausted) to += 1;
        return to;
      });
      expect(paid.reduce((sum, deliveries) => sum + deliveries, 0)).toBe(50 / PRICE);
      expect(await balance()).toBe(0);
      const usage = await one.ledger.usage({ organizationId: 'o', by: 'day', since: AT, atMost: 9 });
      expect(usage).toEqual([{ key: '2026-02-27', matches: 10, spent: 50 }]);
    });

    test('grant credit, all of which is there', async () => {
      await atOnce(async (node) => {
        for (let grant = 0; grant < 5; grant += 1) {
          await node.ledger.grantCredit({ organizationId: 'o', amount: 7, at: AT });
        }
      });
      expect(await one.ledger.account('o', AT)).toMatchObject({ unlimited: false, balance: 105, grants: 15 });
    });

    test('make one message of the same events', async () => {
      await one.deliveries.openSink('s', [{ topic: 'tap:a', position: 0 }]);
      const composed = await atOnce((node, index) => {
        const message = { id: `m${index}`, type: 'match', title: 'a match', message: '{}' } as const;
        const moves = [{ topic: 'tap:a', from: 0, to: 3 }];
        return node.deliveries.compose('s', { messages: [message], moves, dropped: 0, at: AT });
      });
      expect(composed.filter(Boolean)).toEqual([true]);
      expect(await one.deliveries.sinkState('s')).toMatchObject({ pending: 1 });
      expect(await one.deliveries.cursors('s')).toEqual([{ topic: 'tap:a', position: 3 }]);
    });

    test('begin a problem once, and leave the log of problems without a gap', async () => {
      const problem = (key: string) => ({ key, after: 1, since: AT, problem: `{"of":"${key}"}` });
      const begun = await atOnce((node, index) =>
        node.deliveries.recordProblems(AT, [problem(`own ${index}`), problem('shared')], []),
      );
      expect(begun.reduce((sum, events) => sum + events, 0)).toBe(4);
      const events = await one.deliveries.problemEvents(0, 99);
      expect(events.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
      expect(await one.deliveries.openProblems()).toHaveLength(4);
    });

    test('save no more matches than an organization may have', async () => {
      const about = { organizationId: 'o', tapId: 't', tapName: 't', rules: '[]', savedBy: 'admin', note: '' };
      const saved = await atOnce((node, index) => {
        const match = { ...about, id: `m${index}`, url: `http://${index}.example/`, document: '{}' };
        return node.savedMatches.saveMatch({ ...match, matchedAt: AT, savedAt: AT }, '', 2);
      });
      expect(saved.filter((match) => match?.isNew === true)).toHaveLength(2);
      expect(saved).toContain(undefined);
    });

    test('count no more checks of a month than there may be', async () => {
      const checks = await atOnce(async (node, index) => {
        await addWatch(node.watches, `w${index}`, { createdAt: AT });
        const committed: unknown[] = [];
        for (let at = AT; at < AT + 20; at += 1) {
          committed.push(await node.watches.commitCheck(checkOf(`w${index}`, { at, mostInMonth: 31 })));
        }
        return committed.filter((one) => one !== undefined);
      });
      const counted = checks.flat().map((one) => (one as CommittedCheck).checksThisMonth);
      expect(counted.toSorted((x, y) => x - y)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
      expect(await one.ledger.checks('org', '2026-02')).toBe(31);
      expect(await one.watches.watchTotals(AT)).toMatchObject({ watches: 3, checks: 31 });
    });

    test('number the changes of an organization without a gap, each once', async () => {
      const cursors = await atOnce(async (node, index) => {
        await addWatch(node.watches, `w${index}`, { createdAt: AT });
        const committed: (number | undefined)[] = [];
        for (let at = AT; at < AT + 10; at += 1) {
          committed.push((await node.watches.commitCheck(changedCheckOf(`w${index}`, ['a'], ['b'], { at })))?.change);
        }
        return committed;
      });
      const inOrder = Array.from({ length: 30 }, (_, index) => index + 1);
      expect(cursors.flat().toSorted((x, y) => (x ?? 0) - (y ?? 0))).toEqual(inOrder);
      const listed = await one.watches.watchChanges({ organizationId: 'org', atMost: 99 });
      expect(listed.map(({ cursor }) => cursor)).toEqual(inOrder);
    });

    test('link domains that none of them knew, each counted once', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `d${index}.example`);
      await atOnce(async (node, index) => {
        const page = await seed(node.frontier, `node${index}`);
        const to = index === 1 ? names.toReversed() : names;
        await node.pages.commit(visitOf(page, { linksTo: { from: `from${index}.example`, to } }));
      });
      await one.ratings.countReferring(AT);
      expect(await one.ratings.ratingSummary()).toMatchObject({ own: { domains: 20, links: 60 } });
      expect(await one.ratings.standing('d7.example')).toEqual({ referring: 3 });
    });
  });
}
