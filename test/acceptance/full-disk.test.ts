import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { SmallDisk } from '../soak/crash/small-disk.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

/** A host whose page has another text each time, and which keeps its answers back until it is told to give them. */
class HeldHost {
  readonly url: string;
  requests = 0;
  readonly #server: Server;
  #held: ServerResponse[] | undefined = [];

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.url = `http://${address}:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request, response: ServerResponse) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end();
        return;
      }
      this.requests += 1;
      if (this.#held) this.#held.push(response);
      else this.#answer(response);
    });
  }

  static async start(address: string): Promise<HeldHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return new HeldHost(server, address);
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const response of held) this.#answer(response);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Held</title><main><p>This page was asked for ${this.requests} times so far.</p></main>`);
  }
}

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test('a page and a watch whose visits cannot be recorded are asked for once while their host is leased', async () => {
  const disk = new SmallDisk();
  ended.push(() => disk.close());
  const daemon = new RealDaemon(loopback, disk.directory);
  await daemon.start();
  ended.push(() => daemon.kill());
  const [page, watched] = [await HeldHost.start('127.0.0.61'), await HeldHost.start('127.0.0.62')];
  ended.push(
    () => page.close(),
    () => watched.close(),
  );
  await daemon.hydrant(['crawl', 'add', page.url]);
  await daemon.hydrant(['watch', 'add', watched.url, '--every', '5m']);
  await until('both are asked for', () => page.requests + watched.requests === 2);
  disk.fill(daemon.pid);
  page.letGo();
  watched.letGo();
  const fate = (host: HeldHost) => `the host of ${host.url} could not be released`;
  await until('neither visit can be recorded', () => [page, watched].every((host) => daemon.log.includes(fate(host))));
  // Where a lease ended with the visit that failed, there were eighty requests a second from here on.
  await sleep(QUIET_MS);
  expect([page.requests, watched.requests]).toEqual([1, 1]);
  expect(daemon.log).toMatch(/disk is full|ENOSPC|EFBIG/);
});

const QUIET_MS = 3_000;
