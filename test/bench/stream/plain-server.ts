import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSE } from '../../../src/daemon/stream/format.ts';
import { HEARTBEAT_MS } from '../../../src/shared/limits.ts';
import { documentOf, QUERY_IDS } from './event.ts';
import type { ServerCalls } from './server.ts';
import { answerEach } from './talk.ts';

/**
 * What any server of events has to pay: `node:http` that writes the very frames of `server.ts`, each event at once to
 * each response. It checks nobody, keeps nothing on account, and whoever does not read is buffered without an end.
 */
const frames: Buffer[] = [];
const open = new Set<ServerResponse>();

const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': SSE.contentType, 'cache-control': 'no-cache, no-transform' });
  response.write(SSE.connected(1_000));
  if (request.url?.includes('offset=0') === true) void replay(response);
  open.add(response);
  const beat = setInterval(() => response.write(SSE.heartbeat), HEARTBEAT_MS);
  response.once('close', () => {
    clearInterval(beat);
    open.delete(response);
  });
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
await once(server, 'listening');

async function replay(response: ServerResponse): Promise<void> {
  for (const frame of frames) if (!response.write(frame)) await once(response, 'drain');
}

let offset = 0;
function frameOf(bytes: number): Buffer {
  offset += 1;
  return SSE.update('tap', 0, { offset, at: Date.now(), queryIds: QUERY_IDS, document: documentOf(bytes) });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

answerEach<ServerCalls>({
  port: () => (server.address() as AddressInfo).port,
  fill: ({ count, bytes }) => {
    for (let made = 0; made < count; made += 1) frames.push(frameOf(bytes));
    return count;
  },
  publish: async ({ count, bytes, perSecond }) => {
    const begin = performance.now();
    for (let sent = 0; sent < count; sent += 1) {
      const waits = begin + (sent * 1_000) / perSecond - performance.now();
      if (waits > 0) await new Promise((resolve) => setTimeout(resolve, waits));
      const frame = frameOf(bytes);
      for (const response of open) response.write(frame);
    }
    return count;
  },
  cpuMs,
  usage: () => {
    const rss = process.memoryUsage.rss();
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const buffered = [...open].reduce((sum, response) => sum + response.writableLength, 0);
    return { cpuMs: cpuMs(), rss, tightRss: process.memoryUsage.rss(), open: open.size, buffered };
  },
});
