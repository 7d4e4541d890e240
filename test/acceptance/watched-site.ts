import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownSeries } from '../fixtures/series.ts';

/** A page of the site: its versions are the test's to publish, one after another. */
export interface WatchedPage {
  readonly url: string;
  readonly bodies: readonly Uint8Array[];
  /** What is on show, counted from 0. */
  version: number;
  /** It answers with an image, so that a check of it fails. */
  isOut: boolean;
  requests: number;
}

/** Two pages a host; every third page says the same as the one before it, so that their texts are the same. */
export class WatchedSite {
  readonly pages: WatchedPage[] = [];
  readonly #servers: Server[] = [];

  static async start(count: number, versions: number, seed: number): Promise<WatchedSite> {
    const site = new WatchedSite();
    // Of a series, some versions say what the one before them said.
    const bodies = ownSeries(count, versions * 3, seed).map((series) =>
      series.versions.flatMap(({ body, expected }, index) => (index === 0 || expected === 'event' ? [body] : [])),
    );
    for (let page = 0; page < count; page += 1) {
      const said = bodies[page % 3 === 2 ? page - 1 : page] ?? [];
      await site.#add(page, said.slice(0, versions));
    }
    return site;
  }

  /** The lines of a version, without the heading. */
  linesOf(page: WatchedPage, version: number): string[] {
    const text = new TextDecoder().decode(page.bodies[version]);
    return [...text.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, line = '']) => line);
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #add(index: number, bodies: readonly Uint8Array[]): Promise<void> {
    const origin = index % 2 === 0 ? await this.#listen(`127.0.0.${80 + index / 2}`) : this.#originOf(index - 1);
    this.pages.push({ url: `${origin}/${index}`, bodies, version: 0, isOut: false, requests: 0 });
  }

  #originOf(index: number): string {
    return new URL(this.pages[index]?.url ?? '').origin;
  }

  async #listen(address: string): Promise<string> {
    const server = createServer((request, response) => this.#answer(request.url ?? '/', response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, resolve);
    });
    this.#servers.push(server);
    return `http://${address}:${(server.address() as AddressInfo).port}`;
  }

  #answer(path: string, response: ServerResponse): void {
    const page = this.pages[Number(path.slice(1))];
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    page.requests += 1;
    const type = page.isOut ? 'image/png' : 'text/html';
    response.writeHead(200, { 'content-type': type }).end(page.bodies[page.version]);
  }
}
