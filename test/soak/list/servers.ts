import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
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

async function answer(n: number, kind: Kind, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const isRobots = path === '/robots.txt';
  const isWell = !isRobots && isWellAt(kind, path);
  const at = Date.now();
  if (await hasLeft(request.socket)) return;
  const version = versionAt(n, at, terms.changeMs);
  const ask: Ask = { at, path, ...(isWell && { version }) };
  books[n]?.push(ask);
  response.once('close', () => (ask.endedAt = Date.now()));
  if (kind === 'slow') setTimeout(() => serve(n, path, version, response), terms.slowMs);
  else if (kind === 'robots') response.writeHead(500).end();
  else if (isRobots || isWell) serve(n, path, version, response);
  else UNWELL[kind](n, response);
}

function isWellAt(kind: Kind, path: string): boolean {
  return kind === 'well' || kind === 'slow' || (kind === 'moved' && path !== '/');
}

function serve(n: number, path: string, version: number, response: ServerResponse): void {
  if (path === '/robots.txt') response.writeHead(404).end();
  else if (path === '/feed.xml') response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(version));
  else response.writeHead(200, { 'content-type': 'text/html' }).end(html(n, version));
}

/**
 * Whether whoever asked has hung up before it was read. What came while this process stood still is read when nobody waits for
 * it any more: an answer to it would reach no one, so it is not one more request that was made of a host.
 */
async function hasLeft(socket: Socket): Promise<boolean> {
  await sleep(HANG_UP_MS);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  return socket.destroyed || socket.readableEnded;
}

/** A request and the end behind it are read in two turns of the loop, of which one may take longer than this. */
const HANG_UP_MS = 10;

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
  socket.once('data', () => void refuseTls(n, socket));
}

async function refuseTls(n: number, socket: Socket): Promise<void> {
  const at = Date.now();
  if (await hasLeft(socket)) return;
  books[n]?.push({ at, path: 'tls' });
  socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
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
      : createServer((request, response) => void answer(n, kind, request, response));
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
