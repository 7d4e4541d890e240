import { afterEach, describe, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { clients, type Opened } from './sse-clients.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

/** `curl -N` is among them where curl is installed; the name of the test says which were there. */
const names = Object.keys(clients);

describe('clients of others', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).toReversed()) await thing.close();
  });

  async function started(): Promise<RealDaemon> {
    const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
    open.push({ close: () => daemon.dispose() });
    return daemon;
  }

  async function tapOf(daemon: RealDaemon, name: string, rule?: string): Promise<string> {
    await daemon.hydrant(['tap', 'create', name]);
    if (rule !== undefined) await daemon.hydrant(['rule', 'add', name, rule, '--no-quality']);
    const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
    return data.find((tap) => tap.name === name)?.token ?? '';
  }

  function openAll(url: string, token: string): Map<string, Opened> {
    const opened = new Map(names.map((name) => [name, clients[name]!(url, token)]));
    open.push(...opened.values());
    return opened;
  }

  test(`${names.join(', ')}: connect, receive, lose the connection, resume, end, and hear of the revocation`, async () => {
    const site = await ChangingSite.start(6);
    open.push(site);
    const daemon = await started();
    const token = await tapOf(daemon, 'all', 'fox');
    const opened = openAll(`${daemon.notice.url}/v1/stream?offset=0`, token);
    const all = (what: string, holds: (one: Opened) => boolean): Promise<void> =>
      until(`${what}: ${[...opened].flatMap(([name, one]) => (holds(one) ? [] : name)).join()}`, () =>
        [...opened.values()].every((one) => holds(one)),
      );
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
    await all('received', ({ seen }) => seen.updates.length >= 10);

    await daemon.kill();
    await daemon.start();
    const before = Math.max(...[...opened.values()].map(({ seen }) => seen.updates.length));
    await all('resumed after kill -9', ({ seen }) => seen.updates.length >= before + 10);
    expect([...opened.values()].map(({ seen }) => seen.types.includes('end'))).toEqual(names.map(() => false));

    expect(await daemon.stop()).toBe(0);
    await all('heard the end', ({ seen }) => seen.types.includes('end'));
    await daemon.start();
    const then = Math.max(...[...opened.values()].map(({ seen }) => seen.updates.length));
    await all('resumed after the end', ({ seen }) => seen.updates.length >= then + 5);

    await daemon.hydrant(['tap', 'revoke', 'all', '--yes']);
    await all('heard of the revocation', ({ seen }) => seen.errors.length > 0);
    await all('was refused', ({ seen }) => seen.statuses.at(-1) === 401);
    for (const [name, { seen }] of opened) {
      expect([name, JSON.parse(seen.errors[0] ?? '')]).toEqual([
        name,
        { message: 'This tap was revoked. Its token is no longer valid.', code: 'tap_revoked' },
      ]);
      // Every event once and in order, over three lives of the daemon.
      expect([name, seen.updates]).toEqual([name, seen.updates.map((_, offset) => `0-${offset}`)]);
    }
  });

  test('see 401, 422 and 429 as such, and the advice of a tap without rules', async () => {
    const daemon = await started();
    const token = await tapOf(daemon, 'bare');
    const stream = `${daemon.notice.url}/v1/stream`;
    const statusOf = async (url: string, key: string, status: number): Promise<void> => {
      for (const [name, client] of openAll(url, key)) {
        await until(`${name} sees ${status}`, () => client.seen.statuses.length > 0);
        client.close();
        expect([name, client.seen.statuses[0], client.seen.types]).toEqual([name, status, []]);
      }
    };
    await statusOf(stream, `svc_${'x'.repeat(40)}`, 401);
    await statusOf(`${stream}?timeout=301`, token, 422);
    for (const [name, client] of openAll(stream, token)) {
      await until(`${name} hears the advice`, () => client.seen.errors.length > 0);
      client.close();
      expect([name, client.seen.types.slice(0, 2)]).toEqual([name, ['connected', 'error']]);
      expect(client.seen.errors[0]).toContain('POST /v1/rules');
    }
    let last: Response | undefined;
    for (let opening = 0; opening < 31 && last?.status !== 429; opening += 1) {
      last = await fetch(stream, { headers: { authorization: `Bearer ${token}` } });
      await last.body?.cancel();
    }
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    await statusOf(stream, token, 429);
  });

  test('share what a prepaid balance pays for, hear when it is exhausted, see 402, and go on when there is credit', async () => {
    const site = await ChangingSite.start(6);
    open.push(site);
    const daemon = await started();
    const token = await tapOf(daemon, 'prepaid', 'fox');
    const stream = `${daemon.notice.url}/v1/stream?offset=0`;
    const untilExhausted = async (matches: number): Promise<void> => {
      const opened = openAll(stream, token);
      for (const [name, { seen }] of opened) {
        await until(`${name} hears of it`, () => seen.errors.length > 0);
        await until(`${name} sees 402`, () => seen.statuses.includes(402));
        expect([name, seen.updates]).toEqual([name, Array.from({ length: matches }, (_, offset) => `0-${offset}`)]);
        expect(seen.errors[0]).toContain('"code":"out_of_credit"');
        expect(seen.statuses).not.toContain(429);
      }
      for (const one of opened.values()) one.close();
    };
    await daemon.operator('PUT', '/admin/credit', { balance: 0.075 });
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
    await untilExhausted(15);
    await daemon.kill();
    await daemon.start();
    // What was paid before the crash is free, and 0.25 pays for fifty more: so many that none of them is waiting yet. With
    // less it would be spent on what is, before the last client has come, and that one would see 402 and nothing else.
    await daemon.operator('POST', '/admin/credit/grants', { amount: 0.25 });
    await untilExhausted(65);
    const { data } = await daemon.operator<{ data: { balance: number } }>('GET', '/admin/credit');
    expect(data.balance).toBe(0);
  });
});
