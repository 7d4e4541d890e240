import { afterEach, describe, expect, test } from 'vitest';
import type { Match } from '../../src/shared/api/match.ts';
import type { CrawlStatus } from '../../src/shared/api/crawl.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { RealisticSite } from './realistic-site.ts';
import { SseReader } from './sse-reader.ts';

/** Of a hundred requests these may have brought nothing that was not known. */
const MOST_NEEDLESS = 10;

describe('a realistic site of 600 addresses', () => {
  const open: { close(): Promise<void> | void }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('each article is told once, under its canonical address, and few requests are needless', async () => {
    const site = await RealisticSite.start();
    const daemon = await RealDaemon.start();
    const reader = new SseReader();
    open.push({ close: () => reader.close() }, { close: () => daemon.dispose() }, site);
    expect(site.addresses).toBeGreaterThanOrEqual(600);

    await daemon.hydrant(['tap', 'create', 'news']);
    await daemon.hydrant(['rule', 'add', 'news', 'quayside', '--no-quality']);
    const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
    await reader.open(`${daemon.notice.url}/v1/stream?offset=0`, data[0]?.token ?? '');
    await daemon.hydrant(['crawl', 'add', site.url, '--scope', 'host']);
    const told = (): string[] => reader.updates().map(({ data: text }) => (JSON.parse(text) as Match).document.url);
    await until('every page is visited', async () => {
      const { pages } = JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;
      return pages.unvisited === 0 && pages.known > 250 && told().length >= site.articles.length;
    });

    expect(told().toSorted()).toEqual(site.articles.toSorted());
    const share = (100 * site.needless.length) / site.requests.length;
    expect
      .soft(share, `needless of ${site.requests.length}: ${site.needless.join(' ')}`)
      .toBeLessThanOrEqual(MOST_NEEDLESS);
    expect(site.requests.filter((path) => path === '/robots.txt')).toHaveLength(1);
  }, 180_000);
});
