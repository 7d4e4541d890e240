import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon, until } from './real-daemon.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { DomainRating } from '../../src/shared/api/rating.ts';
import type { Status } from '../../src/shared/api/status.ts';

/** Loopback hosts have no registrable domain: each stands for itself, in lists as in queries. */
const KNOWN = '127.0.0.21';
const OBSCURE = '127.0.0.22';
const UNRATED = '127.0.0.23';

describe('an imported list', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function serve(host: string): Promise<string> {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>${host}</title><main><p>A page of its own.</p></main>`);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    open.push({ close: () => server.closeAllConnections() }, server);
    return `http://${host}:${(server.address() as AddressInfo).port}/`;
  }

  test('decides which pages a rule with dr matches, also after a restart, and an import that breaks off does not', async () => {
    const urls = [await serve(KNOWN), await serve(OBSCURE), await serve(UNRATED)];
    const daemon = await RealDaemon.start();
    open.unshift({ close: () => daemon.dispose() });
    const file = join(daemon.dataDir, 'list.csv.gz');
    writeFileSync(file, gzipSync(`rank,domain\r\n10,${KNOWN}\r\n900000,${OBSCURE}\r\nthis is no line\r\n`));

    expect(JSON.parse(await daemon.hydrant(['rating', 'import', file, '--json']))).toMatchObject({
      domains: 2,
      bad: 1,
    });
    const broken = daemon.run(
      'hydrant',
      ['rating', 'import', '-'],
      gzipSync(`1,${UNRATED}\n`).subarray(0, -4).toString('latin1'),
    );
    expect((await broken).exitCode).toBe(2);
    await daemon.stop();
    await daemon.start();
    const shown = await daemon.hydrant(['rating', 'show', KNOWN, OBSCURE, UNRATED, '--json']);
    expect((JSON.parse(shown) as DomainRating[]).map(({ rating }) => rating)).toEqual([86, 15, null]);

    await daemon.hydrant(['tap', 'create', 'rated']);
    await daemon.hydrant(['rule', 'add', 'rated', 'dr:[50 TO 100]', '--no-quality']);
    await daemon.hydrant(['crawl', 'add', ...urls]);
    await until('each page is visited', async () => {
      const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
      return data.crawl.visits >= 3 && data.crawl.in_flight === 0;
    });
    const lines = (await daemon.hydrant(['tail', 'rated', '--since', '1h', '--once', '--json'])).split('\n');
    const documents = lines.map((line) => (JSON.parse(line) as Match).document);
    expect(documents).toMatchObject([{ title: KNOWN, domain_rating: 86 }]);
    expect(documents).toHaveLength(1);
  });
});
