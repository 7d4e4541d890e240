import { afterEach, describe, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { isInstalled, proxies, startProxy } from './proxies.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { Status } from '../../src/shared/api/status.ts';

/** The examples for reverse proxies, with streams through the real programs; skipped where those are not installed. */
describe('behind a proxy that runs by our example', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).toReversed()) await thing.close();
  });

  test.for(proxies)('%s: a stream comes as it happens, with its heartbeats, and resumes', async (name, { skip }) => {
    if (!isInstalled(name)) skip(`${name} is not installed`);
    const site = await ChangingSite.start(1);
    const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
    open.push(site, { close: () => daemon.dispose() });
    await daemon.hydrant(['tap', 'create', 'foxes']);
    await daemon.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    const token = (await daemon.hydrant(['tap', 'token', 'foxes'])).trim();
    const proxy = await startProxy(name, daemon.notice.url);
    open.push(proxy);
    const stream = `${proxy.url}/v1/stream`;
    const opened = async (headers: Record<string, string> = {}): Promise<SseReader> => {
      const reader = new SseReader();
      open.push(reader);
      expect(await reader.open(stream, token, headers)).toBe(200);
      return reader;
    };

    // Nothing follows `connected`, and nothing the event: what waited for more would be waited for in vain.
    const events = await opened({ 'accept-encoding': 'gzip' });
    const lines = await opened({ accept: 'application/x-ndjson', 'accept-encoding': 'gzip' });
    await until('connected', () => events.events.length === 1 && lines.bytes > 0);
    const before = lines.bytes;
    const url = site.urls[0] ?? '';
    await daemon.hydrant(['crawl', 'add', url, '--every', '1d']);
    await until('the first match', () => events.updates().length === 1 && lines.bytes > before);

    const bytes = [events.bytes, lines.bytes];
    await until('a heartbeat', () => events.bytes > bytes[0]! && lines.bytes > bytes[1]!);
    expect(events.events).toHaveLength(2);
    const openStreams = async () => (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data.stream.open;
    expect(await openStreams()).toBe(2);
    events.close();
    await until('the daemon hears that a client has gone', async () => (await openStreams()) === 1);
    await daemon.hydrant(['crawl', 'visit', url]);
    const resumed = await opened({ 'last-event-id': events.lastId ?? '' });
    await until('what was missed', () => resumed.updates().length > 0);
    expect(resumed.updates().map(({ id }) => id)).toEqual(['0-1']);

    const refused = await fetch(`${proxy.url}/v1/taps`);
    const { message } = (await refused.json()) as { readonly message: string };
    expect([refused.status, message]).toEqual([401, expect.stringContaining('management key')]);
  });
});
