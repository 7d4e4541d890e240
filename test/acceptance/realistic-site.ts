import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How many of each the site has. */
const ARTICLES = 200;
const ONLY_IN_SITEMAP = 20;
const TRANSLATED = 40;
const SECTIONS = 8;
const PER_LIST = 10;
const TAGS = 30;
const MOVED = 6;
const GONE = 6;
const HIDDEN = 10;
const SESSION = 'PHPSESSID=0a1b2c3d4e5f60718293a4b5c6';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly text?: string;
}

/** What a request was for. `needless`: what it brought was known, or is nothing to read. */
type Worth = 'needed' | 'needless';

/**
 * A made-up news site as sites are: articles with a canonical address and links to share, print and answer them; sections
 * and tags with later pages; one section whose links carry a session; translations; addresses that have moved or are gone;
 * pages that want not to be found; sitemaps inside sitemaps, one of which has articles that nothing links to; feeds.
 */
export class RealisticSite {
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  static async start(): Promise<RealisticSite> {
    const site = new RealisticSite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The canonical addresses of all articles, translations among them. */
  get articles(): string[] {
    const paths = Array.from({ length: ARTICLES }, (_, n) => articlePath(n));
    return [...paths, ...Array.from({ length: TRANSLATED }, (_, n) => `/de${articlePath(n)}`)].map(
      (path) => this.url + path,
    );
  }

  /** All addresses that stand somewhere on the site. */
  get addresses(): number {
    const found = new Set<string>(['/']);
    for (const path of found) {
      const { text = '', location } = this.#answer(path);
      const links = text.matchAll(/(?:href="|<loc>|<link>|Sitemap: )([^"<\s]+)/g);
      for (const link of [...[...links].map(([, to = '']) => to), ...(location === undefined ? [] : [location])]) {
        const { origin, pathname, search } = new URL(link.replaceAll('&amp;', '&'), this.url);
        if (origin === this.url) found.add(pathname + search);
      }
    }
    return found.size;
  }

  /** Requests that a crawl which knew the site would not have made. */
  get needless(): string[] {
    const seen = new Set<string>();
    return this.requests.filter((path) => {
      const isNew = !seen.has(path);
      seen.add(path);
      return !isNew || worthOf(path) === 'needless';
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    this.requests.push(url);
    const { status = 200, type = 'text/html; charset=utf-8', location, text = '' } = this.#answer(url);
    response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(text);
  }

  #answer(address: string): Answer {
    const { pathname, searchParams } = new URL(address, this.url);
    const plain = this.#plain(pathname);
    if (plain) return plain;
    if (pathname === '/')
      return page('Harbour News', this.#list(range(0, 10), '?ref=home') + this.#list(range(10, 20)));
    const [, kind = '', name = ''] = /^\/(section|tag|old|gone|hidden)\/(\d+)/.exec(pathname) ?? [];
    if (kind !== '') return this.#numbered(kind, Number(name), pathname);
    const [, language, article] = /^(\/de)?\/2026\/story-(\d+)$/.exec(pathname) ?? [];
    if (article === undefined || Number(article) >= ARTICLES) return { status: 404 };
    return this.#article(Number(article), language !== undefined, searchParams.has('print'));
  }

  #numbered(kind: string, name: number, path: string): Answer {
    if (kind === 'old') return { status: 301, location: this.url + articlePath(name) };
    if (kind === 'gone') return { status: 410 };
    if (kind === 'hidden') return page(`Thanks ${name}`, `<p>${prose(1_000 + name)}</p>`, NOINDEX);
    return this.#listing(kind, name, path);
  }

  #plain(path: string): Answer | undefined {
    const xml = (text: string): Answer => ({ type: 'application/xml', text });
    const sitemaps = (...names: string[]): Answer =>
      xml(
        `<sitemapindex>${names.map((name) => `<sitemap><loc>${this.url}/${name}</loc></sitemap>`).join('')}</sitemapindex>`,
      );
    const listed = (from: number, to: number): Answer =>
      xml(
        `<urlset>${range(from, to)
          .map((n) => `<url><loc>${this.url}${articlePath(n)}</loc></url>`)
          .join('')}</urlset>`,
      );
    if (path === '/robots.txt') {
      return { type: 'text/plain', text: `User-agent: *\nDisallow: /search\nSitemap: ${this.url}/sitemap.xml` };
    }
    if (path === '/sitemap.xml') return sitemaps('sitemap-years.xml', 'sitemap-last.xml');
    if (path === '/sitemap-years.xml') return sitemaps('sitemap-2025.xml', 'sitemap-2026.xml');
    if (path === '/sitemap-2025.xml') return listed(ARTICLES - ONLY_IN_SITEMAP, ARTICLES);
    if (path === '/sitemap-2026.xml') return listed(0, ARTICLES - ONLY_IN_SITEMAP);
    if (path === '/sitemap-last.xml') return listed(0, 10);
    if (path === '/feed/') return xml(this.#feed(range(0, 20)));
    return undefined;
  }

  #feed(articles: readonly number[]): string {
    const items = articles.map(
      (n) => `<item><title>${titleOf(n)}</title><link>${this.url}${articlePath(n)}</link></item>`,
    );
    return `<rss version="2.0"><channel><title>Harbour News</title>${items.join('')}</channel></rss>`;
  }

