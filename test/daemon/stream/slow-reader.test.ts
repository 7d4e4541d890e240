import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { range, settle, sized, World } from './open-stream.ts';
import { TestSink } from './test-sink.ts';
import { HEARTBEAT_MS } from '../../../src/shared/limits.ts';
import { CHUNK_BYTES, TAIL_BYTES } from '../../../src/daemon/stream/tail.ts';

describe('a reader that stalls', () => {
  let world: World;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    world = new World();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is written nothing more, costs no read of the log, and delays nobody', async () => {
    const stalled = await world.open({}, new TestSink(1_000));
    const reading = await world.open();
    for (let round = 0; round < 300; round += 1) {
      world.publish(sized(4_000), sized(4_000));
      await settle(1);
      expect(reading.ids).toHaveLength(2 * (round + 1));
    }
    expect(stalled.writesWhileFull).toBe(0);
    expect(stalled.buffered).toBeLessThanOrEqual(CHUNK_BYTES + 1_000);
    expect(world.hub.bufferedBytes).toBe(stalled.buffered + reading.buffered);
    expect(world.hub.retained.bytes).toBeLessThanOrEqual(TAIL_BYTES);
    expect(world.log.reads).toBe(0);
  });

  test('gets everything in order once it drains, in writes of a chunk at most', async () => {
    const stalled = await world.open({}, new TestSink(1_000));
    for (let round = 0; round < 150; round += 1) world.publish(sized(4_000), sized(4_000));
    await settle();
    for (let turn = 0; turn < 200 && stalled.ids.length < 300; turn += 1) {
      stalled.drain();
      await settle(3);
    }
    expect(stalled.ids).toEqual(range(0, 300));
    expect(stalled.writesWhileFull).toBe(0);
    expect(stalled.largestWrite).toBeLessThanOrEqual(CHUNK_BYTES);
  });

  test('gets an event that is larger than a chunk, and larger than all that is kept in memory', async () => {
    const sink = await world.open({}, new TestSink(1_000));
    world.publish('{}', sized(CHUNK_BYTES + 1), sized(TAIL_BYTES + 1), '{}');
    for (let turn = 0; turn < 10; turn += 1) {
      await settle();
      sink.drain();
    }
    expect(sink.ids).toEqual(range(0, 4));
    expect(world.hub.retained.bytes).toBeLessThanOrEqual(TAIL_BYTES);
  });

  test('hears no heartbeat while its socket is full', async () => {
    const stalled = await world.open({}, new TestSink(10));
    vi.advanceTimersByTime(4 * HEARTBEAT_MS);
    expect(stalled.said.comments).toEqual([]);
    stalled.drain();
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(stalled.said.comments).toHaveLength(1);
  });

  test('a heartbeat that fills the socket in the middle of a read costs no event', async () => {
    world.append('{}', '{}');
    const sink = await world.open({ position: { offset: 0 } }, new TestSink(41));
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(sink.full).toBe(true);
    await settle();
    expect(sink.ids).toEqual([]);
    sink.drain();
    await settle();
    expect(sink.ids).toEqual(range(0, 2));
    expect(sink.writesWhileFull).toBe(0);
  });

  test('takes its end when it drains in time', async () => {
    const sink = await world.open({ timeoutMs: 1_000 }, new TestSink(10));
    vi.advanceTimersByTime(1_000);
    expect(sink.types).toEqual(['connected']);
    vi.advanceTimersByTime(4_999);
    sink.drain();
    expect(sink.types).toEqual(['connected', 'end']);
    expect(sink.destroyed).toBe(false);
    sink.drain();
    expect(sink.types).toEqual(['connected', 'end']);
    expect(world.hub.open).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is destroyed when it cannot take its end within 5 s', async () => {
    const sink = await world.open({ timeoutMs: 1_000 }, new TestSink(10));
    vi.advanceTimersByTime(5_999);
    expect(sink.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(sink.destroyed).toBe(true);
    expect(world.hub.open).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is destroyed when it took its end and never passes it on', async () => {
    const sink = await world.open({ timeoutMs: 1_000 }, new TestSink(60));
    vi.advanceTimersByTime(1_000);
    expect(sink.types).toEqual(['connected', 'end']);
    expect(sink.ended).toBe(true);
    expect(world.hub.open).toBe(1);
    vi.advanceTimersByTime(5_000);
    expect(sink.destroyed).toBe(true);
    expect(world.hub.open).toBe(0);
  });

  test('that goes at last does not take the live events from who came after it', async () => {
    await world.open({ timeoutMs: 1_000 }, new TestSink(10));
    vi.advanceTimersByTime(1_000);
    expect(world.hub.retained.taps).toBe(0);
    const later = await world.open();
    vi.advanceTimersByTime(5_000);
    expect(world.hub.open).toBe(1);
    world.publish('{}');
    await settle();
    expect(later.ids).toEqual(['0-0']);
  });
});
