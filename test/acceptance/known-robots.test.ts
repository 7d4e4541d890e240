import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';

/** A site whose pages stand in its sitemap alone. */
class SitemapSite {
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/';
      this.requests.push(path);
      const [type, text] = this.#answer(path);
      response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
    });
  }

  static async start(): Promise<SitemapSite> {
    const site = new SitemapSite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  asked(path: string): number {
    return this.requests.filter((asked) => asked === path).length;
  }

  #answer(path: string): readonly [string, string] {
    if (path === '/robots.txt') return ['text/plain', `Sitemap: ${this.url}map.xml`];
    if (path === '/map.xml') return ['application/xml', `<urlset><url><loc>${this.url}hidden</loc></url></urlset>`];
    if (path === '/' || path === '/hidden') return ['text/html', `<title>${path}</title><p>The harbour opens at nine.`];
    return ['text/plain', ''];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The request for robots.txt may have been made for a watch, for a source that is gone, or in another life. */
describe('sitemaps of a host whose robots.txt is known', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function begun(): Promise<{ readonly site: SitemapSite; readonly daemon: RealDaemon }> {
    const site = await SitemapSite.start();
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
