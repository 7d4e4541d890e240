import { describe, expect, type TestContext, test } from 'vitest';
import { corpusIsHere } from '../fixtures/listed-versions.ts';
import { ownSeries, realSeries, type Series } from '../fixtures/series.ts';
import { PageHosts } from './page-hosts.ts';
import { RealDaemon, until } from './real-daemon.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';

/** Successive versions of pages, crawled by the real daemon from several hosts, seen through the real tail. */
describe.concurrent('every changed version is one event, every unchanged one none', () => {
  type Ending = Pick<TestContext, 'onTestFinished'>;

  async function replay(series: Series[], { onTestFinished }: Ending): Promise<{ seen: string[]; expected: string[] }> {
    const hosts = await PageHosts.start(series, 12);
    const daemon = await RealDaemon.start();
    onTestFinished(async () => {
      await daemon.dispose();
      await hosts.close();
    });

    await daemon.hydrant(['tap', 'create', 'versions']);
    const anyHost = hosts.hostnames.map((host) => `domain:"${host}"`).join(' OR ');
    await daemon.hydrant(['rule', 'add', 'versions', anyHost, '--no-quality']);
    const lines: string[] = [];
    const tail = daemon.run('hydrant', ['tail', 'versions', '--since', '1h', '--json']);
    tail.stdout?.setEncoding('utf8');
    let rest = '';
    tail.stdout?.on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });

    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], hosts.urls.join('\n'));
    // Two minutes of processor time: among other files, with two processors, it takes 165 to 225 s.
    await until('every version served', () => hosts.done, 300_000);
    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    await until(`the tail shows ${status.match.events} events`, () => lines.length >= status.match.events);
    tail.kill('SIGINT');
    await tail;

    const matches = lines.map((line) => JSON.parse(line) as Match & { id: string });
    expect(matches.map((match) => match.id)).toEqual(matches.map((_, offset) => `0-${offset}`));
    const seen = matches.map((match) => hosts.versionAt(match.document.url, Date.parse(match.matched_at)));
    const open = new Set(hosts.open);
    return { seen: seen.filter((version) => !open.has(version)).sort(), expected: hosts.expected.sort() };
  }

  test('generated pages', async ({ onTestFinished }) => {
    const { seen, expected } = await replay(ownSeries(20, 6, 7), { onTestFinished });
    expect(seen).toEqual(expected);
  });

  test.skipIf(!corpusIsHere)(
    'real pages with real revisions (skipped where the corpus is not at hand)',
    async ({ onTestFinished }) => {
      const { seen, expected } = await replay(realSeries(), { onTestFinished });
      expect(seen).toEqual(expected);
    },
    // One of them loses most of its text for a while: a minute more until that is believed or not.
    420_000,
  );
});
