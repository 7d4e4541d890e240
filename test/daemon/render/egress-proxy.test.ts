import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { guardedConnector } from '../../../src/daemon/fetch/connector.ts';
import { EgressProxy, GREETING_HOST, type Passage } from '../../../src/daemon/render/egress-proxy.ts';
import { NamedSite, resolve } from './rendering.ts';

async function proxyOf(): Promise<EgressProxy> {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.2/32'] });
  const proxy = await EgressProxy.open({ connect: guardedConnector(guard, resolve), host: '127.0.0.1' });
  onTestFinished(() => proxy.close());
  return proxy;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function login({ user, password }: Pick<Passage, 'user' | 'password'>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A plain request by way of the proxy. */
function asked(proxy: EgressProxy, url: string, authorization?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: new URL(url).host,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    };
    const sent = request({ host: '127.0.0.1', port: proxy.port, path: url, headers }, (response) => {
      let body = '';
      // An answer that is cut off is no error of the request.
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });
}

/** The first line that a CONNECT is answered with. */
function tunnelled(proxy: EgressProxy, target: string, authorization?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(proxy.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const more = authorization === undefined ? '' : `proxy-authorization: ${authorization}\r\n`;
    socket.on('error', reject).write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${more}\r\n`);
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString().split('\r\n', 1)[0] ?? ''));
  });
}

describe('the proxy of rendered pages', () => {
  test('lets nobody through without the login of a page that is there', async () => {
    const site = await NamedSite.pages('site.test', { '/': 'hello' });
    const proxy = await proxyOf();
    const passage = proxy.admit({ mostBytes: 1_000 });
    passage.allow(new URL(site.url()));
    const wrong = login({ user: passage.user, password: 'x'.repeat(passage.password.length) });
    for (const given of [undefined, wrong, login({ user: 'nobody', password: '' }), 'Bearer x']) {
      expect(await asked(proxy, site.url(), given)).toMatchObject({ status: 407 });
      expect(await tunnelled(proxy, new URL(site.url()).host, given)).toMatch(/^HTTP\/1\.1 407 /);
    }
    expect(site.asked).toEqual([]);
    expect(await asked(proxy, site.url(), login(passage))).toEqual({ status: 200, body: 'hello' });
    passage.end();
    expect(await asked(proxy, site.url(), login(passage))).toMatchObject({ status: 407 });
  });

  test('lets nobody to an origin that the gate has not allowed', async () => {
    const site = await NamedSite.pages('site.test', { '/': 'hello' });
    const proxy = await proxyOf();
    const passage = proxy.admit({ mostBytes: 1_000 });
    expect(await asked(proxy, site.url(), login(passage))).toMatchObject({ status: 403 });
    passage.allow(new URL(site.url()));
    // A tunnel is what a WebSocket asks for, and `http` was allowed.
    expect(await tunnelled(proxy, new URL(site.url()).host, login(passage))).toMatch(/^HTTP\/1\.1 403 /);
    expect(site.asked).toEqual([]);
    passage.allow(new URL(site.url().replace('http:', 'https:')));
    expect(await tunnelled(proxy, new URL(site.url()).host, login(passage))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    'http://private.test:8090/',
    'http://127.0.0.1:8090/',
    'http://[::ffff:127.0.0.1]:8090/',
    'http://169.254.169.254/',
  ])('does not connect to %s, and has the reason on record', async (url) => {
    const proxy = await proxyOf();
    const passage = proxy.admit({ mostBytes: 1_000 });
    for (const one of [url, url.replace('http:', 'https:')]) passage.allow(new URL(one));
    expect(await asked(proxy, url, login(passage))).toMatchObject({ status: 403 });
    const { host } = new URL(url);
    const target = host.includes(':') && !host.endsWith(']') ? host : `${host}:443`;
    expect(await tunnelled(proxy, target, login(passage))).toMatch(/^HTTP\/1\.1 403 /);
    expect(passage.refusals.map(({ problem }) => problem.reason)).toEqual(['private_address', 'private_address']);
  });

  test('ends all connections of a page that has had its bytes', async () => {
    const site = await NamedSite.listen('site.test', (_, response) => response.end(Buffer.alloc(100_000)));
    const proxy = await proxyOf();
    const passage = proxy.admit({ mostBytes: 50_000 });
    passage.allow(new URL(site.url()));
    await expect(asked(proxy, site.url(), login(passage))).rejects.toThrow(/hang up|aborted|ECONNRESET/);
    expect(passage.isOver).toBe(true);
    expect(await asked(proxy, site.url(), login(passage))).toMatchObject({ status: 403 });
  });

  test('answers its own greeting, to who has a login', async () => {
    const proxy = await proxyOf();
    const passage = proxy.admit({ mostBytes: 1_000 });
    expect(await asked(proxy, `http://${GREETING_HOST}/`)).toMatchObject({ status: 407 });
    expect(await asked(proxy, `http://${GREETING_HOST}/`, login(passage))).toEqual({ status: 200, body: '' });
  });
});
