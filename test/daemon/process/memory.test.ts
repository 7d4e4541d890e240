import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryPlan, MemoryRelease } from '../../../src/daemon/process/memory.ts';

describe('what the setting memory means', () => {
  test('a larger plan has more of everything', () => {
    const [small, normal, large] = (['small', 'normal', 'large'] as const).map((memory) => memoryPlan(memory, 4));
    for (const part of ['analysisThreads', 'analysisYoungMb', 'sqliteCacheBytes', 'keepThreadMs'] as const) {
      expect(small![part]).toBeLessThan(normal![part]);
      expect(normal![part]).toBeLessThan(large![part]);
    }
  });

  test('one processor has a thread that analyzes, whatever the plan', () => {
    for (const memory of ['small', 'normal', 'large'] as const) expect(memoryPlan(memory, 1).analysisThreads).toBe(1);
  });
});

describe('memory after load', () => {
  let memory: MemoryRelease | undefined;
  afterEach(() => {
    memory?.stop();
    vi.restoreAllMocks();
  });

  /** Looks at a process as the system would show it; how often memory has been released by then. */
  function released(
    forgetCode = (_isForgotten: boolean): void => undefined,
  ): (residentMb: number, cpuMs?: number, passedMs?: number) => Promise<number> {
    let count = 0;
    let seen = { residentMb: 0, cpuMs: 0 };
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => seen.residentMb * 1_024 * 1_024);
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: seen.cpuMs * 1_000, system: 0 }));
    memory = new MemoryRelease('normal', () => (count += 1), forgetCode);
    return async (residentMb, cpuMs = 0, passedMs = 5_000) => {
      seen = { residentMb, cpuMs };
      now += passedMs;
      await memory?.look();
      return count;
    };
  }

  test('is given back once, and again when more of it has come', async () => {
    const after = released();
    expect(await after(200)).toBe(1);
    // V8 takes some seconds to unmap what it has freed.
    expect(await after(190)).toBe(1);
    expect(await after(120)).toBe(1);
    expect(await after(125)).toBe(1);
    expect(await after(140, 0, 60_000)).toBe(2);
    // It was no garbage.
    expect(await after(140)).toBe(2);
    expect(await after(140)).toBe(2);
  });

  test('is left alone while there is work', async () => {
    const after = released();
    expect(await after(200, 2_000)).toBe(0);
    expect(await after(200)).toBe(1);
  });

  test('is left alone while there is work in the time that has passed, however often it is looked at', async () => {
    const after = released();
    expect(await after(200, 20, 25)).toBe(0);
    expect(await after(200, 20, 60_000)).toBe(1);
  });

  test('a little more of it is given back once a minute: light work makes it anew all the time', async () => {
    const after = released();
    expect(await after(120)).toBe(1);
    for (let look = 1; look <= 11; look += 1) expect(await after(135, 300)).toBe(1);
    expect(await after(135, 300)).toBe(2);
    expect(await after(136, 300)).toBe(2);
    expect(await after(170, 300)).toBe(3);
  });

  test('light work keeps its compiled code, which goes once it has ended', async () => {
    const told: boolean[] = [];
    const after = released((isForgotten) => told.push(isForgotten));
    await after(200, 300);
    expect(await after(240, 300)).toBe(2);
    expect(told).toEqual([]);
    expect(await after(210)).toBe(3);
    expect(told).toEqual([true, false]);
    await after(210, 300);
    expect(await after(210)).toBe(3);
    await after(210, 2_000);
    expect(await after(210)).toBe(4);
    expect(told).toEqual([true, false, true, false]);
  });

  test('is given back when load began right after it was given back last, and has ended', async () => {
    const after = released();
    expect(await after(120)).toBe(1);
    expect(await after(160, 2_000)).toBe(1);
    expect(await after(200, 2_000)).toBe(1);
    expect(await after(200)).toBe(2);
  });
});
