import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchNewsItem } from '../../src/shared/api/watch.ts';
import { RealDaemon, until } from './real-daemon.ts';

let price = 20;
let site: Server;
let url: string;
let daemon: RealDaemon;

beforeEach(async () => {
  price = 20;
  site = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const lines = [`The team plan costs ${price} euros a month.`, 'The basic plan costs nothing at all.', 'Ask us.'];
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end(`<title>Prices</title><main>${lines.map((line) => `<p>${line}</p>`).join('')}</main>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.78', resolve));
  url = `http://127.0.0.78:${(site.address() as AddressInfo).port}/prices`;
  daemon = await RealDaemon.start();
  await daemon.hydrant(['watch', 'add', url, '--every', '5m', '--wait']);
});
afterEach(async () => {
  await daemon.dispose();
  site.closeAllConnections();
  site.close();
});

/** The page says another price, and a check finds it. */
async function changed(to: number): Promise<void> {
  price = to;
  const { exitCode, all } = await daemon.run('hydrant', ['watch', 'check', url, '--wait']);
  expect([exitCode, all]).toEqual([1, expect.stringContaining('changed')]);
}

describe('what a watch has found', () => {
  test('is a diff, a patch that git applies to its texts, and a story step by step', async () => {
    await changed(25);
    await changed(30);
    expect(await daemon.hydrant(['watch', 'diff', url])).toMatch(/^- .*25 euros[^]*\n\+ .*30 euros/m);
    expect(await daemon.hydrant(['watch', 'diff', url, '1..3'])).toMatch(/^- .*20 euros[^]*\n\+ .*30 euros/m);
    expect(await daemon.hydrant(['watch', 'explain', url])).toContain('it has changed: 1 line added, 1 removed');
    expect((await daemon.hydrant(['watch', 'log', url, '--changes', '-q'])).split('\n')).toEqual(['3', '2']);

    const texts = join(daemon.dataDir, 'texts');
    mkdirSync(texts);
    const patch = await daemon.hydrant(['watch', 'diff', url, '3', '--patch']);
    const file = join(texts, /^--- a\/(.*)$/m.exec(patch)?.[1] ?? '');
    writeFileSync(file, `${await daemon.hydrant(['watch', 'text', url, '2'])}\n`);
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: daemon.dataDir };
    execFileSync('git', ['apply', '-'], { cwd: texts, input: `${patch}\n`, env });
    expect(readFileSync(file, 'utf8')).toBe(`${await daemon.hydrant(['watch', 'text', url])}\n`);
  });

  test('is followed across kill -9 of the daemon, each change once', async () => {
    const following = daemon.run('hydrant', ['watch', 'follow', '--after', '0']);
    let told = '';
    following.stdout?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const count = (): number => told.split('\n').length - 1;
    await changed(25);
    await until('the first change is told', () => count() === 1);
    await daemon.kill();
    await daemon.start();
    await changed(30);
    await changed(35);
    await until('all changes are told', () => count() === 3);
    following.kill('SIGINT');
    expect((await following).exitCode).toBe(130);
    const items = told
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WatchNewsItem);
    expect(items.map(({ check }) => check.n)).toEqual([2, 3, 4]);
    const once = async (...words: string[]): Promise<string> =>
      daemon.hydrant(['watch', 'follow', '--once', '--resume', '--format', '{check.n}', ...words]);
    expect(await once('--limit', '2')).toBe('2\n3');
    expect(await once()).toBe('4');
    expect(await once()).toBe('');
  });
});
