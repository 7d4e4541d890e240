import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../src/shared/api/status.ts';
import { RealDaemon, until } from '../acceptance/real-daemon.ts';
import { SilentHosts } from '../fixtures/silent-hosts.ts';
import { Tarpit } from '../fixtures/tarpit.ts';

const LIVE = 10;
const EVERY_S = 10;
/** The others hold a connection for five, ten and thirty seconds, 128 at a time: half of them are not through by then. */
const FIRST_WITHIN_S = 60;
const RUN_S = 300;

/**
 * `npm run soak -- dead [hosts]`: so many hosts are added before ten that answer, all to be visited every ten seconds, for
 * five minutes. At half of their addresses nobody answers; a quarter takes the connection and says nothing, a quarter sends
 * a byte a second.
 */
export async function dead(count: number): Promise<string[]> {
  const addresses = Array.from({ length: count >> 1 }, (_, n) => `127.4.${n >> 7}.${1 + (n & 127)}`);
  const silent = await SilentHosts.start(addresses);
  const tarpit = await Tarpit.start();
  const slow = Array.from({ length: count - addresses.length }, (_, n) => `127.6.${n >> 7}.${1 + (n & 127)}`);
  const urls = [
    ...addresses.map((address) => `http://${address}:${silent.port}/`),
    ...slow.map((address) => `http://${address}:${tarpit.port}/`),
  ];
  const live = await LiveHosts.start();
  const daemon = await RealDaemon.start(['--allow-private', '127.0.0.0/8', '--log-level', 'error']);
  try {
    const every = ['--every', `${EVERY_S}s`];
    await daemon.hydrant(['crawl', 'add', '-', ...every], urls.join('\n'));
    await daemon.hydrant(['crawl', 'add', '-', ...every], live.urls.join('\n'));
    const begin = Date.now();
    const doubts = await doubted(daemon, begin + RUN_S * 1_000);
    return verdict(count, live.books, begin, doubts);
  } finally {
    await daemon.dispose();
    await live.close();
    await silent.close();
    await tarpit.close();
  }
}

/** How often the network was in doubt when it was looked at, until the time comes. */
async function doubted(daemon: RealDaemon, end: number): Promise<number> {
  let doubts = 0;
  await until(
    'the time is over',
    async () => {
      await sleep(1_000);
      const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
      if (typeof data.crawl.network_doubted_since === 'string') doubts += 1;
      return Date.now() >= end;
    },
    2 * RUN_S * 1_000,
  );
  return doubts;
}

function verdict(count: number, books: readonly (readonly number[])[], begin: number, doubts: number): string[] {
  const firstS = Math.max(...books.map(([first = Infinity]) => (first - begin) / 1_000));
  const visits = books.flat().length;
  const due = LIVE * Math.floor((RUN_S - firstS) / EVERY_S);
  const since = books.map((times) => times.filter((at) => at >= begin + firstS * 1_000));
  const visitsSince = since.flat().length;
  const gapS = Math.max(
    ...since.flatMap((times) => times.slice(1).map((at, index) => (at - (times[index] ?? at)) / 1_000)),
  );
  const wrong: string[] = [];
  if (firstS > FIRST_WITHIN_S) wrong.push(`the last of the live hosts was first visited after ${firstS.toFixed(1)} s`);
  if (!(visitsSince >= 0.98 * due)) wrong.push(`${visitsSince} visits of the live hosts, where ${due} were due`);
  if (!(gapS <= 2 * EVERY_S)) wrong.push(`one of them was not asked for ${gapS.toFixed(1)} s`);
  if (doubts > 0) wrong.push(`the network was in doubt ${doubts} times that it was looked at`);
  return [
    `${count} hosts that are silent or keep us waiting before ${LIVE} live ones, every ${EVERY_S} s, for ${RUN_S} s: all live ones visited within ` +
      `${firstS.toFixed(1)} s, ${visits} visits of them; since then ${visitsSince} of ${due} due, longest gap of one ${gapS.toFixed(1)} s`,
    ...wrong,
  ];
}

class LiveHosts {
  readonly urls: string[] = [];
  /** When the page of each was asked for. */
  readonly books: number[][] = [];
  readonly #servers: Server[] = [];

  static async start(): Promise<LiveHosts> {
    const all = new LiveHosts();
    for (let n = 1; n <= LIVE; n += 1) await all.#listen(`127.5.0.${n}`);
    return all;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #listen(address: string): Promise<void> {
    const times: number[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      times.push(Date.now());
      const text = `<title>News</title><main><p>The number of the day is ${times.length} and no other one.</p></main>`;
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(text);
    });
    await new Promise<void>((resolve) => void server.listen(0, address, resolve));
    this.#servers.push(server);
    this.books.push(times);
    this.urls.push(`http://${address}:${(server.address() as AddressInfo).port}/`);
  }
}
