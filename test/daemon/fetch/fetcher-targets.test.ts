import type { RequestListener } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { type Lookup, Names, type Resolve } from '../../../src/daemon/fetch/names.ts';
import type { Fetched, MayFollow } from '../../../src/daemon/fetch/fetched.ts';
import { at, failure, fetcherFor, never, saying, SELF_SIGNED, Site, visit } from './site.ts';

const html = '<!doctype html><title>Zürich</title><p>Grüezi.';

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i is followed, and the page has the address it came from', async (status) => {
    const site = await Site.http((request, response) => {
      if (request.url === '/new?a=b') response.end(html);
      else response.writeHead(status, { location: 'new?a=b#part' }).write('moved');
    });
    const fetched = await fetcherFor().fetch({ url: site.url('/old') }, never());
    expect(fetched).toMatchObject({ outcome: 'fetched', url: site.url('/new?a=b') });
    await site.deserted();
  });

  test('five are followed, six are not', async () => {
    const site = await Site.http((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(html);
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const fetcher = fetcherFor();
    expect(await fetcher.fetch({ url: site.url('/5') }, never())).toMatchObject({ outcome: 'fetched' });
    expect(await fetcher.fetch({ url: site.url('/6') }, never())).toEqual(
      failure('redirects', 'there are more than 5 redirects'),
    );
    expect(site.accepted).toBe(1);
    await site.deserted();
  });

  test('a circle is seen when it closes', async () => {
    const site = await Site.http((request, response) => {
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end();
    });
    expect(await fetcherFor().fetch({ url: site.url('/a') }, never())).toEqual(
      failure('redirects', `the redirects form a loop, back to "${site.url('/a')}"`),
    );
    expect(site.accepted).toBe(1);
  });

  test.each([
    ['http://10.11.12.13/', 'private_address', '10.0.0.0/8'],
    ['http://169.254.169.254/latest/meta-data', 'private_address', 'cloud metadata'],
    ['//[::ffff:192.168.0.1]/', 'private_address', '192.168.0.0/16'],
    ['ftp://example.com/', 'bad_url', 'http'],
    ['file:///etc/passwd', 'bad_url', 'http'],
    ['http://user:pw@example.com/', 'bad_url', 'password'],
    ['http://example.com:25/', 'bad_url', 'port 25'],
    [`/${'x'.repeat(3_000)}`, 'bad_url', '2048'],
    ['http://exa mple/', 'redirects', 'leads nowhere'],
    ['', 'redirects', 'without a Location header'],
  ])('to %s is refused', async (location, reason, detail) => {
    const fetched = await visit((_, response) => response.writeHead(302, { location }).end());
    expect(fetched).toEqual(failure(reason, saying(detail)));
  });

  test('that the caller does not follow are told with where they lead, and nobody is asked there', async () => {
    const elsewhere = await Site.http((_, response) => response.end(html));
    const site = await Site.http((_, response) =>
      response.writeHead(301, { location: elsewhere.url('/new#part') }).end(),
    );
    const mayFollow: MayFollow = async ({ href }) => ({
      outcome: 'failed',
      reason: 'moved',
      detail: 'later',
      leadsTo: href,
    });
    const fetched = await fetcherFor().fetch({ url: site.url('/old'), mayFollow }, never());
    expect(fetched).toMatchObject({ reason: 'moved', leadsTo: elsewhere.url('/new'), answer: { status: 301 } });
    expect(fetched).toMatchObject({ detail: `redirected to "${elsewhere.url('/new')}": later` });
    expect(elsewhere.accepted).toBe(0);
  });

  test('without a Location lead nowhere', async () => {
    expect(await visit((_, response) => response.writeHead(301).end())).toEqual(
      failure('redirects', 'the server answered 301 Moved Permanently without a Location header'),
    );
  });

  test('to a name that resolves to a private address are refused', async () => {
    const site = await Site.http((_, response) => response.writeHead(302, { location: 'http://intranet.test/' }).end());
    const resolve: Resolve = (name) => at(name === 'intranet.test' ? '10.0.0.5' : '127.0.0.1')(name);
    const fetched = await fetcherFor({ resolve }).fetch({ url: `http://a.test:${site.port}/` }, never());
    expect(fetched).toEqual(failure('private_address', saying('intranet.test resolves to 10.0.0.5 (private network')));
  });

  test('may name their target in raw UTF-8', async () => {
    const site = await Site.raw((socket) => {
      socket.once('close', () => undefined);
      socket.end(`HTTP/1.1 302 Found\r\nlocation: /z\u00c3\u00bcrich\r\n\r\n`, 'latin1');
    });
    expect(await fetcherFor().fetch({ url: site.url() }, never())).toEqual(
      failure('redirects', saying(site.url('/z%C3%BCrich'))),
    );
  });
});

