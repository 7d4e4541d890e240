import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';
import { SmallSite } from './small-site.ts';

/** A site whose pages stand in its sitemap alone. */
function sitemapSite(path: string, url: string): readonly [string, string] {
  if (path === '/robots.txt') return ['text/plain', `Sitemap: ${url}map.xml`];
  if (path === '/map.xml') return ['application/xml', `<urlset><url><loc>${url}hidden</loc></url></urlset>`];
  if (path === '/' || path === '/hidden') return ['text/html', `<title>${path}</title><p>The harbour opens at nine.`];
  return ['text/plain', ''];
}

/** The request for robots.txt may have been made for a watch, for a source that is gone, or in another life. */
describe('sitemaps of a host whose robots.txt is known', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function begun(): Promise<{ readonly site: SmallSite; readonly daemon: RealDaemon }> {
    const site = await SmallSite.start(sitemapSite);
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, site);
    return { site, daemon };
  }

  const addHost = (daemon: RealDaemon, url: string): Promise<string> =>
    daemon.hydrant(['crawl', 'add', url, '--scope', 'host']);

  test('by a source of one page: another one finds what stands in the sitemap alone', async () => {
    const { site, daemon } = await begun();
    await daemon.hydrant(['crawl', 'add', site.url, '--scope', 'page']);
    await until('the page is visited', () => site.asked('/') === 1);
    await addHost(daemon, site.url);
    await until('the page of the sitemap is visited', () => site.asked('/hidden') === 1);
    expect(site.asked('/robots.txt')).toBe(1);
  });

  test('by a source that was removed, and a life that ended: added again, it finds them again', async () => {
    const { site, daemon } = await begun();
    await addHost(daemon, site.url);
    await until('the page of the sitemap is visited', () => site.asked('/hidden') === 1);
    await daemon.hydrant(['crawl', 'remove', site.url, '--yes']);
    await daemon.kill();
    await daemon.start();
    await addHost(daemon, site.url);
    await until('it is visited again', () => site.asked('/hidden') === 2);
    expect([site.asked('/robots.txt'), site.asked('/map.xml')]).toEqual([1, 2]);
  });
});
