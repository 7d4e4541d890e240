import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Moment, prices, releases, status, stories } from './town.ts';

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

/** The site's pages by path; each renders one moment. `published` is an instant, for the page that carries a date. */
export const pages: Readonly<Record<string, (moment: Moment, published: string) => string>> = {
  '/news': newsPage,
  '/prices': pricesPage,
  '/changelog': changelogPage,
  '/status': statusPage,
};

function newsPage(moment: Moment, published: string): string {
  const articles = stories(moment, 5).map(
    ({ headline, text }) => `<article><h2>${escaped(headline)}</h2>\n<p>${escaped(text)}</p></article>`,
  );
  return page('The Harbour Post – news from Port Verity', articles, [
    `<meta property="article:published_time" content="${escaped(published)}">`,
  ]);
}

function pricesPage(moment: Moment): string {
  const rows = prices(moment).map(
    ({ item, unit, cents }) =>
      `<tr><td>${escaped(item)}</td><td>${(cents / 100).toFixed(2)} €</td><td>per ${escaped(unit)}</td></tr>`,
  );
  return page('Prices at the fish market', [
    '<table><thead><tr><th>Goods</th><th>Price</th><th>Unit</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table>`,
  ]);
}

function changelogPage(moment: Moment): string {
  const sections = releases(moment, 4).map(
    ({ version, notes }) =>
      `<section><h2>Lantern ${version}</h2>\n<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('\n')}</ul></section>`,
  );
  return page('Lantern charts: changelog', sections);
}

function statusPage(moment: Moment): string {
  const sections = status(moment).map(
    ({ name, state, note }) => `<section><h2>${escaped(name)}: ${state}</h2>\n<p>${escaped(note)}</p></section>`,
  );
  return page('Port Verity harbour services: status', sections);
}

function page(title: string, main: readonly string[], head: readonly string[] = []): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(title)}</title>${head.join('')}</head>`,
    `<body><main><h1>${escaped(title)}</h1>`,
    ...main,
    '</main></body>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
