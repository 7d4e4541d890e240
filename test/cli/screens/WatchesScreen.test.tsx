import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckDetail } from '../../../src/shared/api/watch.ts';
import type { ChecksAsked } from '../../../src/cli/client/watches.ts';
import { WatchesController } from '../../../src/cli/screens/watches-controller.ts';
import { initialWatches } from '../../../src/cli/screens/watches-model.ts';
import { WatchesScreen } from '../../../src/cli/screens/WatchesScreen.tsx';
import { CHANGE } from '../../shared/documents/change-sample.ts';
import { CHECKS, NOW, WATCHES, watchOf } from './watches-sample.ts';

afterEach(cleanup);

function daemon() {
  return {
    list: vi.fn(async () => [...WATCHES]),
    check: vi.fn(async (_id: string, n: number): Promise<CheckDetail> => ({ ...CHANGE, n })),
    checks: vi.fn(async (_id: string, _asked?: ChecksAsked) => [...CHECKS]),
    checkNow: vi.fn(async (_id: string) => ({ due_at: '2026-02-27T17:02:00Z' })),
    change: vi.fn(async (_id: string) => watchOf('fresh', { status: 'paused' })),
    see: vi.fn(async (_id: string, _n: number) => {}),
  };
}

async function opened() {
  const watches = daemon();
  const browse = vi.fn(async (url: string) => Promise.resolve(`opened ${url}`));
  const model = initialWatches({ label: 'local', watches: WATCHES, now: NOW });
  const controller = new WatchesController({ watches, model, now: () => NOW, browse });
  const onQuit = vi.fn<() => void>();
  const app = render(<WatchesScreen controller={controller} colour={false} onQuit={onQuit} />);
  await controller.load();
  // A frame is there before the keys are listened to.
  await vi.waitFor(() => expect(app.lastFrame()).toContain('check 12'));
  await new Promise((resolve) => setImmediate(resolve));
  return { watches, browse, controller, onQuit, ...app };
}

const FRESH = watchOf('fresh').id;

describe('the keys of the watches', () => {
  it.each(['\u001b[B', 'j'])('%j moves down, and asks for that change', async (typed) => {
    const { stdin, watches } = await opened();
    stdin.write(typed);
    await vi.waitFor(() => expect(watches.check).toHaveBeenLastCalledWith(watchOf('old').id, 3));
  });

  it('typed in one go ask for the last change only', async () => {
    const { stdin, watches, controller } = await opened();
    stdin.write('jjkj');
    await vi.waitFor(() => expect(watches.check).toHaveBeenLastCalledWith(watchOf('old').id, 3));
    await controller.load();
    expect(watches.check.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('enter reads the change, which counts as seen', async () => {
    const { stdin, watches, lastFrame } = await opened();
    stdin.write('\r');
    await vi.waitFor(() => expect(watches.see).toHaveBeenCalledWith(FRESH, 12));
    await vi.waitFor(() => expect(lastFrame()).not.toContain('old.example'));
  });

  it('c checks the page now, and says so', async () => {
    const { stdin, watches, lastFrame } = await opened();
    stdin.write('c');
    await vi.waitFor(() => expect(lastFrame()).toContain('https://fresh.example/ is due now'));
    expect(watches.checkNow).toHaveBeenCalledWith(FRESH);
  });

  it('p pauses', async () => {
    const { stdin, watches } = await opened();
    stdin.write('p');
    await vi.waitFor(() => expect(watches.change).toHaveBeenCalledWith(FRESH, { status: 'paused' }));
  });

  it('o opens the page in the browser', async () => {
    const { stdin, browse } = await opened();
    stdin.write('o');
    await vi.waitFor(() => expect(browse).toHaveBeenCalledWith('https://fresh.example/'));
  });

  it('/ finds by a text, in which letters are no keys', async () => {
    const { stdin, onQuit, lastFrame, controller } = await opened();
    stdin.write('/');
    await vi.waitFor(() => expect(controller.snapshot().typing).toBe(true));
    stdin.write('broq');
    await vi.waitFor(() => expect(lastFrame()).toContain('no watch has `broq` in its URL, title or tags'));
    stdin.write('\u007f');
    await vi.waitFor(() => expect(lastFrame()).toContain('broken.example'));
    stdin.write('\r');
    await vi.waitFor(() => expect(controller.snapshot()).toMatchObject({ typing: false, filter: 'bro' }));
    expect(onQuit).not.toHaveBeenCalled();
  });

  it.each(['q', '\u0003'])('%j leaves', async (typed) => {
    const { stdin, onQuit } = await opened();
    stdin.write(typed);
    await vi.waitFor(() => expect(onQuit).toHaveBeenCalledOnce());
  });
});

describe('a daemon that is away', () => {
  it('leaves what was known last, and says that it is old', async () => {
    const { controller, watches, lastFrame } = await opened();
    watches.list.mockRejectedValueOnce(new Error('cannot reach the daemon'));
    await controller.refresh();
    await vi.waitFor(() => expect(lastFrame()).toContain('not up to date: cannot reach the daemon'));
    expect(lastFrame()).toContain('fresh.example');
    await controller.refresh();
    await vi.waitFor(() => expect(lastFrame()).not.toContain('not up to date'));
  });

  it('that refuses a change is asked for it once a look, and not without end', async () => {
    const { controller, watches } = await opened();
    watches.list.mockResolvedValue([watchOf('fresh', { last_change: { n: 13, at: CHANGE.at }, checks: 99 })]);
    watches.check.mockClear().mockRejectedValue(new Error('gone'));
    await controller.refresh();
    await controller.refresh();
    expect(watches.check).toHaveBeenCalledTimes(2);
    expect(controller.snapshot().notice).toBe('gone');
  });
});
