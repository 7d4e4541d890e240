import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { farmAddress } from '../../fixtures/farm/farm.ts';
import { Served } from '../site/served.ts';
import { bodyOf, etagOf } from './room.ts';

/**
 * Hosts whose pages never change, in a process of its own: `node site.ts <hosts>`. A page with an even number says so by its
 * tag, the others send the same bytes each time. Its parent is told the port that all of them are on.
 */
const hosts = Number(process.argv[2]);
let port = 0;
const served = new Served();
for (let host = 0; host < hosts; host += 1) {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, farmAddress(host), resolve);
  });
  ({ port } = server.address() as AddressInfo);
}
process.send?.(port);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const page = Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(page)) {
    response.writeHead(404).end();
    return;
  }
  const etag = etagOf(page);
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    served.page();
    return;
  }
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
  response.writeHead(200, { ...headers, ...(etag !== undefined && { etag }) }).end(bodyOf(page));
  served.page();
}