  /** The last section has a session in each of its links. */
  #listing(kind: string, name: number, path: string): Answer {
    const last = ARTICLES - ONLY_IN_SITEMAP;
    const every = kind === 'section' ? SECTIONS : TAGS;
    const all = range(0, last).filter((n) => n % every === name);
    const at = Number(/\/page\/(\d+)$/.exec(path)?.[1] ?? 1);
    const shown = all.slice((at - 1) * PER_LIST, at * PER_LIST);
    const next = at * PER_LIST < all.length ? `<a href="/${kind}/${name}/page/${at + 1}">Older</a>` : '';
    const extra = kind === 'tag' && name < MOVED ? `<p><a href="/old/${name}">The first report of it</a></p>` : '';
    const gone = kind === 'tag' && name < GONE ? `<p><a href="/gone/${name}">A note</a></p>` : '';
    const session = kind === 'section' && name === SECTIONS - 1 ? `?${SESSION}` : '';
    return page(`${kind} ${name}, page ${at}`, this.#list(shown, session) + next + extra + gone);
  }

  #list(articles: readonly number[], query = ''): string {
    return articles
      .map(
        (n) => `<article><h2><a href="${articlePath(n)}${query}">${titleOf(n)}</a></h2><p>${teaser(n)}</p></article>`,
      )
      .join('\n');
  }

  #article(n: number, isGerman: boolean, isPrint: boolean): Answer {
    const own = (isGerman ? '/de' : '') + articlePath(n);
    const other = (isGerman ? '' : '/de') + articlePath(n);
    const head = `<link rel="canonical" href="${this.url}${own}">
      ${n < TRANSLATED ? `<link rel="alternate" hreflang="${isGerman ? 'en' : 'de'}" href="${this.url}${other}">` : ''}`;
    const forms = ['?share=facebook&amp;nb=1', '?share=x&amp;nb=1', '?print=1', '?replytocom=7#respond'];
    const links = isPrint
      ? ''
      : forms
          .slice(n % 2)
          .map((form) => `<a href="${own}${form}">${form.slice(1, 6)}</a>`)
          .join(' ');
    const tags = `<a href="/tag/${n % TAGS}">tag ${n % TAGS}</a> <a href="/hidden/${n % HIDDEN}">Thanks</a>`;
    const text = `<p>${prose(isGerman ? n + 500 : n)}</p>`;
    return page(
      isGerman ? `Bericht ${n}: ${titleOf(n)}` : titleOf(n),
      `<article>${text}</article><p>${links} ${tags}</p>`,
      head,
    );
  }
}

const NOINDEX = '<meta name="robots" content="noindex">';

function page(title: string, main: string, head = ''): Answer {
  const sections = range(0, SECTIONS).map((n) => `<a href="/section/${n}">Section ${n}</a>`);
  const feed = '<link rel="alternate" type="application/rss+xml" href="/feed/">';
  return {
    text: `<!doctype html><html><head><title>${title}</title>${feed}${head}</head><body>
      <nav><a href="/">Home</a> ${sections.join(' ')} <a href="/login">Log in</a> <a href="/search?q=">Search</a></nav>
      <main><h1>${title}</h1>${main}</main><footer><a href="/login?back=1">Your account</a></footer></body></html>`,
  };
}

/** Forms of a page that is known, what has moved or gone, and what is no page at all. */
function worthOf(path: string): Worth {
  return /[?;]|^\/(?:old|gone|login|search)/.test(path) ? 'needless' : 'needed';
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}

function articlePath(n: number): string {
  return `/2026/story-${n}`;
}

const NOUNS = 'harbour ferry council storm museum bridge market school island forest library garden railway'.split(' ');
const VERBS = 'opens closes moves grows waits returns changes sails begins ends rests wins'.split(' ');

/** Words that are another one's for each number. */
function words(seed: number, count: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  const next = (list: readonly string[]): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return list[(state >>> 8) % list.length] ?? '';
  };
  return Array.from(
    { length: count },
    (_, at) => next(at % 2 === 0 ? NOUNS : VERBS) + next(['', ' soon', ' late']),
  ).join(' ');
}

function titleOf(n: number): string {
  return `Report ${n}: the ${words(n, 4)}`;
}

function teaser(n: number): string {
  return `In short: ${words(n + 7, 6)}.`;
}

function prose(n: number): string {
  return range(0, 12)
    .map((line) => `The ${words(n * 31 + line, 10)} on quayside ${n}.`)
    .join(' ');
}
