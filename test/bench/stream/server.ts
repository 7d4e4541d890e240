import type { AddressInfo } from 'node:net';
import { freeMetering } from '../../fixtures/free-metering.ts';
import { createApp } from '../../../src/daemon/http/app.ts';
import { streamRoutes } from '../../../src/daemon/http/stream.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { Hub } from '../../../src/daemon/stream/hub.ts';
import { seed, visitOf } from '../../fixtures/visits.ts';
import { documentOf, QUERY_IDS } from './event.ts';
import { answerEach } from './talk.ts';

/** The daemon's half of the benchmark: its HTTP server, its hub and a log in memory, in a process of their own. */
export type ServerCalls = {
  readonly port: () => number;
  /** Events of about so many bytes, not announced: something to replay. */
  readonly fill: (asked: { count: number; bytes: number }) => number;
  /** Events one by one, evenly spread over a second. */
  readonly publish: (asked: { count: number; bytes: number; perSecond: number }) => Promise<number>;
  readonly usage: () => Usage;
  readonly cpuMs: () => number;
};

export interface Usage {
  readonly cpuMs: number;
  /** Bytes of the process as it is, and after all garbage is collected and the heap closed up. */
  readonly rss: number;
  readonly tightRss: number;
  readonly open: number;
  readonly buffered: number;
}

const storage = openMemory();
const hub = new Hub({
  eventLog: storage.eventLog,
  metering: freeMetering,
  legacyPayload: false,
  outside,
  onError: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
});
const app = createApp({ error: (facts: unknown) => process.stderr.write(`${String(facts)}\n`) });
streamRoutes(app, { hub, tapOf: () => ({ tapId: 'tap', organizationId: 'org' }), ruleCount: () => 1, touch: () => {} });
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
const page = await seed(storage.frontier, 's');

async function append(count: number, bytes: number) {
  const events = Array.from({ length: count }, () => ({
    tapId: 'tap',
    queryIds: QUERY_IDS,
    document: documentOf(bytes),
  }));
  return (await storage.pages.commit(visitOf(page, { at: 1, events }))).events;
}

async function publish({ count, bytes, perSecond }: { count: number; bytes: number; perSecond: number }) {
  const begin = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const waits = begin + (sent * 1_000) / perSecond - performance.now();
    if (waits > 0) await new Promise((resolve) => setTimeout(resolve, waits));
    hub.announce(await append(1, bytes));
  }
  return count;
}

answerEach<ServerCalls>({
  port: () => (app.server.address() as AddressInfo).port,
  fill: async ({ count, bytes }) => (await append(count, bytes)).length,
  publish,
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  usage: () => {
    const { user, system } = process.cpuUsage();
    const rss = process.memoryUsage.rss();
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const tightRss = process.memoryUsage.rss();
    return { cpuMs: (user + system) / 1_000, rss, tightRss, open: hub.open, buffered: hub.bufferedBytes };
  },
});
