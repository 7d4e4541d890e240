import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { Match } from '../../src/shared/api/match.ts';
import type { SinkReport, SinkTestReport } from '../../src/shared/api/notify.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import { ownSeries } from '../fixtures/series.ts';
import { PageHosts } from './page-hosts.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';

const SECRET = `whsec_${Buffer.from('a secret that signs all messages').toString('base64')}`;

interface Received {
  readonly id: string;
  readonly body: string;
}

/** A receiver on loopback that believes nothing that is not signed. */
async function startReceiver(): Promise<{ url: string; received: Received[]; forged: number; close(): Promise<void> }> {
  const webhook = new Webhook(SECRET);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      try {
        webhook.verify(body, request.headers as Record<string, string>);
      } catch {
        receiver.forged += 1;
      }
      receiver.received.push({ id: String(request.headers['webhook-id']), body });
      // Every tenth message finds it busy, and has to come again.
      const isBusy = receiver.received.length % 10 === 0;
      response.writeHead(isBusy ? 503 : 204, isBusy ? { 'retry-after': '0' } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [] as Received[],
    forged: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

describe('a sink of a real daemon', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  /** Where the daemon kills itself, life after life; the last one lives. */
  const faults = [
    'sink:compose-messages:2',
    'sink:composed:4',
    'sink:sent:3',
    'sink:recorded:5',
    'sink:sent:7',
    undefined,
  ];

  test('killed wherever a message is made, sent or recorded: each match arrives, in order, with one id', async () => {
    const hosts = await PageHosts.start(ownSeries(6, 8, 11), 3);
    const receiver = await startReceiver();
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, hosts, receiver);
    await daemon.hydrant(['tap', 'create', 'versions']);
    const anyHost = hosts.hostnames.map((host) => `domain:"${host}"`).join(' OR ');
    await daemon.hydrant(['rule', 'add', 'versions', anyHost, '--no-quality']);
    const creation = {
      name: 'hook',
      kind: 'webhook',
      options: { url: receiver.url },
      secrets: { secret: SECRET },
      problems: null,
    };
    const { data: sink } = await daemon.operator<{ data: SinkReport }>('POST', '/admin/sinks', creation);
    expect(sink).toMatchObject({ name: 'hook', secrets: ['secret'], state: 'active', counts: { sent: 0 } });
    const { data: tried } = await daemon.operator<{ data: SinkTestReport }>('POST', '/admin/sinks/hook/test');
    expect(tried).toMatchObject({ outcome: 'delivered', status: 204 });
    expect(receiver.received.splice(0).map(({ id }) => id)).toEqual([tried.message_id]);

    await daemon.kill();
    hosts.life += 1;
    let isCrawled = false;
    for (const fault of faults) {
      await daemon.start(fault);
      if (!isCrawled) await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], hosts.urls.join('\n'));
      isCrawled = true;
      if (fault === undefined) break;
      await daemon.fallen(fault);
      hosts.life += 1;
    }
    await until('all versions were crawled', () => hosts.done);

    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const distinct = (): Received[] => [...new Map(receiver.received.map((one) => [one.id, one])).values()];
    await until(`the receiver has all ${status.match.events}`, async () => {
      const { data } = await daemon.operator<{ data: SinkReport }>('GET', '/admin/sinks/hook');
      return data.counts.behind === 0;
    });
    const told = distinct().flatMap(({ body }) => matchesIn(body));
    expect(told).toEqual(await eventsOf(daemon, open));
    expect(receiver.forged).toBe(0);
    // Beside what it was too busy for, only what was under way at a kill came twice.
    const busy = Math.floor((receiver.received.length + 1) / 10);
    expect(receiver.received.length - distinct().length).toBeLessThanOrEqual(busy + faults.length - 1);
    const { data: after } = await daemon.operator<{ data: SinkReport }>('GET', '/admin/sinks/hook');
    expect(after.counts).toEqual({ sent: distinct().length, behind: 0, parked: 0, dropped: 0 });

    expect(JSON.stringify(after)).not.toContain(SECRET);
    for (const text of [daemon.log, readFileSync(join(daemon.dataDir, 'catalog.json'), 'utf8')]) {
      expect(text).not.toContain(SECRET.slice('whsec_'.length));
    }
  });
});

/** URL and time of each match that a message is of. */
function matchesIn(body: string): [string, string][] {
  const found: [string, string][] = [];
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'matched_at' in value) {
      const { document, matched_at: at } = value as Match;
      found.push([document.url, at]);
    }
    return value;
  });
  return found;
}

/** The same of the tap's log. */
async function eventsOf(daemon: RealDaemon, open: { close(): Promise<void> }[]): Promise<[string, string][]> {
  const { data: taps } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  const reader = new SseReader();
  open.push({ close: async () => reader.close() });
  expect(await reader.open(`${daemon.notice.url}/v1/stream?offset=0`, taps[0]?.token ?? '')).toBe(200);
  await until('the whole log is read', () => reader.updates().length >= status.match.events);
  return reader.updates().map(({ data }) => {
    const { document, matched_at: at } = JSON.parse(data) as Match;
    return [document.url, at];
  });
}
