import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HostTurns } from '../../../src/daemon/render/host-turns.ts';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** Which requests have begun, by their names, and when. */
function begun() {
  const turns = new HostTurns(() => Date.now());
  const log: string[] = [];
  const leave = new Map<string, () => void>();
  const end = new AbortController();
  const enter = (name: string, host = 'a.test', delayMs = 0): void => {
    void turns.enter(host, delayMs, end.signal).then(
      (left) => {
        log.push(`${name}@${Date.now()}`);
        leave.set(name, left);
      },
      () => log.push(`${name} called off`),
    );
  };
  return { log, enter, leave: (name: string) => leave.get(name)?.(), end };
}

describe('the turns of a host within a page', () => {
  test('do not overlap; another host has turns of its own', async () => {
    const { log, enter, leave } = begun();
    enter('1');
    enter('2');
    enter('other', 'b.test');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log).toEqual(['1@0', 'other@0']);
    leave('1');
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['1@0', 'other@0', '2@1000']);
  });

  test('begin as far apart as its robots.txt wants', async () => {
    const { log, enter, leave } = begun();
    enter('1', 'a.test', 1_500);
    enter('2', 'a.test', 1_500);
    await vi.advanceTimersByTimeAsync(0);
    leave('1');
    await vi.advanceTimersByTimeAsync(1_499);
    expect(log).toEqual(['1@0']);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual(['1@0', '2@1500']);
  });

  test('are held by nobody who waits for an answer for two seconds', async () => {
    const { log, enter } = begun();
    enter('1');
    enter('2');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log).toEqual(['1@0', '2@2000']);
  });

  test('are over with the page', async () => {
    const { log, enter, end } = begun();
    enter('1');
    enter('2');
    enter('3');
    await vi.advanceTimersByTimeAsync(0);
    end.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['1@0', '2 called off', '3 called off']);
  });
});
