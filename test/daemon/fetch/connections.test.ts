import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { Connections } from '../../../src/daemon/fetch/connections.ts';
import { guardedConnector } from '../../../src/daemon/fetch/connector.ts';
import type { Fetched, Fetcher } from '../../../src/daemon/fetch/fetched.ts';
import { at, failure, fetcherFor, never, Site } from './site.ts';

const html = '<!doctype html><title>Zürich</title><p>Grüezi.';
const OK = `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`;

async function inTurn(fetcher: Fetcher, urls: readonly string[]): Promise<Fetched[]> {
  const all: Fetched[] = [];
  for (const url of urls) all.push(await fetcher.fetch({ url }, never()));
  return all;
}

/** Answers the requests of each connection in turn, by what is given for it; the last one stands for the rest. */
function scripted(connections: readonly (readonly ((socket: Socket) => void)[])[]): Promise<Site> {
  let count = 0;
  return Site.listening((socket) => {
    const script = connections[Math.min(count, connections.length - 1)] ?? [];
    count += 1;
    let request = 0;
    socket.on('data', () => {
      script[Math.min(request, script.length - 1)]?.(socket);
      request += 1;
    });
  });
}

const answer = (socket: Socket): void => void socket.write(OK);

/** What it says while the answer comes, piece by piece: nothing, a head, a few bytes, more than a few. */
test('a fetcher waits for a host until more than 64 KiB of its answer are there', async () => {
  const fetcher = fetcherFor();
  const asked = Promise.withResolvers<Socket>();
  const site = await Site.listening((socket) => void socket.once('data', () => asked.resolve(socket)));
  const { host } = new URL(site.url());
  expect(fetcher.isWaiting(host)).toBe(false);
  const page = fetcher.fetch({ url: site.url() }, never());
  const socket = await asked.promise;
  expect(fetcher.isWaiting(host)).toBe(true);
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>');
  await new Promise((resolve) => setImmediate(resolve));
  expect(fetcher.isWaiting(host)).toBe(true);
  socket.write('x'.repeat(70 * 1_024));
  await vi.waitUntil(() => !fetcher.isWaiting(host));
  socket.end();
  expect(await page).toMatchObject({ outcome: 'fetched' });
  expect(fetcher.isWaiting(host)).toBe(false);
});

describe('a kept connection', () => {
  test('serves the next pages of the host, redirects and short error pages included', async () => {
    const site = await Site.http((request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/new' }).end('moved');
      else response.writeHead(request.url === '/gone' ? 404 : 200).end(html);
    });
    const urls = ['/', '/old', '/gone', '/a', '/robots.txt'].map((path) => site.url(path));
    const pages = await inTurn(fetcherFor(), urls);
    expect(pages.map(({ outcome }) => outcome)).toEqual(['fetched', 'fetched', 'failed', 'fetched', 'fetched']);
    expect(site.accepted).toBe(1);
  });

  test('is not kept against the word of the server', async () => {
    for (const head of [
      'HTTP/1.1 200 OK\r\nconnection: close',
      'HTTP/1.0 200 OK',
      'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1',
    ]) {
      const site = await scripted([[(socket) => socket.write(`${head}\r\ncontent-length: 2\r\n\r\nok`)]]);
      await inTurn(fetcherFor(), [site.url()]);
      await site.vacated();
      expect(site.accepted).toBe(1);
    }
  });

  test('is closed when the host may rest, and when nobody has wanted it for some seconds', async () => {
    const site = await Site.http((_, response) => response.end(html));
    const fetcher = fetcherFor();
    await inTurn(fetcher, [site.url()]);
    fetcher.rest(new URL(site.url()).host);
    await site.vacated();
    await inTurn(fetcher, [site.url()]);
    await site.vacated();
    expect(site.accepted).toBe(2);
  });

  test('is closed after the page that is under way when the host may rest', async () => {
    const fetcher = fetcherFor();
    const site = await Site.http((request, response) => {
      fetcher.rest(String(request.headers.host));
      response.end(html);
    });
    expect(await inTurn(fetcher, [site.url()])).toMatchObject([{ outcome: 'fetched' }]);
    await site.vacated();
  });

  test('with more after the answer than was asked for is not used again', async () => {
    const site = await scripted([[(socket) => socket.write(`${OK}${OK}`)], [answer]]);
    const pages = await inTurn(fetcherFor(), [site.url('/a'), site.url('/b')]);
    expect(pages).toMatchObject([{ outcome: 'fetched' }, { outcome: 'fetched' }]);
    expect(site.accepted).toBe(2);
  });
});

