import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { outside } from '../../src/daemon/outside.ts';
import type { DuePage } from '../../src/daemon/storage/frontier.ts';
import { openMemory } from '../../src/daemon/storage/memory/memory.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { Hub } from '../../src/daemon/stream/hub.ts';
import { seed, visitOf } from '../fixtures/visits.ts';

const READERS = 500;
const EVENTS = 200;
const document = JSON.stringify({
  url: 'http://h.example/',
  diff: { chunks: [{ typ: 'ins', text: 'x'.repeat(900) }] },
});

/** One tap, many clients on loopback in this very process: replay to one, and live events to all. */
export async function stream(): Promise<string[]> {
  const storage = openMemory();
  const hub = new Hub({ eventLog: storage.eventLog, outside, onError: () => {} });
  const server = await serve(hub);
  const { port } = server.address() as AddressInfo;
  const page = await seed(storage.frontier, 's');

  await append(storage, hub, page, 50_000);
  const replay = await timed(() => read(port, 0, 50_000));

  const clients = Array.from({ length: READERS }, () => read(port, 50_000, EVENTS));
  while (hub.open < READERS) await new Promise(setImmediate);
  const live = await timed(async () => {
    for (let event = 0; event < EVENTS; event += 1) await append(storage, hub, page, 1);
    await Promise.all(clients);
  });
  server.closeAllConnections();
  server.close();
  const deliveries = READERS * EVENTS;
  return [
    `replay: ${Math.round((50_000 / replay.wallMs) * 1_000)} events/s to one client`,
    `live: ${deliveries} deliveries to ${READERS} clients, ${((live.cpuMs / deliveries) * 1_000).toFixed(1)} µs of CPU each, clients included`,
  ];
}

function serve(hub: Hub): Promise<Server> {
  const server = createServer((message, response) => {
    const { searchParams: asks } = new URL(message.url ?? '/', 'http://h');
    const position = { offset: Number(asks.get('offset')), lastEventId: undefined, sinceMs: undefined };
    const asked = { tapId: 'tap', position, timeoutMs: 300_000, limit: Number(asks.get('limit')), hasRules: true };
    void hub.connect(asked, sink(response));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function sink(response: ServerResponse): Parameters<Hub['connect']>[1] {
  return {
    begin: () => response.writeHead(200),
    write: (chunk) => response.write(chunk),
    onDrain: (listener) => response.on('drain', listener),
    onClose: (listener) => response.once('close', listener),
    get buffered() {
      return response.writableLength;
    },
    end: () => response.end(),
    destroy: () => response.destroy(),
  };
}

async function append(storage: Storage, hub: Hub, page: DuePage, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({ tapId: 'tap', queryIds: '["r"]', document }));
  const { events: appended } = await storage.pages.commit(visitOf(page, { at: 1, events }));
  hub.announce(appended);
}

/** Resolves when the stream has ended, after `limit` events. */
function read(port: number, offset: number, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = `/?offset=${offset}&limit=${limit}`;
    const call = request({ port, host: '127.0.0.1', path, agent: false }, (answer) => {
      answer.resume().on('end', resolve).on('error', reject);
    });
    call.on('error', reject).end();
  });
}

async function timed(work: () => Promise<void>): Promise<{ wallMs: number; cpuMs: number }> {
  const begin = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - begin, cpuMs: (user + system) / 1_000 };
}
