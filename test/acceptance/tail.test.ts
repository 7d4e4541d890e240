import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../src/shared/api/crawl.ts';
import { RealDaemon, until } from './real-daemon.ts';

const PAGES = 120;

/** A daemon whose taps `fox` and `hen` matched every page of a small site, and `none` none. */
let daemon: RealDaemon;
let site: Server;

beforeAll(async () => {
  site = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    const links = Array.from({ length: PAGES - 1 }, (_, page) => `<a href="/${page}">Page ${page}</a>`).join(' ');
    const text = `<p>A fox and a hen meet on page ${url} of this site, number ${Buffer.from(url).toString('hex')}.</p>`;
    response.setHeader('content-type', 'text/html');
    response.end(`<title>At ${url}</title><main>${text}</main>${url === '/' ? links : ''}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.21', resolve));
  daemon = await RealDaemon.start();
  for (const tap of ['fox', 'hen', 'none']) {
    await daemon.hydrant(['tap', 'create', tap]);
    await daemon.hydrant(['rule', 'add', tap, tap === 'none' ? 'nothing' : tap, '--tag', 'bird', '--no-quality']);
  }
  const { port } = site.address() as AddressInfo;
  await daemon.hydrant(['crawl', 'add', `http://127.0.0.21:${port}/`, '--scope', 'host', '--every', '1d']);
  await until('all pages are visited', async () => {
    const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    return data[0]?.visits === PAGES;
  });
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await daemon.dispose();
});

const idsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { id: string }).id);

const all = Array.from({ length: PAGES }, (_, offset) => `0-${offset}`);

describe('tail --resume', () => {
  test('misses nothing and repeats one match a kill at most, however often the reader is killed', async () => {
    const seen: string[] = [];
    let kills = 0;
    const read = async (enough: number): Promise<void> => {
      const reader = daemon.run('hydrant', ['tail', 'fox', '--json', '--resume', '--since', '24h']);
      let text = '';
      reader.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (idsOf(text).length >= enough) reader.kill('SIGKILL');
      });
      await reader;
      seen.push(...idsOf(text));
      kills += 1;
    };
    for (const enough of [1, 5, 1, 20]) await read(enough);
    seen.push(...idsOf(await daemon.hydrant(['tail', 'fox', '--json', '--resume', '--once'])));
    expect([...new Set(seen)].sort()).toEqual(all.toSorted());
    expect(seen.length - PAGES).toBeLessThanOrEqual(kills);
    expect(await daemon.hydrant(['tail', 'fox', '--json', '--resume', '--once'])).toBe('');
  });

  test('is refused to a second reader of the same tap', async () => {
    const first = daemon.run('hydrant', ['tail', 'none', '--json', '--resume']);
    await new Promise<void>((resolve) => first.stderr?.once('data', () => resolve()));
    const second = await daemon.run('hydrant', ['tail', 'none', '--json', '--resume', '--once']);
    first.kill('SIGINT');
    expect([second.exitCode, (await first).exitCode]).toEqual([8, 130]);
    expect(second.stderr).toContain(`another hydrant with --resume reads the same (process ${String(first.pid)})`);
  });
});

test('tail --exec runs the command for each match once, over runs that failed and were killed', async () => {
  const done = join(daemon.dataDir, 'done');
  const run = (command: string, ...flags: readonly string[]) =>
    daemon.run('hydrant', ['tail', 'hen', '--once', '--resume', '--exec', command, ...flags]);
  const failed = await run(`test "$HYDRANT_MATCH_ID" != 0-9 && echo "$HYDRANT_MATCH_ID" >> ${done}`);
  expect([failed.exitCode, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toContain('the command failed for 0-9: exit code 1');
  const again = await run(`cat >> ${done}.json; echo "$HYDRANT_MATCH_ID" >> ${done}.again`, '--exec-jobs', '4');
  expect(again.exitCode).toBe(0);
  const ids = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
  expect(ids(done)).toEqual(all.filter((id) => id !== '0-9'));
  expect(ids(`${done}.again`).sort()).toEqual(all.slice(9).sort());
  expect(idsOf(readFileSync(`${done}.json`, 'utf8')).sort()).toEqual(all.slice(9).sort());
});

describe('several taps', () => {
  test('are one stream, each match with the name of its tap', async () => {
    const lines = (await daemon.hydrant(['tail', '--all', '--once', '--fields', 'id,tap,tags'])).trim().split('\n');
    const matches = lines.map((line) => JSON.parse(line) as { id: string; tap: string; tags: string[] });
    for (const tap of ['fox', 'hen']) {
      expect(matches.filter((match) => match.tap === tap)).toEqual(all.map((id) => ({ id, tap, tags: ['bird'] })));
    }
    expect(matches).toHaveLength(2 * PAGES);
  });

  test('are lines of your own with --format', async () => {
    const format = String.raw`{tap}\t{document.title}`;
    const text = await daemon.hydrant(['tail', 'hen', 'none', '--once', '--limit', '3', '--format', format]);
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(text).toMatch(/^hen\tAt \/\n/);
  });
});