describe('a kept connection that the server closes as it is used', () => {
  const hangUps: [string, (socket: Socket) => void][] = [
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ];

  test.each(hangUps)(
    'and %s: the request is not made again without a rest, and the next one goes well',
    async (_, hangUp) => {
      const site = await scripted([[answer, hangUp], [answer]]);
      expect(await inTurn(fetcherFor(), [site.url('/a'), site.url('/b'), site.url('/b')])).toMatchObject([
        { outcome: 'fetched' },
        failure('stale'),
        { outcome: 'fetched' },
      ]);
      expect(site.accepted).toBe(2);
    },
  );

  test.each(hangUps)('and then %s the new one too, fails the page', async (_, hangUp) => {
    const site = await scripted([[answer, hangUp], [hangUp]]);
    expect(await inTurn(fetcherFor(), [site.url('/a'), site.url('/b'), site.url('/b')])).toEqual([
      expect.anything(),
      failure('stale'),
      failure('reset'),
    ]);
    expect(site.accepted).toBe(2);
  });

  test('is not asked again once a byte of the answer has come', async () => {
    const site = await scripted([[answer, (socket) => socket.end('H')], [answer]]);
    expect(await inTurn(fetcherFor(), [site.url('/a'), site.url('/b')])).toEqual([expect.anything(), failure('reset')]);
    expect(site.accepted).toBe(1);
  });

  test.each(hangUps)('a new connection that %s is not made again', async (_, hangUp) => {
    const site = await scripted([[hangUp]]);
    expect(await inTurn(fetcherFor(), [site.url()])).toEqual([failure('reset')]);
    expect(site.accepted).toBe(1);
  });
});

describe('a host has one connection', () => {
  test('whoever wants it: pages of its own, and redirects of others', async () => {
    const target = await Site.http((_, response) => setImmediate(() => response.end(html)));
    const other = await Site.http((_, response) => response.writeHead(302, { location: target.url('/b') }).end());
    const fetcher = fetcherFor({ resolve: at('127.0.0.1') });
    const urls = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? target.url(`/${index}`) : `http://h${index}.test:${other.port}/`,
    );
    const pages = await Promise.all(urls.map((url) => fetcher.fetch({ url }, never())));
    expect(pages.every(({ outcome }) => outcome === 'fetched')).toBe(true);
    expect(target.mostOpen).toBe(1);
  });

  test('and who is called off while he waits for it is not served, and holds nobody up', async () => {
    const asked: string[] = [];
    const first = Promise.withResolvers<void>();
    const site = await Site.http((request, response) => {
      asked.push(String(request.url));
      void first.promise.then(() => response.end(html));
    });
    const fetcher = fetcherFor();
    const caller = new AbortController();
    const a = fetcher.fetch({ url: site.url('/a') }, never());
    const b = fetcher.fetch({ url: site.url('/b') }, caller.signal);
    const c = fetcher.fetch({ url: site.url('/c') }, never());
    await site.connected(1);
    caller.abort();
    expect(await b).toEqual(failure('aborted'));
    first.resolve();
    expect(await Promise.all([a, c])).toMatchObject([{ outcome: 'fetched' }, { outcome: 'fetched' }]);
    expect(asked).toEqual(['/a', '/c']);
    expect(site.accepted).toBe(1);
  });

  test('and the fetch that has it, called off, takes it along and leaves the turn', async () => {
    const site = await Site.http((request, response) => {
      if (request.url !== '/hangs') response.end(html);
    });
    const fetcher = fetcherFor();
    const caller = new AbortController();
    const hanging = fetcher.fetch({ url: site.url('/hangs') }, caller.signal);
    const next = fetcher.fetch({ url: site.url('/next') }, never());
    await site.connected(1);
    caller.abort();
    expect(await hanging).toEqual(failure('aborted'));
    expect(await next).toMatchObject({ outcome: 'fetched' });
    expect(site.accepted).toBe(2);
  });
});

test('of many hosts, those used last keep their connection', async () => {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
  const connections = new Connections({
    connect: guardedConnector(guard, at('127.0.0.1')),
    now: () => 0,
    most: 2,
  });
  const sites = await Promise.all([1, 2, 3].map(() => Site.http((_, response) => response.end(html))));
  const visit = async (site: Site): Promise<void> => {
    const url = new URL(site.url());
    const connection = await connections.borrow(url, never());
    const answer = await connection.ask({ path: '/', headers: [] });
    await connections.giveBack(connection, url.host, answer);
  };
  for (const site of [...sites, ...sites.slice(1)]) await visit(site);
  expect(connections.size).toBe(2);
  await sites[0]!.vacated();
  expect(sites.map((site) => site.accepted)).toEqual([1, 1, 1]);
  await visit(sites[0]!);
  await sites[1]!.vacated();
  expect(connections.size).toBe(2);
  await connections.destroy();
  expect(connections.size).toBe(0);
  await Promise.all(sites.map((site) => site.vacated()));
});
