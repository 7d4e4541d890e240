import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { event, NOW, range, settle, sized, TAP, World } from './open-stream.ts';
import { TestSink } from './test-sink.ts';
import { HEARTBEAT_MS } from '../../../src/shared/limits.ts';
import { StorageUnavailable } from '../../../src/daemon/storage/unavailable.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { CHUNK_BYTES } from '../../../src/daemon/stream/tail.ts';
import { STREAM_ERRORS } from '../../../src/daemon/stream/format.ts';

/** Connections, timers and the state of taps: none may outlive the streams. */
function expectNothingLeft({ hub }: World): void {
  expect(hub.open).toBe(0);
  expect(hub.retained).toEqual({ taps: 0, bytes: 0 });
  expect(hub.bufferedBytes).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
}

describe('a stream', () => {
  let world: World;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    world = new World();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('says connected and when to come back, then what is announced, once', async () => {
    world.publish('{"url":"before"}');
    const sink = await world.open();
    expect(sink.text).toBe('retry: 2000\nevent: connected\ndata: {}\n\n');
    world.hub.announce([...world.publish('{"url":"one"}'), ...world.publish('{"url":"two"}')]);
    await settle();
    expect(sink.startsAt).toBe('0-1; live');
    expect(sink.ids).toEqual(['0-1', '0-2']);
    expect(sink.said.events.slice(1).map(({ data }) => JSON.parse(data))).toEqual(
      ['one', 'two'].map((url) => ({
        tap_id: TAP,
        query_ids: ['r'],
        matched_at: new Date(NOW).toISOString(),
        document: { url },
      })),
    );
    expect(world.log.reads).toBe(0);
  });

  test.each([
    [0x00, 2_000],
    [0xff, 2_000 + (0xffff % 2_001)],
  ])('spreads the reconnects: random byte %i, %i ms', async (randomByte, ms) => {
    world.randomByte = randomByte;
    const sink = await world.open();
    expect(sink.said.retries).toEqual([ms]);
  });

  test('replays and goes on live, and counts both toward the limit', async () => {
    world.publish('{}', '{}', '{}');
    const sink = await world.open({ position: { lastEventId: { partition: 0, offset: 0 } }, limit: 4 });
    await settle();
    world.publish('{}', '{}', '{}');
    await settle();
    expect(sink.startsAt).toBe('0-1; resumed');
    expect(sink.ids).toEqual(range(1, 5));
    expect(sink.types.at(-1)).toBe('end');
    expect(sink.said.rest).toBe('');
    expect(sink.ended).toBe(true);
    expectNothingLeft(world);
  });

  test('what another node appends is read from the log, once it is heard of, and old news costs nothing', async () => {
    const sink = await world.open();
    world.append('{}', '{}');
    world.hub.tapsMoved([[TAP, 2]]);
    await settle();
    expect(sink.ids).toEqual(range(0, 2));
    const { reads } = world.log;
    world.hub.tapsMoved([
      [TAP, 2],
      ['another', 9],
    ]);
    await settle();
    expect([world.log.reads, world.hub.readTaps]).toEqual([reads, [TAP]]);
  });

  test('stays open while the database is away, and goes on where it was', async () => {
    const sink = await world.open();
    world.log.takes = async () => {
      throw new StorageUnavailable('away');
    };
    world.append('{}', '{}');
    world.hub.tapsMoved([[TAP, 2]]);
    await settle();
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect([sink.ended, sink.ids]).toEqual([false, []]);
    world.log.takes = async () => {};
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    expect(sink.ids).toEqual(range(0, 2));
  });

  test('leaves a turn of the loop to everyone else after each page, however fast the log answers', async () => {
    world.log.takes = async () => {};
    const pages = 20;
    world.append(...Array.from({ length: pages }, () => sized(CHUNK_BYTES)));
    const sink = await world.open({ position: { offset: 0 }, limit: pages });
    let most = 0;
    while (!sink.ended) {
      const before = sink.ids.length;
      await settle(1);
      most = Math.max(most, sink.ids.length - before);
    }
    expect(sink.ids).toEqual(range(0, pages));
    expect(most).toBe(1);
  });

  test('ends at the limit in the middle of a page, and reads no further', async () => {
    world.append(...Array.from({ length: 50 }, () => '{}'));
    const sink = await world.open({ position: { offset: 10 }, limit: 1 });
    await settle();
    expect(sink.types).toEqual(['connected', 'update', 'end']);
    expect(sink.ids).toEqual(['0-10']);
    expect(world.log.reads).toBe(1);
  });

  test('since is counted from now by the times of the log', async () => {
    world.log.append(NOW - 3_600_001, event());
    world.log.append(NOW - 3_600_000, event(), event());
    const sink = await world.open({ position: { sinceMs: 3_600_000 } });
    await settle();
    expect(sink.startsAt).toBe('0-1; since');
    expect(sink.ids).toEqual(['0-1', '0-2']);
  });

  test('ends after its timeout, also while it is silent', async () => {
    const sink = await world.open({ timeoutMs: 5_000 });
    vi.advanceTimersByTime(4_999);
    expect(sink.types).toEqual(['connected']);
    vi.advanceTimersByTime(1);
    expect(sink.types).toEqual(['connected', 'end']);
    expectNothingLeft(world);
  });

  test('beats after 15 s of silence, and only then', async () => {
    const sink = await world.open();
    vi.advanceTimersByTime(HEARTBEAT_MS - 1);
    world.publish('{}');
    await settle();
    vi.advanceTimersByTime(HEARTBEAT_MS - 1);
    expect(sink.said.comments).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(sink.said.comments).toHaveLength(1);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(sink.said.comments).toHaveLength(2);
  });

  test('without rules: the advice, then the end of the connection', async () => {
    const sink = await world.open({ hasRules: false });
    expect(sink.types).toEqual(['connected', 'error']);
    expect(JSON.parse(sink.said.events[1]?.data ?? '')).toEqual({ message: STREAM_ERRORS.no_rules, code: 'no_rules' });
    expect(sink.ended).toBe(true);
    expectNothingLeft(world);
  });

  test('hears only its own tap', async () => {
    const mine = await world.open();
    const other = await world.open({ tapId: 'tap-2' });
    expect(world.hub.retained.taps).toBe(2);
    world.publish('{}');
    world.hub.announce(world.log.append(NOW, event('{}', 'tap-3'), event('{"url":"2"}', 'tap-2')));
    await settle();
    expect(mine.ids).toEqual(['0-0']);
    expect(other.said.events.map(({ data }) => data)[1]).toContain('"tap_id":"tap-2"');
  });

  test('ends at once when its tap is revoked; those of other taps go on', async () => {
    const mine = await world.open();
    const other = await world.open({ tapId: 'tap-2' });
    world.hub.revoke(TAP);
    world.hub.revoke('unheard-of');
    expect(mine.types).toEqual(['connected', 'error']);
    expect(mine.said.events[1]?.data).toContain('"code":"tap_revoked"');
    expect(mine.ended).toBe(true);
    expect(other.ended).toBe(false);
    other.close();
    expectNothingLeft(world);
  });

  test('gets at once what is announced while it opens, although the head it was told is stale by then', async () => {
    world.log.onBounds = () => {
      world.log.onBounds = () => {};
      world.publish('{}', '{}');
    };
    const sink = await world.open();
    await settle();
    expect(sink.startsAt).toBe('0-0; live');
    expect(sink.ids).toEqual(range(0, 2));
  });

  test('is refused when the tap is revoked while it opens', async () => {
    world.log.onBounds = () => world.hub.revoke(TAP);
    const sink = new TestSink();
    await expect(world.open({}, sink)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(sink.start).toBeUndefined();
    expect(sink.text).toBe('');
    expectNothingLeft(world);
  });

  test('leaves nothing behind when the client goes while it opens', async () => {
    const sink = new TestSink();
    world.log.onBounds = () => sink.close();
    await world.open({}, sink);
    expect(sink.text).toBe('');
    expectNothingLeft(world);
  });

  test('leaves nothing behind when the client goes, at the head or in the middle of a replay', async () => {
    world.append(...Array.from({ length: 500 }, () => sized(1_000)));
    const sinks = await Promise.all([world.open(), world.open({ position: { offset: 0 } })]);
    expect(world.hub.open).toBe(2);
    for (const sink of sinks) sink.close();
    expectNothingLeft(world);
    await settle();
    expect(world.errors).toEqual([]);
    expect(world.log.reads).toBe(1);
  });

  test('cannot open when the log cannot be read, and says so in the stream when it fails later', async () => {
    world.append(...Array.from({ length: 500 }, () => sized(1_000)));
    const sink = await world.open({ position: { offset: 0 } }, new TestSink(10_000));
    await settle();
    world.log.fault = new Error('disk on fire');
    await expect(world.open()).rejects.toBe(world.log.fault);
    sink.drain();
    await settle();
    expect(sink.types.at(-1)).toBe('error');
    expect(sink.said.events.at(-1)?.data).toContain('"code":"log_unavailable"');
    expect(sink.said.events.at(-1)?.id).toBeUndefined();
    expect(world.errors).toEqual([world.log.fault]);
    sink.drain();
    expectNothingLeft(world);
  });

  test('goes on where the log begins when retention overtakes a reader that stalled', async () => {
    world.log.append(NOW - 1_000, ...Array.from({ length: 300 }, () => event(sized(1_000))));
    const sink = await world.open({ position: { offset: 0 } }, new TestSink(1_000));
    await settle();
    const seen = sink.ids.length;
    world.log.append(NOW, event());
    await world.log.trim(NOW);
    sink.capacity = Number.POSITIVE_INFINITY;
    sink.drain();
    await settle();
    expect(seen).toBeLessThan(300);
    expect(sink.ids).toEqual([...range(0, seen), '0-300']);
  });

  test('waits, and does not spin, when everything it has not read is gone', async () => {
    world.log.append(NOW - 1_000, ...Array.from({ length: 300 }, () => event(sized(1_000))));
    const sink = await world.open({ position: { offset: 0 } }, new TestSink(1_000));
    await settle();
    await world.log.trim(NOW);
    const { reads } = world.log;
    sink.capacity = Number.POSITIVE_INFINITY;
    sink.drain();
    await settle();
    expect(world.log.reads).toBe(reads + 1);
    world.publish('{}');
    await settle();
    expect(sink.ids.at(-1)).toBe('0-300');
  });
});

describe('closing all streams', () => {
  let world: World;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    world = new World();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('every stream gets its end, and no new one opens', async () => {
    const sinks = await Promise.all(Array.from({ length: 20 }, () => world.open()));
    await world.hub.closeAll(1_000);
    for (const sink of sinks) expect(sink.types).toEqual(['connected', 'end']);
    await expect(world.open()).rejects.toSatisfy((error) => error instanceof Problem && error.code === 'shutting_down');
    expectNothingLeft(world);
  });

  test('a stream that was opening is refused', async () => {
    const opening = world.open();
    await world.hub.closeAll(1_000);
    await expect(opening).rejects.toMatchObject({ code: 'shutting_down' });
    expectNothingLeft(world);
  });

  test('a socket that does not take its end is cut after the grace', async () => {
    const stalled = await world.open({}, new TestSink(10));
    let isDone = false;
    const done = world.hub.closeAll(2_000).then(() => (isDone = true));
    vi.advanceTimersByTime(1_999);
    await settle();
    expect(isDone).toBe(false);
    expect(stalled.types).toEqual(['connected']);
    vi.advanceTimersByTime(1);
    await done;
    expect(stalled.destroyed).toBe(true);
    expectNothingLeft(world);
  });

  test('who asks a second time waits for the same end', async () => {
    const stalled = await world.open({}, new TestSink(10));
    const closings = [world.hub.closeAll(5_000), world.hub.closeAll(1_000)];
    vi.advanceTimersByTime(1_000);
    await Promise.all(closings);
    expect(stalled.destroyed).toBe(true);
    expectNothingLeft(world);
  });

  test('with no stream open it is done at once', async () => {
    await world.hub.closeAll(1_000);
    expectNothingLeft(world);
  });
});
