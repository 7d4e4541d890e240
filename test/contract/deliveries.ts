import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, Composition, Deliveries, NewMessage } from '../../src/daemon/storage/deliveries.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { SINK_LOG_ENTRIES, SINK_PARKED_MESSAGES } from '../../src/shared/limits.ts';

function message(id: string, more: Partial<NewMessage> = {}): NewMessage {
  return { id, type: 'match', title: `about ${id}`, message: `{"id":"${id}"}`, ...more };
}

function composition(ids: readonly string[], more: Partial<Composition> = {}): Composition {
  return { messages: ids.map((id) => message(id)), moves: [], dropped: 0, at: 1_000, ...more };
}

const refusal = { outcome: 'refused', status: 400, detail: 'no' } as const;

/** The exam of every `Deliveries`. */
export function deliveriesContract(open: () => Promise<Storage>): void {
  describe('deliveries', () => {
    let storage: Storage;
    let port: Deliveries;
    beforeEach(async () => {
      storage = await open();
      port = storage.deliveries;
      await port.openSink('s', [{ topic: 'tap:a', position: 5 }]);
    });
    afterEach(() => storage.close());

    /** Of the oldest message that waits. */
    const attempt = async (more: Partial<Attempt> = {}): Promise<void> => {
      const next = await port.nextMessage('s');
      if (!next) throw new Error('nothing waits');
      const { id: messageId, n, type, title } = next;
      const about = { messageId, n, type, title, attempt: next.attempts + 1, ms: 7, at: 2_000, keepTimes: 0 };
      await port.recordAttempt('s', { ...about, outcome: 'delivered', fate: 'delivered', ...more });
    };
    const waiting = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (let next = await port.nextMessage('s'); next; next = await port.nextMessage('s')) {
        ids.push(next.id);
        await attempt();
      }
      return ids;
    };
    const parked = async (question = { atMost: 10_000 }) =>
      (await port.parkedMessages('s', question)).map(({ id }) => id);

    test('a sink that is not there has no state, and nothing happens to it', async () => {
      expect(await port.sinkState('x')).toBeUndefined();
      expect(await port.compose('x', composition(['m']))).toBe(false);
      expect(await port.nextMessage('x')).toBeUndefined();
      expect([await port.cursors('x'), await port.attempts('x', { atMost: 9 })]).toEqual([[], []]);
      expect(await port.unparkMessages('x')).toBe(0);
      await port.removeSink('x');
      await port.moveCursors('x', [{ topic: 'watches', position: 1 }]);
      expect(await port.cursors('x')).toEqual([]);
    });

    test('a sink begins where it is said to, once', async () => {
      await port.openSink('s', [{ topic: 'watches', position: 1 }]);
      expect(await port.cursors('s')).toEqual([{ topic: 'tap:a', position: 5 }]);
      expect(await port.sinkState('s')).toEqual({
        sent: 0,
        parked: 0,
        pending: 0,
        dropped: 0,
        failingSince: undefined,
        waitUntil: undefined,
        disabledAt: undefined,
        digestedAt: undefined,
        deliveredAt: undefined,
        lastError: undefined,
        sentTimes: [],
      });
    });

    test('messages are made and cursors moved together, or not at all', async () => {
      const moves = [
        { topic: 'tap:a', from: 5, to: 7 },
        { topic: 'watches', from: 0, to: 3 },
      ];
      expect(await port.compose('s', composition(['m'], { moves, dropped: 4, digestedAt: 900 }))).toBe(true);
      expect(await port.cursors('s')).toEqual([
        { topic: 'tap:a', position: 7 },
        { topic: 'watches', position: 3 },
      ]);
      expect(await port.sinkState('s')).toMatchObject({ pending: 1, dropped: 4, digestedAt: 900 });
      const stale = [{ topic: 'problems', from: 0, to: 1 }, ...moves];
      expect(await port.compose('s', composition(['x'], { moves: stale, dropped: 1 }))).toBe(false);
      expect(await port.cursors('s')).toHaveLength(2);
      expect(await port.sinkState('s')).toMatchObject({ pending: 1, dropped: 4 });
      expect(await waiting()).toEqual(['m']);
    });

    test('messages wait in the order in which they were made, with all they were made of', async () => {
      await port.compose('s', composition(['b', 'a']));
      const whole = message('c', { type: 'change', url: 'http://c.example/', title: 'Ä "𝒳"' });
      await port.compose('s', { ...composition([]), messages: [whole] });
      expect(await port.nextMessage('s')).toEqual({ ...message('b'), n: expect.any(Number), attempts: 0, refusals: 0 });
      await attempt();
      await attempt();
      expect(await port.nextMessage('s')).toMatchObject(whole);
    });

    test('a delivered message is gone and counted, and ends the failures before it', async () => {
      await port.compose('s', composition(['m']));
      await attempt({ outcome: 'unavailable', detail: 'hung up', fate: 'retry', waitUntil: 9_000, at: 1_500 });
      await attempt({ outcome: 'unavailable', status: 503, detail: 'busy', fate: 'retry', waitUntil: 99_000 });
      const lastError = { at: 2_000, outcome: 'unavailable', status: 503, detail: 'busy' };
      expect(await port.sinkState('s')).toMatchObject({ failingSince: 1_500, waitUntil: 99_000, lastError, sent: 0 });
      expect(await port.nextMessage('s')).toMatchObject({ id: 'm', attempts: 2, refusals: 0 });
      await attempt({ at: 3_000 });
      const after = {
        failingSince: undefined,
        waitUntil: undefined,
        deliveredAt: 3_000,
        lastError,
        sent: 1,
        pending: 0,
      };
      expect(await port.sinkState('s')).toMatchObject(after);
      expect(await port.nextMessage('s')).toBeUndefined();
    });

    test('the newest times of deliveries are kept, as many as are asked for', async () => {
      await port.compose('s', composition(['a', 'b', 'c']));
      for (const at of [1, 2, 3]) await attempt({ at, keepTimes: 2 });
      expect((await port.sinkState('s'))?.sentTimes).toEqual([2, 3]);
      await port.compose('s', composition(['d']));
      await attempt({ keepTimes: 0 });
      expect((await port.sinkState('s'))?.sentTimes).toEqual([]);
    });

    test('a parked message stands aside with what was said of it, and is tried again before all others', async () => {
      await port.compose('s', composition(['a', 'b']));
      await attempt({ ...refusal, fate: 'retry' });
      expect(await port.nextMessage('s')).toMatchObject({ id: 'a', attempts: 1, refusals: 1 });
      await attempt({ ...refusal, fate: 'parked', at: 5_000 });
      expect(await port.sinkState('s')).toMatchObject({ parked: 1, pending: 1, failingSince: 2_000 });
      const [only] = await port.parkedMessages('s', { atMost: 9 });
      const about = { id: 'a', type: 'match', title: 'about a', parkedAt: 5_000, error: { ...refusal, at: 5_000 } };
      expect(only).toEqual({ ...about, n: expect.any(Number) });
      expect(await port.nextMessage('s')).toMatchObject({ id: 'b' });
      expect(await port.unparkMessages('s')).toBe(1);
      expect(await port.nextMessage('s')).toMatchObject({ id: 'a', attempts: 0, refusals: 0 });
      expect(await waiting()).toEqual(['a', 'b']);
    });

    test('parked messages are listed newest first, in pages; the oldest of too many are dropped and counted', async () => {
      const ids = Array.from({ length: SINK_PARKED_MESSAGES + 2 }, (_, index) => `m${index}`);
      await port.compose('s', composition(ids));
      await Promise.all(
        ids.map((id, index) =>
          port.recordAttempt('s', { ...logged(id), n: index + 1, ...refusal, fate: 'parked', keepTimes: 0 }),
        ),
      );
      expect(await port.sinkState('s')).toMatchObject({ parked: SINK_PARKED_MESSAGES, dropped: 2, pending: 0 });
      const [first, second] = await port.parkedMessages('s', { atMost: 2 });
      expect([first?.id, second?.id]).toEqual([ids.at(-1), ids.at(-2)]);
      const [third] = await port.parkedMessages('s', { atMost: 1, before: second?.n ?? 0 });
      expect(third?.id).toBe(ids.at(-3));
      expect((await parked()).at(-1)).toBe('m2');
    });

    test('a message that is made again while it is kept is tried again, and is not doubled', async () => {
      await port.compose('s', composition(['a', 'b']));
      await attempt({ ...refusal, fate: 'parked' });
      await port.compose('s', composition(['a', 'b']));
      expect(await parked()).toEqual([]);
      expect(await waiting()).toEqual(['a', 'b']);
    });

    test('a disabled sink says so until it is revived', async () => {
      await port.compose('s', composition(['m']));
      const gone = { outcome: 'gone', status: 410, detail: '', fate: 'retry', isDisabled: true } as const;
      await attempt({ ...gone, waitUntil: 8_000 });
      expect(await port.sinkState('s')).toMatchObject({ disabledAt: 2_000, failingSince: 2_000, waitUntil: 8_000 });
      await port.reviveSink('s');
      const revived = { disabledAt: undefined, waitUntil: undefined, failingSince: 2_000, pending: 1 };
      expect(await port.sinkState('s')).toMatchObject(revived);
    });

    test('the log has every attempt, newest first and bounded; that of a test counts for nothing', async () => {
      await port.compose('s', composition(['m']));
      await attempt({ outcome: 'unavailable', status: 500, detail: 'oh', fate: 'retry' });
      await attempt();
      await port.noteAttempt('s', { ...logged('t'), type: 'test' });
      const log = await port.attempts('s', { atMost: 9 });
      const about = { messageId: 'm', type: 'match', title: 'about m', at: 2_000, ms: 7 };
      expect(log).toEqual([
        { ...logged('t'), type: 'test', n: 3 },
        { ...about, n: 2, attempt: 2, outcome: 'delivered' },
        { ...about, n: 1, attempt: 1, outcome: 'unavailable', status: 500, detail: 'oh' },
      ]);
      expect(await port.attempts('s', { atMost: 1, before: 3 })).toEqual([log[1]]);
      expect(await port.sinkState('s')).toMatchObject({ sent: 1 });
      await Promise.all(Array.from({ length: SINK_LOG_ENTRIES }, () => port.noteAttempt('s', logged('u'))));
      const all = await port.attempts('s', { atMost: 10_000 });
      expect([all.length, all[0]?.n, all.at(-1)?.n]).toEqual([SINK_LOG_ENTRIES, SINK_LOG_ENTRIES + 3, 4]);
    });

    test('cursors are put where they are said to be, or forgotten', async () => {
      await port.moveCursors('s', [{ topic: 'watches', position: 8 }]);
      await port.moveCursors('s', [{ topic: 'watches', position: 2 }], ['tap:a']);
      expect(await port.cursors('s')).toEqual([{ topic: 'watches', position: 2 }]);
    });

    test('a removed sink leaves nothing, and others are as they were', async () => {
      await port.openSink('o', []);
      await port.compose('o', composition(['m']));
      await port.compose('s', composition(['m']));
      await attempt({ ...refusal, fate: 'retry' });
      await port.removeSink('s');
      expect(await port.sinkState('s')).toBeUndefined();
      await port.openSink('s', []);
      expect(await port.sinkState('s')).toMatchObject({ pending: 0, failingSince: undefined });
      expect([await port.cursors('s'), await port.attempts('s', { atMost: 9 })]).toEqual([[], []]);
      expect(await port.nextMessage('o')).toMatchObject({ id: 'm' });
      expect(await port.retainSinks(['o', 'x'])).toBe(1);
      expect([await port.sinkState('s'), (await port.sinkState('o'))?.pending]).toEqual([undefined, 1]);
    });

    test('a problem begins once and is over once, each with its event', async () => {
      const problem = (key: string, after = 3) => ({ key, after, since: 9, problem: `{"of":"${key}"}` });
      expect(await port.problemBounds()).toEqual({ floor: 0, head: 0 });
      expect(await port.recordProblems(10, [problem('b'), problem('a'), problem('a', 5)], [])).toBe(3);
      expect(await port.openProblems()).toEqual([problem('a'), problem('a', 5), problem('b')]);
      expect(await port.recordProblems(20, [problem('b')], [{ key: 'x', after: 3, problem: '{}' }])).toBe(0);
      const over = [
        { key: 'a', after: 3, problem: '{"over":"a"}' },
        { key: 'b', after: 3, problem: null },
      ];
      expect(await port.recordProblems(30, [], over)).toBe(1);
      expect(await port.recordProblems(40, [], over)).toBe(0);
      expect(await port.openProblems()).toEqual([problem('a', 5)]);
      const events = await port.problemEvents(0, 99);
      expect(events.map(({ n, at, kind, problem: text }) => [n, at, kind, text])).toEqual([
        [1, 10, 'begun', '{"of":"b"}'],
        [2, 10, 'begun', '{"of":"a"}'],
        [3, 10, 'begun', '{"of":"a"}'],
        [4, 30, 'over', '{"over":"a"}'],
      ]);
      expect(events[2]?.after).toBe(5);
      expect(await port.problemEvents(1, 2)).toEqual(events.slice(1, 3));
      expect(await port.problemBounds()).toEqual({ floor: 0, head: 4 });
      expect([await port.problemCursorAt(10), await port.problemCursorAt(11), await port.problemCursorAt(31)]).toEqual([
        0, 3, 4,
      ]);
    });
  });
}

function logged(messageId: string) {
  const about = { type: 'match', title: `about ${messageId}`, at: 2_000, ms: 7 } as const;
  return { ...about, messageId, attempt: 1, outcome: 'delivered' } as const;
}
