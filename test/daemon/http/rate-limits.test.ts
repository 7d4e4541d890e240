import { get, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { RequestCounts } from '../../../src/daemon/http/rate-limits.ts';
import type { ServerOptions } from '../../../src/daemon/http/server.ts';

let api: Api;
beforeEach(async () => {
  api = await Api.open();
});
afterEach(() => api.close());

async function times(count: number, ask: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < count; turn++) statuses.push((await ask()).status);
  return statuses;
}
const all = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

describe('/v1/rules', () => {
  test('takes 60 requests a minute of a tap, whatever they are, and then answers 429 until the minute is over', async () => {
    const { token } = await api.newTap();
    const first = await api.call('GET', '/v1/rules', token);
    expect(first.headers.get('ratelimit-limit')).toBe('60');
    expect(first.headers.get('ratelimit-remaining')).toBe('59');
    expect(first.headers.get('ratelimit-reset')).toBe('60');
    expect(await times(29, () => api.call('GET', '/v1/rules', token))).toEqual(all(29, 200));
    expect(await times(15, () => api.call('GET', '/v1/rules/none', token))).toEqual(all(15, 404));
    expect(await times(15, () => api.call('POST', '/v1/rules', token, {}))).toEqual(all(15, 422));
    api.house.clock.ms += 20_500;
    const { status, headers, body } = await api.call('DELETE', '/v1/rules/none', token);
    expect(status).toBe(429);
    expect(body).toEqual({
      message: 'Rate limit exceeded. /v1/rules takes 60 requests a minute. Try again in 40 seconds.',
    });
    expect(headers.get('retry-after')).toBe('40');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('ratelimit-reset')).toBe('40');
    api.house.clock.ms += 39_499;
    expect((await api.call('GET', '/v1/rules', token)).status).toBe(429);
    api.house.clock.ms += 1;
    expect((await api.call('GET', '/v1/rules', token)).status).toBe(200);
  });

  test('counts each tap by itself', async () => {
    const [one, other] = [await api.newTap(), await api.newTap()];
    expect((await times(61, () => api.call('GET', '/v1/rules', one.token))).at(-1)).toBe(429);
    expect((await api.call('GET', '/v1/rules', other.token)).status).toBe(200);
  });

  test('counts after authentication: a stranger spends nothing of a tap’s, and is a 401 however often he asks', async () => {
    const { id, token } = await api.newTap();
    for (const key of [undefined, 'svc_guess', id, token.slice(0, -1), api.house.key]) {
      expect(await times(13, () => api.call('GET', '/v1/rules', key))).toEqual(all(13, 401));
    }
    expect((await api.call('GET', '/v1/rules', token)).headers.get('ratelimit-remaining')).toBe('59');
  });

  test('has no more room after the clock was set back, and no less', async () => {
    const { token } = await api.newTap();
    await times(61, () => api.call('GET', '/v1/rules', token));
    api.house.clock.ms -= 3_600_000;
    expect((await api.call('GET', '/v1/rules', token)).headers.get('ratelimit-remaining')).toBe('59');
  });

  test('is not what /v1/taps, /v1/validate and the stream are counted by', async () => {
    const { token } = await api.newTap();
    await times(61, () => api.call('GET', '/v1/rules', token));
    expect((await api.call('POST', '/v1/validate', token, { query: 'x' })).status).toBe(200);
    expect((await api.call('HEAD', '/v1/stream', token)).status).toBe(200);
    expect(await times(65, () => api.call('GET', '/v1/taps', api.house.key))).toEqual(all(65, 200));
  });
});

describe('/v1/stream', () => {
  test('is opened 30 times a minute by a tap, and the 31st is a 429', async () => {
    const { token } = await api.newTap();
    // A connection of its own each, since a stream closes the one that it came by.
    const open = (): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
      new Promise((resolve, reject) => {
        const asked = get(`${api.url}/v1/stream`, { headers: { authorization: `Bearer ${token}` }, agent: false });
        asked.on('error', reject).on('response', (answer) => {
          answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
        });
      });
    expect((await open()).headers['ratelimit-limit']).toBe('30');
    expect(await times(29, open)).toEqual(all(29, 200));
    const refused = await api.call('GET', '/v1/stream', token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.body.message).toContain('/v1/stream takes 30 requests a minute');
  });
});

