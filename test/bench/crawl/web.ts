import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { farmAddress } from '../../fixtures/farm/farm.ts';
import type { Web } from '../../fixtures/farm/pages.ts';
import { seeded } from '../../fixtures/series.ts';
import { Served } from '../site/served.ts';
import { pageText } from './page-text.ts';

/**
 * The web of the crawl's benchmarks: `node web.ts <hosts> <pages of each> [<least> <most ms to an answer>]`. It sends the origins to its parent, which sets
 * how known pages are answered. Every page has an ETag, which is heeded only where the answer is to be 304: many servers send
 * one and ignore it.
 */
export type Answers =
  /** The same bytes each time, with 200. */
  | 'same'
  /** 304 to the tag of the page as it is. */
  | 'unmodified'
  /** At each request one sentence is another one. */
  | 'changed';

export interface AnswerAs {
  readonly kind: 'answer';
  readonly answers: Answers;
}

const [hosts = 0, pagesPerHost = 0, leastMs = 0, mostMs = leastMs] = process.argv.slice(2).map(Number);
let port = 0;
const web: Web = { hosts, pagesPerHost, seed: 1, origin: (host) => `http://${farmAddress(host)}:${port}` };
let answers: Answers = 'same';
const served = new Served((message) => ({ answers } = message as AnswerAs));
const random = seeded(1);
const versions = new Map<string, number>();
const bodies = new Map<string, Buffer>();

for (let host = 0; host < hosts; host += 1) {
  const server = createServer((request, response) => {
    if (mostMs === 0) answer(host, request, response);
    else setTimeout(() => answer(host, request, response), leastMs + random() * (mostMs - leastMs));
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, farmAddress(host), resolve);
  });
  ({ port } = server.address() as AddressInfo);
}
process.send?.(Array.from({ length: hosts }, (_, host) => web.origin(host)));

function answer(host: number, { url: path = '', headers }: IncomingMessage, response: ServerResponse): void {
  const page = pageOf(path);
  if (path === '/robots.txt') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n');
  } else if (page < pagesPerHost) {
    const isAsAsked = send({ host, page, tag: headers['if-none-match'] }, response);
    if (isAsAsked) served.page();
  } else response.writeHead(404).end();
}

/** Not a number where it is none. `/` is page 0. */
function pageOf(path: string): number {
  return path === '/' ? 0 : Number(/^\/p\/([1-9]\d*)$/.exec(path)?.[1] ?? Number.NaN);
}

interface PageAsked {
  readonly host: number;
  readonly page: number;
  readonly tag: string | undefined;
}

/** Whether it was answered as pages are to be: one without its tag cannot be answered 304. */
function send({ host, page, tag }: PageAsked, response: ServerResponse): boolean {
  const key = `${host}-${page}`;
  if (answers === 'changed') {
    versions.set(key, (versions.get(key) ?? 0) + 1);
    bodies.delete(key);
  }
  const etag = `"${key}-${versions.get(key) ?? 0}"`;
  if (answers === 'unmodified' && (tag === etag || tag === '*')) {
    response.writeHead(304, { etag }).end();
    return true;
  }
  const type = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
  response.writeHead(200, { ...type, etag }).end(bodyOf(key, host, page));
  return answers !== 'unmodified';
}

function bodyOf(key: string, host: number, page: number): Buffer {
  const known = bodies.get(key);
  if (known) return known;
  const body = gzipSync(pageText(web, host, page, versions.get(key)));
  bodies.set(key, body);
  return body;
}
