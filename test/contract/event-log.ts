import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesOf, type LoggedEvent } from '../../src/daemon/storage/event-log.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { append, eventFor, leadOf, seed, sourceOf, visitOf } from '../fixtures/visits.ts';

const all = { events: 10_000, bytes: 100_000_000 };

/** The exam of every `EventLog`. */
export function eventLogContract(open: () => Promise<Storage>): void {
  describe('an event log', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    const offsets = async (tapId: string, from = 0, atMost = all): Promise<number[]> =>
      (await storage.eventLog.read(tapId, from, atMost)).map((event) => event.offset);

    test('a tap without events has floor and head 0, and nothing to read', async () => {
      expect(await storage.eventLog.bounds('t')).toEqual({ partition: 0, floor: 0, head: 0 });
      expect(await storage.eventLog.read('t', 0, all)).toEqual([]);
      expect(await storage.eventLog.firstAt('t', 0)).toBe(0);
      expect(await storage.eventLog.count()).toBe(0);
    });

    test('offsets are counted per tap, from 0, without gaps', async () => {
      const first = await append(storage, 1_000, 'a', 'b', 'a');
      expect(first.map(({ tapId, offset }) => [tapId, offset])).toEqual([
        ['a', 0],
        ['b', 0],
        ['a', 1],
      ]);
      const second = await append(storage, 2_000, 'b', 'a');
      expect(second.map(({ tapId, offset }) => [tapId, offset])).toEqual([
        ['b', 1],
        ['a', 2],
      ]);
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 0, head: 3 });
      expect(await storage.eventLog.count()).toBe(5);
    });

    test('the bounds of all taps are answered at once', async () => {
      expect(await storage.eventLog.allBounds()).toEqual({ partition: 0, taps: [] });
      await append(storage, 1_000, 'b', 'a', 'b');
      await append(storage, 9_000, 'b');
      await storage.eventLog.trim(5_000);
      await append(storage, 9_000, 'c');
      await storage.eventLog.drop('c');
      const taps = [
        { tapId: 'a', floor: 1, head: 1 },
        { tapId: 'b', floor: 2, head: 3 },
      ];
      expect(await storage.eventLog.allBounds()).toEqual({ partition: 0, taps });
    });

    test('what commit answers is what is read back', async () => {
      const page = await seed(storage.frontier, 's');
      const event = { tapId: 't', queryIds: '["r1","r2"]', document: '{"title":"Ä \\u2028 𝒳"}' };
      const { events } = await storage.pages.commit(visitOf(page, { at: 1_234, events: [event] }));
      const [appended] = events;
      expect(appended).toEqual({ ...event, offset: 0, at: 1_234 });
      const { tapId: _, ...logged } = appended!;
      expect(await storage.eventLog.read('t', 0, all)).toEqual([logged]);
    });

    test('reading starts where it is told, and ends at the number of events asked for', async () => {
      await append(storage, 1_000, 't', 't', 't', 't', 't');
      expect(await offsets('t', 2)).toEqual([2, 3, 4]);
      expect(await offsets('t', 1, { ...all, events: 2 })).toEqual([1, 2]);
      expect(await offsets('t', 5)).toEqual([]);
      expect(await offsets('t', 500)).toEqual([]);
      expect(await offsets('t', 0, { ...all, events: 0 })).toEqual([]);
    });

    test('reading ends before the bytes asked for are passed, but brings one event if there is one', async () => {
      const page = await seed(storage.frontier, 's');
      const events = Array.from({ length: 5 }, () => eventFor('t', 'x'.repeat(1_000)));
      await storage.pages.commit(visitOf(page, { events }));
      expect(await offsets('t', 0, { events: 100, bytes: 2_500 })).toEqual([0, 1]);
      expect(await offsets('t', 3, { events: 100, bytes: 1 })).toEqual([3]);
    });

    test('time never goes backwards along the log of a tap, whatever the clock does', async () => {
      const ats: number[] = [];
      for (const at of [5_000, 1_000, 5_500, 200])
        ats.push(...(await append(storage, at, 't', 't')).map((event) => event.at));
      expect(ats).toEqual([5_000, 5_000, 5_000, 5_000, 5_500, 5_500, 5_500, 5_500]);
    });

    describe('after one commit under a clock that was ahead', () => {
      const [HOUR, DAY] = [3_600_000, 86_400_000];
      const ahead = 400 * DAY;
      beforeEach(async () => {
        for (let event = 0; event < 3; event += 1) await append(storage, event * HOUR, 'a');
        await append(storage, ahead, 'a', 'b');
        const many = Array.from({ length: 74 }, () => 'a');
        for (let second = 4; second < 8; second += 1) await append(storage, second * 1_000, ...many);
      });

      test('times are put right by the next one that is not, and what comes next has its own', async () => {
        const now = 10 * HOUR;
        expect(await storage.eventLog.repairTimes(now)).toBe(298);
        expect(await storage.eventLog.repairTimes(now)).toBe(0);
        const [next] = await append(storage, now + 1_000, 'a');
        expect(next).toMatchObject({ offset: 300, at: now + 1_000 });
        const times = (await storage.eventLog.read('a', 0, all)).map(({ at }) => at);
        expect(times.slice(0, 4)).toEqual([0, HOUR, 2 * HOUR, now]);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(await storage.eventLog.firstAt('a', now + 1)).toBe(300);
        expect(await storage.eventLog.firstAt('a', now - 60_000)).toBe(3);
      });

      test('they go when they are a day old, as others do', async () => {
        await storage.eventLog.repairTimes(10 * HOUR);
        expect(await storage.eventLog.trim(10 * HOUR)).toBe(3);
        expect(await storage.eventLog.trim(10 * HOUR + 1)).toBe(298);
        expect(await storage.eventLog.count()).toBe(0);
      });

      test('a clock that was only corrected repairs nothing', async () => {
        expect(await storage.eventLog.repairTimes(ahead - 60_000)).toBe(0);
        expect(await storage.eventLog.repairTimes(ahead - 60_001)).toBe(298);
      });
    });

    test('a log that has lost its events to a trim has sane times again, too', async () => {
      await append(storage, 1e12, 't');
      await storage.eventLog.trim(1e12 + 1);
      expect(await storage.eventLog.repairTimes(5_000)).toBe(0);
      expect(await append(storage, 6_000, 't')).toMatchObject([{ offset: 1, at: 6_000 }]);
    });

    test('the first event at a time is found among the kept ones', async () => {
      for (const at of [1_000, 2_000, 2_000, 3_000]) await append(storage, at, 't');
      const found = await Promise.all(
        [0, 1_000, 1_001, 2_000, 2_001, 3_000, 3_001].map((at) => storage.eventLog.firstAt('t', at)),
      );
      expect(found).toEqual([0, 0, 1, 1, 3, 3, 4]);
      await storage.eventLog.trim(1_500);
      expect(await storage.eventLog.firstAt('t', 0)).toBe(1);
    });

    test('trim drops what is older and nothing else, and raises the floor of each tap', async () => {
      for (const at of [1_000, 2_000, 3_000]) await append(storage, at, 'a', 'b');
      await append(storage, 4_000, 'b');
      expect(await storage.eventLog.trim(3_000)).toBe(4);
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 2, head: 3 });
      expect(await storage.eventLog.bounds('b')).toEqual({ partition: 0, floor: 2, head: 4 });
      expect(await offsets('a', 0)).toEqual([2]);
      expect(await storage.eventLog.count()).toBe(3);
      expect(await storage.eventLog.trim(3_000)).toBe(0);
    });

    test('it knows what it takes, and up to when it has dropped events', async () => {
      expect(await storage.eventLog.extent()).toEqual({ bytes: 0, droppedUpTo: 0 });
      for (const at of [1_000, 2_000, 3_000]) await append(storage, at, 'a', 'b');
      const { bytes } = await storage.eventLog.extent();
      expect(bytes).toBeGreaterThan(0);
      await storage.eventLog.trim(2_500);
      expect(await storage.eventLog.extent()).toEqual({ bytes: bytes / 3, droppedUpTo: 2_000 });
      await storage.eventLog.trim(2_500);
      expect(await storage.eventLog.extent()).toMatchObject({ droppedUpTo: 2_000 });
      // For want of space, too, whatever their age.
      await storage.eventLog.trim(0, 0);
      expect(await storage.eventLog.extent()).toEqual({ bytes: 0, droppedUpTo: 3_000 });
    });

    test('what was dropped under a clock that was ahead is not later than the clock', async () => {
      await append(storage, 1e12, 't');
      await storage.eventLog.trim(1e12 + 1);
      await storage.eventLog.repairTimes(5_000);
      expect(await storage.eventLog.extent()).toMatchObject({ droppedUpTo: 5_000 });
    });

    test('when all is trimmed, the floor is the head and the next offset goes on from there', async () => {
      await append(storage, 1_000, 't', 't');
      expect(await storage.eventLog.trim(1_001)).toBe(2);
      expect(await storage.eventLog.bounds('t')).toEqual({ partition: 0, floor: 2, head: 2 });
      expect(await storage.eventLog.firstAt('t', 0)).toBe(2);
      expect((await append(storage, 2_000, 't'))[0]?.offset).toBe(2);
    });

    test('more than one step of old events goes in one trim', async () => {
      await append(storage, 1_000, ...Array.from({ length: 1_001 }, (_, index) => `t${index % 3}`));
      expect(await storage.eventLog.trim(2_000)).toBe(1_001);
      expect(await storage.eventLog.count()).toBe(0);
      expect(await storage.eventLog.bounds('t0')).toEqual({ partition: 0, floor: 334, head: 334 });
    });

    test('trim drops the oldest events while the log is larger than it may be, whosever they are', async () => {
      const page = await seed(storage.frontier, 's');
      const document = 'ä'.repeat(500);
      const one = bytesOf(eventFor('t', document));
      expect(one).toBeGreaterThan(1_000);
      for (const tapId of ['a', 'b', 'a', 'b', 'a']) {
        await storage.pages.commit(visitOf(page, { events: [eventFor(tapId, document)] }));
      }
      expect(await storage.eventLog.trim(0, 5 * one)).toBe(0);
      expect(await storage.eventLog.trim(0, 5 * one - 1)).toBe(1);
      expect(await storage.eventLog.trim(0, 2 * one)).toBe(2);
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 2, head: 3 });
      expect(await storage.eventLog.bounds('b')).toEqual({ partition: 0, floor: 1, head: 2 });
      expect(await storage.eventLog.trim(0, 0)).toBe(2);
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 3, head: 3 });
      expect(await storage.eventLog.trim(0, 0)).toBe(0);
    });

    test('what a tap that was dropped held no longer counts', async () => {
      const page = await seed(storage.frontier, 's');
      const events = Array.from({ length: 501 }, () => eventFor('gone', 'x'.repeat(100)));
      await storage.pages.commit(visitOf(page, { events: [eventFor('kept'), ...events] }));
      await storage.eventLog.drop('gone');
      expect(await storage.eventLog.trim(0, bytesOf(eventFor('kept')))).toBe(0);
      expect(await storage.eventLog.trim(0, bytesOf(eventFor('kept')) - 1)).toBe(1);
    });

    test('drop forgets a tap, its events and its offsets, and no other', async () => {
      await append(storage, 1_000, 'a', 'b', ...Array.from({ length: 500 }, () => 'a'));
      await storage.eventLog.drop('a');
      await storage.eventLog.drop('never seen');
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 0, head: 0 });
      expect(await offsets('a')).toEqual([]);
      expect(await offsets('b')).toEqual([0]);
      expect(await storage.eventLog.count()).toBe(1);
    });

    test('a visit that is under way when its tap is revoked brings the log back for no one', async () => {
      const page = await seed(storage.frontier, 's');
      await storage.frontier.putSource(sourceOf('s', { maxPages: 10_000 }), [], 0);
      const leads = Array.from({ length: 1_600 }, (_, n) => leadOf(`http://s.example/${n}`, { pattern: n }));
      const discovered = [{ sourceId: 's', leads }];
      const committed = storage.pages.commit(visitOf(page, { discovered, events: [eventFor('a'), eventFor('b')] }));
      await storage.eventLog.drop('a');
      await committed;
      expect(await storage.eventLog.bounds('a')).toEqual({ partition: 0, floor: 0, head: 0 });
      expect(await offsets('b')).toEqual([0]);
      expect(await storage.eventLog.count()).toBe(1);
    });

    test('a tap that is dropped has no log ever again, also if it had none before', async () => {
      await append(storage, 1_000, 'a', 'b');
      await storage.eventLog.drop('a');
      await storage.eventLog.drop('never seen');
      expect(await append(storage, 2_000, 'a', 'b', 'never seen')).toMatchObject([{ tapId: 'b', offset: 1 }]);
      expect((await storage.eventLog.allBounds()).taps).toEqual([{ tapId: 'b', floor: 0, head: 2 }]);
    });

    test('logs of taps that there are no more go, with what was charged for them', async () => {
      await append(storage, 1_000, 'a', 'b', 'c', 'b');
      const charge = { organizationId: 'o', from: 0, to: 1, at: 1_000, price: 0 };
      await storage.ledger.charge({ tapId: 'b', ...charge });
      expect(await storage.eventLog.retain(['c', 'a', 'never seen'])).toBe(1);
      expect(await storage.eventLog.retain(['a', 'c'])).toBe(0);
      expect(await storage.eventLog.bounds('b')).toEqual({ partition: 0, floor: 0, head: 0 });
      expect([await offsets('a'), await offsets('b'), await offsets('c')]).toEqual([[0], [], [0]]);
      expect(await storage.eventLog.count()).toBe(2);
    });

    test('however commits, trims and reads interleave, each tap is dense, ordered and complete', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
          const fresh = await open();
          try {
            await interleave(fresh, steps);
          } finally {
            await fresh.close();
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

type LogStep = { readonly at: number; readonly taps: readonly string[] } | { readonly trimBefore: number };

const tapName = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<LogStep> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ at: fc.nat(1_000), taps: fc.array(tapName, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ trimBefore: fc.nat(1_000) }) },
);

