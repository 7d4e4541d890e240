import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  HostsFile,
  type Lookup,
  Names,
  nameServers,
  type NamesOptions,
  parseHosts,
} from '../../../src/daemon/fetch/names.ts';
import { NameServer, type Says } from './name-server.ts';

const NO_HOSTS = { addresses: () => Promise.resolve(undefined) };
const SECOND = 1_000;

class Clock {
  time = 1_800_000_000_000;
  readonly now = (): number => this.time;
}

interface Setting {
  readonly names: Names;
  readonly server: NameServer;
  readonly clock: Clock;
}

async function setting(zone: Readonly<Record<string, Says>>, options: Partial<NamesOptions> = {}): Promise<Setting> {
  const server = await NameServer.listen(zone);
  const clock = new Clock();
  const names = new Names({ now: clock.now, lookup: nameServers([server.address]), hosts: NO_HOSTS, ...options });
  return { names, server, clock };
}

const a = (value: string, ttl?: number): Says => [{ type: 'A', value, ...(ttl !== undefined && { ttl }) }];
const v4 = (address: string): unknown => ({ address, family: 4 });

describe('a look-up', () => {
  test('gives the addresses of both families', async () => {
    const { names, server } = await setting({
      'a.test': [
        { type: 'A', value: '192.0.2.1' },
        { type: 'A', value: '192.0.2.2' },
        { type: 'AAAA', value: '2001:db8::7' },
      ],
    });
    const found = await names.resolve('a.test');
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([v4('192.0.2.1'), v4('192.0.2.2'), { address: '2001:db8::7', family: 6 }]),
    );
    expect(server.asked.sort()).toEqual(['a.test A', 'a.test AAAA']);
  });

  test('with thousands of addresses keeps as many as are of use', async () => {
    const all = Array.from({ length: 4_000 }, (_, at) => ({ address: `192.0.${at >> 8}.${at & 255}`, ttl: 60 }));
    const lookup: Lookup = async (_, family) => (family === 4 ? all : [{ address: '2001:db8::7', ttl: 60 }]);
    const names = new Names({ now: () => 0, lookup, hosts: NO_HOSTS });
    const found = await names.resolve('a.test');
    expect(found.slice(0, 4).map(({ address }) => address)).toEqual(all.slice(0, 4).map(({ address }) => address));
    expect(found.at(-1)).toEqual({ address: '2001:db8::7', family: 6 });
    expect(found.length).toBeLessThanOrEqual(16);
  });

  test('follows an alias, which holds no longer than its shortest part', async () => {
    const { names, server, clock } = await setting({
      'www.a.test': [
        { type: 'CNAME', value: 'cdn.test', ttl: 60 },
        { type: 'A', value: '192.0.2.9', ttl: 3_000 },
      ],
    });
    expect(await names.resolve('www.a.test')).toEqual([v4('192.0.2.9')]);
    clock.time += 59 * SECOND;
    await names.resolve('www.a.test');
    expect(server.asked).toHaveLength(2);
    clock.time += 1 * SECOND;
    await names.resolve('www.a.test');
    expect(server.asked).toHaveLength(4);
  });

  test('is the same for a name in capitals, or with the dot of the root', async () => {
    const { names, server } = await setting({ 'a.test': a('192.0.2.1') });
    for (const name of ['a.test', 'A.Test', 'a.test.']) expect(await names.resolve(name)).toEqual([v4('192.0.2.1')]);
    expect(server.asked).toHaveLength(2);
  });

  test('is made once for all who ask at the same time', async () => {
    const { names, server } = await setting({ 'a.test': a('192.0.2.1') });
    const all = await Promise.all(Array.from({ length: 20 }, () => names.resolve('a.test')));
    expect(all.every((found) => found.length === 1)).toBe(true);
    expect(server.asked).toHaveLength(2);
  });

  test.each([
    ['a name that does not exist', 3, 'no address for a.test', 300],
    ['a name without an address', [], 'no address for a.test', 300],
    ['a server that fails', 2, 'the look-up of a.test failed (ESERVFAIL)', 30],
    ['a server that refuses', 5, 'the look-up of a.test failed (EREFUSED)', 30],
  ] as const)('of %s fails, and is not repeated at once', async (_, says, message, seconds) => {
    const { names, server, clock } = await setting({ 'a.test': says });
    await expect(names.resolve('a.test')).rejects.toMatchObject({ reason: 'dns', message });
    const { length } = server.asked;
    clock.time += seconds * SECOND - 1;
    await expect(names.resolve('a.test')).rejects.toMatchObject({ reason: 'dns', message });
    expect(server.asked).toHaveLength(length);
    clock.time += 1;
    server.zone.set('a.test', a('192.0.2.1'));
    expect(await names.resolve('a.test')).toEqual([v4('192.0.2.1')]);
  });

  test('is content with one family when the other fails, for half a minute', async () => {
    const { names, server, clock } = await setting({ 'a.test A': a('192.0.2.1', 600), 'a.test AAAA': 2 });
    expect(await names.resolve('a.test')).toEqual([v4('192.0.2.1')]);
    server.zone.set('a.test AAAA', [{ type: 'AAAA', value: '2001:db8::1' }]);
    clock.time += 30 * SECOND;
    expect(await names.resolve('a.test')).toHaveLength(2);
  });

  test('that nobody answers ends, and says so', async () => {
    const { names } = await setting({ 'a.test': 'nothing' });
    await expect(names.resolve('a.test')).rejects.toMatchObject({
      reason: 'dns',
      message: 'no name server answered for a.test',
    });
  });
});

