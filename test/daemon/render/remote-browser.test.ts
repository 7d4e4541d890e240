import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findBrowser, flagsOf } from '../../../src/daemon/render/chromium.ts';
import { until } from '../../acceptance/real-daemon.ts';
import { htmlOf, NamedSite, NO_BROWSER, rendered, rendererFor } from './rendering.ts';

/** Where nobody listens: what does not go through the proxy of its context goes nowhere. */
const NOWHERE = 9;

/** A Chromium that somebody else has started, whose DevTools listen on a port of loopback. */
class RemoteBrowser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly endpoint: string;

  private constructor(child: ChildProcess, profile: string, port: string) {
    this.#child = child;
    this.#profile = profile;
    this.endpoint = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<RemoteBrowser> {
    const profile = mkdtempSync(path.join(tmpdir(), 'hydrant-remote-'));
    const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (identity.uid !== undefined) chownSync(profile, identity.uid, identity.gid);
    const flags = flagsOf({ profile, proxyPort: NOWHERE, hasSandbox: true });
    const child = spawn(
      (await findBrowser('')) ?? '',
      flags.map((flag) => (flag === '--remote-debugging-pipe' ? '--remote-debugging-port=0' : flag)),
      { ...identity, detached: true, env: { HOME: profile, PATH: '/usr/bin:/bin' }, stdio: 'ignore' },
    );
    // Written when the port is open.
    const note = path.join(profile, 'DevToolsActivePort');
    await until('its port is open', () => existsSync(note) && readFileSync(note, 'utf8').includes('\n'));
    return new RemoteBrowser(child, profile, readFileSync(note, 'utf8').split('\n', 1)[0] ?? '');
  }

  /** What its DevTools answer. */
  async json<Answer>(name: string): Promise<Answer> {
    return (await (await fetch(`${this.endpoint}/json/${name}`)).json()) as Answer;
  }

  async close(): Promise<void> {
    process.kill(-Number(this.#child.pid), 'SIGKILL');
    await once(this.#child, 'exit');
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

describe.skipIf(NO_BROWSER)('a browser elsewhere', () => {
  let browser: RemoteBrowser;
  beforeAll(async () => {
    browser = await RemoteBrowser.start();
  });
  afterAll(() => browser.close());

  test.each(['http', 'ws'])(
    'renders pages by the proxy alone, and stays when the renderer is closed (%s)',
    async (scheme) => {
      const { webSocketDebuggerUrl: socket } = await browser.json<{ webSocketDebuggerUrl: string }>('version');
      const renderer = rendererFor({ browser: '/nowhere', endpoint: scheme === 'ws' ? socket : browser.endpoint });
      const site = await NamedSite.pages('site.test', {
        '/': '<div id=o>Loading</div><script>fetch("/text.json").then((r) => r.json()).then((t) => { o.textContent = t; })</script>',
        '/text.json': '"What only a browser shows"',
      });
      expect(await htmlOf(renderer, site.url())).toContain('<div id="o">What only a browser shows</div>');
      expect(await htmlOf(renderer, site.url())).toContain('What only a browser shows');
      await renderer.close();
      const pages = await browser.json<readonly { readonly url: string }[]>('list');
      expect(pages.filter(({ url }) => url.includes('site.test'))).toEqual([]);
    },
  );

  test('reaches nothing that the daemon would not', async () => {
    const heard: string[] = [];
    const canary = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('SECRET');
    });
    await once(canary.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void canary.close());
    const { port } = canary.address() as AddressInfo;
    const targets = ['127.0.0.1', 'localhost', 'private.test', '[::ffff:127.0.0.1]'].map(
      (host) => `http://${host}:${port}`,
    );
    const site = await NamedSite.pages('site.test', {
      '/': `<p id=o>nothing</p><script>
        for (const to of ${JSON.stringify(targets)}) {
          fetch(to + '/fetch').then((r) => r.text()).then((text) => { o.textContent = text; }, () => 0);
          new Worker(URL.createObjectURL(new Blob(["fetch('" + to + "/worker')"])));
          try { new WebSocket(to.replace('http', 'ws') + '/socket'); } catch {}
        }
      </script>`,
    });
    const renderer = rendererFor({ browser: '/nowhere', endpoint: browser.endpoint });
    expect(await htmlOf(renderer, site.url())).toContain('<p id="o">nothing</p>');
    expect(await rendered(renderer, `http://private.test:${port}/page`)).toMatchObject({ reason: 'private_address' });
    expect(heard).toEqual([]);
  });

  test('that is not there is a failed page, which repeats no login of its address', async () => {
    const renderer = rendererFor({ endpoint: `http://ada:secret@127.0.0.1:${NOWHERE}` });
    expect(await rendered(renderer, 'http://site.test/')).toEqual({
      outcome: 'failed',
      reason: 'render',
      detail: `no browser answers at 127.0.0.1:${NOWHERE} (render-endpoint)`,
    });
  });
});
