import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { letters, VersionedPage } from './versioned-page.ts';

/** Hosts on addresses of their own, whose pages change whenever the harness says so. */
export class CrashSite {
  readonly pages: VersionedPage[] = [];
  readonly #servers: Server[] = [];
  readonly #origins: string[] = [];
  readonly #byUrl = new Map<string, VersionedPage>();

  readonly #attend: Attend;

  private constructor(attend: Attend) {
    this.#attend = attend;
  }

  /** `prefix` begins the names of its pages; the hosts are 127.0.0.`from` and those that follow. */
  static async start(prefix: string, { hosts, pagesAHost, from, attend }: SiteShape): Promise<CrashSite> {
    const site = new CrashSite(attend ?? AT_ONCE);
    for (let host = 0; host < hosts; host += 1) await site.#listen(`127.0.0.${from + host}`);
    for (let index = 0; index < hosts * pagesAHost; index += 1) {
      const origin = site.#origins[index % hosts] ?? '';
      site.add(new VersionedPage(prefix + letters(index), `${origin}/${letters(index)}`));
    }
    return site;
  }

  get origins(): readonly string[] {
    return this.#origins;
  }

  add(page: VersionedPage): VersionedPage {
    this.pages.push(page);
    this.#byUrl.set(page.url, page);
    return page;
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #listen(address: string): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, resolve);
    });
    this.#servers.push(server);
    this.#origins.push(`http://${address}:${(server.address() as AddressInfo).port}`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#attend(request, response);
    this.#answer(`http://${request.headers.host ?? ''}${request.url ?? '/'}`, response);
  }

  #answer(url: string, response: ServerResponse): void {
    const page = this.#byUrl.get(url);
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page.html());
  }
}

/** What is done before a request is answered. */
export type Attend = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
const AT_ONCE: Attend = async () => undefined;

interface SiteShape {
  readonly hosts: number;
  readonly pagesAHost: number;
  readonly from: number;
  readonly attend?: Attend;
}
