import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NO_BROWSER } from '../daemon/render/rendering.ts';
import { browsers, profiles } from './daemon-browsers.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

/** A page that is empty until its script has asked for what it shows. */
const SHELL = `<!doctype html><title>Shop</title><div id="root">Loading…</div><script src="/app.js"></script>`;
const APP = `fetch('/items.json').then((answer) => answer.json()).then((items) => {
  document.getElementById('root').innerHTML = '<h1>Shop</h1>' + items.map((item) => '<p>' + item + '</p>').join('');
});`;
const ENDLESS = '<!doctype html><title>Endless</title><p>text</p><script>setTimeout(() => { for (;;); }, 50)</script>';

class Shop {
  items: readonly string[] = ['Green tea costs three euros a pound.', 'Black tea costs four euros a pound.'];
  readonly asked: string[] = [];
  readonly #server: Server;
  /** Called when the page is asked for its items, before they are sent. */
  onItems: (() => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      const pages: Record<string, [type: string, body: string]> = {
        '/': ['text/html', SHELL],
        '/plain': [
          'text/html',
          '<!doctype html><title>Plain</title><main><p>A page that its server sends as it is.</main>',
        ],
        '/endless': ['text/html', ENDLESS],
        '/app.js': ['text/javascript', APP],
        '/items.json': ['application/json', JSON.stringify(this.items)],
      };
      if (path === '/items.json') this.onItems?.();
      const [type, body] = pages[path] ?? [];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.78', resolve));
    return `http://127.0.0.78:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe.skipIf(NO_BROWSER)('a watch that is rendered', () => {
  let daemon: RealDaemon;
  let shop: Shop;
  let url: string;
  beforeAll(async () => {
    shop = new Shop();
    url = await shop.open();
    daemon = await RealDaemon.start(loopback);
  });
  afterAll(async () => {
    shop.close();
    await daemon.dispose();
  });

  const checked = async (address: string): Promise<{ outcome: string; reason?: string; detail?: string }> => {
    const { stdout } = await daemon.run('hydrant', ['watch', 'check', address, '--wait', '--json']);
    return (JSON.parse(stdout) as { check: { outcome: string } }).check;
  };

  test('sees what its scripts show, and each change of that; a browser that is killed costs one check', async () => {
    const tried = await daemon.run('hydrant', ['watch', 'try', `${url}/`, '--render', '--within', '30s']);
    expect(tried.stdout).toMatch(/^ +2 \+ Green tea costs three euros a pound\.$/m);
    expect(tried.stderr).toContain('rendering adds 3 lines');
    const added = await daemon.run('hydrant', ['watch', 'add', `${url}/`, '--render', '--within', '30s', '--wait']);
    expect([added.exitCode, added.stderr]).toEqual([0, expect.stringContaining('3 lines')]);

    shop.items = ['Green tea costs five euros a pound.', 'Black tea costs four euros a pound.'];
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'changed' });
    const { stdout: diff } = await daemon.run('hydrant', ['watch', 'diff', `${url}/`]);
    expect(diff).toContain('Green tea costs five euros a pound.');
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'unchanged' });

    let profile = '';
    shop.onItems = () => {
      // Not asked before: a browser that is slow to close a page is replaced by another one.
      profile = profiles(daemon).find((one) => browsers(one).length > 0) ?? '';
      process.kill(Number(browsers(profile)[0]), 'SIGKILL');
    };
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'failed', reason: 'render' });
    shop.onItems = undefined;
    await until('the profile is gone', () => !existsSync(profile) && browsers(profile).length === 0);
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'unchanged' });
    expect(shop.asked.filter((path) => /favicon|\.css|\.png/.test(path))).toEqual([]);
  });

  test('a page that needs no rendering is told so', async () => {
    const tried = await daemon.run('hydrant', [
      'watch',
      'try',
      `${url}/plain`,
      '--render',
      '--within',
      '30s',
      '--json',
    ]);
    expect(JSON.parse(tried.stdout)).toMatchObject({ gained: [], lost: [], rendered: { lines: [expect.any(String)] } });
  });

  test('a page whose script does not end is one failed check, and the next page is read', async () => {
    await daemon.run('hydrant', ['watch', 'add', `${url}/endless`, '--render', '--within', '4s', '--wait']);
    expect(await checked(`${url}/endless`)).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'unchanged' });
  });

  test('a daemon that is killed takes its browser with it, and the next one clears up behind it', async () => {
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'unchanged' });
    const [profile = ''] = profiles(daemon);
    expect(browsers(profile).length).toBeGreaterThan(0);
    await daemon.kill();
    await until('the browser has ended', () => browsers(profile).length === 0);
    await daemon.start();
    await until('its profile is gone', () => !existsSync(profile));
    expect(await checked(`${url}/`)).toMatchObject({ outcome: 'unchanged' });
  });
});

test('without a browser, --render is refused with what to install, and all else works', async () => {
  const daemon = await RealDaemon.start([...loopback, '--render-browser', '/nowhere/chromium']);
  const shop = new Shop();
  onTestFinished(async () => {
    shop.close();
    await daemon.dispose();
  });
  const url = await shop.open();
  const refused = await daemon.run('hydrant', ['watch', 'add', `${url}/plain`, '--render']);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('This daemon cannot render pages: /nowhere/chromium is no program.');
  expect((await daemon.run('hydrant', ['watch', 'add', `${url}/plain`, '--wait'])).exitCode).toBe(0);
});

/** Whether a network of its own can be had here, with the canaries of `attack-world.ts` in it. */
function hasNamespaces(): boolean {
  try {
    execFileSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

describe.skipIf(NO_BROWSER ?? !hasNamespaces())('the attack page, in a network of its own', () => {
  const world = (mode: string): { hits: string[]; read: boolean } => {
    const script = join(import.meta.dirname, 'attack-world.ts');
    const setUp = [
      'ip link set lo up',
      'for a in 169.254.169.254/32 192.168.77.1/32 10.255.255.53/32; do ip addr add $a dev lo; done',
      'exec "$0" "$@"',
    ];
    const words = ['-n', 'sh', '-ec', setUp.join('; '), process.execPath, script, mode];
    return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8' })) as { hits: string[]; read: boolean };
  };

  test('reaches its canaries from a browser alone: they work', () => {
    const { hits, read } = world('alone');
    const kinds = ['127.0.0.1:8090 GET', '169.254.169.254:80 GET', '192.168.77.1:80 GET', '[::1]:8090 GET'];
    expect(kinds.filter((kind) => !hits.some((hit) => hit.startsWith(kind)))).toEqual([]);
    expect([hits.length > 40, read]).toEqual([true, true]);
  });

  test.each(['proxy', 'all'])('reaches none of them when it is rendered (%s)', (mode) => {
    expect(world(mode)).toEqual({ hits: [], read: false });
  });
});
