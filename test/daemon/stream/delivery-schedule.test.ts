import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { range, settle, World } from './open-stream.ts';
import { DeliverySchedule } from '../../../src/daemon/stream/tail.ts';

describe('the delivery schedule of a tap', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function readers(count: number): { set: Set<{ pump(): void }>; pumped: () => number } {
    let pumps = 0;
    const set = new Set(Array.from({ length: count }, () => ({ pump: () => void (pumps += 1) })));
    return { set, pumped: () => pumps };
  }

  test('few readers are told at once, every time', async () => {
    const { set, pumped } = readers(19);
    const schedule = new DeliverySchedule(set);
    for (let round = 1; round <= 5; round += 1) {
      schedule.wake();
      schedule.wake();
      await settle(1);
      expect(pumped()).toBe(19 * round);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  test('many are told at once after a silence, and then rest for a time that grows with them', async () => {
    const { set, pumped } = readers(400);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    await settle(1);
    expect(pumped()).toBe(400);
    for (let event = 0; event < 10; event += 1) schedule.wake();
    vi.advanceTimersByTime(19);
    await settle();
    expect(pumped()).toBe(400);
    vi.advanceTimersByTime(1);
    await settle();
    expect(pumped()).toBe(800);
    // Nothing came: the next news finds it awake.
    vi.advanceTimersByTime(20);
    await settle();
    expect([pumped(), vi.getTimerCount()]).toEqual([800, 0]);
    schedule.wake();
    await settle(1);
    expect(pumped()).toBe(1_200);
  });

  test('what comes in the middle of a rest is gathered for as long again, and what follows it goes with it', async () => {
    const { set, pumped } = readers(400);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    await settle(1);
    vi.advanceTimersByTime(15);
    schedule.wake();
    vi.advanceTimersByTime(15);
    schedule.wake();
    vi.advanceTimersByTime(4);
    await settle();
    expect(pumped()).toBe(400);
    vi.advanceTimersByTime(1);
    await settle();
    expect(pumped()).toBe(800);
  });

  test('no tap rests for more than 50 ms', async () => {
    const { set, pumped } = readers(3_000);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    await settle();
    schedule.wake();
    vi.advanceTimersByTime(50);
    await settle();
    expect(pumped()).toBe(6_000);
  });

  test('thousands are told in several turns of the loop; who joins or leaves meanwhile is no trouble', async () => {
    const { set, pumped } = readers(1_200);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    await settle(1);
    expect(pumped()).toBe(500);
    const [gone] = [...set].slice(-1);
    if (gone) set.delete(gone);
    let late = 0;
    set.add({ pump: () => void (late += 1) });
    await settle();
    expect([pumped(), late]).toEqual([1_199, 1]);
  });

  test('news in the middle of a round makes another one', async () => {
    const { set, pumped } = readers(1_000);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    await settle(1);
    schedule.wake();
    await settle();
    expect(pumped()).toBe(1_000);
    vi.advanceTimersByTime(50);
    await settle();
    expect(pumped()).toBe(2_000);
  });

  test('what was stopped tells nobody, in a turn or in a rest', async () => {
    const { set, pumped } = readers(400);
    const schedule = new DeliverySchedule(set);
    schedule.wake();
    schedule.stop();
    await settle();
    expect(pumped()).toBe(0);
    schedule.wake();
    await settle();
    schedule.wake();
    schedule.stop();
    vi.advanceTimersByTime(1_000);
    await settle();
    expect([pumped(), vi.getTimerCount()]).toEqual([400, 0]);
  });

  test('what comes while a tap rests goes out in one write each, and before the end when all streams close', async () => {
    const world = new World();
    const sinks = await Promise.all(Array.from({ length: 100 }, () => world.open()));
    world.publish('{}');
    await settle();
    for (let event = 0; event < 10; event += 1) world.publish('{}');
    await settle();
    expect(sinks[0]?.ids).toEqual(['0-0']);
    const writes = sinks[0]?.writes ?? 0;
    vi.advanceTimersByTime(5);
    await settle();
    expect(sinks[0]?.ids).toEqual(range(0, 11));
    expect(sinks[0]?.writes).toBe(writes + 1);
    world.publish('{}');
    await world.hub.closeAll(1_000);
    for (const sink of sinks) {
      expect(sink.ids).toEqual(range(0, 12));
      expect(sink.types.at(-1)).toBe('end');
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});
