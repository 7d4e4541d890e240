import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CheckDetail, WatchExplanation } from '../../src/shared/api/watch.ts';
import { PAGE_SEGMENTS } from '../../src/shared/limits.ts';
import { RealDaemon, until } from './real-daemon.ts';

const ROWS = PAGE_SEGMENTS;
const rows = (count: number): string[] =>
  Array.from({ length: count }, (_, row) => `${row},${(row * 7_919) % 100_000},item${row % 977}`);

let list: string[];
let site: Server;
let url: string;
let daemon: RealDaemon;

beforeEach(async () => {
  site = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'text/csv' }).end(list.join('\n'));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.94', resolve));
  url = `http://127.0.0.94:${(site.address() as AddressInfo).port}/list`;
  daemon = await RealDaemon.start();
});
afterEach(async () => {
  await daemon.dispose();
  site.closeAllConnections();
  site.close();
});

async function checked(to: readonly string[]): Promise<CheckDetail> {
  list = [...to];
  const { stdout, stderr } = await daemon.run('hydrant', ['watch', 'check', url, '--wait', '--json']);
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { check: CheckDetail }).check;
}

async function diff(): Promise<CheckDetail['hunks']> {
  return (JSON.parse(await daemon.hydrant(['watch', 'diff', url, '--json'])) as { check: CheckDetail }).check.hunks;
}

describe('a list of 150,000 rows', () => {
  test('is compared to its last row, however much of it changes', async () => {
    list = rows(ROWS);
    await daemon.hydrant(['watch', 'add', url, '--every', '5m', '--wait']);
    const one = list.toSpliced(ROWS - 1, 1, 'the last,1,item');
    expect(await checked(one)).toMatchObject({ outcome: 'changed', lines: { inserted: 1, deleted: 1 } });
    expect((await diff())?.[0]?.blocks.slice(-2)).toEqual([
      { del: [rows(ROWS).at(-1)?.replaceAll(',', ' | ')] },
      { ins: ['the last | 1 | item'] },
    ]);
    const half = one.map((row, at) => (at % 2 === 0 ? row : `${row}x`));
    expect(await checked(half)).toMatchObject({ outcome: 'changed', lines: { inserted: ROWS / 2, deleted: ROWS / 2 } });
  });

  test('says what lies beyond it, and a new row at the top is one new row', async () => {
    list = rows(ROWS + 50);
    await daemon.hydrant(['watch', 'add', url, '--every', '5m', '--wait']);
    expect(await checked(['new,1,item', ...list])).toMatchObject({
      outcome: 'changed',
      lines: { inserted: 1, deleted: 0 },
    });
    const explained = JSON.parse(await daemon.hydrant(['watch', 'explain', url, '--json'])) as WatchExplanation;
    expect(explained.findings).toMatchObject({
      lines: ROWS,
      account: { cut: { lines: 51, shortened: 0 }, notes: [expect.stringContaining('at least 51 lines at its end')] },
    });
    expect(await daemon.hydrant(['watch', 'explain', url])).toContain('51 lines beyond the limit');

    await daemon.hydrant(['crawl', 'add', url, '--scope', 'page']);
    const left = 'at least 51 lines at its end are not compared';
    await until('the crawl says so, too', async () => (await daemon.hydrant(['crawl', 'why', url])).includes(left));
  });
});
