import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlStatus, Source } from '../../src/shared/api/crawl.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { SmallSite } from './small-site.ts';

const ARTICLES = Array.from({ length: 20 }, (_, n) => `/harbour/report-${'abcdefghijklmnopqrst'[n]}`);
const SECTIONS = ['politics', 'economy', 'culture', 'sport', 'weather', 'about', 'contact', 'imprint'];

/** A newspaper: twenty headlines among navigation and share links, and what no reader sees. */
function newspaper(path: string, origin: string): readonly [string, string] {
  const url = (to: string): string => new URL(to, origin).href;
  const locations = (to: readonly string[]): string => to.map((each) => `<loc>${url(each)}</loc>`).join('</url><url>');
  if (path === '/') return ['text/html', frontPage()];
  if (path === '/robots.txt') return ['text/plain', `Sitemap: ${url('/index.xml')}\nSitemap: ${url('/gone.xml')}`];
  if (path === '/index.xml') {
    const maps = ['/map-1.xml', '/map-2.xml'].map((map) => `<sitemap><loc>${url(map)}</loc></sitemap>`);
    return ['application/xml', `<sitemapindex>${maps.join('')}</sitemapindex>`];
  }
  if (path === '/map-1.xml') return ['application/xml', `<urlset><url>${locations(ARTICLES)}</url></urlset>`];
  if (path === '/news.rss') {
    const items = ARTICLES.map((each) => `<item><title>${each}</title><link>${url(each)}</link></item>`);
    return ['application/rss+xml', `<rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`];
  }
  return ['text/html', ARTICLES.includes(path) || SECTIONS.includes(path.slice(1)) ? pageOf(path) : ''];
}

function frontPage(): string {
  const links = (names: readonly string[]): string => names.map((to) => `<a href="/${to}">${to}</a>`).join(' ');
  const headlines = ARTICLES.map(
    (to) => `<article><h2><a href="${to}">What was seen in ${to}</a></h2><p>The quayside was busy on that day.</p>
      <a href="https://social.example/share?u=${to}">Share</a> <a href="${to}?share=mail">Mail</a></article>`,
  );
  return `<html><head><title>The Harbour Post</title>
    <link rel="alternate" type="application/rss+xml" href="/feed">
    <link rel="alternate" type="application/rss+xml" href="/news.rss"></head>
    <body><nav>${links(SECTIONS)}</nav><main>${headlines.join('')}</main><footer>${links(SECTIONS)}</footer></body></html>`;
}

function pageOf(path: string): string {
  const name = path.replaceAll(/[/-]/g, ' ');
  return `<html><head><title>${name}</title></head><body><h1>${name}</h1><p>This is what there is to say of${name}: it is
    known for its own${name}, and ${name.toUpperCase()} has no other like it.</p></body></html>`;
}

describe('--max-pages', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('is for pages: a feed that is not there, feeds and sitemaps take no place', async () => {
    const site = await SmallSite.start(newspaper);
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, site);
    await daemon.hydrant(['crawl', 'add', site.url, '--scope', 'host', '--max-pages', '21']);
    await until('all that it holds is visited', async () => {
      const { pages } = JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;
      return pages.unvisited === 0 && pages.known >= 21;
    });
    const asked = [...new Set(site.requests)].filter((path) => path === '/' || path.startsWith('/harbour/'));
    expect(asked.toSorted()).toEqual(['/', ...ARTICLES]);
    expect(site.requests).toEqual(expect.arrayContaining(['/feed', '/news.rss', '/index.xml', '/gone.xml']));
    expect(site.requests.filter((path) => SECTIONS.includes(path.slice(1)))).toEqual([]);
    const source = JSON.parse(await daemon.hydrant(['crawl', 'show', site.url, '--json'])) as Source;
    expect(source).toMatchObject({ pages: 21, max_pages: 21 });
  }, 60_000);
});
