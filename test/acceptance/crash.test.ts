import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ownSeries, seeded } from '../fixtures/series.ts';
import { PageHosts } from './page-hosts.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

/** Each costs a start, two seconds of a busy machine; `npm run soak -- kills` makes more. */
const KILLS = 8;

/** kill -9 of the daemon in the middle of a crawl, again and again, with a client that resumes by Last-Event-ID. */
describe('kill -9 at random moments', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('generated pages: no event is missing, none is doubled', async () => {
    const random = seeded(1);
    const hosts = await PageHosts.start(ownSeries(16, 8, 11), 12);
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, hosts);
    const tap = await prepare(daemon, hosts);

    const reader = new SseReader();
    open.push({ close: async () => reader.close() });
    await follow(reader, daemon, tap.token);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], hosts.urls.join('\n'));

    let kills = 0;
    while (!hosts.done || kills < KILLS) {
      await sleep(200 + random() * 900);
      if (kills < KILLS) {
        await daemon.killAtRandom();
        hosts.life += 1;
        kills += 1;
        await daemon.start();
      }
      if (reader.ended) await follow(reader, daemon, tap.token);
    }
    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const { match } = status;
    await until(`the client has all ${match.events} events`, async () => {
      if (reader.ended) await follow(reader, daemon, tap.token);
      return reader.updates().length >= match.events;
    });

    const updates = reader.updates();
    expect(updates.map((update) => update.id)).toEqual(updates.map((_, offset) => `0-${offset}`));
    const seen = updates.map(({ data }) => {
      const { document, matched_at } = JSON.parse(data) as Match;
      return hosts.versionAt(document.url, Date.parse(matched_at));
    });
    expect(seen.sort()).toEqual(hosts.expected.sort());
  });
});

async function prepare(daemon: RealDaemon, hosts: PageHosts): Promise<Tap> {
  await daemon.hydrant(['tap', 'create', 'versions']);
  const anyHost = hosts.hostnames.map((host) => `domain:"${host}"`).join(' OR ');
  await daemon.hydrant(['rule', 'add', 'versions', anyHost, '--no-quality']);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  const [tap] = data;
  if (!tap) throw new Error('there is no tap');
  return tap;
}

/** Resumes after the last event it has, as any client of an SSE stream does. */
async function follow(reader: SseReader, daemon: RealDaemon, token: string): Promise<void> {
  const resume = reader.lastId === undefined ? undefined : { 'last-event-id': reader.lastId };
  const from = resume === undefined ? '?offset=0' : '';
  expect(await reader.open(`${daemon.notice.url}/v1/stream${from}`, token, resume)).toBe(200);
}
