import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of a site, whose words are the test's. */
export interface SmallPage {
  title: string;
  lines: string[];
  /** Instead of the page. */
  status?: number;
}

/** Hosts with one page each. */
export class SmallWeb {
  readonly #servers: Server[] = [];

  /** @param address of loopback, of its own for each page; @returns the URL of the page */
  async add(address: string, page: SmallPage, path = '/'): Promise<string> {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      if (page.status !== undefined) return void response.writeHead(page.status).end('out of order');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      const body = page.lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');
      response.end(`<!doctype html><title>${escaped(page.title)}</title><main><h1>News</h1>\n${body}</main>`);
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    this.#servers.push(server);
    return `http://${address}:${(server.address() as AddressInfo).port}${path}`;
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** A title may say anything, and it is the page that says it, not its mark-up. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
