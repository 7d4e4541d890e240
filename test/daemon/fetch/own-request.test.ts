import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { headersFor, mergedHeaders, type OwnRequest } from '../../../src/daemon/fetch/own-request.ts';
import { at, failure, fetcherFor, never, SELF_SIGNED, Site } from './site.ts';

const SECRET = 'secret-of-the-operator';
const HEADERS = { authorization: `Bearer ${SECRET}`, cookie: `session=${SECRET}`, 'x-key': SECRET };
const BODY = `password=${SECRET}`;

function own(url: string, more: Partial<OwnRequest> = {}): OwnRequest {
  const none = { body: undefined, proxy: undefined, userAgent: undefined, timeoutMs: undefined };
  return { origin: new URL(url).origin, headers: HEADERS, method: 'GET', ...none, ...more };
}

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers with a page, or leads on where `to` says; what it was asked is in `seen`. */
async function recording(
  to: (path: string) => { readonly status: number; readonly location: string } | undefined = () => undefined,
  listen: typeof Site.http = (listener) => Site.http(listener),
): Promise<{ readonly site: Site; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url = '', headers } = request;
    seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
    const next = to(url);
    if (next) response.writeHead(next.status, { location: next.location, 'set-cookie': 'set=by-the-site' }).end();
    else response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=renewed' }).end('<p>A page');
  };
  const site = await listen((request, response) => void answer(request, response));
  return { site, seen };
}

describe('headers of the operator', () => {
  const given = { origin: 'https://a.test', headers: HEADERS };

  test.each(['https://a.test/', 'https://a.test:443/x?y#z', 'https://A.TEST/', 'https://me@a.test/'])(
    'are for %s',
    (url) => expect(headersFor(given, url)).toEqual(HEADERS),
  );

  test.each([
    'http://a.test/',
    'https://a.test:8443/',
    'https://b.a.test/',
    'https://a.test.evil.test/',
    'https://a.test@evil.test/',
    'https://evil.test/https://a.test/',
    'wss://a.test/',
    'blob:https://a.test/0b0c',
    'data:text/html,https://a.test',
    'null',
    '',
  ])('are not for %s', (url) => expect(headersFor(given, url)).toEqual({}));

  test('take the place of the usual ones; a cookie that the site has just set goes before theirs', () => {
    const usual = ['user-agent', 'hydrant', 'accept', '*/*', 'cookie', 'session=new; other=1'];
    expect(mergedHeaders(usual, { accept: 'text/csv', cookie: 'session=old; mine=1' })).toEqual(
      'user-agent|hydrant|accept|text/csv|cookie|session=new; mine=1; other=1'.split('|'),
    );
  });
});

