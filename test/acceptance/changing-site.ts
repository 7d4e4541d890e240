import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pages on hosts of their own, each of whose visits is a change: a small event for `fox`. */
export class ChangingSite {
  readonly urls: string[] = [];
  readonly #servers: Server[] = [];
  readonly #title: string;
  #visit = 0;

  private constructor(title: string) {
    this.#title = title;
  }

  static async start(hosts: number, from = 40, title = 'Changing'): Promise<ChangingSite> {
    const site = new ChangingSite(title);
    for (let host = 0; host < hosts; host += 1) await site.#listen(`127.0.0.${from + host}`);
    return site;
  }

  async #listen(address: string): Promise<void> {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end();
        return;
      }
      this.#visit += 1;
      const line = (name: string): string => `<p>${name}: the quick brown fox jumps over dog ${this.#visit} today.</p>`;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<meta charset="utf-8"><title>${this.#title}</title><main>${['one', 'two', 'three'].map(line).join('')}</main>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    this.#servers.push(server);
    this.urls.push(`http://${address}:${(server.address() as AddressInfo).port}/`);
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