describe('an answer holds', () => {
  test.each([
    [0, 30],
    [1, 30],
    [90, 90],
    [3_600, 3_600],
    [86_400, 3_600],
  ])('%i seconds by its server, %i by us', async (ttl, held) => {
    const { names, server, clock } = await setting({ 'a.test': a('192.0.2.1', ttl) });
    await names.resolve('a.test');
    server.zone.set('a.test', a('192.0.2.2', ttl));
    clock.time += held * SECOND - 1;
    expect(await names.resolve('a.test')).toEqual([v4('192.0.2.1')]);
    clock.time += 1;
    expect(await names.resolve('a.test')).toEqual([v4('192.0.2.2')]);
  });

  test('no longer when the clock is put back', async () => {
    const { names, server, clock } = await setting({ 'a.test': a('192.0.2.1', 3_600) });
    await names.resolve('a.test');
    clock.time -= 24 * 3_600 * SECOND;
    await names.resolve('a.test');
    expect(server.asked).toHaveLength(4);
  });

  test('for as many names as may be remembered: those asked for longest ago go first', async () => {
    const { names, server } = await setting(
      { 'a.test': a('192.0.2.1'), 'b.test': a('192.0.2.2'), 'c.test': a('192.0.2.3') },
      { most: 2 },
    );
    for (const name of ['a.test', 'b.test', 'a.test', 'c.test']) await names.resolve(name);
    server.asked.length = 0;
    await names.resolve('a.test');
    expect(server.asked).toEqual([]);
    await names.resolve('b.test');
    expect(server.asked).toHaveLength(2);
  });
});

describe('the hosts file', () => {
  async function file(text: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'hydrant-hosts-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, 'hosts'), text);
    return join(directory, 'hosts');
  }

  test('is read line by line, and what is no line of it is passed over', () => {
    const hosts = parseHosts(
      '# the house\n192.168.1.9 NAS.home nas # upstairs\r\n\tfd00::9\tnas\n\n192.168.1.9\n999.1.1.1 bad\nnas 1.2.3.4\n',
    );
    expect([...hosts]).toEqual([
      ['nas.home', [v4('192.168.1.9')]],
      ['nas', [v4('192.168.1.9'), { address: 'fd00::9', family: 6 }]],
    ]);
  });

  test('goes before the name servers, and a change of it is seen', async () => {
    const clock = new Clock();
    const path = await file('192.0.2.7 nas.test\n');
    const { names, server } = await setting({}, { hosts: new HostsFile({ now: clock.now, path }) });
    expect(await names.resolve('NAS.test')).toEqual([v4('192.0.2.7')]);
    expect(server.asked).toEqual([]);
    await writeFile(path, '192.0.2.8 nas.test\n');
    await utimes(path, 1, 1);
    clock.time += 5 * SECOND;
    expect(await names.resolve('nas.test')).toEqual([v4('192.0.2.8')]);
    await rm(path);
    clock.time += 5 * SECOND;
    await expect(names.resolve('nas.test')).rejects.toMatchObject({ message: 'no address for nas.test' });
  });

  test('is read to its first mebibyte', async () => {
    const path = await file(`192.0.2.7 first.test\n${'# blocked\n'.repeat(110_000)}192.0.2.8 last.test\n`);
    const hosts = new HostsFile({ now: new Clock().now, path });
    expect(await hosts.addresses('first.test')).toEqual([v4('192.0.2.7')]);
    expect(await hosts.addresses('last.test')).toBeUndefined();
  });

  test('may lack localhost, which is loopback all the same and never asked for', async () => {
    const { names, server } = await setting({});
    for (const name of ['localhost', 'a.localhost', 'LOCALHOST.']) {
      expect(await names.resolve(name)).toEqual([v4('127.0.0.1'), { address: '::1', family: 6 }]);
    }
    expect(server.asked).toEqual([]);
  });
});
