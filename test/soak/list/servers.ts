import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { addressOf, type Kind, type Terms, versionAt } from './kinds.ts';

/**
 * The hosts of a list, in a process of their own that can be stopped, and their books. Silent ones are elsewhere, and where
 * a connection is refused nobody listens: but while the network is to be out, since then nobody refuses either.
 */
export interface Ask {
  readonly at: number;
  readonly path: string;
  endedAt?: number;
  /** Of a page that is well: which version was sent. */
  readonly version?: number;
}

export type Told = 'books' | 'before-outage' | 'after-outage';
export type Reply =
  | { readonly port: number }
  | { readonly books: readonly (readonly Ask[])[] }
  | { readonly done: Told };

const terms = JSON.parse(process.argv[2] ?? '') as Terms;
const books = terms.kinds.map((): Ask[] => []);
const mute: NetServer[] = [];
let port = 0;

/** The kernel has room for so few that nobody has accepted that the places can be filled. */
const BACKLOG = 2;

function answer(n: number, kind: Kind, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/';
  const isRobots = path === '/robots.txt';
  const isWell = !isRobots && (kind === 'well' || kind === 'slow' || (kind === 'moved' && path !== '/'));
  const at = Date.now();
  const version = versionAt(n, at, terms.changeMs);
  const ask: Ask = { at, path, ...(isWell && { version }) };
  books[n]?.push(ask);
  response.once('close', () => (ask.endedAt = Date.now()));
  const page = (): unknown => {
    if (isRobots) return response.writeHead(404).end();
    if (path === '/feed.xml')
      return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(version));
    return response.writeHead(200, { 'content-type': 'text/html' }).end(html(n, version));
  };
  if (kind === 'slow') setTimeout(page, terms.slowMs);
  else if (kind === 'robots') response.writeHead(500).end();
  else if (isRobots || isWell) page();
  else UNWELL[kind](n, response);
}

type Unwell = (n: number, response: ServerResponse) => void;
const page = (response: ServerResponse, text: string): unknown =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(text);

const UNWELL: Readonly<Record<Kind, Unwell>> = {
  ...({} as Record<Kind, Unwell>),
  gone: (n, response) => void response.writeHead(n % 2 === 0 ? 404 : 410).end(),
  dripping: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const drip = setInterval(() => response.write('.'), 300);
    response.once('close', () => clearInterval(drip));
  },
  moved: (_, response) => void response.writeHead(301, { location: '/new' }).end(),
  throttling: (_, response) =>
    void response.writeHead(429, { 'retry-after': String(Math.ceil(terms.retryAfterMs / 1_000)) }).end(),
  soft404: (_, response) => void page(response, '<title>Page not found</title><h1>Page not found</h1><p>Sorry.</p>'),
};

function html(n: number, version: number): string {
  const text = `The number of the day is ${version % 1_000_000}, and the council of town ${n} has decided case ${version % 9_973}.`;
  return `<title>News of town ${n}</title><main><h1>News of town ${n}</h1><p>${text}</p></main>`;
}

/** The three newest. */
function feed(version: number): string {
  const items = [0, 1, 2].map((back) => {
    const item = version - back;
    return `<item><title>Case ${item}</title><link>/item/${item}</link><guid>${item}</guid></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>/</link>${items.join('')}</channel></rss>`;
}

/** Something, but no TLS. */
function noTls(n: number, socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    books[n]?.push({ at: Date.now(), path: 'tls' });
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
}

async function listen(server: Server | NetServer, n: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: addressOf(n), port, backlog: BACKLOG }, resolve);
  });
  port = (server.address() as AddressInfo).port;
}

async function open(n: number, kind: Kind): Promise<void> {
  if (kind === 'silent' || kind === 'refusing') return;
  const server =
    kind === 'tls'
      ? createNetServer((socket) => noTls(n, socket))
      : createServer((request, response) => answer(n, kind, request, response));
  await listen(server, n);
}

async function muteRefusing(): Promise<void> {
  for (const [n, kind] of terms.kinds.entries()) {
    if (kind !== 'refusing') continue;
    const server = createNetServer((socket) => socket.on('error', () => undefined).destroy());
    await listen(server, n);
    mute.push(server);
  }
}

const reply = (message: Reply): unknown => process.send?.(message);

async function told(what: Told): Promise<void> {
  if (what === 'books') return void reply({ books });
  if (what === 'before-outage') await muteRefusing();
  else for (const server of mute.splice(0)) server.close();
  reply({ done: what });
}

// The first has to listen before the port of all is known: it is to be one that does.
const order = [...terms.kinds.entries()];
for (const [n, kind] of order) await open(n, kind);
process.on('message', (what: Told) => void told(what));
process.once('disconnect', () => process.exit());
reply({ port });
