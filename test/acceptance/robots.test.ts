import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import type { Source } from '../../src/shared/api/crawl.ts';
import type { Status } from '../../src/shared/api/status.ts';

/** A site of pages that link to each other; it knows what it was asked for, and that nobody asked for two at a time. */
class LinkedSite {
  readonly asked: string[] = [];
  robots: (response: ServerResponse) => void;
  most = 0;
  #open = 0;
  readonly #server: Server;

  constructor(robots: LinkedSite['robots']) {
    this.robots = robots;
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      if (path === '/robots.txt') this.robots(response);
      else if (path === '/detour') response.writeHead(302, { location: '/private/treasure' }).end();
      else response.setHeader('content-type', 'text/html').end(linking(path));
    });
    this.#server.on('connection', (socket) => {
      this.#open += 1;
      this.most = Math.max(this.most, this.#open);
      socket.on('close', () => (this.#open -= 1));
    });
  }

  async listen(host: string): Promise<string> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function linking(path: string): string {
  const links = ['/', '/a', '/b', '/private/', '/private/letters', '/search?q=1', '/detour', '/private/open'];
  return `<title>${path}</title><p>This is ${path}.</p>${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}`;
}

const RULES = `User-agent: *
Disallow: /private/
Disallow: /*?q=
Allow: /private/open
`;
const withRules = (response: ServerResponse): void => void response.end(RULES);
const broken = (response: ServerResponse): void => void response.writeHead(503).end();

describe('robots.txt', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function start(host: string, robots: LinkedSite['robots'], flags: string[] = []) {
    const site = new LinkedSite(robots);
    const origin = await site.listen(host);
    const daemon = await RealDaemon.start([...loopback, ...flags]);
    open.push({ close: () => daemon.dispose() }, site);
    return { site, origin, daemon };
  }

  async function visits(daemon: RealDaemon): Promise<number> {
    const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    return data.reduce((sum, source) => sum + source.visits, 0);
  }

  async function status(daemon: RealDaemon): Promise<Status> {
    return (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;
  }

  test('is asked for once, first, and what it disallows is never asked for, not by a detour either', async () => {
    const { site, origin, daemon } = await start('127.0.0.120', withRules);
    await daemon.hydrant(['crawl', 'add', `${origin}/`, '--scope', 'host', '--every', '1h']);
    await daemon.hydrant(['crawl', 'add', `${origin}/private/letters`]);
    await until('all pages have had their turn', async () => (await visits(daemon)) >= 9);
    expect(site.asked[0]).toBe('/robots.txt');
    expect(site.asked.slice(1).sort()).toEqual(['/', '/a', '/b', '/detour', '/private/open']);
    expect(site.most).toBe(1);

    const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    const host = new URL(origin).host;
    expect(data.find(({ scope }) => scope === 'page')?.last_visit).toMatchObject({
      outcome: 'failed',
      reason: 'robots',
      detail: `robots.txt of ${host} disallows it in line 2: "Disallow: /private/"`,
    });
    const { crawl, problems } = await status(daemon);
    expect(crawl.robots).toEqual({ hosts: 1, unreachable: 0, refused: expect.any(Number) as number });
    const shown = await daemon.hydrant(['status']);
    expect(shown).toContain(`robots   ${crawl.robots.refused} pages refused since the start`);
    expect(problems.filter(({ message }) => message.includes('in line 2'))).toHaveLength(2);
  });

  test('that answers 5xx closes the host: nothing is fetched, and status tells', async () => {
    const { site, origin, daemon } = await start('127.0.0.121', broken);
    await daemon.hydrant(['crawl', 'add', `${origin}/`, '--scope', 'host', '--every', '1s']);
    await until('the page has had its turn', async () => (await visits(daemon)) > 0);
    expect(site.asked).toEqual(['/robots.txt']);
    const { crawl } = await status(daemon);
    expect(crawl).toMatchObject({ failures: 1, robots: { hosts: 1, unreachable: 1 } });
    const host = new URL(origin).host;
    expect(await daemon.hydrant(['status'])).toContain(
      `robots.txt of ${host} cannot be fetched: the server answered 503`,
    );
  });

  test('is remembered through kill -9: the next life does not ask again, and obeys', async () => {
    const { site, origin, daemon } = await start('127.0.0.122', withRules);
    await daemon.hydrant(['crawl', 'add', `${origin}/`, '--scope', 'host', '--every', '1s']);
    await until('all pages have had their turn', () => site.asked.includes('/private/open'));
    for (let life = 0; life < 3; life += 1) {
      await daemon.kill();
      site.robots = broken;
      const before = site.asked.length;
      await daemon.start();
      await until('pages are visited again', () => site.asked.slice(before).includes('/a'));
    }
    expect(site.asked.filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(site.asked.filter((path) => /^\/(?:private\/(?!open)|search)/.test(path))).toEqual([]);
  });

  test('sets the pace, by its Crawl-delay, from the request for itself on', async () => {
    const at: number[] = [];
    const { site, origin, daemon } = await start('127.0.0.123', (response) => {
      at.push(performance.now());
      response.end('User-agent: hydrant\nCrawl-delay: 1\n');
    });
    await daemon.hydrant(['crawl', 'add', `${origin}/`, '--every', '1h']);
    await until('the page is asked for', () => site.asked.includes('/'));
    expect(performance.now() - (at[0] ?? Number.NaN)).toBeGreaterThan(950);
  });
});
