import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { guardedConnector } from '../../../src/daemon/fetch/connector.ts';
import type { Fetched } from '../../../src/daemon/fetch/fetched.ts';
import type { Resolve } from '../../../src/daemon/fetch/names.ts';
import { findBrowser } from '../../../src/daemon/render/chromium.ts';
import { Renderer, type RendererDeps, type RenderOrder } from '../../../src/daemon/render/renderer.ts';

/** Why tests with a browser are skipped here; undefined: they are not. */
export const NO_BROWSER = (await findBrowser('')) === undefined ? 'chromium is not installed' : undefined;

/** What the names of tests mean; other names mean nothing. */
export const resolve: Resolve = (name) => {
  const address = NAMES.get(name);
  if (address === undefined) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return Promise.resolve([{ address, family: 4 }]);
};
const NAMES = new Map([
  ['site.test', '127.0.0.2'],
  ['other.test', '127.0.0.3'],
  ['private.test', '127.0.0.1'],
]);

const outside = { now: (): number => Date.now() };

/** As `makeRenderer`, until the end of the test. */
export function rendererFor(options: Partial<RendererDeps> = {}): Renderer {
  const renderer = makeRenderer(options);
  onTestFinished(() => renderer.close());
  return renderer;
}

/** A renderer to which `site.test` and `other.test` are open, and nothing else is. */
export function makeRenderer(options: Partial<RendererDeps> = {}): Renderer {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.2/32', '127.0.0.3/32'] });
  return new Renderer({
    outside,
    guard,
    connect: () => guardedConnector(guard, resolve),
    userAgent: '(compatible; hydrant/1.2.3)',
    browser: '',
    endpoint: '',
    proxyHost: '127.0.0.1',
    hasSandbox: true,
    pages: 4,
    onError: (what, error) => {
      throw new Error(what, { cause: error });
    },
    ...options,
  });
}

export function rendered(renderer: Renderer, url: string, order: Partial<RenderOrder> = {}): Promise<Fetched> {
  const all: RenderOrder = {
    url,
    withinMs: 15_000,
    mayFollow: () => Promise.resolve(undefined),
    mayLoad: () => Promise.resolve(0),
    ...order,
  };
  return renderer.render(all, new AbortController().signal);
}

export async function htmlOf(renderer: Renderer, url: string, order: Partial<RenderOrder> = {}): Promise<string> {
  const fetched = await rendered(renderer, url, order);
  if (fetched.outcome !== 'fetched') throw new Error(JSON.stringify(fetched));
  return Buffer.from(fetched.bytes).toString();
}

/** A server of a name of the tests, and what was asked of it. */
export class NamedSite {
  readonly port: number;
  readonly asked: string[];
  readonly #name: string;

  private constructor(name: string, port: number, asked: string[]) {
    this.#name = name;
    this.port = port;
    this.asked = asked;
  }

  static async listen(name: string, listener: RequestListener): Promise<NamedSite> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      listener(request, response);
    });
    server.listen(0, NAMES.get(name));
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new NamedSite(name, (server.address() as AddressInfo).port, asked);
  }

  /** The pages by their paths; 404 for the others. */
  static pages(name: string, pages: Readonly<Record<string, string>>): Promise<NamedSite> {
    return NamedSite.listen(name, (request, response) => {
      const path = request.url?.split('?', 1)[0] ?? '';
      const body = pages[path];
      if (body === undefined) response.writeHead(404);
      else response.writeHead(200, { 'content-type': typeOf(path), 'access-control-allow-origin': '*' });
      response.end(body);
    });
  }

  url(path = '/'): string {
    return `http://${this.#name}:${this.port}${path}`;
  }
}

function typeOf(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript';
  if (path.endsWith('.json')) return 'application/json';
  return 'text/html; charset=utf-8';
}
