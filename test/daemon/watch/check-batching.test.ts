import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Check } from '../../../src/daemon/storage/watches.ts';
import { CheckBatching } from '../../../src/daemon/watch/check-batching.ts';
import { LOOK_MS } from '../../../src/daemon/watch/supply.ts';
import { checkOf } from '../../fixtures/watches.ts';

describe('checks that wait for each other', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function gathering(fails: readonly string[] = []) {
    const asked: string[] = [];
    const commitCheck = async ({ watchId }: Check) => {
      asked.push(watchId);
      if (fails.includes(watchId)) throw new Error('the disk is full');
      return { n: asked.length, checksThisMonth: 1 };
    };
    return { gathering: new CheckBatching({ commitCheck }), asked };
  }

  test('go together, a look after the first of them', async () => {
    const { gathering: all, asked } = gathering();
    const first = all.commitCheck(checkOf('a'), true);
    await vi.advanceTimersByTimeAsync(LOOK_MS - 1);
    const second = all.commitCheck(checkOf('b'), true);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['a', 'b']);
    expect(await Promise.all([first, second])).toMatchObject([{ n: 1 }, { n: 2 }]);
  });

  test('go along with one that cannot wait', async () => {
    const { gathering: all, asked } = gathering();
    void all.commitCheck(checkOf('a'), true);
    await all.commitCheck(checkOf('b'), false);
    expect(asked.toSorted()).toEqual(['a', 'b']);
  });

  test('are handed on when the storage is asked for something else, and the next ones wait anew', async () => {
    const { gathering: all, asked } = gathering();
    void all.commitCheck(checkOf('a'), true);
    await vi.advanceTimersByTimeAsync(LOOK_MS / 2);
    all.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(['a']);
    void all.commitCheck(checkOf('b'), true);
    await vi.advanceTimersByTimeAsync(LOOK_MS - 1);
    expect(asked).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['a', 'b']);
  });

  test('go at once when the daemon stops, and so do those that are under way then', async () => {
    const { gathering: all, asked } = gathering();
    const waiting = all.commitCheck(checkOf('a'), true);
    all.stop();
    await Promise.all([waiting, all.commitCheck(checkOf('b'), true)]);
    expect(asked.toSorted()).toEqual(['a', 'b']);
  });

  test('fail each alone', async () => {
    const { gathering: all } = gathering(['a']);
    const both = Promise.allSettled([all.commitCheck(checkOf('a'), true), all.commitCheck(checkOf('b'), true)]);
    await vi.advanceTimersByTimeAsync(LOOK_MS);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
