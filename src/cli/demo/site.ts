import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pages } from './pages.ts';

/** Milliseconds between two states of the site. */
export const TICK_MS = 3_000;

export interface SiteOptions {
  readonly seed: number;
  readonly now: () => number;
}

/** A running site. */
export interface Site {
  /** One a page, in the order of `pages`. */
  readonly urls: readonly string[];
  close(): Promise<void>;
}

/**
 * A small web site on the loopback interface whose pages change every three seconds, as a function of the seed and
 * the time since it was started. Two hosts where the system has them, so that the demo shows two domains: Linux
 * answers on all of 127.0.0.0/8, macOS on 127.0.0.1 alone.
 */
export async function startSite({ seed, now }: SiteOptions): Promise<Site> {
  const started = now();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const at = now();
    const render = pages[new URL(request.url ?? '/', 'http://site').pathname];
    const tick = Math.floor((at - started) / TICK_MS);
    if (render) send(response, 200, render({ seed, tick }, new Date(started + tick * TICK_MS).toISOString()));
    else send(response, 404, '<!doctype html><title>Not found</title><p>There is no such page.</p>');
  };
  const first = await listen(answer, '127.0.0.1');
  const second = await listen(answer, '127.0.0.2').catch(() => first);
  const hosts = [first, second];
  return {
    urls: Object.keys(pages).map((path, index) => `${hosts[index % 2]?.base ?? first.base}${path}`),
    async close() {
      await Promise.all([...new Set(hosts)].map(async ({ server }) => closed(server)));
    },
  };
}

function send(response: ServerResponse, code: number, html: string): void {
  response.writeHead(code, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).end(html);
}

interface Host {
  readonly server: Server;
  readonly base: string;
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host: string,
): Promise<Host> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no port on ${host}`);
  return { server, base: `http://${host}:${address.port}` };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
