import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetchPage, meantNetworks } from '../../src/daemon/fetch-once.ts';

const never = new AbortController().signal;
const servers: Server[] = [];
afterEach(() => servers.splice(0).map((server) => server.close()));

async function serving(location?: string): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (location !== undefined) response.writeHead(302, { location }).end();
    else response.writeHead(200, { 'content-type': 'text/html', 'content-language': 'en' }).end('<p>Hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

test('a page of the own machine is fetched, under the own name', async () => {
  const { url, asked } = await serving();
  const found = await fetchPage(url, never);
  expect(found).toMatchObject({
    outcome: 'fetched',
    url,
    contentType: 'text/html',
    headers: { contentLanguage: 'en' },
  });
  expect(asked[0]?.headers['user-agent']).toMatch(/^hydrant\/\d/);
});

test('a metadata service is never asked, by name of its address or through a redirect', async () => {
  const { url } = await serving('http://169.254.169.254/latest/');
  for (const asked of [url, 'http://169.254.169.254/latest/']) {
    expect(await fetchPage(asked, never)).toMatchObject({ outcome: 'failed', reason: 'private_address' });
  }
});

test('a redirect into a private network other than the one that was typed is not followed', async () => {
  const { url } = await serving('http://10.11.12.13/router');
  expect(await fetchPage(url, never)).toMatchObject({
    outcome: 'failed',
    reason: 'private_address',
    detail:
      'redirected: 10.11.12.13 is not a public address (private network 10.0.0.0/8); to visit it, give its URL directly',
  });
  const { url: inside, asked } = await serving();
  expect(await fetchPage((await serving(inside)).url, never)).toMatchObject({ outcome: 'fetched', url: inside });
  expect(asked).toHaveLength(1);
});

test('to a program no private network is open, however it is named', async () => {
  const { url, asked } = await serving();
  expect(await fetchPage(url, never, 'program')).toMatchObject({
    outcome: 'failed',
    reason: 'private_address',
    detail: expect.stringMatching(/only public addresses are visited here$/),
  });
  expect(asked).toEqual([]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['http://192.168.1.1/', [], ['192.168.0.0/16']],
  ['http://[::1]:8080/', [], ['::1/128']],
  ['http://[::ffff:10.1.2.3]/', [], ['10.0.0.0/8']],
  ['http://93.184.215.14/', [], []],
  ['https://example.com/', ['93.184.215.14'], []],
  ['https://nas.example.com/', ['192.168.1.2'], ['192.168.0.0/16']],
  ['https://example.com/', ['93.184.215.14', '192.168.1.2'], []],
  ['https://example.com/', [], []],
  ['http://169.254.169.254/', [], ['169.254.0.0/16']],
])('%s, at %j, opens %j', async (url, addresses, networks) => {
  const resolve = async () => addresses.map((address) => ({ address, family: 4 }));
  expect(await meantNetworks(url, resolve)).toEqual(networks);
});

test('a name that can only be a private network’s is looked for, and any other without an address is not let in', async () => {
  const unknown = () => Promise.reject(new Error('ENOTFOUND'));
  expect(await meantNetworks('http://printer.local/', unknown)).not.toEqual([]);
  expect(await meantNetworks('http://printer.example.com/', unknown)).toEqual([]);
});

test('what is called off ends at once', async () => {
  const { url } = await serving();
  expect(await fetchPage(url, AbortSignal.abort())).toMatchObject({ outcome: 'failed', reason: 'aborted' });
});
