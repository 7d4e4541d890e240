import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const LOGIN = 'ada:password-of-the-proxy';
const SECRETS = {
  'password of the proxy': 'password-of-the-proxy',
  'login of the proxy': Buffer.from(LOGIN).toString('base64'),
  'password in a link': 'password-in-a-link',
};

/** What the crawl knows and what pages have in them, through a proxy that asks for a login, into WARC files. */
describe('secrets of the crawl', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-secrets-'));
  const config = join(directory, 'hydrantd.json');
  const files = ['--log-file', join(directory, 'log', 'hydrantd.log'), '--warc-dir', join(directory, 'warc')];
  const daemon = new RealDaemon([...loopback, '--log-level', 'debug', '--config', config, ...files]);
  const asked: string[] = [];
  const logins: (string | undefined)[] = [];
  const site = createServer((request, response) => {
    asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const to = {
      '/away': 'http://ada:password-in-a-link@127.0.0.9/x',
      '/ftp': 'ftp://ada:password-in-a-link@127.0.0.9/x',
    };
    const location = Object.entries(to).find(([path]) => path === request.url)?.[1];
    if (location !== undefined) response.writeHead(302, { location }).end();
    else if (request.url !== '/page') response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=of-the-page' })
        .end(`<p>${asked.length}`);
  });
  const proxy = createServer().on('connect', (request, socket) => {
    logins.push(request.headers['proxy-authorization']);
    const [host, port] = (request.url ?? '').split(':');
    const through = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.pipe(through).pipe(socket);
    for (const end of [socket, through]) end.on('error', () => undefined);
  });
  let refusals: readonly string[] = [];

  beforeAll(async () => {
    const [page, gate] = [await listening(site, '127.0.0.60'), await listening(proxy, '127.0.0.1')];
    writeFileSync(config, JSON.stringify({ crawlProxy: `http://${LOGIN}@${gate}` }), { mode: 0o600 });
    await daemon.start();
    const crawl = (path: string): Promise<unknown> =>
      daemon.operator('POST', '/admin/sources', { url: `http://${page}/${path}`, scope: 'page' });
    await crawl('page');
    await until('the page is visited', () => daemon.log.includes('page changed'));
    await daemon.hydrant(['crawl', 'visit', `http://${page}/page`]);
    await until('the page is visited again', () => asked.filter((one) => one.startsWith('/page')).length === 2);
    for (const path of ['away', 'ftp']) await crawl(path);
    await until('both redirects are', () => daemon.log.match(/"msg":"[^"]*redirect[^"]*"/g)?.length === 2);
    const refused = await Promise.all(
      ['crawl', 'watch'].map((noun) => daemon.run('hydrant', [noun, 'add', `http://ada:password-in-a-link@${page}/x`])),
    );
    refusals = refused.map(({ exitCode, all }) => `${exitCode} ${all}`);
  });
  afterAll(async () => {
    await daemon.dispose();
    for (const server of [site, proxy]) server.close();
    rmSync(directory, { recursive: true });
  });

  const foundIn = (text: string): string[] =>
    Object.entries(SECRETS).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));

  test('are there to be found: the proxy was given its login, and a page its redirects', () => {
    expect(new Set(logins.map((login) => foundIn(login ?? '').join()))).toEqual(new Set(['login of the proxy']));
    expect(asked.some((one) => one.startsWith('/away')) && asked.some((one) => one.startsWith('/ftp'))).toBe(true);
  });

  test('a URL with a name and a password is refused, and not repeated', () => {
    expect(refusals).toHaveLength(2);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^[1-9].*user name or password/s);
      expect(foundIn(refusal)).toEqual([]);
    }
  });

  test('stand in no log, nor in what `hydrant logs`, `status` and the metrics say', async () => {
    const texts = [
      daemon.log,
      await daemon.hydrant(['logs', '--lines', '1000', '--file', join(directory, 'log', 'hydrantd.log')]),
      await daemon.hydrant(['status', '--json']),
      await daemon.operatorText('/metrics'),
    ];
    expect(texts[1]).toContain('"msg"');
    expect(texts.every(({ length }) => length > 50)).toBe(true);
    expect(foundIn(texts.join('\n'))).toEqual([]);
  });

  test.skipIf(!existsSync('/proc/self/cmdline'))('stand in no list of processes', () => {
    expect(foundIn(readFileSync(`/proc/${daemon.pid}/cmdline`, 'latin1'))).toEqual([]);
  });

  test('no request to a page carries a login or a cookie, and the archive has what was sent', async () => {
    await daemon.stop();
    const warc = join(directory, 'warc');
    const text = readdirSync(warc)
      .map((name) => gunzipSync(readFileSync(join(warc, name))).toString('latin1'))
      .join('');
    expect(text.match(/^GET \/page HTTP/gm)).toHaveLength(2);
    // The page's own words are kept as they are.
    expect(text).toContain('set-cookie: session=of-the-page');
    const sent = [text.replaceAll(/^set-cookie: .*$/gim, ''), ...asked].join('\n');
    expect(sent).not.toMatch(/authorization|\bcookie\b|of-the-page/i);
    expect(foundIn(text.replaceAll(/^location: .*$/gim, ''))).toEqual([]);
  });
});

async function listening(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `${host}:${(server.address() as AddressInfo).port}`;
}
