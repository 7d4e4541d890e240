import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { CheckDetail, CheckReport } from '../../../src/shared/api/watch.ts';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';

const apps = path.join(import.meta.dirname, '../../fixtures/frameworks');
export const FRAMEWORKS = readdirSync(apps).flatMap((file) =>
  file.endsWith('.js') ? file.slice(0, -'.js'.length) : [],
);

interface Item {
  readonly name: string;
  readonly price: number;
}

/** The shells of a framework each, on a host each, whose list is the test's to change. */
class Shops {
  readonly #servers: Server[] = [];
  readonly urls = new Map<string, string>();
  readonly lists = new Map<string, Item[]>();

  async open(): Promise<void> {
    for (const [index, name] of FRAMEWORKS.entries()) await this.#listen(name, `127.0.0.${80 + index}`);
  }

  async #listen(name: string, host: string): Promise<void> {
    const script = readFileSync(path.join(apps, `${name}.js`));
    const items = ['Green tea', 'Black tea', 'Coffee', 'Cocoa'].map((item, at) => ({ name: item, price: at + 3 }));
    this.lists.set(name, items);
    const server = createServer((request, response) => {
      const send = (type: string, body: string | Buffer): void =>
        void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
      if (request.url === '/')
        send('text/html', `<!doctype html><title>${name}</title><div id="root"></div><script src="/app.js"></script>`);
      else if (request.url === '/app.js') send('text/javascript', script);
      else if (request.url === '/items.json') send('application/json', JSON.stringify(this.lists.get(name)));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    this.#servers.push(server);
    this.urls.set(name, `http://${host}:${(server.address() as AddressInfo).port}/`);
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** Watches of shells in React, Vue, Svelte, Angular and Lit, rendered by a real daemon; what is wrong is in `faults`. */
export class RenderedShells {
  readonly #shops = new Shops();
  readonly #daemon: RealDaemon;
  readonly faults: string[] = [];

  constructor(daemon: RealDaemon) {
    this.#daemon = daemon;
  }

  async open(): Promise<void> {
    await this.#shops.open();
    for (const url of this.#shops.urls.values()) {
      const added = await this.#daemon.run('hydrant', ['watch', 'add', url, '--render', '--within', '60s', '--wait']);
      if (added.exitCode !== 0) this.faults.push(`${url}: ${added.stderr}`);
    }
  }

  close(): void {
    this.#shops.close();
  }

  /** One price of one shell changes, and its next check has to find that one line. */
  async checkChange(n: number): Promise<void> {
    const name = FRAMEWORKS[n % FRAMEWORKS.length] ?? '';
    const items = this.#shops.lists.get(name) ?? [];
    const at = Math.floor(n / FRAMEWORKS.length) % items.length;
    const item = items[at];
    if (!item) throw new Error(`there is no shell ${name}`);
    const next = { name: item.name, price: item.price + 10 };
    items[at] = next;
    const check = await this.#check(name);
    const told = check.outcome === 'changed' ? await this.#lines(name) : {};
    const right = { del: [lineOf(item)], ins: [lineOf(next)] };
    const found = JSON.stringify(told).replaceAll('"- ', '"');
    if (found === JSON.stringify(right)) return;
    this.faults.push(`${name}, check ${n}: ${check.outcome} ${check.reason ?? ''} ${check.detail ?? ''} ${found}`);
  }

  /** Of each shell: nothing has changed, and nothing may be told. */
  async checkNothing(names: readonly string[] = FRAMEWORKS): Promise<void> {
    for (const name of names) {
      const { outcome, reason = '', detail = '' } = await this.#check(name);
      if (outcome !== 'unchanged') this.faults.push(`${name}, without a change: ${outcome} ${reason} ${detail}`);
    }
  }

  async #check(name: string): Promise<CheckReport> {
    const url = this.#shops.urls.get(name) ?? '';
    const words = ['watch', 'check', url, '--wait', '--json', '--timeout', '300s'];
    const { stdout } = await this.#daemon.run('hydrant', words);
    return (JSON.parse(stdout) as { check: CheckReport }).check;
  }

  /** Those that the last change took away, and those that it brought. */
  async #lines(name: string): Promise<{ del: readonly string[]; ins: readonly string[] }> {
    const told = await this.#daemon.hydrant(['watch', 'diff', this.#shops.urls.get(name) ?? '', '--json']);
    const { hunks = [] } = (JSON.parse(told) as { check: CheckDetail }).check;
    const blocks = hunks.flatMap((hunk) => hunk.blocks);
    return { del: blocks.flatMap(({ del = [] }) => del), ins: blocks.flatMap(({ ins = [] }) => ins) };
  }
}

function lineOf({ name, price }: Item): string {
  return `${name} costs ${price} euros.`;
}
