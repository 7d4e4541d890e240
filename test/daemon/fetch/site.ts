import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import type { Resolve } from '../../../src/daemon/fetch/names.ts';
import type { Fetched, Fetcher } from '../../../src/daemon/fetch/fetched.ts';
import { createFetcher, type FetcherOptions } from '../../../src/daemon/fetch/fetcher.ts';

/** A certificate for site.test that nobody signed but itself, and its key. */
export const SELF_SIGNED = readFileSync(new URL('./site-test.pem', import.meta.url), 'utf8');

/** A real server on loopback that knows its connections. */
export class Site {
  readonly port: number;
  readonly host: string;
  #open = 0;
  #mostOpen = 0;
  #accepted = 0;
  readonly #sockets = new Set<Socket>();
  readonly #waiters = new Set<() => void>();

  private constructor(server: Server) {
    const { address, port } = server.address() as AddressInfo;
    this.port = port;
    this.host = address;
    server.on('connection', (socket: Socket) => this.#track(socket));
  }

  static async listen(server: Server, host = '127.0.0.1'): Promise<Site> {
    server.listen(0, host);
    await once(server, 'listening');
    const site = new Site(server);
    onTestFinished(async () => {
      for (const socket of site.#sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return site;
  }

  static http(listener: RequestListener, host?: string): Promise<Site> {
    return Site.listen(createHttpServer(listener), host);
  }

  static https(listener: RequestListener): Promise<Site> {
    return Site.listen(createHttpsServer({ key: SELF_SIGNED, cert: SELF_SIGNED }, listener));
  }

  /** Says the same to every connection that says something, byte for byte. */
  static raw(answer: (socket: Socket) => void): Promise<Site> {
    return Site.listen(createTcpServer((socket) => socket.once('data', () => answer(socket))));
  }

  /** Every connection is the test's own to answer. */
  static listening(answer: (socket: Socket) => void): Promise<Site> {
    return Site.listen(createTcpServer(answer));
  }

  url(path = '/'): string {
    return `http://${this.host}:${this.port}${path}`;
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** The most connections that were open at the same time. */
  get mostOpen(): number {
    return this.#mostOpen;
  }

  /** Resolves when every connection has been closed, by whomever. */
  async vacated(): Promise<void> {
    await this.#until(() => this.#open === 0);
  }

  /** Resolves when at least `count` connections were made. */
  async connected(count: number): Promise<void> {
    await this.#until(() => this.#accepted >= count);
  }

  /** Resolves when every connection has been closed; fetchers of the test need not keep theirs any more. */
  async deserted(): Promise<void> {
    for (const fetcher of fetchers) fetcher.rest(`${this.host}:${this.port}`);
    await this.vacated();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#waiters.add(resolve);
      });
    }
  }

  #track(socket: Socket): void {
    this.#open += 1;
    this.#mostOpen = Math.max(this.#mostOpen, this.#open);
    this.#accepted += 1;
    this.#sockets.add(socket);
    // The client may reset the connection at any moment; that is what many of these tests are about.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#open -= 1;
      this.#sockets.delete(socket);
      this.#wake();
    });
    this.#wake();
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}

/** Those of the test that runs. */
const fetchers = new Set<Fetcher>();

/** A fetcher that may visit loopback, closed when the test is over. */
export function fetcherFor(options: Partial<FetcherOptions> = {}): Fetcher {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
  const fetcher = createFetcher({ guard, userAgent: 'hydrant/test', deadlineMs: 20_000, ...options });
  fetchers.add(fetcher);
  onTestFinished(async () => {
    fetchers.delete(fetcher);
    await fetcher.close();
  });
  return fetcher;
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** One fetch of a site's first page; when the host may rest the site is deserted, whatever came of it. */
export async function visit(listener: RequestListener, options?: Partial<FetcherOptions>): Promise<Fetched> {
  const site = await Site.http(listener);
  const fetched = await fetcherFor(options).fetch({ url: site.url() }, never());
  await site.deserted();
  return fetched;
}

/** A failure, and what is said of the last answer where there was one. */
export function failure(reason: string, detail: unknown = expect.any(String)): unknown {
  return expect.objectContaining({ outcome: 'failed', reason, detail });
}

export const saying = (text: string): unknown => expect.stringContaining(text);
/** A resolver that knows one address for every name. */
export const at =
  (address: string): Resolve =>
  () =>
    Promise.resolve([{ address, family: 4 }]);
