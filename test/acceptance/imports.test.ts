import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WatchNews, WatchReport } from '../../src/shared/api/watch.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { SmallSite } from './small-site.ts';

const GROUP = '7e8d1111-2222-4333-8444-555566667777';

/** As urlwatch keeps its jobs. */
const jobs = (site: string): string => `name: Prices of tea
url: ${site}tea
tags: [shop, tea]
filter:
  - xpath: //div[@id='prices']/p
  - html2text
---
name: Disk
command: df -h
---
name: First cell
url: ${site}cell
filter:
  - xpath: (//td)[1]
`;

/** As changedetection.io keeps its watches. */
const backup = (site: string): string =>
  JSON.stringify({
    watching: {
      '0f1e2d3c-1': { url: `${site}coffee`, title: 'Coffee', tags: [GROUP], include_filters: ['//main/p[2]'] },
      '1f1e2d3c-2': { url: `${site}account`, title: 'Account', headers: { Cookie: 'session={{ 1 }}' } },
      '2f1e2d3c-3': { url: `${site}form`, browser_steps: [{ operation: 'Click element', selector: 'button' }] },
      '3f1e2d3c-4': { url: `${site}api`, include_filters: ['jq:.prices | length'] },
    },
    settings: { application: { tags: { [GROUP]: { title: 'shop' } } } },
  });

const feeds = (site: string): string => `<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
  <outline text="News"><outline text="Ferries &amp; trains" xmlUrl="${site}feed/1"/><outline text="Local">
    <outline text="The village" xmlUrl="${site}feed/2"/></outline></outline>
  <outline text="Letters" xmlUrl="${site}feed/3"/></body></opml>`;

const FEED =
  '<rss><channel><title>A feed</title><item><title>One</title><description>First.</description></item></channel></rss>';

