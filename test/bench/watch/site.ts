import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { farmAddress } from '../../fixtures/farm/farm.ts';

/**
 * Hosts whose pages never change, in a process of its own: `node site.ts <hosts>`. A page with an even number says so by its
 * tag, the others send the same bytes each time. Its parent is told the port that all of them are on.
 */
const hosts = Number(process.argv[2]);
let port = 0;
for (let host = 0; host < hosts; host += 1) {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, farmAddress(host), resolve);
  });
  ({ port } = server.address() as AddressInfo);
}
process.send?.(port);
process.once('disconnect', () => process.exit());

function answer(request: IncomingMessage, response: ServerResponse): void {
  const page = Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(page)) {
    response.writeHead(404).end();
    return;
  }
  const etag = page % 2 === 0 ? `"${page}"` : undefined;
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
  response.writeHead(200, { ...headers, ...(etag !== undefined && { etag }) }).end(body(page));
}

/** 20 kB before it is packed, of words that do not repeat much. */
function body(page: number): Buffer {
  const lines = Array.from({ length: 150 }, (_, line) => {
    const at = (page * 31 + line * 7) % 97;
    return `<p>Shelf ${line} of room ${page} holds ${at} boxes of lamps, ${(at * 13) % 89} ropes and a map of the ${at + line} quays.</p>`;
  });
  return gzipSync(`<!doctype html><title>Room ${page}</title><main><h1>Room ${page}</h1>${lines.join('\n')}</main>`);
}
