import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';
import type { Source } from '../../src/shared/api/crawl.ts';

const MIB = 1024 * 1024;

/** Pages that mean harm, or are broken; and one good page that must go on being visited all the while. */
const pages: Record<string, (response: ServerResponse) => void> = {
  '/good': (response) => response.end(`<title>Good</title><p>All is well at ${Date.now()}.</p>`),
  '/200mb': (response) => void endless(response, 200),
  '/bomb': (response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
  },
  '/drip': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write('x'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  '/latin': (response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(Buffer.from('<title>Bytes</title><p>not \xff\xfe utf-8 at all</p>', 'latin1'));
  },
  '/private': (response) => response.writeHead(302, { location: 'http://10.11.12.13/' }).end(),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/reset': (response) => response.socket?.destroy(),
  '/error': (response) => response.writeHead(500).end('broken'),
  '/empty': (response) => response.end(),
};
const bomb = gzipSync(Buffer.alloc(300 * MIB));

/** Far more than is read: the daemon hangs up in the middle, which ends the pipeline with an error. */
async function endless(response: ServerResponse, mebibytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' });
  const chunk = Buffer.alloc(MIB, 'spam ');
  await pipeline(Readable.from(Array.from({ length: mebibytes }, () => chunk)), response).catch(() => {});
}

describe('pages that mean harm', () => {
  let daemon: RealDaemon;
  const origins = new Map<string, string>();
  const servers: ReturnType<typeof createServer>[] = [];

  beforeAll(async () => {
    for (const [index, path] of Object.keys(pages).entries()) {
      const server = createServer((request, response) => {
        // The page is what is bad, not its site.
        if (request.url === '/robots.txt' && path !== '/drip') response.writeHead(404).end();
        else pages[path]?.(response);
      });
      server.listen(0, `127.0.0.${80 + index}`);
      await once(server, 'listening');
      const { address, port } = server.address() as AddressInfo;
      origins.set(path, `http://${address}:${port}${path}`);
      servers.push(server);
    }
    daemon = await RealDaemon.start([
      '--allow-private',
      '127.0.0.0/8',
      '--crawl-host-delay',
      '0',
      '--crawl-deadline',
      '3',
    ]);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], [...origins.values()].join('\n'));
    await until('every page was visited', async () => (await sources()).every((source) => source.visits > 0));
  });

  afterAll(async () => {
    await daemon.dispose();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function sources(): Promise<Source[]> {
    return (await daemon.operator<{ data: Source[] }>('GET', '/admin/sources')).data;
  }

  async function lastVisit(path: string): Promise<Source['last_visit']> {
    return (await sources()).find((source) => source.url === origins.get(path))?.last_visit ?? null;
  }

  test.each([
    ['/200mb', 'too_large', '5 MiB'],
    ['/bomb', 'too_large', 'MiB'],
    ['/drip', 'timeout', '3 s'],
    ['/private', 'private_address', '10.0.0.0/8'],
    ['/loop', 'redirects', ''],
    ['/reset', 'reset', ''],
    ['/error', 'status', '500'],
    ['/empty', 'empty', ''],
  ])('%s fails as %s, in one line', async (path, reason, detail) => {
    const visit = await lastVisit(path);
    expect(visit).toMatchObject({ outcome: 'failed', reason });
    expect(visit?.detail).toContain(detail);
    expect(visit?.detail).not.toContain('\n');
  });

  test('bytes that are no UTF-8 are read with replacement characters, not refused', async () => {
    expect(await lastVisit('/latin')).toMatchObject({ outcome: expect.stringMatching(/changed/) as string });
  });

  test('the daemon is alive, small, and visits the good page as if nothing were', async () => {
    const before = (await sources()).find((source) => source.url === origins.get('/good'))?.visits ?? 0;
    await until('the good page is visited again', async () => {
      const good = (await sources()).find((source) => source.url === origins.get('/good'));
      return (good?.visits ?? 0) > before + 1;
    });
    expect(await lastVisit('/good')).toMatchObject({ outcome: 'changed' });
    expect(daemon.log).not.toContain('cannot go on');
  });

  test.each([
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'ftp://example.org/',
    'http://user:pw@example.org/',
    'not a url',
  ])('crawl add %s is refused with one line', async (url) => {
    const result = await daemon.run('hydrant', ['crawl', 'add', url]);
    expect(result.exitCode).toBeGreaterThan(0);
    expect(result.exitCode).toBeLessThan(70);
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
    expect(result.stdout).toBe('');
  });

  test('a wrong key: 401 over HTTP, exit code 4 from the command line', async () => {
    const { url } = daemon.notice;
    const answer = await fetch(`${url}/v1/taps`, { headers: { authorization: 'Bearer svcm_wrong' } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) as string });
    const { execa } = await import('execa');
    const bin = new URL('../../bin/hydrant', import.meta.url).pathname;
    const result = await execa(process.execPath, [bin, 'tap', 'list', '--url', url], {
      reject: false,
      env: { HYDRANT_KEY: 'svcm_wrong' },
    });
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });
});
