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

describe('the newest visits and failures', () => {
  const at = (minute: number): string => `2026-02-27T13:${minute}:00+00:00`;
  const visits = Array.from({ length: 40 }, (_, index) => {
    return {
      url: `https://example.org/page-${index}`,
      at: at(40 - index > 9 ? 40 - index : 10),
      outcome: 'changed',
      status: 200,
    } as const;
  });
  const detail = 'the server answered 404';
  const failures = [1, 2].map((index) => {
    return {
      url: `https://gone.example/${index}`,
      at: at(30),
      outcome: 'failed',
      reason: 'status',
      status: 404,
      detail,
    } as const;
  });
  const status = { ...crawlFigures, recent_visits: visits, recent_failures: failures };

  it('are below the figures, five of each', async () => {
    const texts = crawlView({ ...status, recent_failures: [...failures, ...visits] }, 100).map((row) =>
      row.map(({ text }) => text).join(''),
    );
    expect(texts).toContain('failed   https://gone.example/1 · failed: the server answered 404 · 11 m ago');
    expect(texts).toContain('failed   and 37 more');
    expect(texts).toContain('visited  https://example.org/page-0 · changed (200) · 1 m ago');
    expect(texts.filter((text) => text.startsWith('visited'))).toHaveLength(5);
  });

  it('can be walked through, and each looked at', async () => {
    const { store, stdin, lastFrame } = await opened();
    store.tell({ status, trouble: undefined });
    const shows = (text: RegExp): Promise<void> => vi.waitFor(() => expect(lastFrame()).toMatch(text));
    await shows(/gone\.example/);
    stdin.write('f');
    await shows(
      /2 entries: the newest pages whose last visit failed[^]*> 11 m ago +status +https:\/\/gone\.example\/1/,
    );
    stdin.write('\u001b[B');
    await shows(/> 11 m ago +status +https:\/\/gone\.example\/2/);
    stdin.write('\r');
    await shows(/visit +failed: the server answered 404[^]*hydrant crawl why https:\/\/gone\.example\/2/);
    // Newer ones come in above it, and the mark stays where it was.
    const newer = { ...failures[0]!, url: 'https://new.example/', at: at(41) };
    store.tell({ status: { ...status, recent_failures: [newer, ...failures] }, trouble: undefined });
    await shows(/new\.example[^]*> 11 m ago +status +https:\/\/gone\.example\/2/);
    stdin.write('v');
    await shows(/40 entries: the newest visits[^]*> 1 m ago +changed +https:\/\/example\.org\/page-0/);
    for (let times = 0; times < 39; times += 1) stdin.write('j');
    await shows(/> .*page-39/);
    stdin.write('v');
    await shows(/4\.2 pages\/s/);
  });

  it('are said to be none where there are none', async () => {
    const { stdin, lastFrame } = await opened();
    stdin.write('f');
    await vi.waitFor(() => expect(lastFrame()).toContain('none since the daemon was started'));
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