describe('a request of the operator’s own', () => {
  test('has its headers, its method, its body and its name', async () => {
    const { site, seen } = await recording();
    const asked = own(site.url(), {
      method: 'POST',
      body: BODY,
      userAgent: 'Mine/1',
      headers: { ...HEADERS, 'content-type': 'text/x' },
    });
    await fetcherFor().fetch({ url: site.url('/form'), own: asked }, never());
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ line: 'POST /form', body: BODY });
    expect(seen[0]?.headers).toMatchObject({ ...HEADERS, 'content-type': 'text/x', 'user-agent': 'Mine/1' });
  });

  test('keeps them on the way through its own origin', async () => {
    const { site, seen } = await recording((path) => (path === '/a' ? { status: 302, location: '/b' } : undefined));
    await fetcherFor().fetch({ url: site.url('/a'), own: own(site.url()) }, never());
    expect(seen.map(({ line, headers }) => [line, headers.authorization])).toEqual([
      ['GET /a', HEADERS.authorization],
      ['GET /b', HEADERS.authorization],
    ]);
    expect(seen[1]?.headers.cookie).toBe(`session=${SECRET}; set=by-the-site`);
  });

  test.each([301, 302, 303, 307, 308])('tells none of its secrets to another port, by a %d', async (status) => {
    const other = await recording();
    const { site, seen } = await recording(() => ({ status, location: other.site.url('/there') }));
    const fetched = await fetcherFor().fetch({ url: site.url(), own: own(site.url()) }, never());
    expect(JSON.stringify(seen)).toContain(SECRET);
    expect(fetched).toMatchObject({ outcome: 'fetched', url: other.site.url('/there') });
    expect(other.seen).toHaveLength(1);
    expect(JSON.stringify(other.seen)).not.toContain(SECRET);
  });

  test('tells none of its secrets to another host of the same port, nor on the way back to itself by others', async () => {
    const server = createServer();
    const seen: string[] = [];
    server.on('request', (request, response) => {
      seen.push(`${request.headers.host} ${request.headers.authorization ?? 'none'}`);
      const isFirst = request.headers.host?.startsWith('one.') === true && request.url === '/';
      const { port } = site;
      if (isFirst) response.writeHead(302, { location: `http://two.test:${port}/` }).end();
      else if (request.headers.host?.startsWith('two.'))
        response.writeHead(302, { location: `http://one.test:${port}/end` }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page');
    });
    const site = await Site.listen(server);
    const url = `http://one.test:${site.port}/`;
    await fetcherFor({ resolve: at('127.0.0.1') }).fetch({ url, own: own(url) }, never());
    expect(seen).toEqual([
      `one.test:${site.port} ${HEADERS.authorization}`,
      `two.test:${site.port} none`,
      `one.test:${site.port} ${HEADERS.authorization}`,
    ]);
  });

  test('tells none of its secrets to the same host without TLS', async () => {
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([SELF_SIGNED.slice(SELF_SIGNED.indexOf('-----BEGIN CERTIFICATE'))]);
    const plain = await recording();
    const { site, seen } = await recording(
      () => ({ status: 302, location: `http://site.test:${plain.site.port}/` }),
      (listener) => Site.https(listener),
    );
    const url = `https://site.test:${site.port}/`;
    await fetcherFor({ resolve: at('127.0.0.1') }).fetch({ url, own: own(url) }, never());
    expect(seen[0]?.headers.authorization).toBe(HEADERS.authorization);
    expect(plain.seen).toHaveLength(1);
    expect(JSON.stringify(plain.seen)).not.toContain(SECRET);
  });

  test.each([
    [301, 'GET /b', ''],
    [302, 'GET /b', ''],
    [303, 'GET /b', ''],
    [307, 'POST /b', BODY],
    [308, 'POST /b', BODY],
  ])('that is redirected with %d within its origin goes on as %s', async (status, line, body) => {
    const { site, seen } = await recording((path) => (path === '/a' ? { status, location: '/b' } : undefined));
    const asked = own(site.url(), { method: 'POST', body: BODY, headers: { 'content-type': 'text/x' } });
    const fetched = await fetcherFor().fetch({ url: site.url('/a'), own: asked }, never());
    expect(fetched.outcome).toBe('fetched');
    expect(seen[1]).toMatchObject({ line, body });
    expect(seen[1]?.headers['content-type']).toBe(body === '' ? undefined : 'text/x');
  });

  test.each([307, 308])('with a body is not repeated to another origin by a %d', async (status) => {
    const other = await recording();
    const { site } = await recording(() => ({ status, location: other.site.url('/there') }));
    const asked = own(site.url(), { method: 'POST', body: BODY });
    const fetched = await fetcherFor().fetch({ url: site.url(), own: asked }, never());
    expect(fetched).toEqual(failure('redirects'));
    expect(JSON.stringify(fetched)).not.toContain(SECRET);
    expect(other.seen).toEqual([]);
  });

  test.each([301, 302, 303])('with a body is asked for elsewhere without it by a %d', async (status) => {
    const other = await recording();
    const { site } = await recording(() => ({ status, location: other.site.url('/there') }));
    await fetcherFor().fetch({ url: site.url(), own: own(site.url(), { method: 'POST', body: BODY }) }, never());
    expect(other.seen.map(({ line, body }) => [line, body])).toEqual([['GET /there', '']]);
    expect(JSON.stringify(other.seen)).not.toContain(SECRET);
  });

  test('may lead back to its own address to be asked for without the body', async () => {
    let isFirst = true;
    const { site, seen } = await recording(() => {
      const first = isFirst;
      isFirst = false;
      return first ? { status: 303, location: '/' } : undefined;
    });
    const asked = own(site.url(), { method: 'POST', body: BODY });
    expect(await fetcherFor().fetch({ url: site.url(), own: asked }, never())).toMatchObject({ outcome: 'fetched' });
    expect(seen.map(({ line }) => line)).toEqual(['POST /', 'GET /']);
  });

  test('is kept for an archive without its headers and body, and its answer without cookies', async () => {
    const { site } = await recording();
    const asked = own(site.url(), { method: 'POST', body: BODY });
    const fetched = await fetcherFor().fetch({ url: site.url('/a'), own: asked, withExchange: true }, never());
    const { requestHead = '', responseHead = '' } = fetched.outcome === 'fetched' ? (fetched.exchange ?? {}) : {};
    expect(requestHead).toMatch(/^POST \/a HTTP\/1\.1\r\nhost: /);
    expect(requestHead).toContain('user-agent: hydrant/test');
    expect(responseHead).toContain('content-type: text/html');
    expect(requestHead + responseHead).not.toMatch(new RegExp(`${SECRET}|cookie|authorization|x-key|renewed`, 'i'));
  });

  test('goes by its own proxy, and the connection ends with it', async () => {
    const targets: string[] = [];
    const server = createServer().on('connect', (request, client: Socket) => {
      targets.push(`${request.url} ${request.headers['proxy-authorization']}`);
      const upstream = connect(site.port, '127.0.0.1', () => client.write('HTTP/1.1 200 Connected\r\n\r\n'));
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on('error', () => undefined);
    });
    const { site, seen } = await recording();
    const proxy = await Site.listen(server);
    const fetcher = fetcherFor();
    const proxied = own(site.url(), { proxy: `http://ada:pass@127.0.0.1:${proxy.port}` });
    await fetcher.fetch({ url: site.url('/by-it'), own: proxied }, never());
    await proxy.vacated();
    await fetcher.fetch({ url: site.url('/without') }, never());
    expect(seen.map(({ line }) => line)).toEqual(['GET /by-it', 'GET /without']);
    expect(targets).toEqual([`127.0.0.1:${site.port} Basic ${Buffer.from('ada:pass').toString('base64')}`]);
  });

  test('has as long as it is given', async () => {
    const silent = await Site.listening(() => undefined);
    const asked = own(silent.url(), { timeoutMs: 50 });
    const fetched = await fetcherFor().fetch({ url: silent.url(), own: asked }, never());
    expect(fetched).toEqual(failure('timeout'));
    expect(fetched).toMatchObject({ detail: expect.stringContaining('0.05') as string });
  });
});
