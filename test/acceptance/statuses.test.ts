import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CrawlStatus } from '../../src/shared/api/crawl.ts';
import type { CrawlEntry, Watch, WatchReport } from '../../src/shared/api/watch.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { RealDaemon } from './real-daemon.ts';

/** A site where `/ok` answers with what the test wants, and all else with a 401. */
let site: Server;
let home = '';
let price = 9;
let daemon: RealDaemon;
beforeAll(async () => {
  site = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (url === '/ok')
      response.end(`<title>Plans</title><main><p>Plans</p><p>Starter: ${price} a month</p></main>`);
    else response.writeHead(401).end('<p>Please sign in.</p>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.71', resolve));
  home = `http://127.0.0.71:${(site.address() as AddressInfo).port}`;
  daemon = await RealDaemon.start();
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await daemon.dispose();
});

const status = async (): Promise<Status> => (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;
const run = (...words: string[]) => daemon.run('hydrant', words);

describe('what fails', () => {
  test('is named by status, source and watch, with why and where to look; removed, it is named no more', async () => {
    const [page, watched, good] = [`${home}/private`, `${home}/login`, `${home}/ok`];
    await daemon.hydrant(['crawl', 'add', page, good, '--scope', 'page', '--every', '1d']);
    await run('watch', 'add', watched, '--every', '6h', '--wait');
    for (let times = 0; times < 3; times += 1) await run('crawl', 'visit', page, '--wait');
    await run('crawl', 'visit', good, '--wait');
    await run('watch', 'check', watched, '--wait');

    const text = await daemon.hydrant(['status']);
    expect(text).toMatch(new RegExp(`^source +${page} failing for .*: .*401.*; see hydrant crawl why ${page}$`, 'm'));
    const [watch] = (await daemon.operator<{ data: WatchReport[] }>('GET', '/admin/watches')).data;
    const id = watch!.id.slice(0, 8);
    expect(text).toMatch(
      new RegExp(`^watch +${watched} failing for .*, 2 times: .*401.*; see hydrant watch explain ${id}$`, 'm'),
    );
    // Three visits and more of one page are one problem, and so are the checks.
    const { problems, crawl } = await status();
    expect(problems).toHaveLength(2);
    expect(problems.map(({ count = 1 }) => count).toSorted()).toEqual([2, expect.any(Number)]);
    expect(crawl.failing).toMatchObject([
      { kind: 'source', url: page, reason: '401', since: expect.any(String) },
      { kind: 'watch', url: watched, reason: '401', failures: 2, since: watch!.problem?.since },
    ]);

    const crawled = JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;
    expect(crawled.recent_failures).toMatchObject([{ url: page, outcome: 'failed', status: 401 }]);
    expect(new Set(crawled.recent_visits?.map(({ url }) => url))).toEqual(new Set([page, good]));
    const figures = await daemon.hydrant(['crawl', 'status']);
    expect(figures).toMatch(new RegExp(`^failed +${page} · failed: .*401.* · `, 'm'));
    expect(figures).toMatch(new RegExp(`^visited +${good} · (changed|unchanged) `, 'm'));

    const list = (await daemon.hydrant(['crawl', 'list'])).split('\n').map((line) => line.split('\t').at(-1));
    expect(list).toEqual(['failing: 401', 'ok']);
    expect(await daemon.hydrant(['crawl', 'list', '--failing'])).toContain(page);
    expect(await daemon.hydrant(['crawl', 'list', '--failing'])).not.toContain(good);
    expect(await daemon.hydrant(['crawl', 'show', page])).toMatch(/^problem\t.*401.*, \d+ times in a row, since /m);

    await daemon.hydrant(['crawl', 'remove', page, '--yes']);
    await daemon.hydrant(['watch', 'remove', watched, '--yes']);
    expect(await status()).toMatchObject({ problems: [], crawl: { failing: [] }, watch: { failing: 0 } });
    expect(await daemon.hydrant(['crawl', 'status'])).not.toMatch(/^failed /m);
    expect((await run('crawl', 'list', '--failing')).stderr).toContain('none of 1 source is failing');
  });
});

describe('with a management key, from another machine', () => {
  test('watches show their history, and what needs the operator names the way through SSH', async () => {
    const url = `${home}/ok`;
    await daemon.hydrant(['watch', 'add', url, '--every', '6h', '--wait']);
    price = 12;
    await run('watch', 'check', url, '--wait');
    await run('watch', 'check', url, '--wait');
    const { key } = JSON.parse(await daemon.hydrant(['key', 'create', 'laptop', '--json'])) as { key: string };
    const env = { HOME: daemon.dataDir, HYDRANT_URL: daemon.notice.url, HYDRANT_KEY: key };
    const away = (...words: string[]) => daemon.runElsewhere(words, env);

    const [own] = JSON.parse((await away('watch', 'list', '--json')).stdout) as Watch[];
    expect(own).toMatchObject({ url, status: 'active', change_count: 1 });
    const diff = await away('watch', 'diff', url, '--exit-code');
    expect([diff.exitCode, diff.stdout]).toEqual([
      1,
      expect.stringContaining('- Starter: 9 a month\n+ Starter: 12 a month'),
    ]);
    const since = await away('watch', 'diff', url, '--since', '1h', '--json');
    expect((JSON.parse(since.stdout) as { changes: CrawlEntry[] }).changes).toHaveLength(1);
    const log = (await away('watch', 'log', url)).stdout.split('\n').map((line) => line.split('\t')[1]);
    expect(log).toEqual(['unchanged', 'changed', 'unchanged']);
    expect((await away('watch', 'show', url)).stdout).toMatch(/^last change\t20/m);

    for (const words of [
      ['watch', 'diff', url, '2'],
      ['watch', 'check', url],
      ['crawl', 'list'],
      ['status'],
      ['watch', 'text', url],
    ]) {
      const { exitCode, stderr } = await away(...words);
      expect([words.join(' '), exitCode, stderr]).toEqual([
        words.join(' '),
        2,
        expect.stringContaining('hydrant context add NAME ssh://user@host'),
      ]);
    }
  });
});
