import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { initialModel } from '../../../src/cli/screens/tail-model.ts';
import { TailStore } from '../../../src/cli/screens/tail-store.ts';
import { TailScreen } from '../../../src/cli/screens/TailScreen.tsx';
import { ActionKeys, type TailActions } from '../../../src/cli/screens/tail-actions.ts';
import { Lane } from '../../../src/cli/client/lane.ts';
import { RuleBook } from '../../../src/cli/client/rule-book.ts';
import { arrived, connected, matches, rule } from './sample.ts';

afterEach(cleanup);

async function opened(actions?: TailActions) {
  // A clock that leaps, so that each change is a frame of its own.
  let now = 0;
  const store = new TailStore(
    initialModel({ taps: ['news'], label: 'local', rules: 1, open: false, now, canAct: true }),
    () => {
      now += 1_000;
      return now;
    },
  );
  const now0 = () => 0;
  const lane = new Lane({
    tap: 'news',
    tapId: 't',
    rules: new RuleBook([rule], async () => [rule], now0),
    follow: { target: { kind: 'url', url: 'http://127.0.0.1:1' }, token: 'svc_x', now: now0, random: now0 },
  });
  const keys = new ActionKeys(store, [lane], actions);
  const onQuit = vi.fn<() => void>();
  const app = render(<TailScreen store={store} keys={keys} colour={false} onQuit={onQuit} />);
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

/** A daemon with one rule, and what it was asked for. */
function daemon() {
  let value = rule.value;
  const change = vi.fn<TailActions['change']>(async (_, edits) => {
    for (const edit of edits) {
      if (edit.rule.value !== value) throw new Error('changed meanwhile');
      value = edit.value;
    }
    return 'rule linux changed';
  });
  const open = vi.fn<TailActions['open']>(async (url) => `opened ${url}`);
  const save = vi.fn<TailActions['save']>(async () => 'saved');
  return { actions: { open, save, change, rules: async () => [{ ...rule, value }] }, valueNow: () => value };
}

describe('x leaves a domain out of the rule', () => {
  it('after the new rule was shown and agreed to; u undoes it', async () => {
    const { actions, valueNow } = daemon();
    const { stdin, lastFrame } = await opened(actions);
    stdin.write('x');
    await vi.waitFor(() => expect(lastFrame()).toContain('Leave lwn.net out of this rule?'));
    expect(lastFrame()).toContain('linux kernel NOT domain:lwn.net');
    expect(actions.change).not.toHaveBeenCalled();
    stdin.write('y');
    await vi.waitFor(() => expect(lastFrame()).toContain('no more matches of lwn.net'));
    expect(valueNow()).toBe('kernel NOT domain:lwn.net');
    stdin.write('u');
    await vi.waitFor(() => expect(lastFrame()).toContain('rule linux changed back'));
    expect(valueNow()).toBe('kernel');
  });

  it('and changes nothing on a no', async () => {
    const { actions, valueNow } = daemon();
    const { stdin, lastFrame } = await opened(actions);
    stdin.write('x');
    await vi.waitFor(() => expect(lastFrame()).toContain('y yes'));
    stdin.write('n');
    await vi.waitFor(() => expect(lastFrame()).toContain('nothing was changed'));
    expect(valueNow()).toBe('kernel');
  });
});

it('o opens the page of the marked match, s saves it', async () => {
  const { actions } = daemon();
  const { stdin, lastFrame } = await opened(actions);
  stdin.write('k');
  await vi.waitFor(() => expect(lastFrame()).toMatch(/▸14:02:11 .* Page 1/));
  stdin.write('o');
  await vi.waitFor(() => expect(actions.open).toHaveBeenCalledWith('https://www.lwn.net/kernel'));
  await vi.waitFor(() => expect(lastFrame()).toContain('opened https://www.lwn.net/kernel'));
  stdin.write('s');
  await vi.waitFor(() => expect(actions.save).toHaveBeenCalledWith(expect.anything(), '0-1'));
});

it('/ filters the rows by what is typed, keys and all', async () => {
  const { stdin, lastFrame, onQuit } = await opened();
  stdin.write('/');
  await vi.waitFor(() => expect(lastFrame()).toContain('↵ keep'));
  stdin.write('q page 1');
  await vi.waitFor(() => expect(lastFrame()).toContain('no match here contains'));
  for (let count = 'q page 1'.length; count > 0; count -= 1) stdin.write('\u007f');
  stdin.write('page 1\r');
  await vi.waitFor(() => expect(lastFrame()).not.toContain('Page 2'));
  expect(lastFrame()).toContain('Page 1');
  // What is deleted is the filter only while it is typed.
  stdin.write('\u007f');
  stdin.write('\u001b');
  await vi.waitFor(() => expect(lastFrame()).toContain('Page 2'));
  stdin.write('/page 1\rk');
  await vi.waitFor(() => expect(lastFrame()).toMatch(/▸14:02:11 .* Page 1[^]*\/page 1 \(esc clear\)/));
  expect(onQuit).not.toHaveBeenCalled();
});

describe('a burst', () => {
  it('is one frame, and one more a tenth of a second later', () => {
    vi.useFakeTimers();
    const store = new TailStore(
      initialModel({ taps: ['news'], label: 'local', rules: 1, open: false, now: 0, canAct: true }),
      Date.now,
    );
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
