import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { CheckDetail } from '../../src/shared/api/watch.ts';
import { processesOf } from '../../src/daemon/render/memory-watch.ts';
import { loopback, RealDaemon } from '../acceptance/real-daemon.ts';

const apps = path.join(import.meta.dirname, '../fixtures/frameworks');
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

  static async open(): Promise<Shops> {
    const shops = new Shops();
    for (const [index, name] of FRAMEWORKS.entries()) await shops.#listen(name, `127.0.0.${80 + index}`);
    return shops;
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

/**
 * `npm run soak -- render [checks]`: shells of React, Vue, Svelte, Angular and Lit, rendered; before each check one price of one
 * changes. Each change has to be seen as that one line, a check without a change in between as none, and the memory of the
 * daemon has to come back. The first line says what was seen, the others what is wrong with it.
 */
export async function renderedShells(count: number): Promise<string[]> {
  const shops = await Shops.open();
  const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
  try {
    return await new ShellSoak(shops, daemon).run(count);
  } finally {
    shops.close();
    await daemon.dispose();
  }
}

class ShellSoak {
  readonly #shops: Shops;
  readonly #daemon: RealDaemon;
  readonly #faults: string[] = [];

  constructor(shops: Shops, daemon: RealDaemon) {
    this.#shops = shops;
    this.#daemon = daemon;
  }

  async run(count: number): Promise<string[]> {
    for (const url of this.#shops.urls.values()) {
      const added = await this.#daemon.run('hydrant', ['watch', 'add', url, '--render', '--within', '60s', '--wait']);
      if (added.exitCode !== 0) this.#faults.push(`${url}: ${added.stderr}`);
    }
    const before = residentBytes(this.#daemon.pid);
    for (let n = 0; n < count; n += 1) await this.#checkChange(FRAMEWORKS[n % FRAMEWORKS.length] ?? '', n);
    for (const name of FRAMEWORKS) await this.#checkNothing(name);
    const grown = Math.round((residentBytes(this.#daemon.pid) - before) / 1_024 / 1_024);
    const group = (await processesOf(this.#daemon.pid)).length;
    if (grown > MOST_GROWN_MB) this.#faults.push(`the daemon holds ${grown} MB more than before`);
    const seen = `${count} rendered checks of ${FRAMEWORKS.length} frameworks with a change each, and ${FRAMEWORKS.length} without`;
    return [
      `${seen}: ${this.#faults.length} wrong; the daemon (${group} process) grew by ${grown} MB`,
      ...this.#faults,
    ];
  }

  async #checkChange(name: string, n: number): Promise<void> {
    const items = this.#shops.lists.get(name) ?? [];
    const at = Math.floor(n / FRAMEWORKS.length) % items.length;
    const item = items[at];
    if (!item) return;
    items[at] = { name: item.name, price: item.price + 10 };
    const check = await this.#check(name);
    const blocks = check.hunks?.flatMap((hunk) => hunk.blocks) ?? [];
    const line = ({ name, price }: Item): string => `${name} costs ${price} euros.`;
    const told = { del: blocks.flatMap(({ del = [] }) => del), ins: blocks.flatMap(({ ins = [] }) => ins) };
    const right = { del: [line(item)], ins: [line(items[at] ?? item)] };
    const found = JSON.stringify(told);
    if (check.outcome !== 'changed' || found.replaceAll('- ', '') !== JSON.stringify(right)) {
      this.#faults.push(`${name}, check ${n}: ${check.outcome} ${check.reason ?? ''} ${check.detail ?? ''} ${found}`);
    }
  }

  async #checkNothing(name: string): Promise<void> {
    const check = await this.#check(name);
    if (check.outcome !== 'unchanged') this.#faults.push(`${name}, without a change: ${check.outcome}`);
  }

  async #check(name: string): Promise<CheckDetail> {
    const url = this.#shops.urls.get(name) ?? '';
    const { stdout } = await this.#daemon.run('hydrant', [
      'watch',
      'check',
      url,
      '--wait',
      '--json',
      '--timeout',
      '300s',
    ]);
    return (JSON.parse(stdout) as { check: CheckDetail }).check;
  }
}

const MOST_GROWN_MB = 60;

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) * 1_024;
}
