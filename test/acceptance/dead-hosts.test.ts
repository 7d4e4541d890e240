import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, type TestContext, test } from 'vitest';
import type { CrawlStatus } from '../../src/shared/api/crawl.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { SilentHosts } from '../fixtures/silent-hosts.ts';
import { Tarpit } from '../fixtures/tarpit.ts';
import { RealDaemon, until } from './real-daemon.ts';

const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0.1', '--crawl-deadline', '10'];
const DEAD = 300;
const LIVE = 10;

/** The real daemon among hosts of which most answer nobody. Two of it, side by side: both mostly wait. */
describe.concurrent('among dead hosts', () => {
  type Ending = Pick<TestContext, 'onTestFinished'>;

  async function daemonAmong(
    dead: number,
    { onTestFinished }: Ending,
  ): Promise<{ daemon: RealDaemon; deadUrls: string[] }> {
    const addresses = Array.from({ length: dead }, (_, n) => `127.4.${n >> 7}.${1 + (n & 127)}`);
    const silent = await SilentHosts.start(addresses);
    onTestFinished(async () => silent.close());
    const daemon = await RealDaemon.start(FLAGS);
    onTestFinished(async () => daemon.dispose());
    return { daemon, deadUrls: addresses.map((address) => `http://${address}:${silent.port}/`) };
  }

  /** URLs of as many hosts that take a connection and then keep us waiting. */
  async function tarpits(count: number, { onTestFinished }: Ending): Promise<string[]> {
    const tarpit = await Tarpit.start();
    onTestFinished(async () => tarpit.close());
    return Array.from({ length: count }, (_, n) => `http://127.6.${n >> 7}.${1 + (n & 127)}:${tarpit.port}/`);
  }

  /** Requests of pages by address; robots.txt is not there. */
  async function liveHosts(
    count: number,
    { onTestFinished }: Ending,
  ): Promise<{ urls: string[]; requests: Map<string, number[]> }> {
    const requests = new Map<string, number[]>();
    const urls: string[] = [];
    for (let n = 1; n <= count; n += 1) {
      const host = `127.5.0.${n}`;
      const server: Server = createServer((request, response) => {
        if (request.url === '/robots.txt') return void response.writeHead(404).end();
        const times = requests.get(host) ?? [];
        requests.set(host, [...times, Date.now()]);
        const text = `<title>News</title><main><p>The number of the day is ${times.length} and no other one.</p></main>`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(text);
      });
      await new Promise<void>((resolve) => void server.listen(0, host, resolve));
      onTestFinished(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      urls.push(`http://${host}:${(server.address() as AddressInfo).port}/`);
    }
    return { urls, requests };
  }

  const statusOf = async (daemon: RealDaemon): Promise<CrawlStatus> =>
    JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;

  test('three hundred that were added first do not keep ten others from being visited, and nobody blames our network', async ({
    onTestFinished,
  }) => {
    const { daemon, deadUrls } = await daemonAmong(DEAD, { onTestFinished });
    const { urls, requests } = await liveHosts(LIVE, { onTestFinished });
    await daemon.hydrant(['crawl', 'add', '-', '--every', '2s'], deadUrls.join('\n'));
    await daemon.hydrant(['crawl', 'add', '-', '--every', '2s'], urls.join('\n'));
    await until(
      'each live host is visited six times',
      () => {
        return requests.size === LIVE && [...requests.values()].every(({ length }) => length >= 6);
      },
      110_000,
    );
    const status = await statusOf(daemon);
    expect(status.network_doubted_since).toBeNull();
    expect(status.outcomes['timeout']).toBeGreaterThan(0);
    const { problems, crawl } = JSON.parse(await daemon.hydrant(['status', '--json'])) as Status;
    expect(crawl.network_doubted_since).toBeNull();
    const named = (crawl.unhealthy ?? []).filter(({ reason, next_try: at }) => reason === 'timeout' && at !== null);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ host }) => !host.startsWith('127.4.'))).toEqual([]);
    const doctor = await daemon.run('hydrant', ['doctor', '--json']);
    expect(doctor.stdout).toMatch(/timeout: 127\.4\.[^;]*; next try/);
    expect(problems.filter(({ message }) => message.includes('network of this machine'))).toEqual([]);
  });

  test('nor do three hundred that take the connection, and never answer or send a byte a second', async ({
    onTestFinished,
  }) => {
    const slow = await tarpits(DEAD, { onTestFinished });
    const { daemon } = await daemonAmong(0, { onTestFinished });
    const { urls, requests } = await liveHosts(LIVE, { onTestFinished });
    await daemon.hydrant(['crawl', 'add', '-', '--every', '2s'], slow.join('\n'));
    await daemon.hydrant(['crawl', 'add', '-', '--every', '2s'], urls.join('\n'));
    await until(
      'each live host is visited six times',
      () => requests.size === LIVE && [...requests.values()].every(({ length }) => length >= 6),
      110_000,
    );
    expect((await statusOf(daemon)).network_doubted_since).toBeNull();
  });

  test('sixty watches of dead ones do not keep the check of a healthy one waiting', async ({ onTestFinished }) => {
    const { daemon, deadUrls } = await daemonAmong(60, { onTestFinished });
    const { urls, requests } = await liveHosts(50, { onTestFinished });
    for (const list of [deadUrls, urls]) await daemon.hydrant(['watch', 'add', '-'], list.join('\n'));
    await until('each healthy watch is checked', () => requests.size === 50, 60_000);
    const before = [...requests.values()].flat().length;
    await Promise.all(urls.slice(0, 5).map(async (url) => daemon.hydrant(['watch', 'check', url])));
    await until('the five are checked again', () => [...requests.values()].flat().length >= before + 5, 20_000);
    expect((await statusOf(daemon)).network_doubted_since).toBeNull();
  });
});
