import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOUR_MS = 3_600_000;

/** A host that keeps books on when each of its pages was asked for. All pages change each hour. */
export class TimedSite {
  readonly #servers: Server[] = [];
  readonly #asked = new Map<string, number[]>();

  /** Its origin. */
  async host(address: string): Promise<string> {
    const server = createServer((request, response) => {
      const path = request.url ?? '/';
      const times = this.#asked.get(`${address}${path}`) ?? [];
      this.#asked.set(`${address}${path}`, times);
      times.push(Date.now());
      if (path === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(path, Math.floor(Date.now() / HOUR_MS)));
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    this.#servers.push(server);
    return `http://${address}:${(server.address() as AddressInfo).port}`;
  }

  /** When the page was asked for, in order. */
  asked(url: string): readonly number[] {
    const { hostname, pathname } = new URL(url);
    return this.#asked.get(`${hostname}${pathname}`) ?? [];
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

function pageOf(path: string, hour: number): string {
  const lines = Array.from({ length: 12 }, (_, line) => `<p>Shelf ${line} of ${path} holds ${line * 7} lamps.</p>`);
  const news = `<p>In hour ${hour} the ferry of ${path} took ${(hour * 31) % 997} people over.</p>`;
  return `<!doctype html><title>Quay ${path}</title><main><h1>Quay ${path}</h1>${lines.join('')}${news}</main>`;
}
