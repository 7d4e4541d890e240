import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { CutConnections } from '../daemon/storage/postgres/cut-connections.ts';
import { dropDatabase, emptyDatabase, hasPostgres, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { ChangingSite } from './changing-site.ts';
import { daemonOnPostgres } from './daemon-on-postgres.ts';
import { Member } from './member.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { readerFrom, type SseReader } from './sse-reader.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

describe.skipIf(!hasPostgres)(`daemons on PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).toReversed()) await thing.close();
  });

  async function database(): Promise<string> {
    const url = await emptyDatabase();
    open.push({ close: () => dropDatabase(url) });
    return url;
  }

  async function started(url: string, like?: RealDaemon): Promise<RealDaemon> {
    const daemon = daemonOnPostgres(url, [...loopback, '--log-level', 'info'], like);
    open.push({ close: () => daemon.dispose() });
    await daemon.start();
    return daemon;
  }

  async function crawled(daemon: RealDaemon, hosts: number, from: number): Promise<ChangingSite> {
    const site = await ChangingSite.start(hosts, from);
    open.push(site);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
    return site;
  }

  async function tapOf(daemon: RealDaemon): Promise<Tap> {
    const { data } = await daemon.operator<{ data: [Tap] }>('GET', '/v1/taps');
    return data[0];
  }

  async function reading(daemon: RealDaemon, token: string, lastId?: string): Promise<SseReader> {
    const reader = await readerFrom(daemon.notice.url, token, lastId);
    open.push(reader);
    return reader;
  }

  const status = async (daemon: RealDaemon): Promise<Status> =>
    (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;

  /** Offsets in the order in which they came. */
  const offsets = (reader: SseReader): number[] => reader.updates().map(({ id }) => Number(id?.split('-').at(-1)));
  const dense = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

  test('one daemon: a rule matches, a watch changes, and all of it survives a stop and a kill -9', async () => {
    const daemon = await started(await database());
    await daemon.hydrant(['tap', 'create', 'foxes']);
    await daemon.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    const site = await crawled(daemon, 3, 130);
    const { token } = await tapOf(daemon);
    const first = await reading(daemon, token);
    await first.until(6);
    const { document } = JSON.parse(first.updates()[0]?.data ?? '') as Match;
    expect(site.urls).toContain(document.url);
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'test' });
    const member = new Member(daemon.notice.url, key);
    const watch = await member.watch(`${site.urls[0]}watched`);
    await until('a change of the watch', async () => {
      await daemon.operator('POST', `/admin/watches/${watch.id}/check`);
      return (await member.show(watch.id)).data.change_count > 0;
    });

    expect(await daemon.stop()).toBe(0);
    await daemon.start();
    await daemon.killAtRandom();
    await daemon.start();
    const again = await reading(daemon, token);
    await again.until(first.events.length + 6);
    expect(offsets(again)).toEqual(dense(0, again.updates().length));
    expect(again.documents().slice(0, first.updates().length)).toEqual(first.documents());
    expect((await member.show(watch.id)).data.change_count).toBeGreaterThan(0);
    expect(await status(daemon)).toMatchObject({ crawl: { sources: 3 }, watch: { watches: 1 } });
  });

  test('the URL, which has a password, is in no log and no answer', async () => {
    const url = (await database()).replace('hydrant@', 'hydrant:sesame@');
    const daemon = await started(url);
    const answers = await Promise.all(['/admin/status', '/admin/crawl'].map((path) => daemon.operatorText(path)));
    for (const text of [...answers, daemon.log, readFileSync(join(daemon.dataDir, 'daemon.json'), 'utf8')])
      expect(text).not.toContain('sesame');
    await daemon.stop();
    const refused = await daemon.run('hydrantd', ['--store', 'postgres://hydrant:sesame@127.0.0.1:1/none']);
    expect(refused.exitCode).toBe(1);
    expect(refused.all).toMatch(/PostgreSQL cannot be reached: 127\.0\.0\.1:1: .*ECONNREFUSED.*; check that it runs/);
    expect(refused.all).not.toContain('sesame');
  });

  test('a daemon with another secret is refused, and told which file it needs', async () => {
    const url = await database();
    const one = await started(url);
    const dataDir = `${one.dataDir}-other`;
    mkdirSync(dataDir, { mode: 0o700 });
    const other = new RealDaemon(loopback, dataDir);
    open.push({ close: () => other.dispose() });
    const refused = await other.run('hydrantd', [...loopback, '--port', '0'], undefined, { HYDRANT_STORE: url });
    expect(refused.exitCode).toBe(78);
    expect(refused.all).toContain('copy the file secret from the data directory of one of them');
    copyFileSync(join(one.dataDir, 'secret'), join(dataDir, 'secret'));
    other.environment = { HYDRANT_STORE: url };
    await other.start();
    expect((await status(other)).nodes).toHaveLength(2);
  });

  test('two daemons are one service: rules, streams and hosts, also after one is killed', async () => {
    const url = await database();
    const one = await started(url);
    const two = await started(url, one);
    await until('both know each other', async () => (await status(one)).nodes?.length === 2);
    expect(await two.hydrant(['status'])).toMatch(/nodes +2 nodes: .*\(this one\)/);
    await one.hydrant(['tap', 'create', 'foxes']);
    await one.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    const { token } = await tapOf(two);
    // Who adds sources looks at once: their pages are its own for now, and it was not given the rule.
    await crawled(two, 6, 140);
    const onTwo = await reading(two, token);
    await onTwo.until(8);
    onTwo.close();
    expect(two.log).toContain('page changed');
    const onOne = await reading(one, token, onTwo.lastId);
    await onOne.until(8);
    const told = [...offsets(onTwo), ...offsets(onOne)];
    expect(told).toEqual(dense(0, told.length));

    await two.killAtRandom();
    const before = onOne.updates().length;
    const visited = (): Set<string> =>
      new Set(
        onOne
          .updates()
          .slice(before)
          .map(({ data }) => (JSON.parse(data) as Match).document.url),
      );
    await until('the hosts of the one that was killed are visited again', () => visited().size === 6, 90_000);
    expect(offsets(onOne)).toEqual(dense(onTwo.updates().length, onOne.updates().length));
    await one.hydrant(['tap', 'revoke', 'foxes', '--yes']);
    await until('the stream of the revoked tap ends', () => onOne.ended);
  });

  test('the database is away: streams stay open, writes are refused for now, and everything goes on afterwards', async () => {
    const cut = await CutConnections.open(await database());
    open.push(cut);
    const daemon = await started(cut.url);
    await daemon.hydrant(['tap', 'create', 'foxes']);
    await daemon.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    await crawled(daemon, 2, 150);
    const { token } = await tapOf(daemon);
    const reader = await reading(daemon, token);
    await reader.until(4);

    cut.down();
    const refused = await fetch(`${daemon.notice.url}/v1/rules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ value: 'badger' }),
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({
      message: expect.stringContaining('The database cannot be reached') as string,
    });
    const asked = await daemon.run('hydrant', ['status']);
    expect(asked.exitCode).not.toBe(0);
    expect(asked.all).toContain('The database cannot be reached');
    expect(reader.ended).toBe(false);

    const before = reader.updates().length;
    cut.up();
    await until('the stream goes on', () => reader.updates().length >= before + 2);
    expect(reader.ended).toBe(false);
    expect(offsets(reader)).toEqual(dense(0, reader.updates().length));
    await daemon.hydrant(['rule', 'add', 'foxes', 'badger']);
    expect(await daemon.stop()).toBe(0);
  });
});
