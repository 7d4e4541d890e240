import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { Source } from '../../src/shared/api/crawl.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

const bin = join(import.meta.dirname, '../../bin/hydrant');

describe('the life of a daemon', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function started(...flags: string[]): Promise<RealDaemon> {
    const daemon = await RealDaemon.start([...loopback, ...flags]);
    open.push({ close: () => daemon.dispose() });
    return daemon;
  }

  test('the first start shows one management key, once; it works from anywhere', async () => {
    const daemon = await started('--log-level', 'error');
    await until('the log has it', () => daemon.log.includes('svcm_'));
    const keys = daemon.log.match(/svcm_[A-Za-z0-9]{40}/g) ?? [];
    expect(keys).toHaveLength(1);
    const env = { PATH: process.env['PATH'] ?? '', HYDRANT_URL: daemon.notice.url, HYDRANT_KEY: keys[0] ?? '' };
    const remote = (...args: string[]) => execa(process.execPath, [bin, ...args], { extendEnv: false, env });
    await remote('tap', 'create', 'from afar');
    await remote('rule', 'add', 'from afar', 'ferry');
    expect((await remote('tap', 'list', '--json')).stdout).toContain('"from afar"');
    await expect(remote('status')).rejects.toMatchObject({ exitCode: expect.any(Number) as number });

    expect(await daemon.stop()).toBe(0);
    await daemon.start();
    expect(daemon.log.match(/svcm_[A-Za-z0-9]{40}/g)).toHaveLength(1);
    expect((await remote('rule', 'list', 'from afar', '--json')).stdout).toContain('ferry');
  });

  test('everything it keeps is for its owner alone, and no key is in clear', async () => {
    const daemon = await started();
    await daemon.hydrant(['tap', 'create', 'private']);
    const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
    expect(statSync(daemon.dataDir).mode & 0o077).toBe(0);
    for (const name of readdirSync(daemon.dataDir)) {
      const path = join(daemon.dataDir, name);
      expect([name, statSync(path).mode & 0o077]).toEqual([name, 0]);
      const text = statSync(path).isFile() ? readFileSync(path, 'latin1') : '';
      expect(text).not.toContain(data[0]?.token);
      expect(text).not.toMatch(/svcm_[A-Za-z0-9]{40}/);
    }
  });

  test('it listens on 127.0.0.1 alone', async () => {
    const daemon = await started();
    const { hostname, port } = new URL(daemon.notice.url);
    expect(hostname).toBe('127.0.0.1');
    await expect(fetch(`http://127.0.0.2:${port}/v1/taps`)).rejects.toThrow('fetch failed');
  });

  test('SIGTERM: a visit under way is recorded, every stream gets its end, and the exit code is 0', async () => {
    const daemon = await started();
    const waiting: ServerResponse[] = [];
    const site = createServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else waiting.push(response);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.7', resolve));
    open.push(site, { close: () => site.closeAllConnections() });
    await daemon.hydrant(['tap', 'create', 'last']);
    await daemon.hydrant(['rule', 'add', 'farewell', '--no-quality']);
    const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
    const readers = [new SseReader(), new SseReader()];
    open.push(...readers);
    for (const reader of readers) await reader.open(`${daemon.notice.url}/v1/stream`, data[0]?.token ?? '');
    const { port } = site.address() as AddressInfo;
    await daemon.hydrant(['crawl', 'add', `http://127.0.0.7:${port}/`, '--every', '1h']);
    await until('the page is asked for', () => waiting.length === 1);

    const stopped = daemon.stop();
    await until('the stop has begun', () => daemon.log.includes('SIGTERM'));
    waiting[0]?.setHeader('content-type', 'text/html').end('<p>A farewell to all.</p>');
    expect(await stopped).toBe(0);
    for (const reader of readers) {
      expect(reader.events.map((event) => event.event)).toEqual(['connected', 'update', 'end']);
    }
    await daemon.start();
    const sources = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    expect(sources.data[0]).toMatchObject({ visits: 1, last_visit: { outcome: 'changed' } });
  });

  test('a page that never answers does not hold up the stop', async () => {
    const daemon = await started();
    let asked = 0;
    const site = createServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else asked += 1;
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.8', resolve));
    open.push(site, { close: () => site.closeAllConnections() });
    const { port } = site.address() as AddressInfo;
    await daemon.hydrant(['crawl', 'add', `http://127.0.0.8:${port}/`]);
    await until('the page is asked for', () => asked === 1);
    expect(await daemon.stop()).toBe(0);
    expect(daemon.log).not.toContain('not done within');
  });

  test('a host is crawled from page to page, and no address because a rule names it', async () => {
    const daemon = await started();
    const pages: Record<string, string> = {
      '/': '<title>Home</title><p>Welcome. <a href="/a">A</a> <a href="http://127.0.0.99/">elsewhere</a></p>',
      '/a': '<title>A</title><p>Page A leads to <a href="/b#part">B</a>.</p>',
      '/b': '<title>B</title><p>Page B leads <a href="/">home</a>.</p>',
    };
    const asked: string[] = [];
    const site = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(pages[request.url ?? '']);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.9', resolve));
    open.push(site, { close: () => site.closeAllConnections() });
    const { port } = site.address() as AddressInfo;
    await daemon.hydrant(['tap', 'create', 'narrow']);
    await daemon.hydrant(['rule', 'add', 'narrow', `url:"http://127.0.0.9:${port}/only-in-a-rule"`]);
    await daemon.hydrant(['crawl', 'add', `http://127.0.0.9:${port}/`, '--scope', 'host', '--every', '1h']);
    await until('three pages are visited', async () => {
      const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
      return data[0]?.visits === 3;
    });
    expect(asked.toSorted()).toEqual(['/', '/a', '/b', '/robots.txt']);
    expect(asked[0]).toBe('/robots.txt');
  });
});
