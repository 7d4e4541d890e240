import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';

const SITES = 50;
const ARTICLES = 10;
const WITHIN_MS = 180_000;
const PATIENCE_MS = 240_000;

/** A front page on each of fifty loopback hosts, and on the first of them ten articles that change every 20 seconds. */
class NewsHosts {
  readonly requests: { readonly url: string; readonly at: number }[] = [];
  readonly #servers: Server[] = [];
  #news: number | undefined;
  port = 0;

  async start(): Promise<void> {
    for (let site = 0; site < SITES; site += 1) {
      const server = createServer((request, response) => this.#answer(site, request, response));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(this.port, addressOf(site), resolve);
      });
      this.port = (server.address() as AddressInfo).port;
      this.#servers.push(server);
    }
  }

  get seeds(): string[] {
    return this.#servers.map((_, site) => `http://${addressOf(site)}:${this.port}/`);
  }

  get articles(): string[] {
    return Array.from({ length: ARTICLES }, (_, number) => `${this.seeds[0]}article-${number}`);
  }

  /** From now on each front page has one article more. */
  publish(): void {
    this.#news = Date.now();
  }

  timesAsked(url: string): number {
    return this.requests.filter((request) => request.url === url).length;
  }

  /** Of each site: how long the new article was there before it was asked for. */
  get delays(): number[] {
    const published = this.#news;
    if (published === undefined) return [];
    return this.seeds.flatMap((seed) => {
      const first = this.requests.find(({ url }) => url === `${seed}news`);
      return first === undefined ? [] : [first.at - published];
    });
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #answer(site: number, { url = '/' }: IncomingMessage, response: ServerResponse): void {
    this.requests.push({ url: `http://${addressOf(site)}:${this.port}${url}`, at: Date.now() });
    const names = site === 0 ? this.articles.map((article) => new URL(article).pathname.slice(1)) : [];
    if (this.#news !== undefined) names.push('news');
    const links = names.map((name) => `<li><a href="/${name}">What is there of ${name}</a></li>`).join('');
    if (url === '/') page(response, `Front page ${site}`, `<p>All the news of town ${site}.</p><ul>${links}</ul>`);
    else if (names.includes(url.slice(1))) page(response, `${url} of ${site}`, `<p>${textOf(url)}</p>`);
    else response.writeHead(404).end();
  }
}

function page(response: ServerResponse, title: string, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<title>${title}</title><main><h1>${title}</h1>${body}</main>`);
}

function textOf(url: string): string {
  const turn = Math.floor(Date.now() / 20_000);
  return `In ${url} the council met for the ${turn}th time, and ${turn * 7} people of the town came to listen to it.`;
}

function addressOf(site: number): string {
  return `127.0.4.${1 + site}`;
}

const hosts = new NewsHosts();
const daemon = new RealDaemon(['--allow-private', '127.0.0.0/8']);

beforeAll(async () => {
  await hosts.start();
  await daemon.start();
  await daemon.hydrant(['crawl', 'add', '-', '--scope', 'host'], hosts.seeds.join('\n'));
  // Had it come later, some would have been about to be looked at again.
  await until('each front page is read once', () => hosts.seeds.every((url) => hosts.timesAsked(url) > 0));
  hosts.publish();
}, PATIENCE_MS);

afterAll(async () => {
  await daemon.dispose();
  await hosts.close();
});

test(
  'with no setting, nine of ten of fifty news sites have their new article seen within three minutes',
  async () => {
    await until('45 of 50 are seen', () => hosts.delays.length >= 0.9 * SITES, PATIENCE_MS);
    const delays = hosts.delays.toSorted((one, other) => one - other);
    expect(delays[0.9 * SITES - 1]).toBeLessThanOrEqual(WITHIN_MS);
  },
  PATIENCE_MS,
);

test(
  'with no setting, ten articles that change every 20 seconds are visited again, and their changes seen, within minutes',
  async () => {
    const changes = (url: string): number =>
      daemon.log.split('\n').filter((line) => line.includes(`"${url}"`) && line.includes('page changed')).length;
    // The first reading of a page is one, too.
    await until('each was seen to change', () => hosts.articles.every((url) => changes(url) >= 2), PATIENCE_MS);
    for (const url of hosts.articles) expect(hosts.timesAsked(url)).toBeGreaterThanOrEqual(2);
  },
  PATIENCE_MS,
);

test('and no host is asked twice within the second that it is given', () => {
  for (const seed of hosts.seeds) {
    const times = hosts.requests.filter(({ url }) => url.startsWith(seed)).map(({ at }) => at);
    // The server's clock ticks in whole milliseconds, and its answer is later than the request.
    for (const [index, at] of times.slice(1).entries()) expect(at - times[index]!).toBeGreaterThanOrEqual(990);
  }
});
