import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WorkLease } from '../../../src/daemon/composition/work-lease.ts';

describe('what one node does for all', () => {
  let granted: number;
  let released: string[];
  const nodes = {
    lease: async () => granted,
    release: async (work: string) => void released.push(work),
  };
  beforeEach(() => {
    [granted, released] = [0, []];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is done while it is this node’s, and no longer when it could not ask again', async () => {
    const begun = vi.fn();
    const lease = new WorkLease(nodes, 'sinks', begun);
    await lease.begin();
    expect([lease.isHeld, begun.mock.calls.length]).toEqual([false, 0]);
    granted = 30_000;
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([lease.isHeld, begun.mock.calls.length]).toEqual([true, 1]);
    nodes.lease = async () => {
      throw new Error('away');
    };
    await vi.advanceTimersByTimeAsync(29_999);
    expect(lease.isHeld).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.isHeld).toBe(false);
    nodes.lease = async () => granted;
    await lease.end();
    expect(released).toEqual([]);
  });

  test('where there are no others, it is this node’s for good, and nobody is asked again', async () => {
    granted = Infinity;
    const lease = new WorkLease(nodes, 'sinks', () => undefined);
    await lease.begin();
    expect([lease.isHeld, vi.getTimerCount()]).toEqual([true, 0]);
    await lease.end();
    expect([lease.isHeld, released]).toEqual([false, ['sinks']]);
  });
});