/** All steps at once, from several pages; then the log is held against what the calls have answered. */
async function interleave(storage: Storage, steps: readonly LogStep[]): Promise<void> {
  const pages = await Promise.all(['x', 'y', 'z'].map((id) => seed(storage.frontier, id)));
  const answers = await Promise.all(
    steps.map(async (one, index) => {
      if ('trimBefore' in one) return void (await storage.eventLog.trim(one.trimBefore));
      const events = one.taps.map((tapId, position) => eventFor(tapId, `${index}/${position}`));
      return (await storage.pages.commit(visitOf(pages[index % 3]!, { at: one.at, events }))).events;
    }),
  );
  const appended = answers.flatMap((answer) => answer ?? []);
  for (const tapId of ['a', 'b', 'c']) {
    const mine = appended.filter((event) => event.tapId === tapId);
    const { floor, head } = await storage.eventLog.bounds(tapId);
    expect(mine.map((event) => event.offset).toSorted((one, other) => one - other)).toEqual(
      mine.map((_, index) => index),
    );
    expect(head).toBe(mine.length);
    const kept = await storage.eventLog.read(tapId, 0, all);
    expect(kept).toEqual(asLogged(mine).slice(floor));
    expect(kept.map((event) => event.at)).toEqual(kept.map((event) => event.at).toSorted((one, other) => one - other));
  }
}

function asLogged(events: readonly LoggedEvent[]): LoggedEvent[] {
  return events
    .map(({ offset, at, queryIds, document }) => ({ offset, at, queryIds, document }))
    .toSorted((one, other) => one.offset - other.offset);
}
