import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { dropDatabase, emptyDatabase, hasPostgres, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { ChangingSite } from './changing-site.ts';
import { daemonOnPostgres } from './daemon-on-postgres.ts';
import { isInstalled, startProxy } from './proxies.ts';
import { loopback, type RealDaemon, until } from './real-daemon.ts';

/** docs/scaling.md, step by step: three daemons of one database, behind the proxy of our example. */
describe.skipIf(!hasPostgres)(`three daemons behind a proxy${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).toReversed()) await thing.close();
  });

  async function started(url: string, like?: RealDaemon): Promise<RealDaemon> {
    const flags = [...loopback, '--trusted-proxies', '127.0.0.1/32', '--log-level', 'warn'];
    const daemon = daemonOnPostgres(url, flags, like);
    open.push({ close: () => daemon.dispose() });
    await daemon.start();
    return daemon;
  }

  const status = async (daemon: RealDaemon): Promise<Status> =>
    (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;

  test('the one that serves a tail is killed: the tail goes on without a gap, and so does the service', async ({
    skip,
  }) => {
    if (!isInstalled('cluster')) skip('caddy is not installed (Debian: apt-get install caddy)');
    const url = await emptyDatabase();
    open.push({ close: () => dropDatabase(url) });
    const one = await started(url);
    const nodes = [one, await started(url, one), await started(url, one)];
    const proxy = await startProxy('cluster', ...nodes.map(({ notice }) => notice.url));
    open.push(proxy);
    await one.hydrant(['tap', 'create', 'foxes']);
    await one.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    const { key } = await one.operator<KeyCreated>('POST', '/admin/keys', { name: 'reader' });
    const site = await ChangingSite.start(6, 170);
    open.push(site);
    await one.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));

    const home = join(one.dataDir, 'reader');
    const words = ['tail', 'foxes', '--json', '--since', '1h', '--url', proxy.url];
    const tail = one.runElsewhere(words, { HOME: home, HYDRANT_KEY: key });
    open.push({ close: () => tail.kill('SIGKILL') });
    let text = '';
    tail.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const lines = (): string[] => text.split('\n').filter((line) => line.endsWith('}'));
    await until('the tail reads', () => lines().length >= 5);
    const streams = await Promise.all(nodes.map(async (node) => (await status(node)).stream.open));
    expect(streams.toSorted()).toEqual([0, 0, 1]);
    const serving = nodes[streams.indexOf(1)];
    const others = nodes.filter((node) => node !== serving);
    await serving?.killAtRandom();

    const before = lines().length;
    // The hosts that it had leased are free after a minute.
    await until('the tail goes on', () => lines().length >= before + 10, 90_000);
    const now = await Promise.all(others.map(async (node) => (await status(node)).stream.open));
    expect(now.toSorted()).toEqual([0, 1]);
    tail.kill('SIGINT');
    await tail;
    const ids = lines().map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(ids.map((_, offset) => `0-${offset}`));

    // Whichever is asked answers, as often as it is asked.
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => fetch(`${proxy.url}/v1/taps`, { headers: { authorization: `Bearer ${key}` } })),
    );
    expect(asked.map((answer) => answer.status)).toEqual(asked.map(() => 200));
  }, 400_000);
});