describe('/v1/stream with parameters that are wrong', () => {
  test('is a 422 that does not count as an opening', async () => {
    const { token } = await api.newTap();
    expect(await times(40, () => api.call('GET', '/v1/stream?timeout=301', token))).toEqual(all(40, 422));
    const opened = await api.call('HEAD', '/v1/stream', token);
    expect([opened.status, opened.headers.get('ratelimit-remaining')]).toEqual([200, '29']);
  });

  test('is a 401 without the token, whatever they are', async () => {
    expect((await api.call('GET', '/v1/stream?timeout=301', `svc_${'x'.repeat(40)}`)).status).toBe(401);
  });
});

describe('/v1/validate/public', () => {
  const ask = (of: Api, headers: Record<string, string> = {}) =>
    of.call('POST', '/v1/validate/public', undefined, { query: 'x' }, headers);

  test('takes 30 requests a minute of an address', async () => {
    expect(await times(30, () => ask(api))).toEqual(all(30, 200));
    const { status, headers } = await ask(api);
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('60');
    api.house.clock.ms += 60_000;
    expect((await ask(api)).status).toBe(200);
  });

  test('does not believe X-Forwarded-For of who is no trusted proxy', async () => {
    let turn = 0;
    const statuses = await times(31, () => ask(api, { 'x-forwarded-for': `192.0.2.${(turn += 1)}` }));
    expect(statuses.at(-1)).toBe(429);
  });

  /** How many requests are left for each of these addresses, after one request by each in turn. */
  async function left(options: ServerOptions, ...forwarded: string[]): Promise<string[]> {
    const own = await Api.open({ ...options, publicValidateRate: 10 });
    const remaining: string[] = [];
    for (const address of forwarded) {
      const { headers } = await ask(own, { 'x-forwarded-for': address });
      remaining.push(headers.get('ratelimit-remaining') ?? '');
    }
    await own.close();
    return remaining;
  }
  const behind = { trustedProxies: ['127.0.0.0/8', '10.1.0.0/16', '::1/128'] };

  test('counts the address that a trusted proxy names, the last that is not itself trusted', async () => {
    expect(await left(behind, '192.0.2.1', '192.0.2.2', '192.0.2.1')).toEqual(['9', '9', '8']);
    // What stands before it was written by the client.
    expect(await left(behind, '192.0.2.1', '8.8.8.8, 192.0.2.1', '192.0.2.1, 10.1.2.3')).toEqual(['9', '8', '7']);
  });

  test('counts an IPv6 client by its /64, and an IPv4 address in IPv6 as itself', async () => {
    expect(await left(behind, '2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1')).toEqual(['9', '8', '9']);
    expect(await left(behind, '::ffff:192.0.2.1', '192.0.2.1')).toEqual(['9', '8']);
  });

  test('counts what is no address as the proxy’s own', async () => {
    expect(await left(behind, 'unknown', '_hidden', '\t, x')).toEqual(['9', '8', '7']);
  });
});

describe('what is counted', () => {
  test('has a bound: of more clients than fit, who asked longest ago is forgotten', () => {
    const counts = new RequestCounts(() => 0, 3);
    for (const client of ['a', 'b', 'c', 'a', 'd']) counts.count(client, 60_000);
    expect(counts.size).toBe(3);
    expect(counts.count('a', 60_000).current).toBe(3);
    expect(counts.count('b', 60_000).current).toBe(1);
  });

  test('never lets more than the limit pass within a window, whatever the clock and the clients do', () => {
    const steps = fc.array(fc.record({ client: fc.constantFrom('a', 'b', 'c'), ms: fc.integer({ min: 0, max: 90 }) }));
    const property = fc.property(steps, (asked) => {
      let now = 0;
      const counts = new RequestCounts(() => now, 10);
      const began = new Map<string, { at: number; count: number }>();
      for (const { client, ms } of asked) {
        now += ms;
        const { current, ttl } = counts.count(client, 100);
        const known = began.get(client);
        const expected = known && now < known.at + 100 ? known : { at: now, count: 0 };
        expected.count += 1;
        began.set(client, expected);
        expect({ current, ttl }).toEqual({ current: expected.count, ttl: expected.at + 100 - now });
      }
    });
    fc.assert(property);
  });
});
