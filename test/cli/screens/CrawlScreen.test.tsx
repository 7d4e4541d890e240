import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localTime } from '../../../src/cli/text/time.ts';
import { type CrawlModel, CrawlScreen } from '../../../src/cli/screens/CrawlScreen.tsx';
import { crawlView } from '../../../src/cli/screens/crawl-view.ts';
import { ExternalStore } from '../../../src/cli/screens/external-store.ts';
import { crawlFigures } from '../../fixtures/crawl-figures.ts';

afterEach(cleanup);

async function opened() {
  const store = new ExternalStore<CrawlModel>({ status: crawlFigures, trouble: undefined });
  const onQuit = vi.fn<() => void>();
  const app = render(<CrawlScreen store={store} label="local" colour={false} onQuit={onQuit} />);
  // A frame is there before the keys are listened to.
  await vi.waitFor(() => expect(app.lastFrame()).toContain('4.2 pages/s'));
  await new Promise((resolve) => setImmediate(resolve));
  return { store, onQuit, ...app };
}

describe('the screen of the crawl', () => {
  it('shows the figures, and those that follow', async () => {
    const { store, lastFrame } = await opened();
    expect(lastFrame()).toContain(`hydrant crawl · local · ${localTime('2026-02-27T13:41:00+00:00')}`);
    store.tell({ status: { ...crawlFigures, pages_per_second: 9.1 }, trouble: undefined });
    await vi.waitFor(() => expect(lastFrame()).toContain('9.1 pages/s'));
    expect(lastFrame()).toContain('q quits');
  });

  it('keeps the last figures while the daemon is away, and says that they are old', async () => {
    const { store, lastFrame } = await opened();
    store.tell({ status: crawlFigures, trouble: 'cannot reach the daemon' });
    await vi.waitFor(() => expect(lastFrame()).toContain('not up to date: cannot reach the daemon'));
    expect(lastFrame()).toContain('4.2 pages/s');
  });

  it.each(['q', '\u0003'])('%j leaves', async (typed) => {
    const { stdin, onQuit } = await opened();
    stdin.write(typed);
    await vi.waitFor(() => expect(onQuit).toHaveBeenCalledOnce());
  });
});

describe('the figures', () => {
  it.each([20, 40, 80])('fit %i columns', (width) => {
    for (const line of crawlView(crawlFigures, width)) {
      expect(line.map(({ text }) => text).join('').length).toBeLessThanOrEqual(width);
    }
  });

  it('of an idle crawl are few', () => {
    const idle = {
      ...crawlFigures,
      outcomes: {},
      due_lag_ms: { p50: null, p95: null },
      pages: { known: 0, unvisited: 0, oldest_due_ms: null },
      in_flight: { visits: 0, oldest_ms: null, slowest: [] },
      dropped: { max_pages: 0, host_budget: 0, pattern_budget: 0 },
    };
    const names = crawlView(idle, 80).map((line) => line[0]?.text.trim());
    expect(names).toEqual(['crawl', 'due', 'pages', 'visits', 'hosts', 'robots', 'threads']);
  });
});
