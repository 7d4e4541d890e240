import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, gzipSync } from 'node:zlib';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** One page on a host of its own, which answers as the test says; its robots.txt is not there. */
export interface HostilePage {
  readonly url: string;
  readonly server: Server;
  answer: Answer;
  /** Without those for robots.txt. */
  requests: number;
}

export class HostilePages {
  readonly #pages: HostilePage[] = [];

  /** On the next address of 127.0.3.0/24. */
  async open(answer: Answer): Promise<HostilePage> {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      page.requests += 1;
      return page.answer(response, request);
    });
    server.listen(0, `127.0.3.${1 + this.#pages.length}`);
    await once(server, 'listening');
    const { address, port } = server.address() as AddressInfo;
    const page: HostilePage = { url: `http://${address}:${port}/page`, server, answer, requests: 0 };
    this.#pages.push(page);
    return page;
  }

  close(): void {
    for (const { server } of this.#pages) {
      server.closeAllConnections();
      server.close();
    }
  }
}

export const html = (...lines: readonly string[]): string =>
  `<title>Prices</title><main>${lines.map((line) => `<p>${line}</p>`).join('')}</main>`;

/** A good answer: a page of these lines. */
export const lines =
  (...said: readonly string[]): Answer =>
  (response) =>
    bytes(html(...said), 'text/html; charset=utf-8')(response);

export const bytes =
  (body: string | Uint8Array, type: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type }).end(body);

/** A page of these lines, with something wrong with it: what a check of it fails for. */
export const WRONG: Readonly<Record<string, (...said: readonly string[]) => Answer>> = {
  http_5xx: () => (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(html('It broke.')),
  http_4xx: () => (response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(html('Not here.')),
  'reset, as it has fewer bytes than it says': (...said) => cut(html(...said), 100),
  'reset, in the middle of its words': (...said) => cut(html(...said).slice(0, 60), html(...said).length - 60),
  'undecodable, as its gzip is cut short': (...said) => packed(gzipSync(html(...said)).subarray(0, -12)),
  'undecodable, as its gzip is none': (...said) => packed(deflateRawSync(html(...said))),
  'too_large, as it is a bomb': () => packed(bomb),
  challenge: () =>
    bytes('<title>Just a moment...</title><p>Checking your browser before you proceed.</p>', 'text/html'),
  empty: () => bytes('<!doctype html><title></title><main></main>', 'text/html'),
  'private_address, as it leads there': () => leading('http://10.11.12.13/'),
  'redirects, as it leads to itself': () => leading('/page'),
  content_type: () => bytes(new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]), 'image/png'),
};

const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024));

/** It says so many more bytes than come. */
function cut(body: string, missing: number): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) + missing });
    response.write(body, () => response.socket?.end());
  };
}

function packed(body: Uint8Array): Answer {
  return (response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(body);
}

function leading(location: string): Answer {
  return (response) => void response.writeHead(302, { location }).end();
}
