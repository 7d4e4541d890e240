import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../src/shared/api/crawl.ts';
import { pdfFile } from '../shared/page/pdf-file.ts';
import { RealDaemon, until } from './real-daemon.ts';

/** Reading it takes seconds: time enough to be killed. */
const slow = pdfFile({ pages: [`BT /F1 1 Tf 9 700 Td ${'(Some words.) Tj 0 -2 Td '.repeat(1_500_000)} ET`] });

describe('a page at which the daemon is killed twice', () => {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.set(url, (asked.get(url) ?? 0) + 1);
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (url === '/good') response.end(`<title>Good</title><p>All is well at ${Date.now()}.`);
    else response.setHeader('content-type', 'application/pdf').end(slow);
  });
  let daemon: RealDaemon;
  let origin = '';

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    daemon = await RealDaemon.start();
  });
  afterAll(async () => {
    await daemon.dispose();
    server.closeAllConnections();
    server.close();
  });

  /** Kills it as the kernel does that has no memory left, in the middle of reading. */
  async function killWhileReading(path: string): Promise<void> {
    const file = join(daemon.dataDir, 'begun-visits.jsonl');
    await until(`${path} is being read`, () => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const last = text.split('\n').findLast((line) => line.includes(`${origin}${path}"`));
      return last?.includes('"isBegun":true') === true;
    });
    await daemon.kill();
  }

  async function source(path: string): Promise<Source | undefined> {
    const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    return data.find(({ url }) => url === origin + path);
  }

  test('is a failed visit with a back-off; it is not fetched again, and all else goes on', async () => {
    await daemon.hydrant(['crawl', 'add', `${origin}/poison.pdf`, '--every', '1s']);
    await killWhileReading('/poison.pdf');
    await daemon.start();
    expect(await daemon.hydrant(['status'])).toContain(`was killed or crashed while it analyzed ${origin}/poison.pdf`);
    await killWhileReading('/poison.pdf');
    await daemon.start();
    await daemon.hydrant(['crawl', 'add', `${origin}/good`, '--every', '1s']);
    await until('it was refused', async () => (await source('/poison.pdf'))?.last_visit?.reason === 'crash');
    const poison = await source('/poison.pdf');
    expect(poison?.last_visit?.detail).toContain('killed or crashed 2 times in a row while it analyzed this page');
    expect(Date.parse(poison?.next_visit_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    await until('the good page is visited', async () => ((await source('/good'))?.visits ?? 0) > 1);
    expect(asked.get('/poison.pdf')).toBe(2);
    expect(await daemon.hydrant(['crawl', 'why', `${origin}/poison.pdf`])).toContain('crash');
    expect(daemon.log).toContain('killed or crashed 2 times in a row');
  });

  test('is a failed check of a watch in the same way', async () => {
    await daemon.hydrant(['watch', 'add', `${origin}/watched.pdf`]);
    await killWhileReading('/watched.pdf');
    await daemon.start();
    await killWhileReading('/watched.pdf');
    await daemon.start();
    const log = (): Promise<string> => daemon.hydrant(['watch', 'log', `${origin}/watched.pdf`, '--json']);
    await until('its check has failed', async () => (await log()).includes('crash'));
    expect(await log()).toContain('killed or crashed 2 times in a row while it analyzed this page');
    expect(asked.get('/watched.pdf')).toBe(2);
    await daemon.stop();
    await daemon.start();
    expect(asked.get('/watched.pdf')).toBe(2);
  });
});
