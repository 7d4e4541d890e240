import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Series } from '../fixtures/series.ts';

/** Which version was served when; `life` is raised by the test at every kill of the daemon. */
export interface Serving {
  readonly version: number;
  readonly at: number;
  readonly life: number;
}

/**
 * Real HTTP servers on several loopback hosts that serve a page's versions one after another. A page goes on to its
 * next version only when the same life of the daemon asks again: a second request proves that the visit before it
 * was committed, since only the commit makes the page due again. After a kill the last version is served once more.
 */
export class PageHosts {
  readonly #servers: Server[] = [];
  readonly #pages = new Map<string, { series: Series; servings: Serving[]; url: string }>();
  life = 0;

  static async start(series: readonly Series[], hosts: number): Promise<PageHosts> {
    const all = new PageHosts();
    for (let host = 0; host < hosts; host += 1) {
      const address = `127.0.0.${10 + host}`;
      const server = createServer((request, response) => all.#serve(request.url ?? '/', response));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, address, resolve);
      });
      all.#servers.push(server);
      const { port } = server.address() as AddressInfo;
      for (const [index, page] of series.entries()) {
        if (index % hosts !== host) continue;
        const url = `http://${address}:${port}/${page.id}`;
        all.#pages.set(`/${page.id}`, { series: page, servings: [], url });
      }
    }
    return all;
  }

  get urls(): string[] {
    return [...this.#pages.values()].map((page) => page.url);
  }

  get hostnames(): string[] {
    return [...new Set(this.urls.map((url) => new URL(url).hostname))];
  }

  /** Every page has served its last version, and a later request of the same life proves it was committed. */
  get done(): boolean {
    return [...this.#pages.values()].every(({ series, servings }) => {
      const last = servings.at(-1);
      const before = servings.at(-2);
      const end = series.versions.length - 1;
      return last?.version === end && before?.version === end && before.life === last.life;
    });
  }

  get servings(): number {
    return [...this.#pages.values()].reduce((sum, page) => sum + page.servings.length, 0);
  }

  /** `page#version` of everything that should have become an event. */
  get expected(): string[] {
    return this.#versions('event');
  }

  /** And of what may be one or not. */
  get open(): string[] {
    return this.#versions('open');
  }

  #versions(expected: Series['versions'][number]['expected']): string[] {
    return [...this.#pages.values()].flatMap(({ series }) =>
      series.versions.flatMap((version, index) => (version.expected === expected ? [`${series.id}#${index}`] : [])),
    );
  }

  /** The version a match is about: the one on show at that moment. */
  versionAt(url: string, at: number): string {
    const { pathname } = new URL(url);
    const page = this.#pages.get(pathname);
    const shown = page?.servings.findLast((serving) => serving.at <= at);
    return `${pathname.slice(1)}#${shown?.version ?? 'none'}`;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #serve(path: string, response: ServerResponse): void {
    const page = this.#pages.get(path);
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    const last = page.servings.at(-1);
    const end = page.series.versions.length - 1;
    let version = last?.version ?? 0;
    if (last && last.life === this.life) version = Math.min(version + 1, end);
    page.servings.push({ version, at: Date.now(), life: this.life });
    response.writeHead(200, { 'content-type': 'text/html' }).end(page.series.versions[version]?.body);
  }
}
