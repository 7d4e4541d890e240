import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckReport } from '../../../src/shared/api/watch.ts';
import { browsers, profiles } from '../../acceptance/daemon-browsers.ts';
import { type RealDaemon, until } from '../../acceptance/real-daemon.ts';

const SCRIPTS: Readonly<Record<string, string>> = {
  '/endless': 'setTimeout(() => { for (;;); }, 50)',
  '/memory': 'const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(7))',
  '/restless': 'setInterval(() => { document.body.append(" " + performance.now()); }, 50)',
  '/held': 'fetch("/kill")',
};

/** What each of the pages fails with, once. */
const REASONS: Readonly<Record<string, string>> = {
  '/endless': 'timeout',
  '/memory': 'too_large',
  '/restless': 'doubtful',
  '/held': 'render',
};

/**
 * Pages that a browser cannot be done with: a script without an end, one that fills memory, a page that never settles, a browser
 * that is killed, and a daemon that is. Each is one failed check with its reason, or none where the daemon died, and `next`, the
 * check of a page that is well, follows it.
 */
export class RenderTroubles {
  readonly #daemon: RealDaemon;
  readonly #server: Server;
  readonly faults: string[] = [];
  #atKill: (() => void) | undefined;

  constructor(daemon: RealDaemon) {
    this.#daemon = daemon;
    this.#server = createServer(({ url = '' }, response) => {
      const script = SCRIPTS[url];
      if (url === '/kill') this.#atKill?.();
      else if (script === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(`<!doctype html><title>Trouble</title><p>Some text of a page.</p><script>${script}</script>`);
    });
  }

  async meet(next: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.90', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const urlOf = (path: string): string => `http://127.0.0.90:${port}${path}`;
    try {
      this.#atKill = () => this.#killBrowser();
      for (const [path, reason] of Object.entries(REASONS)) {
        await this.#expectFailure(urlOf(path), reason);
        await next();
      }
      await this.#loseDaemon(urlOf('/held'));
      await next();
    } finally {
      this.#server.closeAllConnections();
      this.#server.close();
    }
  }

  async #expectFailure(url: string, reason: string): Promise<void> {
    await this.#daemon.run('hydrant', ['watch', 'add', url, '--render', '--within', '10s', '--wait']);
    const log = await this.#daemon.hydrant(['watch', 'log', url, '--json']);
    const [check] = log.split('\n').map((line) => JSON.parse(line) as CheckReport);
    if (check?.outcome === 'failed' && check.reason === reason) return;
    this.faults.push(`${url}: ${check?.outcome} ${check?.reason} ${check?.detail}, and not ${reason}`);
  }

  #killBrowser(): void {
    const [profile = 'none'] = profiles(this.#daemon);
    process.kill(Number(browsers(profile)[0]), 'SIGKILL');
  }

  /** While it renders a page. Its browser ends with it, and the next life removes the profile. */
  async #loseDaemon(url: string): Promise<void> {
    const killed = new Promise<void>((resolve) => {
      this.#atKill = () => void this.#daemon.kill().then(resolve);
    });
    await this.#daemon.hydrant(['watch', 'check', url, '--no-wait']);
    await killed;
    const [profile = 'none'] = profiles(this.#daemon);
    await until('the browser has ended', () => browsers(profile).length === 0);
    this.#atKill = () => this.#killBrowser();
    await this.#daemon.start();
    await until('its profile is gone', () => !existsSync(profile));
  }
}
