import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetchPage } from '../../src/daemon/fetch-once.ts';

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

test('what is called off ends at once', async () => {
  const { url } = await serving();
  expect(await fetchPage(url, AbortSignal.abort())).toMatchObject({ outcome: 'failed', reason: 'aborted' });
});
