import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

/** Twenty of these fill an event; a few hundred events are far more than any socket buffers. */
const LONG = 'the quick brown fox jumps over the lazy dog by the old mill, '.repeat(13);

describe('two clients, one that reads and one that never does', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('the first is not delayed, and the daemon keeps nothing for the second', async () => {
    const site = await busySite(40);
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, site);
    await daemon.hydrant(['tap', 'create', 'busy']);
    await daemon.hydrant(['rule', 'add', 'busy', 'fox OR domain:"127.0.0.30"', '--no-quality']);
    const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
    const token = data[0]?.token ?? '';

    const idle = new SseReader();
    const reading = new SseReader();
    open.push(idle, reading);
    const stream = `${daemon.notice.url}/v1/stream?offset=0`;
    await idle.open(stream, token);
    idle.pause();
    await reading.open(stream, token);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));

    await until('700 events arrive', () => reading.updates().length >= 700, 100_000);

    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const { match, stream: streams } = status;
    expect(streams.open).toBe(2);
    // Some 10 MiB went by since the idle client stopped reading: it may keep what a socket holds, and no more.
    expect(streams.buffered_bytes).toBeLessThan(256 * 1024);
    expect(idle.updates().length).toBeLessThan(300);
    // The reader is at the head of the log, as it was when the figures were asked for.
    await until('the reading client is at the head', () => reading.updates().length >= match.events);
    expect(reading.bytes).toBeGreaterThan(7 * 1024 * 1024);
    const offsets = reading.updates().map((update) => update.id);
    expect(offsets).toEqual(offsets.map((_, offset) => `0-${offset}`));
  });
});

/** Pages whose every visit is a change of some 16 KiB: in few and long sentences, which cost little to compare. */
async function busySite(pages: number): Promise<{ urls: string[]; close(): void }> {
  const servers: Server[] = [];
  const urls: string[] = [];
  let visit = 0;
  for (let host = 0; host < pages; host += 1) {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end();
        return;
      }
      visit += 1;
      const lines = Array.from({ length: 20 }, (_, line) => `<p>Visit ${visit}, line ${line}, ${LONG}at last.</p>`);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<title>Busy ${host}</title><main>${lines.join('')}</main>`);
    });
    const address = `127.0.0.${30 + host}`;
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    servers.push(server);
    urls.push(`http://${address}:${(server.address() as AddressInfo).port}/`);
  }
  const close = (): void => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { urls, close };
}
