import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { MIGRATE_FAULT_POINTS } from '../../src/daemon/fault-points.ts';
import type { MigrateReport } from '../../src/shared/api/backup.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import { dropDatabase, emptyDatabase, hasPostgres, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { ChangingSite } from './changing-site.ts';
import { Member } from './member.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { readerFrom, type SseReader } from './sse-reader.ts';

describe.skipIf(!hasPostgres)(`hydrant migrate${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).toReversed()) await thing.close();
  });

  /** A daemon on SQLite, and the file with the address of a database that it is to move to. */
  async function world(): Promise<{ daemon: RealDaemon; url: string; store: Record<string, string> }> {
    const url = await emptyDatabase();
    open.push({ close: () => dropDatabase(url) });
    const daemon = await RealDaemon.start([...loopback, '--log-level', 'info']);
    open.push({ close: () => daemon.dispose() });
    const file = join(daemon.dataDir, 'store');
    writeFileSync(file, `${url}\n`, { mode: 0o600 });
    return { daemon, url, store: { HYDRANT_STORE_FILE: file } };
  }

  async function reading(daemon: RealDaemon, token: string, lastId?: string): Promise<SseReader> {
    const reader = await readerFrom(daemon.notice.url, token, lastId);
    open.push(reader);
    return reader;
  }

  const tapOf = async (daemon: RealDaemon): Promise<Tap> =>
    (await daemon.operator<{ data: [Tap] }>('GET', '/v1/taps')).data[0];
  const offsets = (reader: SseReader): number[] => reader.updates().map(({ id }) => Number(id?.split('-').at(-1)));
  const dense = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

  test('there and back: a client resumes, a key, a token and a watch are what they were', async () => {
    const { daemon, store } = await world();
    await daemon.hydrant(['tap', 'create', 'foxes']);
    await daemon.hydrant(['rule', 'add', 'foxes', 'fox', '--no-quality']);
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'test' });
    const site = await ChangingSite.start(3, 160);
    open.push(site);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
    const watch = await new Member(daemon.notice.url, key).watch(`${site.urls[0]}watched`);
    const { token } = await tapOf(daemon);
    const first = await reading(daemon, token);
    await first.until(5);
    first.close();
    const running = await daemon.run('hydrant', ['migrate', '--to'], undefined, store);
    expect([running.exitCode, running.all]).toEqual([
      1,
      expect.stringMatching(/another hydrantd \(pid \d+\) is using/),
    ]);
    expect(await daemon.stop()).toBe(0);

    const there = await daemon.run('hydrant', ['migrate', '--to'], undefined, store);
    expect([there.exitCode, there.all]).toEqual([
      0,
      expect.stringContaining('equal counts and checksums on both sides'),
    ]);
    const left = await daemon.run('hydrantd', loopback);
    expect([left.exitCode, left.all]).toEqual([78, expect.stringContaining('start hydrant with --store')]);
    daemon.environment = store;
    await daemon.start();
    const second = await reading(daemon, token, first.lastId);
    await second.until(4);
    second.close();
    expect([...offsets(first), ...offsets(second)]).toEqual(dense(0, offsets(first).length + offsets(second).length));
    const other = new RealDaemon(loopback);
    open.push({ close: () => other.dispose() });
    const from = ['migrate', '--from'];
    const strange = await other.run('hydrant', from, undefined, store);
    expect([strange.exitCode, strange.all]).toEqual([
      1,
      expect.stringContaining('daemons are at work on PostgreSQL at'),
    ]);
    cpSync(join(daemon.dataDir, 'secret'), join(other.dataDir, 'secret'));
    const beside = await other.run('hydrant', from, undefined, store);
    expect([beside.exitCode, beside.all]).toEqual([1, expect.stringMatching(/daemons are at work on PostgreSQL at/)]);
    expect(await daemon.stop()).toBe(0);

    rmSync(join(other.dataDir, 'secret'));
    const unsealed = await other.run('hydrant', from, undefined, store);
    expect([unsealed.exitCode, unsealed.all]).toEqual([78, expect.stringContaining('has no file secret')]);
    const back = await daemon.run('hydrant', [...from, '--json'], undefined, store);
    expect(back.exitCode).toBe(0);
    const report = JSON.parse(back.stdout) as MigrateReport;
    expect(report.offsets).toBeGreaterThanOrEqual(offsets(first).length + offsets(second).length);
    daemon.environment = {};
    await daemon.start();
    expect((await tapOf(daemon)).token).toBe(token);
    const third = await reading(daemon, token, second.lastId);
    await third.until(4);
    const after = offsets(first).length + offsets(second).length;
    expect(offsets(third)).toEqual(dense(after, offsets(third).length));
    const { data } = await new Member(daemon.notice.url, key).show(watch.id);
    expect(data.url).toBe(`${site.urls[0]}watched`);
  }, 400_000);

  test('beside a database, the directory: doctor and a start say that it is not used, and backup what to use', async () => {
    const { daemon, store } = await world();
    await daemon.stop();
    const unused = await daemon.run('hydrant', ['doctor', '--json'], undefined, store);
    const found = (JSON.parse(unused.stdout) as { checks: { name: string; state: string; says: string }[] }).checks;
    const saying = (name: string): unknown => found.find((one) => one.name === name);
    expect(saying('store')).toMatchObject({ state: 'warn', says: expect.stringContaining('hydrant.db is not used') });
    expect(saying('database')).toMatchObject({ state: 'ok', says: expect.stringMatching(/^PostgreSQL \d.* at 127/) });
    // That of the tests does not wait for its disk.
    expect(saying('durability')).toMatchObject({ state: 'fail', says: expect.stringContaining('fsync is off') });

    daemon.environment = store;
    await daemon.start();
    expect(daemon.log).toContain('hydrant.db is not used: the setting store names a PostgreSQL database');
    const file = join(daemon.dataDir, 'backup.tar.zst');
    for (const [words, instead] of [
      [['backup', file], 'pg_basebackup'],
      [['restore', file], 'restore PostgreSQL with its own tools'],
      [['salvage', file], 'promote a replica or restore a backup'],
    ] as const) {
      const refused = await daemon.run('hydrant', words, undefined, store);
      expect([refused.exitCode, refused.all]).toEqual([1, expect.stringContaining(instead)]);
    }
  });

  test('a secret in the address is in nothing that is printed', async () => {
    const { daemon, url } = await world();
    await daemon.stop();
    const secret = url.replace('hydrant@', 'hydrant:sesame@');
    const moved = await daemon.run('hydrant', ['migrate', '--to', secret]);
    const again = await daemon.run('hydrant', ['migrate', '--to', secret]);
    const nowhere = await daemon.run('hydrant', ['migrate', '--from', 'postgres://hydrant:sesame@127.0.0.1:1/none']);
    const odd = await daemon.run('hydrant', ['migrate', '--from', 'mysql://hydrant:sesame@127.0.0.1/none']);
    expect([moved, again, nowhere, odd].map(({ exitCode }) => exitCode)).toEqual([0, 78, 1, 78]);
    for (const { all } of [moved, again, nowhere, odd]) expect(all).not.toContain('sesame');
  });

  test('killed at its very end, it is finished or found out by the next one', async () => {
    const { daemon, store } = await world();
    await daemon.hydrant(['tap', 'create', 'foxes']);
    await daemon.stop();
    const [marked, committed, movedIn] = MIGRATE_FAULT_POINTS;
    const migrate = (words: readonly string[], fault = ''): ReturnType<RealDaemon['run']> =>
      daemon.run('hydrant', ['migrate', ...words], undefined, {
        ...store,
        ...(fault !== '' && { HYDRANT_FAULT: fault }),
      });

    // The directory is marked, and the database has nothing yet: no daemon starts on either.
    expect((await migrate(['--to'], marked)).signal).toBe('SIGKILL');
    const onDirectory = await daemon.run('hydrantd', loopback);
    expect([onDirectory.exitCode, onDirectory.all]).toEqual([78, expect.stringContaining('was interrupted')]);
    const onDatabase = await daemon.run('hydrantd', loopback, undefined, store);
    expect([onDatabase.exitCode, onDatabase.all]).toEqual([78, expect.stringContaining('was interrupted')]);
    // The database has it all, and the directory does not know.
    await until('the transaction of the one that was killed is over', async () => {
      const { signal } = await migrate(['--to'], committed);
      return signal === 'SIGKILL';
    });
    const found = await migrate(['--to']);
    expect([found.exitCode, found.all]).toEqual([78, expect.stringContaining('was moved to PostgreSQL at')]);

    expect((await migrate(['--from'], movedIn)).signal).toBe('SIGKILL');
    expect((await daemon.run('hydrantd', loopback)).exitCode).toBe(78);
    expect((await migrate(['--from'])).exitCode).toBe(0);
    expect(readdirSync(daemon.dataDir)).not.toContain('migrate.tmp');
    await daemon.start();
    expect((await tapOf(daemon)).name).toBe('foxes');
  });
});
