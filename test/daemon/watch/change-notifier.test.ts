import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChangeNotifier } from '../../../src/daemon/watch/watch-service.ts';

const never = new AbortController().signal;
let news: ChangeNotifier;
beforeEach(() => {
  vi.useFakeTimers();
  news = new ChangeNotifier();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('who waits for a change', () => {
  test('is woken by one of the organization, and by no other', async () => {
    const woken: string[] = [];
    void news.wait('press', 1_000, never).then((isChange) => woken.push(`press ${isChange}`));
    void news.wait('shop', 1_000, never).then((isChange) => woken.push(`shop ${isChange}`));
    expect(news.awaited).toEqual(['press', 'shop']);
    news.notify('press');
    await Promise.resolve();
    expect(woken).toEqual(['press true']);
    expect(news.awaited).toEqual(['shop']);
    expect(news.size).toBe(1);
  });

  test('waits no longer than it said, and nothing of it is left', async () => {
    const waiting = news.wait('press', 1_000, never);
    await vi.advanceTimersByTimeAsync(999);
    expect(news.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe(false);
    expect(news.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('who has gone away waits no longer', async () => {
    const gone = new AbortController();
    const waiting = news.wait('press', 1_000, gone.signal);
    gone.abort();
    expect(await waiting).toBe(false);
    expect([news.size, vi.getTimerCount()]).toEqual([0, 0]);
    await news.wait('press', 1_000, gone.signal);
    expect(news.size).toBe(0);
  });

  test('is answered at the shutdown, and who comes later at once', async () => {
    const waiting = [news.wait('press', 1_000, never), news.wait('shop', 1_000, never)];
    news.close();
    expect(await Promise.all(waiting)).toEqual([false, false]);
    await news.wait('press', 1_000, never);
    expect([news.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
