import { setTimeout as sleep } from 'node:timers/promises';
import { openFileLimit } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { quantile, slope } from './statistics.ts';
import type { ClientCalls } from './stream/clients.ts';
import type { ServerCalls } from './stream/server.ts';
import { stalled } from './stream/stalled.ts';
import { Peer, type Peers } from './stream/talk.ts';

const KIB = 1_024;
/** Events a second and how many: as many as last a few seconds. The last pace is as fast as they come. */
const FORMS = {
  whole: {
    streams: 2_000,
    growth: [100, 1_000, 10_000],
    paces: [
      [5, 25],
      [20, 200],
      [50, 250],
      [Infinity, 200],
    ],
    grown: [4, 20],
    replayed: 100_000,
    idleMs: 20_000,
    stalls: { readers: 200, count: 1_000, perSecond: 100 },
  },
  short: {
    streams: 50,
    growth: [20, 100],
    paces: [
      [20, 20],
      [Infinity, 20],
    ],
    grown: [20, 20],
    replayed: 5_000,
    idleMs: 500,
    stalls: { readers: 10, count: 50, perSecond: 100 },
  },
} as const;
const GOALS: Readonly<Record<string, number>> = { live: 5, idle: 12 };
const AGAINST = 'node:http';
/** Files that a process needs beside its streams. */
const SPARE_FILES = 200;

type Form = (typeof FORMS)['whole'] | (typeof FORMS)['short'];
type ServerFile = './server.ts' | './plain-server.ts';

/**
 * `GET /v1/stream` from the route to the socket, over loopback. Server and clients are processes of their own, so that
 * the processor time is the server's; what the kernel does for it counts, too. Beside it a server of bare `node:http`
 * that writes the same frames to the same clients. `size` is the number of live streams.
 */
export async function stream({ isShort, size }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const room = openFileLimit() - SPARE_FILES;
  const streams = size ?? form.streams;
  const growth = form.growth.filter((one) => one <= room);
  if (streams > room) throw new Error(`${streams} streams need as many open files: ulimit -n ${streams + SPARE_FILES}`);
  const few = growth.length < form.growth.length;
  return {
    notes: [
      'events of 1 KiB, the clients another process; size: streams',
      ...(few ? [`only ${growth.at(-1)} streams: more need \`ulimit -n ${10_000 + SPARE_FILES}\``] : []),
    ],
    figures: [
      ...(await beside((peers) => replay(peers, form.replayed))),
      ...(await beside((peers) => live(peers, streams, form))),
      ...(await grown(growth, form)),
      ...(await beside((peers) => idle(peers, growth.at(-1) ?? 0, form.idleMs))),
      ...(await measured('./server.ts', (peers) => stalled(peers, form.stalls))),
    ],
  };
}

async function measured<Result>(file: ServerFile, measure: (peers: Peers) => Promise<Result>): Promise<Result> {
  const server = new Peer<ServerCalls>(file);
  const clients = new Peer<ClientCalls>('./clients.ts');
  try {
    return await measure({ server, clients, port: await server.ask('port') });
  } finally {
    server.close();
    clients.close();
  }
}

/** Both servers, one after the other: the figures of ours, with those of the plain one as what they stand against. */
async function beside(measure: (peers: Peers) => Promise<Figure[]>): Promise<Figure[]> {
  const plain = await measured('./plain-server.ts', measure);
  const ours = await measured('./server.ts', measure);
  return ours.map((figure, index) =>
    Object.assign(figure, { baseline: plain[index]?.value ?? Number.NaN, against: AGAINST }),
  );
}

async function replay({ server, clients, port }: Peers, count: number): Promise<Figure[]> {
  await server.ask('fill', { count, bytes: KIB });
  const begin = performance.now();
  const cpu = await server.ask('cpuMs');
  await clients.ask('open', { port, count: 1, query: '?offset=0', atOnce: 1 });
  await clients.ask('until', count);
  const ms = performance.now() - begin;
  const each = (((await server.ask('cpuMs')) - cpu) / count) * 1_000;
  return [
    { name: 'replay to one client', value: (count * 1_000) / ms, unit: '/s' },
    { name: 'CPU of a replayed event', value: each, unit: 'µs' },
  ];
}

