import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AddressGuard, type AddressVerdict } from '../../../src/daemon/fetch/address-guard.ts';
import { guardedConnector } from '../../../src/daemon/fetch/connector.ts';
import { FetchProblem } from '../../../src/daemon/fetch/fetched.ts';
import type { Resolve } from '../../../src/daemon/fetch/names.ts';
import { never, Site } from './site.ts';

const loopback = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
const nowhere: Resolve = () => Promise.reject(new Error('nothing should be looked up'));

type Guard = Pick<AddressGuard, 'check'>;

/** The peer that a connection arrived at, or the error that came instead. */
function connect(guard: Guard, resolve: Resolve, site: Site, hostname: string, signal = never(), protocol = 'http:') {
  const connector = guardedConnector(guard, resolve)(signal, () => undefined);
  return new Promise<string | Error>((settle) => {
    connector({ hostname, host: `${hostname}:${site.port}`, protocol, port: String(site.port) }, (error, socket) => {
      settle(error ?? String(socket?.remoteAddress));
      socket?.destroy();
    });
  });
}

const silent = (): Promise<Site> => Site.listen(createServer());
const answering =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('the guarded connector', () => {
  test('goes where the resolver says, if the guard agrees', async () => {
    expect(await connect(loopback, answering('127.0.0.1'), await silent(), 'a.test')).toBe('127.0.0.1');
  });

  test('refuses a literal without looking anything up or connecting', async () => {
    const site = await silent();
    const closed = new AddressGuard({ allowPrivate: [] });
    for (const literal of ['127.0.0.1', '[::1]', '::ffff:127.0.0.1', '[::ffff:7f00:1]']) {
      expect(await connect(closed, nowhere, site, literal)).toMatchObject({ reason: 'private_address' });
    }
    expect(site.accepted).toBe(0);
  });

  test.each([
    ['a private address alone', ['10.0.0.5']],
    ['one behind a public address', ['93.184.216.34', '10.0.0.5']],
    ['one behind an allowed address', ['127.0.0.1', '10.0.0.5']],
    ['one in front of an allowed address', ['10.0.0.5', '127.0.0.1']],
  ])('refuses a name that resolves to %s, before it connects', async (_, addresses) => {
    const site = await silent();
    expect(await connect(loopback, answering(...addresses), site, 'a.test')).toMatchObject({
      reason: 'private_address',
      message:
        'a.test resolves to 10.0.0.5 (private network 10.0.0.0/8); start hydrantd with --allow-private 10.0.0.0/8 to crawl it',
    });
    expect(site.accepted).toBe(0);
  });

  test('refuses an answer that is no address', async () => {
    expect(await connect(loopback, answering('gopher'), await silent(), 'a.test')).toMatchObject({
      reason: 'private_address',
    });
  });

  test('a name without addresses has none', async () => {
    expect(await connect(loopback, answering(), await silent(), 'a.test')).toMatchObject({
      reason: 'dns',
      message: 'no address for a.test',
    });
  });

  test('a name that was harmless a moment ago is judged anew at each connection', async () => {
    const site = await silent();
    const answers = ['127.0.0.1', '10.0.0.5'];
    const rebinding: Resolve = () => answering(answers.shift() ?? '')('');
    expect(await connect(loopback, rebinding, site, 'a.test')).toBe('127.0.0.1');
    expect(await connect(loopback, rebinding, site, 'a.test')).toMatchObject({ reason: 'private_address' });
  });

  test('a peer that is not what was looked up is refused and let go', async () => {
    const site = await silent();
    const changing = guardAnswering({ allowed: true, opened: false }, loopbackRefusal);
    expect(await connect(changing, answering('127.0.0.1'), site, 'a.test')).toMatchObject({
      reason: 'private_address',
      message: expect.stringContaining('a.test turned out to be 127.0.0.1') as string,
    });
    await site.connected(1);
    await site.deserted();
  });

  test('with many addresses, tries a few', async () => {
    const addresses = Array.from({ length: 200 }, (_, index) => `127.0.9.${index + 1}`);
    const site = await silent();
    expect(await connect(loopback, answering(...addresses), site, 'a.test')).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await connect(loopback, answering('127.0.0.1', ...addresses), site, 'a.test')).toBe('127.0.0.1');
  });

  test('a signal ends a handshake that would not end by itself', async () => {
    const site = await silent();
    const end = new AbortController();
    const connecting = connect(loopback, answering('127.0.0.1'), site, 'a.test', end.signal, 'https:');
    await site.connected(1);
    end.abort(new FetchProblem('aborted', 'called off'));
    expect(await connecting).toBe(end.signal.reason);
    await site.deserted();
  });

  test('a signal ends a look-up that would not end by itself', async () => {
    const end = new AbortController();
    const asked = new EventTarget();
    const hanging: Resolve = () => {
      asked.dispatchEvent(new Event('asked'));
      return new Promise(() => undefined);
    };
    const lookedUp = once(asked, 'asked');
    const connecting = connect(loopback, hanging, await silent(), 'a.test', end.signal);
    await lookedUp;
    end.abort(new FetchProblem('aborted', 'called off'));
    expect(await connecting).toBe(end.signal.reason);
  });
});

const loopbackRefusal: AddressVerdict = { allowed: false, range: '127.0.0.0/8', name: 'loopback', openable: true };

/** Gives these verdicts one after the other, whatever the address. */
function guardAnswering(...verdicts: readonly AddressVerdict[]): Guard {
  const left = [...verdicts];
  return { check: () => left.shift() ?? loopbackRefusal };
}
