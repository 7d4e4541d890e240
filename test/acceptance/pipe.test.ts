import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon } from './real-daemon.ts';

const bin = join(import.meta.dirname, '../../bin/hydrant');

describe('in a shell pipeline', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('tail --json | head -3 ends cleanly: three JSON lines, every program exits 0', async () => {
    let visit = 0;
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end();
        return;
      }
      visit += 1;
      response.setHeader('content-type', 'text/html');
      response.end(`<title>Counter</title><p>This is edition ${visit} of the paper.</p>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.5', resolve));
    const daemon = await RealDaemon.start();
    open.push({ close: () => daemon.dispose() }, { close: () => server.closeAllConnections() }, server);
    await daemon.hydrant(['tap', 'create', 'counter']);
    await daemon.hydrant(['rule', 'add', 'edition', '--no-quality']);
    const { port } = server.address() as AddressInfo;
    await daemon.hydrant(['crawl', 'add', `http://127.0.0.5:${port}/`, '--every', '1s']);

    const pipeline = `"$NODE" "$HYDRANT" tail --json --since 1h | head -3; echo "codes \${PIPESTATUS[@]}"`;
    const result = await execa('bash', ['-c', pipeline], {
      extendEnv: false,
      env: {
        PATH: process.env['PATH'],
        HOME: daemon.dataDir,
        HYDRANT_DATA_DIR: daemon.dataDir,
        NODE: process.execPath,
        HYDRANT: bin,
      },
    });
    const lines = result.stdout.split('\n');
    expect(lines.at(-1)).toBe('codes 0 0');
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as { id: string; document: { title: string } });
    expect(events.map((event) => event.id)).toEqual(['0-0', '0-1', '0-2']);
    expect(events[0]?.document.title).toBe('Counter');
  });
});