describe('what other tools export', () => {
  let site: SmallSite;
  let daemon: RealDaemon;
  let price = 3;
  beforeAll(async () => {
    site = await SmallSite.start((path) => {
      if (path.startsWith('/feed/')) return ['application/rss+xml', FEED];
      const prices = `<p>Tea costs ${price} euros a pound.</p><p>Coffee costs four euros.</p>`;
      const html = `<title>A page</title><main><p>Welcome to the shop.</p><div id=prices>${prices}</div><p>Open daily.</p></main>`;
      return path === '/robots.txt' ? ['text/plain', ''] : ['text/html', html];
    });
    daemon = await RealDaemon.start();
  });
  afterAll(async () => {
    await daemon.dispose();
    await site.close();
  });

  const watches = async (...flags: string[]): Promise<WatchReport[]> =>
    JSON.parse(await daemon.hydrant(['watch', 'list', '--json', ...flags])) as WatchReport[];

  test('is watched with its titles and tags; what cannot work is listed with the reason and what to do', async () => {
    const urlwatch = await daemon.run('hydrant', ['watch', 'add', '-', '--no-wait'], jobs(site.url));
    expect(urlwatch.exitCode).toBe(6);
    expect(urlwatch.stderr).toContain(
      'warning: stdin, job 2 (Disk) is not added: it runs a command, and hydrant reads pages alone\n  instead: let cron keep',
    );
    expect(urlwatch.stderr).toContain(
      `warning: stdin, job 3 (First cell, ${site.url}cell) is not added: the XPath "(//td)[1]" is not possible in CSS`,
    );
    expect(urlwatch.stderr).toContain('error: 2 of 3 entries not added; the others were added');

    const changedetection = await daemon.run('hydrant', ['watch', 'add', '-', '--no-wait'], backup(site.url));
    for (const reason of [
      'its header cookie is a template',
      'it goes through steps in a browser',
      '"jq:.prices | length" selects in JSON',
    ]) {
      expect(changedetection.stderr).toContain(`is not added: ${reason}`);
    }
    expect(changedetection.stderr).toContain('error: 3 of 4 entries not added; the others were added');

    await daemon.hydrant(['watch', 'add', '-', '--tag', 'feeds', '--no-wait'], feeds(site.url));

    const all = await watches();
    const of = (path: string): WatchReport | undefined => all.find(({ url }) => url === site.url + path);
    expect(all).toHaveLength(5);
    expect(of('tea')).toMatchObject({
      title: 'Prices of tea',
      tags: ['shop', 'tea'],
      options: { select: ['div[id="prices"] > p'] },
    });
    expect(of('coffee')).toMatchObject({
      title: 'Coffee',
      tags: ['shop'],
      options: { select: ['main > p:nth-of-type(2)'] },
    });
    expect(of('feed/1')).toMatchObject({ title: 'Ferries & trains', tags: ['News', 'feeds'] });
    expect(of('feed/2')).toMatchObject({ title: 'The village', tags: ['News', 'Local', 'feeds'] });
    expect(of('feed/3')).toMatchObject({ title: 'Letters', tags: ['feeds'] });
    expect((await watches('--tag', 'shop')).map(({ title }) => title).toSorted()).toEqual(['Coffee', 'Prices of tea']);
  });

  test('imported again finds every page watched as the list has it', async () => {
    const again = await daemon.run('hydrant', ['watch', 'add', '-', '--tag', 'feeds'], feeds(site.url));
    expect([again.exitCode, again.stderr]).toEqual([
      0,
      'stdin is OPML: 3 URLs\n3 URLs watched already; those watches are unchanged',
    ]);
  });

  test('is exported with titles and tags, and applied without a difference', async () => {
    const file = await daemon.hydrant(['export', '--watches']);
    expect(file).toContain('title: Ferries & trains\n    tags:\n      - News\n      - feeds\n');
    const same = await daemon.run('hydrant', ['apply', '-', '--prune'], file);
    expect([same.exitCode, same.stdout]).toEqual([0, '']);
    expect(same.stderr).toContain('nothing to do: ');
    const table = await daemon.hydrant(['watch', 'export', '--format', 'csv']);
    const again = await daemon.run('hydrant', ['watch', 'add', '-'], table);
    expect([again.exitCode, again.stdout]).toEqual([0, '']);
    const edited = file.replace('title: Letters', 'title: Post');
    expect(await daemon.run('hydrant', ['apply', '-', '--yes'], edited)).toMatchObject({
      exitCode: 0,
      stdout: `~ watch ${site.url}feed/3: title Letters → Post`,
    });
    expect(JSON.parse(await daemon.hydrant(['watch', 'show', 'post', '--json']))).toMatchObject({ title: 'Post' });
  });

  test('is checked by the selectors that its XPath became, and followed by tag with its title', async () => {
    await until('both pages are read', async () => (await watches('--tag', 'shop')).every(({ checks }) => checks > 0));
    price = 5;
    const checked = await daemon.run('hydrant', ['watch', 'check', 'Prices of tea', 'coffee', '--wait', '--json']);
    expect(checked.exitCode).toBe(1);
    const follow = ['watch', 'follow', '--once', '--tag', 'tea', '--json'];
    const change = JSON.parse(await daemon.hydrant(follow)) as WatchNews['changes'][number];
    expect(change).toMatchObject({
      watch: { url: `${site.url}tea`, title: 'Prices of tea', tags: ['shop', 'tea'] },
      title: 'A page',
    });
    // The second paragraph of the page itself is not among the prices.
    const { changes } = await daemon
      .operator<{ data: WatchNews }>('GET', '/admin/watch-changes')
      .then(({ data }) => data);
    expect(changes.map(({ watch }) => watch.title)).toEqual(['Prices of tea']);
    expect(await daemon.hydrant(['watch', 'feed', 'Prices of tea'])).toContain(
      '<title>changes of Prices of tea</title>',
    );
  });

  test('a title names a watch, and goes again', async () => {
    await daemon.hydrant(['watch', 'edit', 'the VILLAGE', '--no-title', '--tag', 'quiet']);
    const [quiet] = await watches('--tag', 'quiet');
    expect([quiet?.url, quiet?.title, quiet?.tags]).toEqual([`${site.url}feed/2`, undefined, ['quiet']]);
    expect((await daemon.run('hydrant', ['watch', 'show', 'The village'])).exitCode).toBe(5);
  });
});
