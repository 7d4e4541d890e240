import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { initialModel } from '../../../src/cli/screens/tail-model.ts';
import { TailStore } from '../../../src/cli/screens/tail-store.ts';
import { TailScreen } from '../../../src/cli/screens/TailScreen.tsx';
import { arrived, connected, matches } from './sample.ts';

afterEach(cleanup);

async function opened() {
  // A clock that leaps, so that each change is a frame of its own.
  let now = 0;
  const store = new TailStore(initialModel({ tap: 'news', label: 'local', rules: 1, open: false, now }), () => {
    now += 1_000;
    return now;
  });
  const onQuit = vi.fn<() => void>();
  const app = render(<TailScreen store={store} colour={false} onQuit={onQuit} />);
  store.dispatch(connected);
  for (const match of matches(3)) store.dispatch(match);
  // A frame is there before the keys are listened to.
  await vi.waitFor(() => expect(app.lastFrame()).toContain('Page 2'));
  await new Promise((resolve) => setImmediate(resolve));
  return { store, onQuit, ...app };
}

describe('the keys', () => {
  it.each(['\u001b[A', 'k'])('%j moves up', async (typed) => {
    const { stdin, store, lastFrame } = await opened();
    stdin.write(typed);
    await vi.waitFor(() => expect(lastFrame()).toMatch(/▸14:02:11 .* Page 1/));
    expect(store.model.marked).toBe(2);
  });

  it('enter opens the details, and closes them', async () => {
    const { stdin, store, lastFrame } = await opened();
    stdin.write('\r');
    await vi.waitFor(() => expect(lastFrame()).toContain('rule  linux  kernel'));
    stdin.write('\r');
    await vi.waitFor(() => expect(lastFrame()).not.toContain('rule  linux  kernel'));
    expect(store.model.open).toBe(false);
  });

  it('space holds the view', async () => {
    const { stdin, store, lastFrame } = await opened();
    stdin.write(' ');
    await vi.waitFor(() => expect(store.model.pausedAt).toBe(3));
    store.dispatch(arrived({ offset: 3 }));
    await vi.waitFor(() => expect(lastFrame()).toContain('paused view (+1 new)'));
    expect(lastFrame()).not.toContain('Page 3');
  });

  it.each(['q', '\u0003'])('%j leaves', async (typed) => {
    const { stdin, onQuit } = await opened();
    stdin.write(typed);
    await vi.waitFor(() => expect(onQuit).toHaveBeenCalledOnce());
  });

  it('typed in one go are all heard', async () => {
    const { stdin, store } = await opened();
    stdin.write('kk');
    await vi.waitFor(() => expect(store.model.marked).toBe(1));
    expect(store.model.open).toBe(false);
  });
});

describe('a burst', () => {
  it('is one frame, and one more a tenth of a second later', () => {
    vi.useFakeTimers();
    const store = new TailStore(initialModel({ tap: 'news', label: 'local', rules: 1, open: false, now: 0 }), Date.now);
    const listener = vi.fn<() => void>();
    store.subscribe(listener);
    for (const match of matches(1_000)) store.dispatch(match);
    expect(listener).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(listener).toHaveBeenCalledTimes(2);
    expect(store.snapshot().total).toBe(1_000);
    store.close();
    vi.useRealTimers();
  });
});