async function live({ server, clients, port }: Peers, streams: number, { paces }: Form): Promise<Figure[]> {
  const figures: Figure[] = [];
  await clients.ask('open', { port, count: streams, query: '', atOnce: 50 });
  let events = 0;
  for (const [perSecond, count] of paces) {
    const cpu = await server.ask('cpuMs');
    const begin = performance.now();
    const published = server.ask('publish', { count, bytes: KIB, perSecond: Math.min(perSecond, 1e6) });
    events += count;
    await clients.ask('until', events * streams);
    const ms = performance.now() - begin;
    await published;
    const each = (((await server.ask('cpuMs')) - cpu) / count / streams) * 1_000;
    const delays = await clients.ask('delays');
    const pace = perSecond === Infinity ? 'at once' : `at ${perSecond}/s`;
    const goal = perSecond === 20 && { goal: { atMost: GOALS['live'] ?? 0 } };
    figures.push(
      { name: `CPU of a delivery ${pace}`, size: streams, value: each, unit: 'µs', ...goal },
      { name: `delay ${pace}, p50`, size: streams, value: quantile(delays, 0.5), unit: 'ms' },
      { name: `delay ${pace}, p99`, size: streams, value: quantile(delays, 0.99), unit: 'ms' },
    );
    if (perSecond === Infinity) {
      figures.push({ name: 'deliveries at once', size: streams, value: (count * streams * 1_000) / ms, unit: '/s' });
    }
  }
  return figures;
}

/** The same pace for all sizes: what one delivery costs when ever more get the same event. */
async function grown(sizes: readonly number[], { grown: [perSecond, count] }: Form): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const name = `CPU of a delivery by streams`;
    const delivery = async ({ server, clients, port }: Peers): Promise<Figure[]> => {
      await clients.ask('open', { port, count: size, query: '', atOnce: 50 });
      // Code is compiled by the first ones.
      await server.ask('publish', { count, bytes: KIB, perSecond: 50 });
      await clients.ask('until', count * size);
      const cpu = await server.ask('cpuMs');
      await server.ask('publish', { count, bytes: KIB, perSecond });
      await clients.ask('until', 2 * count * size);
      return [{ name, size, value: (((await server.ask('cpuMs')) - cpu) / count / size) * 1_000, unit: 'µs' }];
    };
    figures.push(...(await beside(delivery)));
  }
  const exponent = (of: (figure: Figure) => number): number =>
    slope(figures.map((figure) => ({ size: figure.size ?? 0, value: of(figure) })));
  const value = exponent((figure) => figure.value);
  const baseline = exponent((figure) => figure.baseline ?? Number.NaN);
  return [...figures, { name: 'growth of a delivery by streams', value, unit: 'exponent', baseline, against: AGAINST }];
}

async function idle({ server, clients, port }: Peers, size: number, restMs: number): Promise<Figure[]> {
  // Code is compiled and buffers are made by the first ones.
  await clients.ask('open', { port, count: Math.ceil(size / 20), query: '?timeout=1', atOnce: 50 });
  await clients.ask('closeAll');
  await sleep(Math.min(2_000, restMs));
  const before = await server.ask('usage');
  const begin = performance.now();
  await clients.ask('open', { port, count: size, query: '', atOnce: 100 });
  const ms = performance.now() - begin;
  const after = await server.ask('usage');
  await sleep(restMs);
  const later = await server.ask('usage');
  const each = (bytes: number): number => bytes / size / KIB;
  const goal = { atMost: GOALS['idle'] ?? 0 };
  return [
    { name: 'opening', size, value: (size * 1_000) / ms, unit: '/s' },
    { name: 'CPU of opening one', size, value: ((after.cpuMs - before.cpuMs) / size) * 1_000, unit: 'µs' },
    { name: 'memory of an idle stream', size, value: each(after.rss - before.rss), unit: 'KiB', goal },
    { name: '… without garbage', size, value: each(after.tightRss - before.tightRss), unit: 'KiB' },
    { name: 'CPU of their heartbeats', size, value: ((later.cpuMs - after.cpuMs) / restMs) * 100, unit: '%' },
  ];
}
