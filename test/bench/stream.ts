import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientCalls } from './stream/clients.ts';
import type { ServerCalls } from './stream/server.ts';
import { Peer } from './stream/talk.ts';

const REPLAYED = 100_000;
const IDLE = 10_000;
const STALLED = 200;
const KIB = 1_024;

interface Peers {
  readonly server: Peer<ServerCalls>;
  readonly clients: Peer<ClientCalls>;
  readonly port: number;
}

/**
 * `GET /v1/stream` from the route to the socket, over loopback. Server and clients are processes of their own, so that
 * the processor time is the server's; what the kernel does for it counts, too. `size` is the number of live streams.
 */
export async function stream(size = 2_000): Promise<string[]> {
  return [
    await measured(replay),
    ...(await measured((peers) => live(peers, size))),
    ...(await measured(idle)),
    ...(await measured(stalled)),
  ];
}

async function measured<Lines>(measure: (peers: Peers) => Promise<Lines>): Promise<Lines> {
  const server = new Peer<ServerCalls>('./server.ts');
  const clients = new Peer<ClientCalls>('./clients.ts');
  try {
    return await measure({ server, clients, port: await server.ask('port') });
  } finally {
    server.close();
    clients.close();
  }
}

async function replay({ server, clients, port }: Peers): Promise<string> {
  await server.ask('fill', { count: REPLAYED, bytes: KIB });
  const begin = performance.now();
  const cpu = await cpuOf(server);
  await clients.ask('open', { port, count: 1, query: '?offset=0', atOnce: 1 });
  await clients.ask('until', REPLAYED);
  const ms = performance.now() - begin;
  const used = (await cpuOf(server)) - cpu;
  const each = ((used / REPLAYED) * 1_000).toFixed(1);
  return `replay: ${rate(REPLAYED, ms)} events/s of 1 KiB to one client, ${each} µs of CPU each`;
}

/** As many events as last a few seconds, at three rates; the last is as fast as they come. */
async function live({ server, clients, port }: Peers, streams: number): Promise<string[]> {
  const lines: string[] = [];
  await clients.ask('open', { port, count: streams, query: '', atOnce: 50 });
  let events = 0;
  for (const [perSecond, count] of [
    [5, 25],
    [20, 200],
    [50, 250],
    [1e6, 200],
  ] as const) {
    const cpu = await cpuOf(server);
    const begin = performance.now();
    const published = server.ask('publish', { count, bytes: KIB, perSecond });
    events += count;
    await clients.ask('until', events * streams);
    const ms = performance.now() - begin;
    await published;
    const used = (await cpuOf(server)) - cpu;
    const deliveries = count * streams;
    const each = `${((used / deliveries) * 1_000).toFixed(1)} µs of CPU each`;
    const pace = perSecond < 1e6 ? `${perSecond} events/s` : 'at once';
    lines.push(
      `live: ${streams} streams × ${count} events of 1 KiB, ${pace}: ${rate(deliveries, ms)} deliveries/s, ${each}, ${at(await clients.ask('delays'))}`,
    );
  }
  return lines;
}

async function idle({ server, clients, port }: Peers): Promise<string[]> {
  // Code is compiled and buffers are made by the first ones.
  await clients.ask('open', { port, count: 500, query: '?timeout=1', atOnce: 50 });
  await clients.ask('closeAll');
  await sleep(2_000);
  const before = await server.ask('usage');
  const begin = performance.now();
  await clients.ask('open', { port, count: IDLE, query: '', atOnce: 100 });
  const ms = performance.now() - begin;
  const after = await server.ask('usage');
  const each = ((after.rss - before.rss) / IDLE / KIB).toFixed(1);
  const tight = ((after.tightRss - before.tightRss) / IDLE / KIB).toFixed(1);
  const cpu = (((after.cpuMs - before.cpuMs) / IDLE) * 1_000).toFixed(0);
  await sleep(20_000);
  const later = await server.ask('usage');
  const rest = (((later.cpuMs - after.cpuMs) / 20_000) * 100).toFixed(1);
  return [
    `opening: ${rate(IDLE, ms)} streams/s, ${cpu} µs of CPU each`,
    `idle: ${after.open} streams, ${each} KiB of process memory each, ${tight} without garbage, ${rest} % of a processor for their heartbeats`,
  ];
}

/**
 * The same events three times: without the readers that stall, then with them, while the kernel's buffers fill (some
 * megabytes for each, which the server has to write), and then when they take nothing any more. What the last costs more
 * than the first is theirs.
 */
async function stalled({ server, clients, port }: Peers): Promise<string[]> {
  const reading = 50;
  const [perSecond, count, bytes] = [100, 1_000, 16 * KIB];
  await clients.ask('open', { port, count: reading, query: '', atOnce: 10 });
  const round = async (events: number): Promise<{ grown: number; buffered: number; delays: number[] }> => {
    const before = await server.ask('usage');
    await server.ask('publish', { count, bytes, perSecond });
    await clients.ask('until', events);
    const after = await server.ask('usage');
    return {
      grown: after.tightRss - before.tightRss,
      buffered: after.buffered,
      delays: await clients.ask('delays'),
    };
  };
  // Code is compiled and the log has grown once.
  await round(count * reading);
  const alone = await round(2 * count * reading);
  await clients.ask('open', { port, count: STALLED, query: '', atOnce: 10, stalls: true });
  const filling = await round(3 * count * reading);
  const beside = await round(4 * count * reading);
  const held = (beside.buffered / STALLED / KIB).toFixed(0);
  const grown = (run: { grown: number }): string => ((run.grown - alone.grown) / STALLED / KIB).toFixed(0);
  return [
    `stalled: ${STALLED} readers while ${count} events of 16 KiB go by: ${held} KiB in the hands of each socket; process memory each: ${grown(filling)} KiB while they fill, then ${grown(beside)}`,
    `         ${reading} that read: ${at(alone.delays)} alone, ${at(filling.delays)} while they fill, ${at(beside.delays)} beside them`,
  ];
}

function cpuOf(server: Peer<ServerCalls>): Promise<number> {
  return server.ask('cpuMs');
}

function rate(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000);
}

function at(delays: readonly number[]): string {
  const part = (share: number): string => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(0);
  return `p50 ${part(0.5)}, p99 ${part(0.99)} ms`;
}
