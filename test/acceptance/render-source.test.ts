import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NO_BROWSER } from '../daemon/render/rendering.ts';
import { loopback, RealDaemon } from './real-daemon.ts';

const APP = `fetch('/private/items.json').catch(() => undefined);
fetch('/items.json').then((answer) => answer.json()).then((items) => {
  document.getElementById('root').innerHTML = '<h1>Shop</h1>' + items.map((item) => '<p>' + item + '</p>').join('');
});`;

/** An application shell: its server sends no word of what it sells. */
class Shop {
  tea = 'Green tea costs three euros a pound.';
  readonly asked: string[] = [];

  async open(): Promise<string> {
    const server = createServer(({ url = '' }, response) => {
      this.asked.push(url);
      const pages: Record<string, [type: string, body: string]> = {
        '/robots.txt': ['text/plain', 'User-agent: *\nDisallow: /private/\n'],
        '/': [
          'text/html',
          '<!doctype html><title>Shop</title><div id="root">Loading…</div><script src="/app.js"></script>',
        ],
        '/app.js': ['text/javascript', APP],
        '/items.json': ['application/json', JSON.stringify([this.tea, 'Coffee costs four euros a pound.'])],
      };
      const [type, body] = pages[url] ?? [];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.79', resolve));
    return `http://127.0.0.79:${(server.address() as AddressInfo).port}/`;
  }
}

test.skipIf(NO_BROWSER)(
  'an application shell is a source of scope page: a rule matches what only its scripts show, and nothing is invented',
  async () => {
    const shop = new Shop();
    const url = await shop.open();
    const daemon = await RealDaemon.start(loopback);
    onTestFinished(() => daemon.dispose());
    const visit = (): Promise<string> => daemon.hydrant(['crawl', 'visit', url, '--wait', '--timeout', '2m']);
    await daemon.hydrant(['tap', 'create', 'news']);
    await daemon.hydrant(['rule', 'add', 'news', 'tea', '--no-quality']);

    const wider = await daemon.run('hydrant', ['crawl', 'add', url, '--scope', 'host', '--render']);
    expect([wider.exitCode, wider.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('Only sources of scope page are rendered, and this one has scope host.'),
    ]);
    expect(wider.exitCode).not.toBe(0);

    await daemon.hydrant(['crawl', 'add', url, '--every', '1h']);
    await visit();
    await daemon.hydrant(['crawl', 'edit', url, '--render', '--within', '60s']);
    expect(await daemon.hydrant(['crawl', 'show', url])).toMatch(/^rendered\s+within 60s$/m);
    // What scripts show is another text than what the server sends, and no news.
    await visit();
    shop.tea = 'Green tea costs five euros a pound.';
    await visit();
    for (const flags of [['--no-render'], ['--wait-for', '#root p', '--within', '60s']]) {
      await daemon.hydrant(['crawl', 'edit', url, ...flags]);
      await visit();
    }
    shop.tea = 'Green tea costs six euros a pound.';
    await visit();

    const told = await daemon.hydrant(['tail', 'news', '--since', '1h', '--limit', '2', '--json']);
    expect(told).toMatch(/five euros[^\n]*\n[^\n]*six euros/);
    expect(told).not.toContain('Coffee costs');
    expect(shop.asked.filter((path) => path.startsWith('/private'))).toEqual([]);

    // What is exported makes the same source again.
    const written = await daemon.hydrant(['export']);
    expect(written).toMatch(/render: true\n\s+wait_for: "#root p"\n\s+within: 60s/);
    await daemon.hydrant(['crawl', 'remove', url, '--yes']);
    await daemon.hydrant(['apply', '-', '--yes'], written);
    const [again] = JSON.parse(await daemon.hydrant(['crawl', 'list', '--json'])) as readonly object[];
    expect(again).toMatchObject({ url, render: { wait_for: '#root p', within_seconds: 60 } });
  },
);
