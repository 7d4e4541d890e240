import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryBound } from '../../../src/daemon/analysis/memory-bound.ts';

const MIB = 1_024 * 1_024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A thread with a heap of so many MiB, until it is ended: then it answers no more. */
class FakeThread {
  mib = 0;
  hasEnded = false;

  terminate(): Promise<number> {
    this.hasEnded = true;
    return Promise.resolve(1);
  }

  getHeapStatistics(): Promise<{ total_physical_size: number; external_memory: number }> {
    return this.hasEnded
      ? Promise.reject(new Error('the thread does not run'))
      : Promise.resolve({ total_physical_size: this.mib * MIB, external_memory: 0 });
  }
}

function resident(mib: number): void {
  vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(mib * MIB);
}

async function looks(): Promise<void> {
  await vi.advanceTimersByTimeAsync(300);
}

describe('a bound over several threads', () => {
  test('ends the one that holds most, and no other until that one is gone, though it answers no more', async () => {
    resident(500);
    const bound = new MemoryBound(100 * MIB);
    const [large, small] = [new FakeThread(), new FakeThread()];
    const ended: string[] = [];
    const membership = bound.join(large, 0, () => {
      ended.push('large');
      large.hasEnded = true;
    });
    bound.join(small, 0, () => ended.push('small'));
    [large.mib, small.mib] = [80, 60];
    await looks();
    expect(ended).toEqual(['large']);
    small.mib = 90;
    await looks();
    membership.end();
    await looks();
    expect(ended).toEqual(['large']);
    small.mib = 101;
    await looks();
    expect(ended).toEqual(['large', 'small']);
  });

  test('is not back after the end of a large thread until half of it has left the process', async () => {
    resident(500);
    const onBack = vi.fn();
    const bound = new MemoryBound(100 * MIB, onBack);
    const thread = new FakeThread();
    thread.mib = 120;
    const membership = bound.join(thread, 0, () => (thread.hasEnded = true));
    await looks();
    membership.end();
    await looks();
    expect([bound.isBack, onBack.mock.calls.length]).toEqual([false, 0]);
    resident(441);
    await looks();
    expect(bound.isBack).toBe(false);
    resident(440);
    await looks();
    expect([bound.isBack, onBack.mock.calls.length]).toEqual([true, 1]);
  });

  test('is back after 12 s whatever the process holds, so that pages do not wait without an end', async () => {
    resident(500);
    const onBack = vi.fn();
    const bound = new MemoryBound(200 * MIB, onBack);
    const thread = new FakeThread();
    thread.mib = 120;
    const membership = bound.join(thread, 0, () => undefined);
    await looks();
    membership.leave();
    expect(bound.isBack).toBe(true);
    // It was done with its page, and is replaced.
    membership.end();
    await vi.advanceTimersByTimeAsync(11_900);
    expect(bound.isBack).toBe(false);
    await looks();
    expect([bound.isBack, onBack.mock.calls.length]).toEqual([true, 1]);
  });

  test('is back at once after a thread that held little', async () => {
    const bound = new MemoryBound(200 * MIB);
    const thread = new FakeThread();
    thread.mib = 40;
    const membership = bound.join(thread, 0, () => undefined);
    await looks();
    membership.end();
    expect(bound.isBack).toBe(true);
  });
});
