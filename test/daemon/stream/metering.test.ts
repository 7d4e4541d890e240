import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { range, settle, sized, TAP, World } from './open-stream.ts';
import { TestSink } from './test-sink.ts';

/** A meter with so many matches left, that tells what it was asked, and answers when it is told to. */
class Meter {
  readonly asked: string[] = [];
  left = Number.POSITIVE_INFINITY;
  /** Answers are promises, and wait for `answer()`. */
  isSlow = false;
  readonly charged = new Set<number>();
  readonly #waiting: (() => void)[] = [];

  mayOpen(): Promise<boolean> {
    return Promise.resolve(this.left > 0);
  }

  deliver(tapId: string, from: number, to: number): number | Promise<number> {
    this.asked.push(`${tapId} ${from}-${to}`);
    if (!this.isSlow) return this.#charge(from, to);
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#charge(from, to)));
    });
  }

  async answer(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting();
    await settle();
  }

  #charge(from: number, to: number): number {
    for (let offset = from; offset < to; offset += 1) {
      if (this.charged.has(offset)) continue;
      if (this.left === 0) return offset;
      this.left -= 1;
      this.charged.add(offset);
    }
    return to;
  }
}

describe('what a stream delivers', () => {
  let world: World;
  let meter: Meter;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    world = new World();
    meter = new Meter();
    world.metering = meter;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is paid before it is written, and once for all readers', async () => {
    const sinks = await Promise.all([world.open(), world.open(), world.open()]);
    meter.isSlow = true;
    world.publish('{}', '{}');
    await settle();
    for (const sink of sinks) expect(sink.ids).toEqual([]);
    expect(meter.asked).toEqual([`${TAP} 0-2`]);
    await meter.answer();
    for (const sink of sinks) expect(sink.ids).toEqual(range(0, 2));
    expect(meter.asked).toHaveLength(1);
  });

  test('goes out in the turn it would without a meter when nothing has to be waited for', async () => {
    const sink = await world.open();
    world.publish('{}');
    await settle(1);
    expect(sink.ids).toEqual(['0-0']);
    expect(meter.asked).toEqual([`${TAP} 0-1`]);
  });

  test('is paid as far as the limit of the reader goes, and no further', async () => {
    world.append('{}', '{}', '{}', '{}');
    const sink = await world.open({ position: { offset: 1 }, limit: 2 });
    await settle();
    expect(sink.types).toEqual(['connected', 'update', 'update', 'end']);
    expect([...meter.charged]).toEqual([1, 2]);
  });

  test('is not paid for a reader that does not take it', async () => {
    const stalled = await world.open({}, new TestSink(10));
    world.publish('{}', '{}');
    await settle();
    expect(meter.asked).toEqual([]);
    stalled.drain();
    await settle();
    expect([...meter.charged]).toEqual([0, 1]);
  });

  test('ends where the credit does: what is paid, then the error, then the end of the connection', async () => {
    meter.left = 2;
    const [one, other] = await Promise.all([world.open(), world.open()]);
    world.publish('{}', '{}', '{}');
    await settle();
    for (const sink of [one, other]) {
      expect(sink.ids).toEqual(range(0, 2));
      expect(sink.types).toEqual(['connected', 'update', 'update', 'error']);
      expect(sink.said.events.at(-1)?.data).toContain('"code":"out_of_credit"');
      expect(sink.said.events.at(-1)?.id).toBeUndefined();
      expect(sink.ended).toBe(true);
    }
    expect(world.hub.open).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is free when it is replayed, also without credit', async () => {
    meter.left = 3;
    await world.open();
    world.publish('{}', '{}', '{}');
    await settle();
    const again = await world.open({ position: { offset: 0 }, limit: 3 });
    await settle();
    expect(again.types).toEqual(['connected', 'update', 'update', 'update', 'end']);
    expect(meter.left).toBe(0);
  });

  test('does not open without credit', async () => {
    meter.left = 0;
    await expect(world.hub.admit('org')).rejects.toMatchObject({ code: 'out_of_credit' });
    meter.left = 1;
    await world.hub.admit('org');
  });

  test('a heartbeat that fills the socket while the payment is under way costs no event, and no second payment', async () => {
    meter.isSlow = true;
    const sink = await world.open({}, new TestSink(41));
    world.publish('{}');
    await settle();
    vi.advanceTimersByTime(15_000);
    expect(sink.full).toBe(true);
    await meter.answer();
    expect(sink.ids).toEqual([]);
    sink.drain();
    await settle();
    expect(sink.ids).toEqual(['0-0']);
    expect([...meter.charged]).toEqual([0]);
    expect(meter.asked).toHaveLength(1);
  });

  test('the client that leaves while a payment is under way gets nothing, and nothing is left of it', async () => {
    meter.isSlow = true;
    const sink = await world.open();
    world.publish('{}');
    await settle();
    sink.close();
    await meter.answer();
    expect(sink.ids).toEqual([]);
    expect(world.hub.open).toBe(0);
    expect(world.hub.retained).toEqual({ taps: 0, bytes: 0 });
  });

  test('that is being paid when the daemon stops goes out before the end', async () => {
    meter.isSlow = true;
    const sink = await world.open();
    world.publish('{}', '{}');
    await settle();
    const closed = world.hub.closeAll(2_000);
    expect(sink.types).toEqual(['connected']);
    await meter.answer();
    await closed;
    expect(sink.types).toEqual(['connected', 'update', 'update', 'end']);
  });

  test('that could not be paid in time when the daemon stops is cut', async () => {
    meter.isSlow = true;
    const sink = await world.open();
    world.publish('{}');
    await settle();
    const closed = world.hub.closeAll(2_000);
    vi.advanceTimersByTime(2_000);
    await closed;
    await meter.answer();
    expect(sink.destroyed).toBe(true);
    expect(sink.ids).toEqual([]);
  });

  test('a ledger that fails ends the stream with a reason, and delivers nothing', async () => {
    const fault = new Error('disk on fire');
    world.metering = { mayOpen: () => Promise.resolve(true), deliver: () => Promise.reject(fault) };
    const sinks = await Promise.all([world.open(), world.open()]);
    world.publish('{}');
    await settle();
    for (const sink of sinks) expect(sink.types).toEqual(['connected', 'error']);
    expect(sinks[0]?.text).toContain('log_unavailable');
    expect(world.errors).toEqual([fault, fault]);
  });

  test('a full disk is called one, in the stream and in the log', async () => {
    const fault = Object.assign(new Error('database or disk is full'), { code: 'ENOSPC' });
    world.metering = { mayOpen: () => Promise.resolve(true), deliver: () => Promise.reject(fault) };
    const sink = await world.open();
    world.publish('{}');
    await settle();
    expect(sink.types).toEqual(['connected', 'error']);
    expect(sink.text).toMatch(/"message":"The disk of the daemon is full: .*","code":"disk_full"/);
    expect(world.errors).toEqual([fault]);
  });

  test('a long replay is paid page by page, and each page before it is written', async () => {
    world.append(...Array.from({ length: 200 }, () => sized(1_000)));
    const sink = await world.open({ position: { offset: 0 }, limit: 200 });
    await settle(60);
    expect(sink.ids).toEqual(range(0, 200));
    expect(meter.charged.size).toBe(200);
    expect(meter.asked.length).toBeGreaterThan(3);
  });
});
