import { describe, expect, test } from 'vitest';
import vectors from '../../vectors/ssrf.json' with { type: 'json' };
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { Names, nameServers } from '../../../src/daemon/fetch/names.ts';
import type { Fetcher } from '../../../src/daemon/fetch/fetched.ts';
import { failure, fetcherFor, never, saying, Site } from './site.ts';
import { NameServer, type Resource } from './name-server.ts';

const html = '<!doctype html><title>Zürich</title><p>Grüezi.';
// Loopback is open in these tests, and the v6 addresses that stand for it are.
const blocked = vectors.addresses.filter(({ blocked, address }) => blocked && !/(?:^|:)127\./.test(address));
const closed = new AddressGuard({ allowPrivate: [] });

/** The whole way, with nothing put in its place but the name server and the clock. */
async function world(zone: Readonly<Record<string, readonly Resource[]>>, guard?: AddressGuard) {
  const server = await NameServer.listen(zone);
  const clock = { time: 1_800_000_000_000, now: (): number => clock.time };
  const hosts = { addresses: () => Promise.resolve(undefined) };
  const { resolve } = new Names({ now: clock.now, lookup: nameServers([server.address]), hosts });
  const fetcher = fetcherFor({ resolve, outside: clock, ...(guard && { guard }) });
  return { server, clock, fetcher };
}

const v4 = (value: string, ttl = 0): Resource => ({ type: 'A', value, ttl });
const refusal = failure('private_address');

function literal(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function record(address: string): Resource {
  return { type: address.includes(':') ? 'AAAA' : 'A', value: address };
}

describe('every forbidden address of the vectors', () => {
  test('as a URL, and as what a redirect leads to, is not connected to', async () => {
    let location = '';
    const site = await Site.http((_, response) => response.writeHead(302, { location }).end());
    const fetcher = fetcherFor();
    for (const { address } of blocked) {
      location = `http://${literal(address)}:${site.port}/`;
      expect(await fetcher.fetch({ url: location }, never())).toEqual(refusal);
      expect(await fetcher.fetch({ url: site.url() }, never())).toEqual(refusal);
    }
  });

  test('as what a name server says, alone or beside one that is allowed, is not connected to', async () => {
    const { server, fetcher } = await world({});
    // The test's name server writes v6 in its own way.
    const plain = blocked.filter(({ address }) => !/:.*\./.test(address));
    for (const [index, { address }] of plain.entries()) {
      server.zone.set(`alone${index}.test`, [record(address)]);
      server.zone.set(`beside${index}.test`, [v4('127.0.0.1'), record(address)]);
      for (const name of [`alone${index}.test`, `beside${index}.test`]) {
        expect(await fetcher.fetch({ url: `http://${name}:8080/` }, never())).toEqual(refusal);
        expect(await fetcher.locate(name)).toEqual([]);
      }
    }
    expect(server.asked.length).toBeGreaterThan(plain.length);
  });

  test('as a URL of the vectors that is to be refused: nothing is looked up, nothing connected to', async () => {
    const { server, fetcher } = await world({}, closed);
    for (const { url, verdict } of vectors.urls.filter(({ verdict }) => verdict.startsWith('block'))) {
      expect([url, verdict, (await fetcher.fetch({ url }, never())).outcome]).toEqual([url, verdict, 'failed']);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('a name that changes its address (rebinding)', () => {
  async function rebound(): Promise<{ site: Site; fetcher: Fetcher; url: string; rebind: (to: string) => void }> {
    const site = await Site.http((_, response) => response.end(html));
    const { server, clock, fetcher } = await world({ 'a.test': [v4('127.0.0.1')] });
    const rebind = (to: string): void => {
      server.zone.set('a.test', [v4(to)]);
      // An answer holds for half a minute, whatever its server says of it.
      clock.time += 30_000;
    };
    return { site, fetcher, url: `http://a.test:${site.port}/`, rebind };
  }

  test('from one that was allowed when it was asked for is refused when it is connected to', async () => {
    const { site, fetcher, url, rebind } = await rebound();
    expect(await fetcher.locate('a.test')).toEqual(['127.0.0.1']);
    rebind('10.0.0.5');
    expect(await fetcher.fetch({ url }, never())).toEqual(
      failure('private_address', saying('a.test resolves to 10.0.0.5')),
    );
    expect(site.accepted).toBe(0);
  });

  test('after a page was fetched is refused at the next connection', async () => {
    const { site, fetcher, url, rebind } = await rebound();
    expect(await fetcher.fetch({ url }, never())).toMatchObject({ outcome: 'fetched' });
    rebind('169.254.169.254');
    fetcher.rest(new URL(url).host);
    await site.vacated();
    expect(await fetcher.fetch({ url }, never())).toEqual(refusal);
  });

  test('within one fetch, over a redirect to itself, goes on with the connection that stands', async () => {
    const { server, clock, fetcher } = await world({ 'a.test': [v4('127.0.0.1')] });
    const site = await Site.http((request, response) => {
      server.zone.set('a.test', [v4('10.0.0.5')]);
      clock.time += 30_000;
      if (request.url === '/') response.writeHead(302, { location: '/b' }).end();
      else response.end(html);
    });
    const fetched = await fetcher.fetch({ url: `http://a.test:${site.port}/` }, never());
    expect(fetched).toMatchObject({ outcome: 'fetched', answer: { address: '127.0.0.1' } });
    expect(site.accepted).toBe(1);
  });

  test('by an alias into the private network is refused', async () => {
    const { fetcher } = await world({ 'a.test': [{ type: 'CNAME', value: 'inside.test' }, v4('192.168.0.1')] });
    expect(await fetcher.fetch({ url: 'http://a.test/' }, never())).toEqual(refusal);
  });
});

describe('where a host is', () => {
  test('is reported for names, for literals, and for none that may not be reached', async () => {
    const { server, fetcher } = await world({ 'a.test': [v4('127.0.0.1', 300), v4('127.0.0.2', 300)] });
    expect([...(await fetcher.locate('a.test'))].sort()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(await fetcher.locate('127.0.0.9')).toEqual(['127.0.0.9']);
    for (const host of ['10.0.0.1', '[::1]', '[fe80::1]', 'no.test']) expect(await fetcher.locate(host)).toEqual([]);
    server.asked.length = 0;
    await fetcher.locate('a.test');
    expect(server.asked).toEqual([]);
  });
});
