import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Match, MatchDocument } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { members } from '../cli/archive/packed.ts';
import { response, warc } from '../shared/archive/warc-bytes.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const page = (...sentences: string[]): string =>
  `<title>A page</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;

describe('archives', () => {
  const open: { close(): unknown }[] = [];
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hydrant-archive-'));
  });
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
    rmSync(directory, { recursive: true });
  });

  async function daemonWith(query: string, flags: readonly string[] = []): Promise<RealDaemon> {
    const daemon = await RealDaemon.start([...loopback, ...flags]);
    open.unshift({ close: () => daemon.dispose() });
    await daemon.hydrant(['tap', 'create', 'news']);
    await daemon.hydrant(['rule', 'add', 'news', query, '--no-quality']);
    return daemon;
  }
  const statusOf = async (daemon: RealDaemon): Promise<Status> =>
    (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;
  async function documentsOf(daemon: RealDaemon, events: number): Promise<MatchDocument[]> {
    const lines = await daemon.hydrant(['tail', 'news', '--since', '1h', '--limit', String(events), '--json']);
    return lines
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Match).document);
  }

  test('what one daemon has kept makes the same events in another, and only once', async () => {
    const versions = [page('The reactor runs.'), page('The reactor runs.', 'A second reactor was built.')];
    let asked = 0;
    const server = createServer(({ url }, answer) => {
      if (url === '/robots.txt') return answer.writeHead(404).end();
      const packed = gzipSync(versions[Math.min(asked, 1)] ?? '');
      asked += 1;
      return answer.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(packed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.41', resolve));
    open.push({ close: () => server.closeAllConnections() }, server);
    const url = `http://127.0.0.41:${(server.address() as AddressInfo).port}/`;

    const live = await daemonWith('reactor', ['--warc-dir', directory]);
    await live.hydrant(['crawl', 'add', url, '--every', '1s']);
    await until('both versions were seen', async () => (await statusOf(live)).match.events >= 2);
    const told = await documentsOf(live, 2);
    expect(await live.stop()).toBe(0);
    const files = readdirSync(directory).map((name) => join(directory, name));
    expect(files.map((name) => name.endsWith('.warc.gz'))).toEqual([true]);

    const other = await daemonWith('reactor');
    const first = JSON.parse(await other.hydrant(['ingest', ...files, '--json'])) as object;
    expect(first).toMatchObject({ changed: 2, failed: {}, skipped: {}, matches: 2, damaged: 0 });
    expect(await documentsOf(other, 2)).toEqual(told);
    const again = JSON.parse(await other.hydrant(['ingest', ...files, '--json'])) as { pages: number };
    expect(again).toMatchObject({ changed: 0, unchanged: 0, skipped: { known: again.pages }, matches: 0 });
    expect((await statusOf(other)).match.events).toBe(2);
  });

  test('what is cut or was changed is left out by its reason, and a resource is a page', async () => {
    const at = '2024-05-01T00:00:00Z';
    const url = (name: string): string => `http://a.example/${name}`;
    const resource = { 'WARC-Target-URI': url('resource'), 'WARC-Date': at, 'Content-Type': 'text/html' };
    const wrong = { 'WARC-Block-Digest': `sha1:${'A'.repeat(32)}` };
    const file = join(directory, 'mixed.warc');
    writeFileSync(
      file,
      Buffer.concat([
        warc('resource', page('The reactor of a resource runs.'), resource),
        response({ url: url('changed'), at, body: page('The reactor was changed.'), fields: wrong }),
        response({ url: url('cut'), at, body: page('The reactor was cut.'), head: 'Content-Length: 90000\r\n' }),
        response({ url: url('chunks'), at, body: '5\r\nreact\r\n9\r\nor', head: 'Transfer-Encoding: chunked\r\n' }),
      ]),
    );
    const daemon = await daemonWith('reactor');
    const sums = JSON.parse(await daemon.hydrant(['ingest', file, '--json'])) as object;
    expect(sums).toMatchObject({ pages: 4, changed: 1, skipped: { digest: 1, truncated: 2 }, matches: 1, damaged: 0 });
  });

  test('a kill in the middle loses no event and makes none twice', async () => {
    const shots = [1, 2].flatMap((month) =>
      Array.from({ length: 300 }, (_, index) => {
        const url = `http://host-${index % 20}.example/${index}`;
        const text = Array.from({ length: 30 }, (_, word) => `w${(index * 7_919 + word * 104_729) % 99_991}`).join(' ');
        const at = `2024-0${month}-01T00:00:00Z`;
        return response({ url, at, body: page(`Reactor ${index} in month ${month}.`, text) });
      }),
    );
    const file = join(directory, 'pages.warc.gz');
    writeFileSync(file, members(...shots));

    const daemon = await daemonWith('reactor');
    for (const events of [50, 350]) {
      const running = daemon.run('hydrant', ['ingest', file]);
      await until(`${events} events`, async () => (await statusOf(daemon)).match.events >= events);
      await daemon.kill();
      expect((await running).exitCode).toBe(3);
      await daemon.start();
    }
    const rest = JSON.parse(await daemon.hydrant(['ingest', file, '--json'])) as { skipped: { known: number } };
    expect(rest.skipped.known).toBeGreaterThanOrEqual(350);
    expect((await statusOf(daemon)).match.events).toBe(600);
    const documents = await documentsOf(daemon, 600);
    expect(new Set(documents.map((document) => JSON.stringify(document))).size).toBe(600);
  });
});