describe('addresses', () => {
  test('a name that resolves to a private address is refused, with the way to open it', async () => {
    expect(await fetcherFor({ resolve: at('10.0.0.5') }).fetch({ url: 'http://intranet.test/' }, never())).toEqual(
      failure(
        'private_address',
        'intranet.test resolves to 10.0.0.5 (private network 10.0.0.0/8); start hydrantd with --allow-private 10.0.0.0/8 to crawl it',
      ),
    );
  });

  test('a name with no address', async () => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await fetcherFor({ resolve }).fetch({ url: 'http://gone.test/' }, never())).toEqual(
      failure('dns', 'no address for gone.test'),
    );
    const lookup: Lookup = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const names = new Names({ now: () => 0, lookup, hosts: { addresses: async () => undefined } });
    expect(await fetcherFor({ resolve: names.resolve }).fetch({ url: 'http://gone.test/' }, never())).toMatchObject({
      reason: 'dns',
      isUnknownName: true,
    });
  });

  test('a port where nobody listens', async () => {
    expect(await fetcherFor().fetch({ url: 'http://127.0.0.1:1/' }, never())).toEqual(
      failure('connect', '127.0.0.1:1 refused the connection'),
    );
  });

  test('without opened networks, loopback is closed, and nothing connects', async () => {
    const site = await Site.http((_, response) => response.end(html));
    const fetcher = fetcherFor({ guard: new AddressGuard({ allowPrivate: [] }), resolve: at('127.0.0.1') });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', 'a.test']) {
      expect(await fetcher.fetch({ url: `http://${host}:${site.port}/` }, never())).toEqual(failure('private_address'));
    }
    expect(site.accepted).toBe(0);
  });

  test('what is no URL is not fetched', async () => {
    expect(await fetcherFor().fetch({ url: 'gopher://a.test/' }, never())).toEqual(failure('bad_url'));
  });
});

describe('TLS', () => {
  const listener: RequestListener = (_, response) => response.end(html);

  test('a certificate that is only its own witness', async () => {
    const site = await Site.https(listener);
    const fetched = await fetcherFor({ resolve: at('127.0.0.1') }).fetch(
      { url: `https://site.test:${site.port}/` },
      never(),
    );
    expect(fetched).toEqual(failure('tls', 'the certificate of site.test is self-signed'));
    await site.deserted();
  });

  test('a certificate that is trusted, for this name and for another', async () => {
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([SELF_SIGNED.slice(SELF_SIGNED.indexOf('-----BEGIN CERTIFICATE'))]);
    const site = await Site.https(listener);
    const fetcher = fetcherFor({ resolve: at('127.0.0.1') });
    const fetch = (name: string): Promise<Fetched> => fetcher.fetch({ url: `https://${name}:${site.port}/` }, never());
    expect(await fetch('site.test')).toMatchObject({ outcome: 'fetched' });
    expect(await fetch('site.test')).toMatchObject({ outcome: 'fetched' });
    expect(await fetch('other.test')).toEqual(failure('tls', 'the certificate of other.test is for other names'));
    await fetcher.close();
    await site.deserted();
  });

  test('a server that speaks no TLS', async () => {
    const site = await Site.http(listener);
    expect(await fetcherFor().fetch({ url: `https://127.0.0.1:${site.port}/` }, never())).toEqual(failure('tls'));
    await site.deserted();
  });
});
