import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { encryptedFlateTwice, flateTwice } from '../shared/page/pdf-bombs.ts';
import { lines, pdfFile } from '../shared/page/pdf-file.ts';
import { residentMemory } from './resident-memory.ts';
import { RealDaemon, until } from './real-daemon.ts';
import type { Source } from '../../src/shared/api/crawl.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-bombs-'));
afterAll(() => rmSync(directory, { recursive: true }));

const bombs = {
  'two layers of Flate': [flateTwice(4), /The PDF is too large when unpacked: its streams come to more than 64 MiB\./],
  'two layers of Flate, encrypted': [encryptedFlateTwice(4), /The PDF took too (?:much memory|long) to be read/],
} as const;

/** Tells in the end how much memory there ever was, in KiB. */
const peak = 'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';

describe.each(Object.entries(bombs))('a PDF of a few kilobytes that unpacks to 4 GiB (%s)', (name, [bytes, detail]) => {
  const file = path.join(directory, `${name}.pdf`);
  writeFileSync(file, bytes);

  test('is small', () => {
    expect(bytes.length).toBeLessThan(64 * 1_024);
  });

  test.each([
    [['extract', file], 2],
    [['diff', file, file], 2],
    [['match', 'ferry', file], 2],
  ])('hydrant %j ends with one sentence, and in little memory', (words, code) => {
    const bin = path.resolve('bin/hydrant');
    const ran = spawnSync(process.execPath, ['--import', peak, bin, ...words], { encoding: 'utf8', env: {} });
    expect(ran.stderr).toMatch(detail);
    expect([ran.status, ran.stdout]).toEqual([code, '']);
    expect(Number(/peak (\d+)/.exec(ran.stderr)?.[1])).toBeLessThan(700 * 1_024);
  });

  test('fails its visit and nothing else in the daemon', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (request.url === '/good') response.end(`<title>Good</title><p>All is well at ${Date.now()}.`);
      else response.setHeader('content-type', 'application/pdf').end(request.url === '/bomb' ? bytes : good);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const daemon = await RealDaemon.start();
    try {
      const before = await residentMemory(daemon);
      await daemon.hydrant(
        ['crawl', 'add', '-', '--every', '1s'],
        ['/bomb', '/good.pdf', '/good'].map((one) => origin + one).join('\n'),
      );
      const visits = async (): Promise<Record<string, Source>> => {
        const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
        return Object.fromEntries(data.map((source) => [source.url.slice(origin.length), source]));
      };
      await until('each was visited, the good page again', async () => {
        const { '/bomb': bomb, '/good.pdf': pdf, '/good': page } = await visits();
        return (bomb?.visits ?? 0) > 0 && (pdf?.visits ?? 0) > 0 && (page?.visits ?? 0) > 1;
      });
      const { '/bomb': bomb, '/good.pdf': pdf } = await visits();
      expect(bomb?.last_visit).toMatchObject({ outcome: 'failed', reason: 'too_large' });
      expect(bomb?.last_visit?.detail).toMatch(detail);
      expect(pdf?.last_visit?.outcome).not.toBe('failed');
      expect(await residentMemory(daemon)).toBeLessThan(before + 500e6);
    } finally {
      await daemon.dispose();
      server.closeAllConnections();
      server.close();
    }
  });
});

const good = pdfFile({ pages: [lines(['All is well.'])] });
