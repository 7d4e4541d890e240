import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { parseProxy } from '../../../src/daemon/fetch/connector.ts';
import { at, failure, fetcherFor, never, SELF_SIGNED, Site } from './site.ts';

const html: RequestListener = (request, response) => response.end(`<p>Grüezi, ${request.headers.host}`);

interface Asked {
  readonly target: string;
  readonly authorization: string | undefined;
}

/** A proxy that does what it is asked, whoever asks; or answers with a status. */
async function proxying(status = 200): Promise<{ site: Site; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((_, response) => response.writeHead(500).end());
  server.on('connect', (request, client: Socket) => {
    const target = String(request.url);
    asked.push({ target, authorization: request.headers['proxy-authorization'] });
    client.on('error', () => undefined);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(target.slice(target.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return { site: await Site.listen(server), asked };
}

describe('a proxy', () => {
  test('is given the address that was judged, and a name and password; the site is given its name', async () => {
    const { site: proxy, asked } = await proxying();
    const site = await Site.http(html);
    const fetcher = fetcherFor({ proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}`, resolve: at('127.0.0.7') });
    for (const path of ['/a', '/b']) {
      const fetched = await fetcher.fetch({ url: `http://a.test:${site.port}${path}` }, never());
      expect(fetched).toMatchObject({ outcome: 'fetched', answer: { address: '127.0.0.7' } });
      expect(fetched.outcome === 'fetched' && Buffer.from(fetched.bytes).toString()).toContain(`a.test:${site.port}`);
    }
    const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(asked).toEqual([{ target: `127.0.0.7:${site.port}`, authorization }]);
    await fetcher.close();
    await Promise.all([site.vacated(), proxy.vacated()]);
  });

  test('carries TLS, and sees nothing of it', async () => {
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([SELF_SIGNED.slice(SELF_SIGNED.indexOf('-----BEGIN CERTIFICATE'))]);
    const { site: proxy, asked } = await proxying();
    const site = await Site.https(html);
    const fetcher = fetcherFor({ proxy: proxy.url(), resolve: at('127.0.0.1') });
    const fetch = (name: string) => fetcher.fetch({ url: `https://${name}:${site.port}/` }, never());
    expect(await fetch('site.test')).toMatchObject({ outcome: 'fetched' });
    expect(await fetch('other.test')).toEqual(failure('tls', 'the certificate of other.test is for other names'));
    expect(asked[0]).toEqual({ target: `127.0.0.1:${site.port}`, authorization: undefined });
  });

  test('may have a private address, and is not asked for one', async () => {
    const { site: proxy, asked } = await proxying();
    const guard = new AddressGuard({ allowPrivate: [] });
    const fetcher = fetcherFor({ guard, proxy: proxy.url(), resolve: at('10.0.0.5') });
    for (const url of ['http://a.test/', 'http://127.0.0.1/', 'http://[::ffff:10.0.0.1]/']) {
      expect(await fetcher.fetch({ url }, never())).toEqual(failure('private_address'));
    }
    expect(asked).toEqual([]);
  });

  test.each([403, 407, 502])('that answers %i is to blame, and its password is not told', async (status) => {
    const { site: proxy } = await proxying(status);
    const fetcher = fetcherFor({ proxy: `http://me:secret@127.0.0.1:${proxy.port}`, resolve: at('127.0.0.7') });
    const fetched = await fetcher.fetch({ url: 'http://a.test:8080/' }, never());
    const detail = `the proxy 127.0.0.1:${proxy.port} answered ${status} when asked for 127.0.0.7:8080`;
    expect(fetched).toEqual(failure('connect', detail));
    expect(JSON.stringify(fetched)).not.toContain('secret');
  });

  test('that is not there is to blame, too', async () => {
    const fetcher = fetcherFor({ proxy: 'http://me:secret@127.0.0.1:1', resolve: at('127.0.0.7') });
    expect(await fetcher.fetch({ url: 'http://a.test:8080/' }, never())).toEqual(
      failure('connect', 'the proxy 127.0.0.1:1 cannot be reached'),
    );
  });

  test('that says nothing is left when the fetch is called off', async () => {
    const proxy = await Site.raw(() => undefined);
    const fetcher = fetcherFor({ proxy: proxy.url(), resolve: at('127.0.0.7') });
    const caller = new AbortController();
    const fetching = fetcher.fetch({ url: 'http://a.test:8080/' }, caller.signal);
    await proxy.connected(1);
    caller.abort();
    expect(await fetching).toEqual(failure('aborted'));
    await proxy.vacated();
  });

  test('of the environment is not used', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    onTestFinished(() => void delete process.env['http_proxy']);
    const site = await Site.http(html);
    expect(await fetcherFor().fetch({ url: site.url() }, never())).toMatchObject({ outcome: 'fetched' });
  });
});

describe('the setting', () => {
  test('is taken apart', () => {
    expect(parseProxy('https://proxy.test:3128')).toEqual({
      origin: 'https://proxy.test:3128',
      host: 'proxy.test:3128',
      authorization: undefined,
    });
  });

  test.each(['proxy.test:3128', 'socks5://a:secret@proxy.test', 'http://a:secret@proxy.test/path', 'secret', ''])(
    '%j is refused without being repeated',
    (text) => {
      expect(() => parseProxy(text)).toThrow(/^crawl-proxy: (?!.*secret)/);
    },
  );
});
